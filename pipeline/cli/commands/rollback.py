"""What the command rollback does, and how commands describe what was done again and why."""

import json as jsonlib
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from pipeline.base.errors import StoreError
from pipeline.base.lock import only_writer
from pipeline.base.store import Store
from pipeline.cli.fixes import copyable
from pipeline.runner.project import Project

if TYPE_CHECKING:
    from pipeline.runner.run import Outcome


def roll_back(root: Path, number: int | None, json: bool) -> None:
    """Publish an older generation again, by default the one before the published one, and say what was done.

    StoreError when there is none, or when a file of it is not as it was published.
    """
    store = Project.open(root).store
    if not store.numbers():
        store.open()  # says that there is no index
    with only_writer(store.folder):
        now = store.published()
        chosen = _last_but_one(store, now) if number is None else number
        manifest = store.check(chosen)
        store.swap(chosen)
    documents = manifest.tables["documents"].rows
    if json:
        typer.echo(jsonlib.dumps({"published": chosen, "instead_of": now, "documents": documents}))
        return
    instead = "" if now is None else f" instead of {now}"
    typer.echo(f"generation {chosen} is published{instead}: {manifest.status}, {documents:,} documents")
    if now in store.numbers() and now != chosen:
        stays = f"generation {now} stays on disk for now; to go back to it: graphstrata rollback {now}"
        typer.echo(copyable(stays, sys.argv[1:]))
    typer.echo("the next run of index goes on from here, with what the input folder holds then")


def _last_but_one(store: Store, now: int | None) -> int:
    """Return the generation before ``now``; the newest of all where the manifest that names ``now`` is gone or broken."""
    older = [number for number in store.numbers() if now is None or number < now]
    if not older:
        raise StoreError(
            f"generation {now} is the oldest on disk",
            "there is none before it to go back to",
            "name a newer one (graphstrata status lists them); output.keep_generations says how many are kept",
        )
    return older[-1]


def describe_stages(stages: Mapping[str, str]) -> str:
    """Return stages and why they run, those of one reason together; which tables changed is in the JSON output."""
    by_reason: dict[str, list[str]] = {}
    for stage, why in stages.items():
        shown = "what they read changed" if why.startswith("changed: ") and why != "changed: files" else why
        by_reason.setdefault(shown, []).append(stage.partition("_")[2] or stage)
    return "; ".join(f"{', '.join(names)} ({why})" if names != [""] else why for why, names in by_reason.items())


def describe_work(outcome: "Outcome") -> str:
    """Return on one line what a run did again, why, and how much of it was answered by the cache."""
    anew = sum(new for new, _ in outcome.asked.values())
    cached = sum(stored for _, stored in outcome.asked.values())
    return f"done: {describe_stages(outcome.ran)}; {anew:,} requests computed, {cached:,} from cache"
