"""What the commands init, index and status do."""

import gc
import json as jsonlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from pipeline.base.errors import PartialError, SettingsError, StoreError
from pipeline.base.settings import SETTINGS_FILE, write_settings
from pipeline.cli.commands.rollback import describe_stages, describe_work
from pipeline.runner.project import Project

if TYPE_CHECKING:
    from pipeline.runner.run import Outcome


def init_project(folder: Path, print_only: bool) -> None:
    """Write settings.yaml and an empty input folder; SettingsError when there is one already."""
    if print_only:
        typer.echo(write_settings(), nl=False)
        return
    path = folder / SETTINGS_FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(write_settings())
        (folder / "input").mkdir(exist_ok=True)
    except FileExistsError as error:
        raise SettingsError(
            f"{path} exists already", "settings are never overwritten", "edit it, or choose another folder"
        ) from error
    except OSError as error:
        raise StoreError(
            f"{path} cannot be written: {error.strerror}", "settings are stored there", "choose another folder"
        ) from error
    typer.echo(f"wrote {path}\nNow put texts into {folder / 'input'} and run: graphstrata index --root {folder}")


def index_project(root: Path, json: bool, fresh: bool, forget: bool, caps: dict[str, float]) -> None:
    """Run the pipeline and say how it ended; PartialError when some items failed. ``caps`` replace those of settings."""
    from pipeline.base.engine.choose import opened_engine
    from pipeline.cli.progress import JsonLines, terminal
    from pipeline.runner.run import run_index

    # Millions of small objects live from one stage to the next: the default looks through them all again and again.
    gc.set_threshold(1_000_000, 50, 1000)
    # The threads that feed the processes without a model need Python's lock often and shortly.
    sys.setswitchinterval(0.001)
    project = Project.open(root).capped(caps)
    with JsonLines() if json else terminal() as progress, opened_engine(project.settings.engine) as engine:
        outcome = run_index(project, progress, engine=engine, fresh=fresh, forget=forget)
    if json:
        typer.echo(jsonlib.dumps(_outcome(outcome), ensure_ascii=False))
    else:
        _print_outcome(outcome, project)
    if outcome.status == "partial":
        raise PartialError(
            f"partial: {len(outcome.failures)} items failed",
            "they are listed in the table failures; answers rest on the rest",
            "fix their causes and run graphstrata index again: only they are tried again",
        )


def _print_outcome(outcome: "Outcome", project: Project) -> None:
    if outcome.unchanged:
        documents = f"{outcome.changes.unchanged:,} documents unchanged"
        typer.echo(f"up to date: generation {outcome.generation}, {documents}, nothing to do ({outcome.seconds:.1f} s)")
        return
    typer.echo(f"{outcome.status}: generation {outcome.generation} in {outcome.seconds:.1f} s; {outcome.changes}")
    typer.echo(describe_work(outcome))
    if outcome.forgotten:
        typer.echo(f"forgotten: {outcome.forgotten:,} cached replies and vectors, and every older generation")
    if outcome.calls["calls"] or outcome.calls["cached"]:
        asked = outcome.calls
        tokens = f"{asked['tokens_in']:,} tokens in, {asked['tokens_out']:,} out"
        typer.echo(
            f"{asked['calls']:,} calls, {asked['cached']:,} replies from the cache, {tokens}, cost {asked['cost']:,.4f}"
        )
    if outcome.faults:
        typer.echo(outcome.faults)
    shown = [name for name in outcome.rows if name not in ("failures", "calls", "embeddings")]
    typer.echo(", ".join(f"{outcome.rows[name]:,} {name.replace('_', ' ')}" for name in shown))
    for workflow, task, item, _, reason, attempts in outcome.failures[:20]:
        tries = f" after {attempts} tries" if attempts > 1 else ""
        typer.echo(f"failed: {workflow} {task} {item}{tries}: {reason}", err=True)
    typer.echo(f"tables are in {project.store.folder}")


def _outcome(outcome: "Outcome") -> dict[str, Any]:
    from dataclasses import asdict

    return asdict(outcome)


def print_status(root: Path, json: bool) -> None:
    """Print what is published and what has changed since."""
    from pipeline.runner.status import project_status

    status = project_status(Project.open(root))
    if json:
        typer.echo(jsonlib.dumps(status, ensure_ascii=False, indent=1))
        return
    redo = status["would_redo"]
    follows = "" if not redo or "" in redo else "; then what rests on tables that came out otherwise"
    status["would_redo"] = describe_stages(redo) + follows or "nothing"
    status["damaged"] = ", ".join(f"{name} ({what})" for name, what in status["damaged"].items()) or "no table"
    for key, value in status.items():
        typer.echo(f"{key.replace('_', ' '):18} {value}")
