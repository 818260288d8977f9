"""What the commands init, index and status do."""

import json as jsonlib
import sys
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from pipeline.base.errors import PartialError, SettingsError, StoreError
from pipeline.base.release_memory import one_heap
from pipeline.base.settings import SETTINGS_FILE, write_settings
from pipeline.cli.commands.rollback import describe_stages, describe_work
from pipeline.cli.fixes import in_shell
from pipeline.cli.terminal import as_json, folded
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
    typer.echo(f"wrote {path}\nNow put texts into {folder / 'input'} and run: {in_shell('index', root=folder)}")


@dataclass(frozen=True)
class IndexOptions:
    """What the options of the command say."""

    json: bool = False
    fresh: bool = False
    forget: bool = False
    caps: dict[str, float] = field(default_factory=dict)
    """Limits that replace those of settings."""
    log_file: Path | None = None
    verbose: bool = False


def index_project(root: Path, options: IndexOptions) -> None:
    """Run the pipeline and say how it ended; PartialError when some items failed."""
    from pipeline.base.engine.choose import opened_engine
    from pipeline.cli.progress import JsonLines, LogFile, Together, terminal
    from pipeline.runner.run import run_index

    one_heap()
    project = Project.open(root).capped(options.caps)
    with ExitStack() as stack:
        watching = [stack.enter_context(JsonLines() if options.json else terminal())]
        if options.log_file:
            watching.append(stack.enter_context(LogFile(options.log_file)))
        progress = Together(watching) if len(watching) > 1 else watching[0]
        engine = stack.enter_context(opened_engine(project.settings.engine))
        if not engine.inline:  # the threads that feed the processes need Python's lock often and shortly
            sys.setswitchinterval(0.001)
        outcome = run_index(project, progress, engine=engine, fresh=options.fresh, forget=options.forget)
        if options.log_file:
            watching[-1].line(f"{outcome.status}: generation {outcome.generation} in {outcome.seconds:.1f} s")
    if options.json:
        typer.echo(jsonlib.dumps(asdict(outcome), ensure_ascii=False))
    else:
        _print_outcome(outcome, project, options.verbose)
    if outcome.status == "partial":
        raise _partial(outcome, project)


def _partial(outcome: "Outcome", project: Project) -> PartialError:
    from pipeline.cli.failed_items import named_items
    from pipeline.runner.stage_notes import grouped, unreadable_files
    from pipeline.text.inflection import in_number

    files = unreadable_files(outcome.failures)
    listed = "\n".join(f"failed: {line}" for line in grouped(named_items(project.store.open(), outcome.failures)))
    fix = "fix the causes and run: graphstrata index; only these are tried again"
    if files:
        patterns = ", ".join(jsonlib.dumps(escape(file), ensure_ascii=False) for file in files[:20])
        fix += f"\n       or leave them out for good, in settings.yaml below input: exclude: [{patterns}]"
    return PartialError(
        f"partial: {in_number(len(outcome.failures), 'item')} failed\n{listed}",
        "answers rest on the rest; to see the list again: graphstrata show failures",
        fix,
    )


def _print_outcome(outcome: "Outcome", project: Project, verbose: bool) -> None:
    from pipeline.cli.bars import closing_counts
    from pipeline.cli.progress import row_of
    from pipeline.language.spending import money
    from pipeline.text.inflection import in_number

    if outcome.unchanged:
        documents = f"{in_number(outcome.changes.unchanged, 'document')} unchanged"
        typer.echo(f"up to date: generation {outcome.generation}, {documents}, nothing to do ({outcome.seconds:.1f} s)")
        return
    typer.echo(f"{outcome.status}: generation {outcome.generation} in {outcome.seconds:.1f} s; {outcome.changes}")
    typer.echo(closing_counts(outcome.rows))
    asked = outcome.calls
    if asked["calls"] or asked["cached"]:
        tokens = f"{asked['tokens_in']:,} tokens in, {asked['tokens_out']:,} out"
        stored = f"{in_number(int(asked['cached']), 'reply')} from the cache"
        typer.echo(f"{in_number(int(asked['calls']), 'call')}, {stored}, {tokens}, cost {money(asked['cost'])}")
    if outcome.faults:
        typer.echo(outcome.faults)
    if outcome.memory:
        typer.echo(outcome.memory)
    if outcome.forgotten:
        typer.echo(f"forgotten: {outcome.forgotten:,} cached replies and vectors, and every older generation")
    if verbose:
        typer.echo(describe_work(outcome))
        shown = [name for name in outcome.rows if name not in ("failures", "calls", "embeddings")]
        typer.echo(", ".join(in_number(outcome.rows[name], row_of(name)) for name in shown))
        memory = f"at most {outcome.peak_mb:,} MB in memory; " if outcome.peak_mb else ""
        typer.echo(f"{memory}tables are in {project.store.folder}")
    if outcome.rows.get("documents"):
        typer.echo(f"ask with: {in_shell('query', 'What are the main themes?', root=project.root)}")
    else:
        typer.echo(f"no document was read; why: {in_shell('show', 'failures', root=project.root)}")


def print_status(root: Path, json: bool) -> None:
    """Print what is published and what has changed since."""
    from pipeline.language.spending import Bill
    from pipeline.runner.status import project_status

    status = project_status(Project.open(root))
    if json:
        typer.echo(as_json(status))
        return
    redo = status["would_redo"]
    follows = "" if not redo or "" in redo else "; later stages only where what they read comes out otherwise"
    status["would_redo"] = describe_stages(redo) + follows or "nothing"
    status["damaged"] = ", ".join(f"{name} ({what})" for name, what in status["damaged"].items()) or "none"
    spent = status["spent_so_far"]
    status["spent_so_far"] = str(Bill(**spent)) if spent else "unknown: the reply cache cannot be read"
    for key, value in status.items():
        typer.echo(folded(f"{key.replace('_', ' '):18} {value}"))
