"""What is published, and what the next run would find changed and do again."""

from contextlib import closing
from dataclasses import dataclass
from typing import Any, Literal

from pipeline.base.errors import GraphstrataError, InputError, StoreError
from pipeline.base.input_files import InputFiles
from pipeline.base.store import Generation, Manifest
from pipeline.base.table import Table
from pipeline.base.tokens import choose
from pipeline.language.cache import CACHE_FILE, read_spent
from pipeline.language.factory import open_estimate
from pipeline.runner.changes import Changes, compare_sources
from pipeline.runner.fingerprint import fingerprint, reason, source_hashes
from pipeline.runner.last_run import describe_last_run
from pipeline.runner.project import Project
from workflows.stages import STAGES, load_documents


def project_status(project: Project) -> dict[str, Any]:
    """Return the state of an index as words and numbers; StoreError where nothing was published.

    The input files are read, and parsed where they changed, to see what was added, changed and removed. ``spent_so_far`` is what
    requests to models took so far; None where the reply cache cannot be read.
    """
    spent = read_spent(project.store.folder / CACHE_FILE)
    try:
        generation = project.store.open()
    except StoreError as error:
        if spent and spent.requests:  # by runs that published nothing
            error.why += f"; spent so far in this project: {spent}"
        raise
    manifest = generation.manifest
    damage = generation.damage()
    plan = next_run(project, generation, damage)
    return {
        "index": str(project.store.folder),
        "generation": manifest.generation,
        "generations_kept": ", ".join(map(str, project.store.numbers())),
        "status": manifest.status,
        "damaged": damage,
        "tokenizer": manifest.tokenizer,
        "documents": manifest.tables["documents"].rows,
        "input": plan.trouble or "readable",
        "not_read": ", ".join(project.files_not_read()) or "none",
        "since_then": str(plan.changes) if plan.changes else "unknown",
        "would_redo": plan.redo,
        "last_run": describe_last_run(project.store),
        "spent_so_far": spent._asdict() if spent else None,
        "failed_items": sum(stage.failed for stage in manifest.stages.values()),
    }


@dataclass(frozen=True)
class NextRun:
    """What the next run would find and do: stages that are out of date, each with the reason; documents that changed, None
    where the input cannot be read, and then why."""

    redo: dict[str, str]
    changes: Changes | None
    trouble: str = ""


def next_run(project: Project, generation: Generation, damage: dict[str, str]) -> NextRun:
    """Return what the next run would do; the input files are read, and parsed where they changed."""
    files = project.input_files()
    try:
        redo = {
            "": "an earlier version made the index: tables are brought into today's form, and no model is asked for them"
        }
        if generation.tables_folder is None:
            redo = _would_redo(project, generation.manifest, files, damage)
        changes = Changes(0, 0, 0, generation.manifest.tables["documents"].rows)
        if load_documents.name in redo or "" in redo:
            changes = _changes(project, None if "documents" in damage else generation, files)
    except InputError as error:
        return NextRun({"": "unknown"}, None, error.found)
    return NextRun(redo, changes)


def _changes(project: Project, generation: Generation | None, files: InputFiles) -> Changes:
    """Compare the published documents with those that the files hold now."""
    tokenizer, _ = choose("estimate", None)  # counts are not looked at
    found: dict[str, set[str]] = {}
    for _, part in load_documents.run(
        files=iter(files), settings=project.settings.input, tokenizer=tokenizer, notes=_Quiet()
    ):
        for id, source in zip(part["id"].to_pylist(), part["source"].to_pylist(), strict=True):
            found.setdefault(source, set()).add(id)
    return compare_sources(generation.rows("documents") if generation else None, found)


def _would_redo(project: Project, manifest: Manifest, files: InputFiles, damage: dict[str, str]) -> dict[str, str]:
    """Return the stages that are out of date, and why; what rests on them follows when their tables come out otherwise."""
    tokenizer, _ = choose(project.settings.chunks.tokenizer, manifest.tokenizer)
    inputs = source_hashes(files, project.corrections()) | {name: entry.hash for name, entry in manifest.tables.items()}
    found = {}
    try:
        opened = open_estimate(project.settings, project.root, tokenizer, None)
    except GraphstrataError as error:
        return {"": f"unknown: {error.found}"}
    with closing(opened):
        embedder = opened.embedder.signature() if opened.embedder else "none"
        marks = {"tokenizer": tokenizer.name, "embedder": embedder, "notes": ""}
        for stage in STAGES:
            if any(isinstance(read, Table) and read.name not in inputs for read in stage.reads):
                found[stage.name] = "new stage"
                continue
            mark = fingerprint(stage, project.settings, opened.service, marks, inputs)
            why = reason(stage, mark, inputs, manifest, damage)
            if why is not None:
                found[stage.name] = why
    return found


class _Quiet:
    """Notes that nobody reads: the run itself shows them."""

    def report(self, line: str) -> None:
        """Pass."""

    def problem(self, item: str, reason: str, kind: Literal["failed", "skipped"], task: str = "reading") -> None:
        """Pass."""
