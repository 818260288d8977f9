"""What the command cypher prints: rows of a query as a table or as JSON."""

import json as jsonlib
from pathlib import Path
from typing import Any

import typer

from pipeline.runner.project import Project
from pipeline.text.quotes import shorten

WIDEST = 60
"""Characters of a cell in the table."""


def print_rows(root: Path, query: str, limit: int, seconds: float, json: bool) -> None:
    """Print the rows of a query; QuestionError for one that cannot be run."""
    from pipeline.graph.cypher.query import run_cypher

    found = run_cypher(Project.open(root).store.open(), query, limit=limit, seconds=seconds)
    if json:
        whole = {"columns": found.columns, "rows": found.rows, "more": found.more}
        typer.echo(jsonlib.dumps(whole, ensure_ascii=False, default=str))
        return
    cells = [list(found.columns), *([_plain(value) for value in row] for row in found.rows)]
    widths = [max(len(row[place]) for row in cells) for place in range(len(found.columns))]
    for row in cells:
        typer.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    if found.more:
        typer.echo(f"(the first {len(found.rows):,} rows; --limit allows more)", err=True)


def _plain(value: Any) -> str:
    """Return a value on one line: a node as its label and title, other values as they are."""
    if isinstance(value, dict) and "_LABEL" in value:
        value = f"({value['_LABEL']} {value.get('title') or value.get('id') or ''})"
    return shorten(" ".join(("" if value is None else str(value)).split()), WIDEST)
