"""Stages that workers execute, from tables to tables, while this process goes on with the stages after them."""

import time
from collections import Counter
from collections.abc import Collection, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from functools import partial

from pipeline.base.engine.choose import WORKER_MB, memory_mb, needed_mb
from pipeline.base.engine.engine import Engine
from pipeline.base.release_memory import memory_of_a_run, release
from pipeline.base.settings import Settings
from pipeline.base.store import Draft, Rows
from pipeline.base.table import Table
from pipeline.base.workflow import Workflow
from pipeline.language.backends.offline import OfflineBackend
from pipeline.language.ledger import FailureRow, Ledger
from pipeline.language.service import LanguageService
from pipeline.language.tasks.registry import TASKS
from pipeline.runner.progress import Silent
from pipeline.runner.stage_notes import StageNotes
from workflows.stages import STAGES

LEAST_TEXT = 1_000_000
"""Bytes of text of an index from which on workers execute stages: with less, they take longer to start than the stages."""


@dataclass(frozen=True)
class StageWork:
    """What a worker is handed to execute a stage. ``draft`` holds what it reads and has a folder for what it writes;
    ``previous`` are the tables of the last generation that it may take over from."""

    draft: Draft
    previous: frozenset[str]
    settings: Settings


@dataclass(frozen=True)
class StageMade:
    """What a worker made of it: the tables in ``draft``, what it has to say, and what it enters into the ledger."""

    draft: Draft
    lines: Sequence[str]
    failures: Sequence[FailureRow]
    answered: Counter[str]
    seconds: float


class Beside:
    """The stages under way in workers of an engine, in the order in which they were begun."""

    def __init__(self, engine: Engine, settings: Settings) -> None:
        self._engine, self._settings = engine, settings
        self._threads = ThreadPoolExecutor(thread_name_prefix="beside")
        self._under_way: dict[Workflow, Future[StageMade]] = {}

    def takes(self, stage: Workflow, service: LanguageService, documents: Rows) -> bool:
        """Return whether a worker can execute ``stage``: from tables alone and without a model, over so much text that it
        pays, and within the memory of the settings beside the process that holds the tables."""
        if not stage.beside or stage not in STAGES or self._engine.inline or not self._engine.same_disk:
            return False
        if any(service.backend(TASKS[task]) is not service.offline for task in stage.asks):
            return False
        size = documents.n_bytes("text")
        room = memory_mb(self._settings.engine) - self._engine.workers * WORKER_MB
        return size >= LEAST_TEXT and 2 * needed_mb(size) <= room

    def begin(self, stage: Workflow, draft: Draft, previous: frozenset[str]) -> None:
        """Have a worker execute ``stage`` as soon as one is free."""
        work = StageWork(draft.beside(), previous, self._settings)
        self._under_way[stage] = self._threads.submit(
            lambda: next(iter(self._engine.map(partial(execute, stage.name), [work])))
        )

    def done(self, needed: Collection[Table] = ()) -> list[Workflow]:
        """Return the stages that have ended, and those that write any table that is ``needed``."""
        return [
            stage
            for stage, future in self._under_way.items()
            if future.done() or not set(needed).isdisjoint(stage.writes)
        ]

    def under_way(self) -> list[Workflow]:
        """Return the stages that were begun and not taken."""
        return list(self._under_way)

    def take(self, stage: Workflow) -> StageMade:
        """Wait for a stage and return what was made; what its worker raised is raised here."""
        return self._under_way.pop(stage).result()

    def close(self) -> None:
        """Wait for nothing: what is under way ends with the workers of the engine, and writes to a folder of its own."""
        self._threads.shutdown(wait=False, cancel_futures=True)


class _Lines(Silent):
    """Collects what a stage has to say."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def line(self, text: str) -> None:
        """Keep the line."""
        self.said.append(text)


def execute(name: str, work: StageWork) -> StageMade:
    """Execute the stage of that name in this process and return what it made."""
    started = time.monotonic()
    stage = next(one for one in STAGES if one.name == name)
    draft, ledger, lines = work.draft, Ledger(stage.name), _Lines()
    last = draft.last
    release()  # what parts of the stages before have left
    with memory_of_a_run(memory_mb(work.settings.engine) // 2), closing(StageNotes(stage.name, ledger, lines)) as notes:
        parts = stage.call(
            lambda read: draft.rows(read.name),
            work.settings,
            LanguageService(OfflineBackend(), ledger),
            lambda table: last.rows(table.name) if last and table.name in work.previous else None,
            {"notes": notes},
        )
        draft.write(stage.writes, parts)
        release()
    return StageMade(draft, lines.said, ledger.failures, ledger.answered, time.monotonic() - started)
