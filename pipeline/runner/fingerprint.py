"""What shapes a stage's tables: code, settings, prompts, models and inputs, as one hash; unchanged means up to date."""

from collections.abc import Mapping

from pipeline.base.ids import content_id, dump
from pipeline.base.input_files import InputFiles
from pipeline.base.schema import FAILURES
from pipeline.base.settings import Settings
from pipeline.base.source_hash import source_hash
from pipeline.base.store import Manifest
from pipeline.base.workflow import CORRECTIONS, FILES, SPLITS, Workflow
from pipeline.language.service import LanguageService
from pipeline.resolution.corrections import Corrections
from workflows.stages import STAGES


def fingerprint(
    stage: Workflow, settings: Settings, language: LanguageService, marks: Mapping[str, str], inputs: Mapping[str, str]
) -> str:
    """Return the fingerprint of ``stage``; ``marks`` says what shapes each resource, ``inputs`` holds the content
    hash of each thing that is read, by name.

    The code is that of the stage's module and of all that it imports, so that an edit makes stale what rests on it and
    nothing else.

    What a stage takes from the last generation is left out: it decides how a result is reached when something else
    has changed, and is no reason of its own to redo it.
    """
    tasks = {task: language.signature(task) for task in stage.asks}
    resources = {name: marks[name] for name in stage.resources}
    schemas = {table.name: table.version for table in stage.writes}
    reads = {read.name: inputs[read.name] for read in stage.reads}
    code = source_hash(stage.module)
    return content_id(code, dump([stage.name, settings_hash(stage, settings), tasks, resources, schemas, reads]))


def source_hashes(files: InputFiles, corrections: Corrections) -> dict[str, str]:
    """Return the content hash of each thing that stages read and no stage writes, by name."""
    return {FILES.name: files.hash, CORRECTIONS.name: corrections.hash, SPLITS.name: corrections.splits_hash}


def settings_hash(stage: Workflow, settings: Settings) -> str:
    """Return the hash of the sections of settings that ``stage`` is handed."""
    return content_id(dump([getattr(settings, section).model_dump(mode="json") for section in stage.settings]))


def reason(
    stage: Workflow, mark: str, inputs: Mapping[str, str], last: Manifest | None, damage: Mapping[str, str]
) -> str | None:
    """Return why ``stage``, whose fingerprint is ``mark``, has to run after the generation ``last``; None when it is up
    to date. ``damage`` holds the published tables that cannot be used, each with what is wrong with it."""
    if last is None:
        return "first run"
    before = last.stages.get(stage.name)
    if before is None and was_imported(last):
        return "the index was imported, not made from the input folder"
    if before is None or any(table.name not in last.tables for table in stage.writes):
        return "new stage"
    # The rows of failures are carried over from stages that are up to date: without them every stage has to say its own.
    broken = [name for name in (*(table.name for table in stage.writes), FAILURES.name) if name in damage]
    if broken:
        return f"{broken[0]}: {damage[broken[0]]}"
    if before.failed:
        return f"{before.failed} {'item' if before.failed == 1 else 'items'} failed before"
    if before.fingerprint == mark:
        return None
    changed = [
        "corrections" if read is SPLITS else read.name
        for read in stage.reads
        if _differs(read.name, inputs[CORRECTIONS.name if read is SPLITS else read.name], last)
    ]
    return "changed: " + ", ".join(changed) if changed else "settings, prompts or program changed"


def was_imported(manifest: Manifest) -> bool:
    """Whether a generation was taken over from another program: none of the stages made it."""
    return not any(stage.name in manifest.stages for stage in STAGES)


def _differs(name: str, hash: str, last: Manifest) -> bool:
    sources = {FILES.name: last.files, CORRECTIONS.name: last.corrections, SPLITS.name: last.corrections}
    entry = last.tables.get(name)
    return hash != sources.get(name, entry.hash if entry else None)
