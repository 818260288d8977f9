"""The folder that an export goes to: new or empty unless forced, never an index of ours, every file inside it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from pipeline.base.errors import StoreError
from pipeline.base.files import jail


@dataclass
class Exported:
    """What an export wrote: its folder, how many things of each kind, and what its reader should know."""

    folder: Path
    counts: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def prepare(folder: Path, force: bool) -> None:
    """Make the folder of an export. StoreError where it holds something and ``force`` is not set, where it holds an
    index of ours (whatever ``force`` says), or where it cannot be written."""
    if (folder / "manifest.json").exists() and (folder / "generations").exists():
        raise StoreError(
            f"{folder} holds an index",
            "an export there would overwrite its tables",
            "name another folder for the export",
        )
    try:
        if folder.exists() and (not folder.is_dir() or (not force and any(folder.iterdir()))):
            raise StoreError(
                f"{folder} is not an empty folder",
                "nothing is overwritten unasked",
                "name a new folder, or add --force to overwrite files of the same names",
            )
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(folder, error) from error


@contextmanager
def writing(folder: Path, name: str) -> Iterator[Path]:
    """Give the path of a temporary file, and put it under ``name`` in the folder when all went well."""
    path = jail(folder, name, StoreError)
    temporary = path.with_name(f".{path.name}.new")
    try:
        temporary.unlink(missing_ok=True)
        yield temporary
        os.replace(temporary, path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise _unwritable(path, error) from error
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def write_text(folder: Path, name: str, content: str) -> None:
    """Write a text file in UTF-8, lines ended as they are."""
    with writing(folder, name) as path:
        path.write_text(content, encoding="utf-8", newline="")


def _unwritable(path: Path, error: OSError) -> StoreError:
    return StoreError(
        f"{path} cannot be written: {error.strerror or error}",
        "the export goes there",
        "fix that, or name another folder",
    )
