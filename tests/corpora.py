"""Small corpora and projects for tests."""

import atexit
import json
import shutil
import tempfile
from functools import cache
from pathlib import Path

from pipeline.base.settings import Settings, parse_settings
from pipeline.runner.project import Project
from pipeline.runner.run import run_index

TEXTS = {
    "harbour.md": (
        "# The harbour of Carrow\n\nAda Thorne built the west mole of Carrow in 1871. The Northern Dock Company paid for the "
        "mole. Ada Thorne had studied in Leith.\n\n## The storm\n\nThe storm of 1874 broke the west mole within a night. "
        "The Northern Dock Company accused Ada Thorne of neglect. A court at Carrow found no fault in her work.\n"
    ),
    "railway.txt": (
        "The Carrow Railway reached the harbour in 1880. Edmund Vane led the Carrow Railway for twenty years. Edmund Vane "
        "married Ada Thorne in 1882. They lived in Leith until the war.\n"
    ),
    "notes/trial.txt": (
        "The trial at Carrow lasted nine days in May 1875. Judge Harriet Loss heard forty witnesses. Ada Thorne spoke for "
        "herself. The Northern Dock Company lost its case against Ada Thorne and paid the costs.\n"
    ),
}


def write_texts(folder: Path, texts: dict[str, str] = TEXTS) -> None:
    """Write texts under an input folder."""
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def project(root: Path, texts: dict[str, str] = TEXTS, **sections: dict[str, object]) -> Project:
    """Return a project at ``root`` with these texts and settings."""
    write_texts(root / "input", texts)
    settings: Settings = parse_settings({"chunks": {"size": 60, "overlap": 10}, **sections})
    return Project(root, settings)


def indexed(root: Path, texts: dict[str, str] = TEXTS, **sections: dict[str, object]) -> Project:
    """Return such a project with its index: a copy of one that is made once for all tests of a process."""
    made = project(root, texts, **sections)
    shutil.copytree(_index_of(json.dumps([texts, sections])), made.store.folder)
    return made


@cache
def _index_of(given: str) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="graphstrata-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    texts, sections = json.loads(given)
    made = project(folder, texts, **sections)
    run_index(made)
    return made.store.folder


def hashes(project: Project) -> dict[str, str]:
    """Return the content hash of every published table."""
    return {name: entry.hash for name, entry in project.store.open().manifest.tables.items()}
