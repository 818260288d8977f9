"""One run: skip what is up to date, run the rest in order, check, publish; the end is complete, partial or failed."""

import time
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pipeline.base.engine.choose import memory_mb, needed_mb
from pipeline.base.engine.engine import Engine, InlineEngine
from pipeline.base.errors import GraphstrataError, InputError, ModelError, SettingsError, StoreError
from pipeline.base.input_files import InputFiles
from pipeline.base.lock import only_writer
from pipeline.base.release_memory import memory_of_a_run, peak_mb, release
from pipeline.base.schema import CALLS, CHUNKS, DOCUMENTS, FAILURES
from pipeline.base.settings import Settings
from pipeline.base.storage import array_file
from pipeline.base.store import Draft, Generation, Rows, Stage, Store
from pipeline.base.table import Table
from pipeline.base.tokens import Tokenizer
from pipeline.base.workflow import CORRECTIONS, FILES, SPLITS, Parts, Workflow, stage_label
from pipeline.language.backends.backend import Backend
from pipeline.language.backends.given_model import GivenModel
from pipeline.language.cache import CACHE_FILE, Cache
from pipeline.language.factory import Opened, open_service
from pipeline.language.language import TextEmbedder
from pipeline.language.ledger import FailureRow
from pipeline.language.service import LanguageService
from pipeline.language.tasks.registry import TASKS
from pipeline.resolution.corrections import Corrections
from pipeline.runner.beside import Beside
from pipeline.runner.changes import Changes, compare
from pipeline.runner.fingerprint import fingerprint, reason, settings_hash, source_hashes, was_imported
from pipeline.runner.forecast import Forecast
from pipeline.runner.last_run import note_run
from pipeline.runner.progress import Foretold, Progress, Silent
from pipeline.runner.progress_note import NotedProgress
from pipeline.runner.project import Project
from pipeline.runner.stage_notes import StageNotes
from pipeline.runner.upgrade import remove_upgraded
from workflows.stages import STAGES

Status = Literal["complete", "partial"]

LESS_MEMORY = "raise engine.memory_mb, lower engine.workers where there are several, or split the input into projects, which can be asked together"


@dataclass(frozen=True)
class Outcome:
    """How a run ended. ``unchanged`` says that everything was up to date and nothing was published."""

    status: Status
    unchanged: bool
    generation: int
    rows: dict[str, int]
    ran: dict[str, str]
    """Stages that ran, and why."""
    asked: dict[str, tuple[int, int]]
    """Stages that asked anything: how much was answered anew, and how much from the cache, whoever answered."""
    changes: Changes
    failures: list[FailureRow]
    calls: dict[str, float]
    seconds: float
    faults: str = ""
    """Which faults calls met, and how many requests another try answered; empty where there were none."""
    forgotten: int = 0
    """Replies and vectors that were deleted because nothing of the index rests on them any more."""
    peak_mb: int = 0
    """The most megabytes that the process and its workers had in memory; 0 where the system does not say."""
    memory: str = ""
    """Which stage took more than engine.memory_mb, and what to do; empty where none did."""


@dataclass
class Run:
    """One run in progress: what its stages share."""

    project: Project
    progress: Progress
    draft: Draft
    files: InputFiles
    tokenizer: Tokenizer
    service: LanguageService
    embedder: TextEmbedder | None = None
    beside: Beside = field(default_factory=lambda: Beside(InlineEngine(), Settings()))
    """What has workers execute stages."""
    fresh: bool = False
    whole: bool = False
    """Whether every stage is executed, up to date or not."""
    damage: dict[str, str] = field(default_factory=dict)
    """Tables of the last generation that cannot be used as they are, each with what is wrong with it."""
    corrections: Corrections = field(default_factory=Corrections)
    stages: dict[str, Stage] = field(default_factory=dict)
    ran: dict[str, str] = field(default_factory=dict)
    peak_mb: int = field(default_factory=peak_mb)
    """The most memory that this process and its workers had before the stage at work."""
    too_large: str = ""
    """What is to be said of the stage that passed the memory of the settings furthest."""

    @property
    def last(self) -> Generation | None:
        """The generation that readers see meanwhile."""
        return self.draft.last

    @property
    def upgrades(self) -> bool:
        """Whether the last generation is of an earlier version of graphstrata, in today's form: its tables are kept as
        long as what they were made of is the same, whatever else has changed in the program."""
        return self.last is not None and self.last.tables_folder is not None

    def go_through(self, stages: Sequence[Workflow]) -> None:
        """Bring all stages up to date, in their order; those that workers can execute begin as soon as what they read is there."""
        left = list(stages)
        while left:
            stage = next((one for one in left if self._goes_beside(one) and not self._missing(one)), left[0])
            for made in self.beside.done(self._missing(stage)):
                self._take(made)
            left.remove(stage)
            self.go(stage)
        for made in self.beside.under_way():
            self._take(made)
        self.draft.entries = {table.name: self.draft.entries[table.name] for one in stages for table in one.writes}
        self.stages = {one.name: self.stages[one.name] for one in stages}
        self.ran = {one.name: self.ran[one.name] for one in stages if one.name in self.ran}

    def _missing(self, stage: Workflow) -> set[Table]:
        return {read for read in stage.reads if isinstance(read, Table) and read.name not in self.draft.entries}

    def _goes_beside(self, stage: Workflow) -> bool:
        if DOCUMENTS.name not in self.draft.entries:
            return False
        return self.beside.takes(stage, self.service, self.draft.rows(DOCUMENTS.name))

    def go(self, stage: Workflow) -> None:
        """Keep the tables of ``stage`` when nothing that shapes them has changed, else make them, or have a worker begin to."""
        mark = self._mark(stage)
        reason = self._reason(stage, mark)
        if reason is None:
            for table in stage.writes:
                self.draft.keep(table)
            self.stages[stage.name] = self._kept(stage, mark)
            self._carry_over(stage)
            return
        self.ran[stage.name] = reason
        if self._goes_beside(stage):
            previous = frozenset(table.name for table in stage.previous if self._previous(stage, table))
            self.beside.begin(stage, self.draft, previous)
            return
        self.service.ledger.stage = stage.name
        self.progress.stage(stage.name, stage.help)
        started = time.monotonic()
        with closing(StageNotes(stage.name, self.service.ledger, self.progress)) as notes:
            self.draft.write(stage.writes, self._parts(stage, notes))
        self._end(stage, mark, time.monotonic() - started)

    def _take(self, stage: Workflow) -> None:
        """Take over what a worker has made of ``stage``."""
        made = self.beside.take(stage)
        self.draft.take(made.draft, stage.writes)
        self.service.ledger.failures += made.failures
        self.service.ledger.answered += made.answered
        self.progress.stage(stage.name, stage.help)
        for line in made.lines:
            self.progress.line(line)
        self._end(stage, self._mark(stage), made.seconds)

    def _end(self, stage: Workflow, mark: str, seconds: float) -> None:
        """Enter a stage whose tables are written, which took ``seconds``."""
        if self.upgrades:
            self._keep_equal(stage)
        failed = self.service.ledger.failed(stage.name)
        self._refuse_total_failure(stage)
        own = settings_hash(stage, self.project.settings)
        self.stages[stage.name] = Stage(fingerprint=mark, settings=own, failed=failed)
        rows = {table.name: self.draft.entries[table.name].rows for table in stage.writes}
        self._keep_memory(stage)
        self.progress.finished(stage.name, rows, seconds)

    def _mark(self, stage: Workflow) -> str:
        return fingerprint(stage, self.project.settings, self.service, self._marks(), self._inputs())

    def _kept(self, stage: Workflow, mark: str) -> Stage:
        """Return what the manifest says of a stage whose tables are kept."""
        before = self.last.manifest.stages.get(stage.name) if self.last else None
        if before is not None and not self.upgrades:
            return before
        failed = before.failed if before else 0
        return Stage(fingerprint=mark, settings=settings_hash(stage, self.project.settings), failed=failed)

    def _keep_equal(self, stage: Workflow) -> None:
        """Keep the file of a table that came out as it was, so that what rests on it is not done again."""
        for table in stage.writes:
            before = self.previous(table.name)
            if before is not None and before.table().equals(self.draft.rows(table.name).table()):
                self.draft.keep(table)

    def _keep_memory(self, stage: Workflow) -> None:
        """Give back what the stage no longer needs; report a stage that passed the memory of the settings, and once the
        texts are read that the others will."""
        release()
        most = memory_mb(self.project.settings.engine)
        if self.measure_memory(stage.name) or DOCUMENTS not in stage.writes:
            return
        if (needed := needed_mb(self.draft.rows("documents").n_bytes("text"))) > most:
            self.progress.line(
                f"an index of these texts takes about {needed:,} MB of memory, more than engine.memory_mb ({most:,} MB): {LESS_MEMORY}"
            )

    def measure_memory(self, at_work: str) -> bool:
        """Note the peak so far; report whether what was at work passed the memory of the settings, more than all before it."""
        most, used = memory_mb(self.project.settings.engine), peak_mb()
        before, self.peak_mb = self.peak_mb, used
        if used <= max(most, before):
            return False
        self.too_large = f"{at_work}: {used:,} MB in memory at its peak, with its workers, more than engine.memory_mb ({most:,} MB): {LESS_MEMORY}"
        self.progress.line(self.too_large)
        return True

    def _marks(self) -> dict[str, str]:
        """Return what shapes results of each resource: the tokenizer's name, the embedding model."""
        return {
            "tokenizer": self.tokenizer.name,
            "embedder": self.embedder.signature() if self.embedder else "none",
            "notes": "",
        }

    def _inputs(self) -> dict[str, str]:
        return source_hashes(self.files, self.corrections) | {
            name: entry.hash for name, entry in self.draft.entries.items()
        }

    def _reason(self, stage: Workflow, mark: str) -> str | None:
        """Return why ``stage`` has to run, or None."""
        if self.last is not None and self.whole:
            return "everything is gone through, to forget"
        if self.upgrades and FILES in stage.reads:
            return "an earlier version read the files"
        if self.upgrades and self._as_before(stage):
            return None
        if self.last is not None and self.fresh and stage.previous:
            return "a fresh start was asked for"
        return reason(stage, mark, self._inputs(), self.last.manifest if self.last else None, self.damage)

    def _as_before(self, stage: Workflow) -> bool:
        """Whether an index of an earlier version has the tables of ``stage``, made of inputs as they are now. Files are
        read again all the same: that costs nothing, and finds places that an earlier version did not record."""
        stored = self.last.manifest.tables if self.last else {}
        reads = (read for read in stage.reads if isinstance(read, Table))
        same = all(read.name in stored and self._reads_as_before(read) for read in reads)
        if CORRECTIONS in stage.reads or SPLITS in stage.reads:
            before = self.last.manifest.corrections if self.last else ""
            same = same and self.corrections.hash == (before or Corrections().hash)
        return same and all(table.name in stored for table in stage.writes)

    def _reads_as_before(self, table: Table) -> bool:
        """Whether a table is as it was; of documents the texts alone count, which their ids are made of."""
        before = self.previous(table.name)
        if before is None:
            return False
        if table is DOCUMENTS:
            return bool(before.column("id").equals(self.draft.rows(table.name).column("id")))
        return bool(self.last and self.last.manifest.tables[table.name].hash == self.draft.entries[table.name].hash)

    def previous(self, table: str) -> Rows | None:
        """Return a table of the last generation; None where there is none, or none that can be used."""
        usable = self.last is not None and table in self.last.manifest.tables and table not in self.damage
        return self.last.rows(table) if self.last and usable else None

    def _parts(self, stage: Workflow, notes: StageNotes) -> Parts:
        sources = {FILES: self.files, CORRECTIONS: self.corrections, SPLITS: self.corrections.split}
        return stage.call(
            lambda read: self.draft.rows(read.name) if isinstance(read, Table) else sources[read],
            self.project.settings,
            self.service,
            lambda table: self._previous(stage, table),
            {"tokenizer": self.tokenizer, "embedder": self.embedder, "notes": notes},
        )

    def _previous(self, stage: Workflow, table: Table) -> Rows | None:
        """Return what a stage may take over; nothing when its settings changed or a fresh start is asked for."""
        before = self.last.manifest.stages.get(stage.name) if self.last else None
        if self.last is None or before is None or self.fresh:
            return None
        return self.previous(table.name) if before.settings == settings_hash(stage, self.project.settings) else None

    def _refuse_total_failure(self, stage: Workflow) -> None:
        """Raise ModelError when a stage asked and not one request was answered; tasks that fall back always answer."""
        needed = {task for task in stage.asks if not TASKS[task].fallback}
        failed = [row for row in self.service.ledger.failures if row.workflow == stage.name and row.task in needed]
        if failed and not self.service.ledger.answered[stage.name]:
            raise ModelError(
                f"{stage_label(stage.name)}: all {len(failed)} requests failed: {min(row.reason for row in failed)}",
                "an index without them would be empty of what this stage makes",
                "run: graphstrata doctor --online; the last published index is unchanged",
            )

    def _carry_over(self, stage: Workflow) -> None:
        """Keep what was skipped in the stage when its tables were made."""
        if self.last is None:
            return
        for row in self.last.table("failures").to_pylist():
            if row["workflow"] == stage.name:
                self.service.ledger.failures.append(FailureRow(**row))


def run_index(
    project: Project,
    progress: Progress | None = None,
    *,
    engine: Engine | None = None,
    default: Backend | None = None,
    model: GivenModel | None = None,
    fresh: bool = False,
    forget: bool = False,
    stages: Sequence[Workflow] = STAGES,
) -> Outcome:
    """Bring the index of ``project`` up to date and return how it ended.

    ``fresh`` finds communities anew instead of keeping the last partition. ``forget`` goes through every stage (the
    cache answers what is known) and then deletes what nothing rests on any more: kept replies and vectors, those of
    questions, and all older generations, so that nothing remains of a removed document. ``default`` answers the tasks in place of
    what settings name (tests put a scripted backend there), ``model`` in place of the chat model of ``language.default``.
    ``engine`` works on parts and is not closed here; by default this process does. Raises InputError, SettingsError,
    ModelError, BudgetError, EngineError, StoreError or LockError; whatever happens, the last published generation stays
    readable and finished replies stay in the cache.
    """
    forecast = Forecast(project.settings)
    started = time.monotonic()
    _check_settings(project)
    corrections = project.corrections()
    store = project.store
    store.prepare()
    with only_writer(store.folder), memory_of_a_run(memory_mb(project.settings.engine)):
        noted = NotedProgress(Foretold(progress or Silent(), forecast), store.folder, len(stages))
        run, opened, cache = _begin(project, noted, corrections, engine, default, model, fresh, forget)

        def note(status: str, generation: int | None) -> None:
            note_run(store, "index", status, run.service.ledger, time.monotonic() - started, generation, noted)

        try:
            with closing(opened), closing(run.beside):
                _check_input(run.files, forget, run.upgrades, noted)
                run.go_through(stages)
                changes = compare(run.previous("documents"), run.draft.rows("documents"))
                generation, status = _publish(run, store)
                forgotten = cache.prune(queries=True, unused=True) if forget else 0
        except BaseException as error:
            with suppress(StoreError):  # the disk may be full: the error that ended the run is the one to report
                note("failed", run.last.manifest.generation if run.last else None)
            _tell_spent(error, run.service)
            raise
        note(status, generation.manifest.generation)
        return _outcome(run, generation, status, changes, time.monotonic() - started, forgotten)


def _tell_spent(error: BaseException, service: LanguageService) -> None:
    """Add to the error that ends a run what its requests took: no generation says it."""
    spent = service.spent
    if not spent.requests:
        return
    line = (
        f"in this run {spent.requests:,} {'request was' if spent.requests == 1 else 'requests were'} answered ({spent.taken}); "
        "nothing of it was published, and every reply that can be used is kept in the cache"
    )
    if isinstance(error, GraphstrataError):
        error.why = "; ".join(filter(None, (error.why, line)))
    else:
        error.add_note(line)


def _begin(
    project: Project,
    progress: Progress,
    corrections: Corrections,
    engine: Engine | None,
    default: Backend | None,
    model: GivenModel | None,
    fresh: bool,
    forget: bool,
) -> tuple[Run, Opened, Cache]:
    """Open what a run works with, and report what is particular about it: models, tokens, damage, an index to be replaced."""
    store, settings = project.store, project.settings
    files = project.input_files(progress.line)
    draft = store.draft()
    tokenizer, note = project.tokenizer(draft.last)
    cache = Cache(store.folder / CACHE_FILE, draft.number)
    if forget:
        cache.run = max(cache.run, cache.newest() + 1)  # a failed run may have used this number before
    opened = open_service(
        settings,
        project.root,
        cache,
        engine=engine,
        default=default,
        model=model,
        progress=lambda done, total: progress.step(done, total, opened.service.ledger.totals),
        log=progress.line,
        batches=store.folder / "batches",
    )
    progress.line(opened.models)
    if settings.language.default or model:  # what tokens are counted by matters to who pays for them
        progress.line(note)
    damage = _damage(draft, progress)
    beside = Beside(engine or InlineEngine(), settings)
    service, embedder = opened.service, opened.embedder
    run = Run(project, progress, draft, files, tokenizer, service, embedder, beside, fresh, forget, damage, corrections)
    if run.upgrades:
        progress.line(
            "the index was made by an earlier version: what its tables hold is kept, and no model is asked for it"
        )
    if run.last and was_imported(run.last.manifest):
        progress.line(
            f"generation {run.last.manifest.generation} was imported: this run replaces it by an index of the input folder; "
            "to have it back: graphstrata rollback"
        )
    return run, opened, cache


def _publish(run: Run, store: Store) -> tuple[Generation, Status]:
    """Publish what the run made. A run that found everything up to date publishes nothing, nor does one that tried again
    what had failed and came to the same: it would push an older generation off the disk for nothing."""
    ledger = run.service.ledger
    failures = ledger.failures_table()
    status: Status = "partial" if "failed" in failures["kind"].to_pylist() else "complete"
    if run.ran or run.damage or run.upgrades:
        run.draft.write((FAILURES, CALLS), iter([(FAILURES, failures), (CALLS, ledger.calls_table())]))
    if run.last is not None and not (run.damage or run.upgrades) and (not run.ran or _came_to_the_same(run, run.last)):
        store.discard(run.draft)
        store.show(run.last)
        _write_array_files(run, run.last, run.last.own_folder, None)
        return run.last, status
    keep = 1 if run.whole else run.project.settings.output.keep_generations
    hashes = run.files.hash, run.corrections.hash
    before = run.last.own_folder if run.last else None
    _write_array_files(run, run.draft, run.draft.path, before)
    run.measure_memory("publish")
    generation = store.publish(run.draft, status, run.tokenizer.name, run.stages, keep, *hashes)
    if run.upgrades:
        remove_upgraded(store.folder)
    return generation, status


def _write_array_files(run: Run, published: Draft | Generation, folder: Path, before: Path | None) -> None:
    """Write what questions to a large index map; for a small one, what would write it takes a tenth of a start to import."""
    stored = published.entries if isinstance(published, Draft) else published.manifest.tables
    if CHUNKS.name in stored and stored[CHUNKS.name].rows >= array_file.MAPPED_FROM:
        from pipeline.retrieval.chunk_search import write_array_files

        write_array_files(published, folder, before, run.progress.line)


def _came_to_the_same(run: Run, last: Generation) -> bool:
    before, made = last.manifest, run.draft.entries
    shaped = (run.stages, run.files.hash, run.tokenizer.name) == (before.stages, before.files, before.tokenizer)
    same = all(made[name].hash == entry.hash for name, entry in before.tables.items() if name != CALLS.name)
    return shaped and same and not run.whole and not run.service.ledger.totals()["calls"]


def _outcome(
    run: Run, generation: Generation, status: Status, changes: Changes, seconds: float, forgotten: int
) -> Outcome:
    return Outcome(
        status=status,
        unchanged=not (run.ran or run.damage or run.upgrades),
        generation=generation.manifest.generation,
        rows=generation.manifest.rows,
        ran=run.ran,
        asked=_asked(run),
        changes=changes,
        failures=[row for row in sorted(set(run.service.ledger.failures)) if row.kind == "failed"],
        calls=run.service.ledger.totals(),
        seconds=seconds,
        faults=run.service.ledger.overcome(),
        forgotten=forgotten,
        peak_mb=run.peak_mb,
        memory=run.too_large,
    )


def _asked(run: Run) -> dict[str, tuple[int, int]]:
    answered = run.service.ledger.answered
    cached = {stage: answered[f"{stage}/cached"] for stage in run.ran if answered[stage]}
    return {stage: (answered[stage] - kept, kept) for stage, kept in cached.items()}


def _damage(draft: Draft, progress: Progress) -> dict[str, str]:
    """Return the published tables that have to be made again, and report them."""
    if draft.unreadable:
        progress.line(f"{draft.unreadable.found}: every table is made again")
    damage = draft.last.damage() if draft.last else {}
    for name, what in damage.items():
        progress.line(f"the published table {name} is made again: {what}")
    return damage


def _check_input(files: InputFiles, forget: bool, upgrades: bool, progress: Progress) -> None:
    """Raise InputError when there is nothing to read; to forget all of it is to delete the index."""
    try:
        if others := files.found.others:
            progress.line(f"files of other kinds are not read: {others} (input.patterns says which are)")
    except InputError as error:
        if not (forget or upgrades):
            raise
        cause, fix = "nothing was forgotten: an index of no text cannot be made", error.fix
        if upgrades:
            cause = "the index of an earlier version stays as it is: questions, show and export work on it"
        if forget:
            fix += "; to forget everything that was ever read, delete the output folder"
        raise InputError(error.found, cause, fix) from error


def _check_settings(project: Project) -> None:
    if project.settings.communities.engine != "native":
        from pipeline.graph.clusterers import check_installed

        check_installed(project.settings.communities.engine)
    unknown = sorted(set(project.settings.tasks) - set(TASKS))
    if unknown:
        raise SettingsError(
            f"settings.yaml: tasks names {', '.join(unknown)}",
            f"the tasks are {', '.join(name for name, task in TASKS.items() if task.prompt)}",
            "name one of these, or take the entry out",
        )
