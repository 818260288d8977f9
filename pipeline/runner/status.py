"""What is published, and what the next run would find changed."""

import json
from typing import Any

from pipeline.base.errors import InputError
from pipeline.base.input_files import InputFiles
from pipeline.runner.project import Project
from pipeline.runner.run import RUN_FILE


def project_status(project: Project) -> dict[str, Any]:
    """Return the state of an index as words and numbers; StoreError where nothing was published."""
    generation = project.store.open()
    manifest = generation.manifest
    sources = set(generation.rows("documents").column("source").to_pylist())
    try:
        files = set(InputFiles(project.input, project.settings.input).found.sources)
    except InputError as error:
        files, trouble = set(), error.found
    else:
        trouble = "readable"
    last = project.store.folder / RUN_FILE
    run = json.loads(last.read_text(encoding="utf-8")) if last.exists() else {}
    return {
        "index": str(project.store.folder),
        "generation": manifest.generation,
        "generations_kept": ", ".join(map(str, project.store.numbers())),
        "status": manifest.status,
        "tokenizer": manifest.tokenizer,
        "documents": manifest.tables["documents"].rows,
        "input": trouble,
        "files_not_indexed": len(files - sources),
        "indexed_files_gone": len(sources - files),
        "last_run": f"{run.get('status', 'unknown')}, ended {run.get('ended', 'at an unknown time')}",
        "failed_items": sum(stage.failed for stage in manifest.stages.values()),
    }
