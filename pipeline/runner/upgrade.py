"""An index of an earlier version in today's form: columns by the schema's migrations, tables that it lacks by the stages
that need no model. The index itself stays as it is."""

import os
import shutil
import warnings
from functools import cache
from pathlib import Path

import pyarrow as pa

from pipeline.base.errors import StoreError
from pipeline.base.ids import content_id, dump
from pipeline.base.schema import ALIASES, CALLS, ENTITIES, FAILURES
from pipeline.base.settings import Settings
from pipeline.base.source_hash import source_hash
from pipeline.base.storage.disk import disk_errors
from pipeline.base.storage.manifest import read_manifest
from pipeline.base.storage.migrations import aliases_of, migrated
from pipeline.base.store import MANIFEST, Draft, Generation, Store
from pipeline.base.table import Table
from pipeline.base.tokens import choose
from pipeline.base.workflow import CORRECTIONS, SPLITS, Workflow
from pipeline.language.factory import open_service
from pipeline.language.tasks.registry import TASKS
from pipeline.resolution.corrections import Corrections
from pipeline.runner.progress import Silent
from pipeline.runner.stage_notes import StageNotes
from workflows.stages import STAGES

FOLDER = "upgraded"
"""Below the output folder: the tables of its index in today's form."""

_SOURCES = (CORRECTIONS, SPLITS)


@cache
def _without_model() -> tuple[Workflow, ...]:
    """Return the stages that make their tables from others alone, without a model and without the input files."""
    return tuple(
        stage
        for stage in STAGES
        if all(isinstance(one, Table) or one in _SOURCES for one in stage.reads)
        and all(TASKS[task].prompt is None for task in stage.asks)
        and "embedder" not in stage.resources
    )


def upgraded(last: Generation) -> Generation:
    """Return an index of an earlier version in today's form.

    Its tables are made once and kept below the output folder, or where that cannot be written in the user's cache; a
    warning says so. What the earlier tables do not hold and no stage without a model makes is left out. StoreError where a
    file is damaged.
    """
    sources = map(source_hash, ("pipeline.base.storage.migrations", *(stage.module for stage in _without_model())))
    name = content_id(dump(last.manifest.model_dump(mode="json")), *sources)
    shelf = next((shelf for shelf in _shelves(last) if (shelf / name / MANIFEST).is_file()), None)
    if shelf is None:
        shelf = next((shelf for shelf in _shelves(last) if _can_write(shelf)), None)
        if shelf is None:
            raise StoreError(
                f"the index in {last.folder} was made by an earlier version of graphstrata",
                "it has to be brought into today's form first, and no folder for that can be written",
                "copy it to a folder of your own, or set XDG_CACHE_HOME",
            )
        _make(last, shelf / name)
        warnings.warn(
            f"the index in {last.folder} was made by an earlier version of graphstrata and stays as it is; its tables in "
            f"today's form are in {shelf}, until graphstrata index publishes them",
            stacklevel=2,
        )
    with disk_errors(shelf):
        return Generation(last.folder, read_manifest(shelf / name / MANIFEST), shelf / name)


def remove_upgraded(folder: Path) -> None:
    """Remove what was made of the index in an output folder, once it is published there in today's form."""
    with disk_errors(folder):
        shutil.rmtree(folder / FOLDER, ignore_errors=True)


def _shelves(last: Generation) -> list[Path]:
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return [last.folder / FOLDER, cache / "graphstrata" / FOLDER]


def _can_write(shelf: Path) -> bool:
    """Make the folder; False where it cannot be written, or lies in one that nobody is meant to write, an administrator
    neither."""
    above = next((path for path in (shelf, *shelf.parents) if path.exists()), shelf)
    try:
        if not above.stat().st_mode & 0o222:
            return False
        shelf.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(shelf, os.W_OK)


def _make(last: Generation, folder: Path) -> None:
    """Make the tables at ``folder``, whole or not at all; what another process made there meanwhile stays."""
    scratch = folder.with_name(f".{folder.name}.{os.getpid()}")
    with disk_errors(scratch):
        shutil.rmtree(scratch, ignore_errors=True)
        try:
            store = Store(scratch)
            store.prepare()
            draft = Draft(scratch, last.manifest.generation, None)
            _Upgrade(last, draft).run()
            before = last.manifest
            store.publish(draft, before.status, before.tokenizer, before.stages, 1, before.files, before.corrections)
            if not folder.exists():
                scratch.rename(folder)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)


class _Upgrade:
    """One index on its way into today's form."""

    def __init__(self, last: Generation, draft: Draft) -> None:
        self.last, self.draft = last, draft
        self._absent: set[str] = set()

    def run(self) -> None:
        """Write every table that can be had, in the order in which they refer to each other."""
        for stage in STAGES:
            found = [(table, self._stored(table)) for table in stage.writes]
            kept = [(table, rows) for table, rows in found if rows is not None]
            if len(kept) == len(found):
                self.draft.write(stage.writes, iter(kept))
            elif stage in _without_model() and not {read.name for read in stage.reads} & self._absent:
                self._run(stage)
            else:
                self._absent |= {table.name for table in stage.writes}
        for table in (FAILURES, CALLS):
            rows = self._stored(table)
            self.draft.write((table,), iter([(table, table.empty() if rows is None else rows)]))

    def _stored(self, table: Table) -> pa.Table | None:
        """Return an earlier table in today's form; None where the index has none that can be brought into it."""
        entry = self.last.manifest.tables.get(table.name)
        if entry is not None:
            return migrated(table, entry.version, self.last.as_stored(table.name))
        entities = self._stored(ENTITIES) if table is ALIASES else None
        return None if entities is None else aliases_of(entities)

    def _run(self, stage: Workflow) -> None:
        settings, none = Settings(), Corrections()
        tokenizer, _ = choose("estimate", None)
        opened = open_service(settings, self.draft.folder)
        notes = StageNotes(stage.name, opened.service.ledger, Silent())
        parts = stage.call(
            lambda read: (
                self.draft.rows(read.name) if isinstance(read, Table) else none if read is CORRECTIONS else none.split
            ),
            settings,
            opened.service,
            lambda table: None,
            {"tokenizer": tokenizer, "embedder": None, "notes": notes},
        )
        try:
            self.draft.write(stage.writes, parts)
        finally:
            opened.close()
