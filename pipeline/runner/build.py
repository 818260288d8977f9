"""An index from Python: texts as a program holds them, or a folder of files, into tables, by the run that the command makes."""

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from pipeline.base.errors import InputError
from pipeline.base.settings import SETTINGS_FILE, Settings, given_settings, laid_over
from pipeline.base.storage.disk import disk_errors, write_whole
from pipeline.base.workflow import Workflow
from pipeline.language.backends.given_model import GivenModel
from pipeline.language.transport.api_keys import read_env_file
from pipeline.query.index import Index
from pipeline.runner.progress import Progress
from pipeline.runner.project import Project
from pipeline.runner.run import Outcome, run_index
from workflows.stages import STAGES

if TYPE_CHECKING:
    import pandas as pd
    from langchain_core.language_models import BaseChatModel

TEXTS_FILE = "texts.jsonl"
"""Where texts that a program gives are written, below the input folder: one record a text."""


def build_index(
    texts: Any,
    settings: Settings | Mapping[str, Any] | str | Path | None = None,
    model: "BaseChatModel | None" = None,
    root: str | Path | None = None,
    progress: Progress | None = None,
    stages: Sequence[Workflow] = STAGES,
) -> tuple[Index, Outcome]:
    """Index ``texts`` as ``graphstrata.build`` describes; return the index, opened, and how the run ended. ``stages`` are
    those that run, from the first on."""
    folder = _folder(texts) if isinstance(texts, str | Path) else None
    if root is None and folder is not None and (folder / SETTINGS_FILE).is_file():
        root, folder = folder, None
    own = folder is None and isinstance(texts, str | Path)
    with ExitStack() as stack:
        lease = None
        if root is None:
            lease = tempfile.TemporaryDirectory(prefix="graphstrata-")
            stack.callback(lease.cleanup)
        home = Path(lease.name if lease else str(root)).resolve()
        file = home / SETTINGS_FILE
        with disk_errors(home):
            home.mkdir(parents=True, exist_ok=True)
        is_new = not file.exists()
        found = settings if isinstance(settings, Settings) else given_settings(file, settings)
        if folder is not None:
            found = laid_over(found, {"input": {"folder": str(folder)}})
        read_env_file(home, found)
        project = Project(home, found)
        if folder is None and not own:
            _write_records(project.input, texts)
        if is_new and lease is None:
            content = yaml.safe_dump(found.model_dump(mode="json", exclude_unset=True), allow_unicode=True)
            with disk_errors(file):
                write_whole(file, content.encode())
        given = GivenModel(model) if model is not None else None
        outcome = run_index(project, progress, model=given, stages=stages)
        stack.pop_all()  # the index holds the folder from here on
    return Index(project.store.open(), found, home, model, lease), outcome


def _folder(path: str | Path) -> Path:
    """Return the folder of a path; InputError where it is none."""
    folder = Path(path)
    shown = str(path) if len(str(path)) <= 80 else f"{str(path)[:77]}..."
    try:
        is_folder = folder.is_dir()
    except (OSError, ValueError):  # too long for a name, or with a NUL: a text was given
        is_folder = False
    if not is_folder:
        raise InputError(
            f"there is no folder {shown!r}",
            "a single string names a folder of files, or a project",
            "give texts themselves in a list: build([text])",
        )
    return folder.resolve()


def _write_records(folder: Path, texts: Any) -> None:
    """Write texts below the input folder, one record each; what is there already is left when it says the same."""
    lines = [json.dumps(record, ensure_ascii=False, default=str) for record in _records(texts)]
    if not lines:
        raise InputError("no text was given", "an index of nothing cannot be made", "give at least one text")
    path = folder / TEXTS_FILE
    content = ("\n".join(lines) + "\n").encode("utf-8", "surrogatepass")
    with disk_errors(path):
        folder.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_bytes() != content:
            write_whole(path, content)


def _records(texts: Any) -> Iterator[dict[str, Any]]:
    if hasattr(texts, "columns") and hasattr(texts, "to_dict"):
        yield from _rows(texts)
    elif isinstance(texts, Mapping):
        for name, text in texts.items():
            yield {"id": str(name), "title": str(name), "text": _text(text, repr(name))}
    elif isinstance(texts, Sequence):
        for number, text in enumerate(texts, 1):
            yield {"id": str(number), "title": f"Text {number}", "text": _text(text, f"number {number}")}
    else:
        raise InputError(
            f"texts are given as {_kind(texts)}",
            "they have to be a folder, a list of texts, texts by name, or a DataFrame",
            "see: help(graphstrata.build)",
        )


def _rows(frame: "pd.DataFrame") -> Iterator[dict[str, Any]]:
    if "text" not in frame.columns:
        columns = ", ".join(map(str, frame.columns)) or "none"
        raise InputError(
            f"the DataFrame has no column 'text'; its columns are {columns}",
            "that column holds the texts",
            "rename it: frame.rename(columns={'...': 'text'})",
        )
    from pandas import isna

    for number, row in enumerate(frame.to_dict("records"), 1):
        known = {str(name): value for name, value in row.items() if isinstance(value, list | dict) or not isna(value)}
        known |= {"text": _text(known.get("text"), f"row {number}")}
        extra = known.pop("metadata", None)
        if isinstance(extra, Mapping):
            known = {**{str(key): value for key, value in extra.items()}, **known}
        elif extra is not None:
            known["metadata"] = extra
        yield {"id": str(number), "title": str(known.get("id", f"Text {number}"))} | known


def _kind(value: object) -> str:
    """Return what a value is, with its article: "an int", "a float"."""
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"


def _text(value: object, which: str) -> str:
    if not isinstance(value, str):
        raise InputError(
            f"the text {which} is {_kind(value)}",
            "only strings can be read",
            "take it out, or turn it into a string",
        )
    return value
