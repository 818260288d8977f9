"""What the command ask-me prints: questions that the index can be asked, each as it is typed."""

import json as jsonlib
from pathlib import Path

import typer

from pipeline.cli.fixes import in_shell
from pipeline.query.index import Index
from pipeline.runner.project import Project


def suggest(root: Path, count: int, json: bool) -> None:
    """Print ``count`` questions at most."""
    project = Project.open(root)
    questions = Index(project.store.open(), project.settings, root).questions(count)
    if json:
        typer.echo(jsonlib.dumps(questions, ensure_ascii=False))
        return
    for question in questions:
        typer.echo(in_shell("query", question, root=root))
