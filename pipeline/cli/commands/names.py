"""What the commands names merge, split, rename, retype and list do: corrections of names, shown before they are written."""

import sys
from pathlib import Path
from typing import Any

import typer

from pipeline.base.errors import QuestionError
from pipeline.base.store import Generation
from pipeline.cli.fixes import copyable
from pipeline.cli.terminal import as_json
from pipeline.resolution.corrections import Correction, Merge
from pipeline.resolution.corrections_file import CORRECTIONS_FILE, write_corrections
from pipeline.resolution.preview import Preview, describe
from pipeline.runner.correcting import previewed
from pipeline.runner.project import Project

SURE = (0.35, 0.95)
"""Decisions whose score is between these are the unsure ones."""


def correct_merge(root: Path, names: list[str], only_preview: bool, json: bool) -> None:
    """Merge names into the last of them; QuestionError for a single one."""
    if len(names) < 2:
        raise QuestionError(
            f"names merge {names[0]!r}: there is nothing to merge it with",
            "it takes all names of one entity, the last of which is what it is called",
            "name at least two",
        )
    correct(root, Merge(tuple(names[:-1]), names[-1]), only_preview, json)


def correct(root: Path, correction: Correction, only_preview: bool, json: bool) -> None:
    """Show what a correction changes in the published index and, unless only that is wanted, write it.

    QuestionError for a correction that cannot be used, or of a name that no entity has.
    """
    project = Project.open(root)
    after, shown = previewed(project, [correction])
    if not only_preview:
        write_corrections(project.root / CORRECTIONS_FILE, after)
    if json:
        typer.echo(as_json({"changes": shown.changes, "rows": shown.rows, "written": not only_preview}))
    else:
        typer.echo(copyable(_preview_text(shown, not only_preview), sys.argv[1:]))


def _preview_text(shown: Preview, written: bool) -> str:
    touched = ", ".join(f"{table.replace('_', ' ')} {count:,}" for table, count in shown.rows.items() if count)
    lines = [*(shown.changes or ["it is so already"]), f"rows that change: {touched or 'none'}"]
    lines.append(f"written to {CORRECTIONS_FILE}; run: graphstrata index" if written else "nothing was written")
    return "\n".join(lines)


def list_decisions(root: Path, unsure: bool, json: bool) -> None:
    """Print corrections and decisions; with ``unsure`` only those that a person should look at."""
    project = Project.open(root)
    rows = decisions(project.store.open(), unsure)
    corrections = [] if unsure else [describe(one) for one in project.corrections()]
    if json:
        typer.echo(as_json({"corrections": corrections, "decisions": rows}))
        return
    for line in corrections:
        typer.echo(f"by hand: {line}")
    for row in rows:
        relation = f"is {row['entity']}" if row["joined"] else f"is kept apart from {row['entity']}"
        if row["type"]:
            relation = f"is of type {row['type']}"
        typer.echo(f"{row['name']} {relation}  (by {row['by']}: {row['reason']})")
    if not rows and not corrections:
        typer.echo("nothing unsure" if unsure else "no name was resolved to another")


def decisions(generation: Generation, unsure: bool) -> list[dict[str, Any]]:
    """Return the rows of the table aliases; with ``unsure`` only those, least sure first."""
    rows: list[dict[str, Any]] = generation.table("aliases").to_pylist()
    if not unsure:
        return rows
    low, high = SURE
    found = [row for row in rows if row["by"] != "correction" and low <= row["score"] < high]
    return sorted(found, key=lambda row: (abs(row["score"] - 0.5), row["entity"], row["name"]))
