"""What the commands prompts list, show and edit do."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import typer

from pipeline.base.errors import GraphstrataError, SettingsError
from pipeline.base.settings import SETTINGS_FILE
from pipeline.base.storage.disk import disk_errors, write_whole
from pipeline.language.tasks.registry import TASKS
from pipeline.runner.project import Project
from pipeline.runner.tuning.changes import PROMPTS_FOLDER, checked_prompt, default_prompt, edited
from pipeline.text.quotes import shorten

ABOUT = 90
"""Characters of what is said of a task."""


def list_prompts(root: Path) -> None:
    """Print every task that a model may be asked, with its own prompt where settings name one, checked."""
    tasks = Project.open(root).settings.tasks if (root / SETTINGS_FILE).exists() else {}
    for name, task in TASKS.items():
        if task.prompt is None:
            continue
        own = tasks[name].prompt if name in tasks else None
        state = "default"
        if own:
            try:
                checked_prompt(root, own, name)
                state = own
            except GraphstrataError as error:
                state = f"{own}, which cannot be used: {error.found}"
        about = (sys.modules[task.offline.__module__].__doc__ or "").partition("\n")[0]
        typer.echo(f"{name:24} {state:10} {shorten(about, ABOUT)}")


def show_prompt(root: Path, task: str, default: bool) -> None:
    """Print the prompt of a task as it is used, its own one where there is one; with ``default`` the default."""
    text = default_prompt(task)
    own = _own(root, task)
    if own and not default:
        checked_prompt(root, own, task)
        text = (root / own).read_text(encoding="utf-8-sig")
    typer.echo(text, nl=False)
    prompt = TASKS[task].prompt
    assert prompt is not None
    names = ", ".join(f"{{{name}}}" for name in prompt.fields)
    typer.echo(f"({own if own and not default else 'the default'}; placeholders: {names or 'none'})", err=True)


def edit_prompt(root: Path, task: str) -> None:
    """Make a copy of a task's prompt that settings use, open it where an editor is named, and check it."""
    project = Project.open(root)
    text = default_prompt(task)
    name = _own(root, task) or f"{PROMPTS_FOLDER}/{task}.txt"
    path = root / name
    if not path.exists():
        with disk_errors(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, text.encode())
        typer.echo(f"wrote {path}, a copy of the default: system part, a line of ---, user part")
    if project.settings.tasks.get(task) is None or project.settings.tasks[task].prompt is None:
        file = root / SETTINGS_FILE
        with disk_errors(file):
            before = file.read_text(encoding="utf-8-sig")
            write_whole(file, edited(before, {"tasks": {task: {"prompt": name}}}).encode())
        typer.echo(f"{file}: tasks.{task}.prompt is {name}")
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if editor and sys.stdin.isatty():
        try:
            subprocess.run([*shlex.split(editor), str(path)], check=False)
        except OSError as error:
            raise SettingsError(
                f"the editor {editor} cannot be run: {error.strerror}", "the copy is there", f"edit {path}"
            ) from error
    checked_prompt(root, name, task)
    typer.echo(f"{path} can be used; replies to {task} are asked anew where its text differs")


def _own(root: Path, task: str) -> str | None:
    if not (root / SETTINGS_FILE).exists():
        return None
    own = Project.open(root).settings.tasks.get(task)
    return own.prompt if own else None
