"""Files written whole or not at all, links or copies of them, and the disk's errors in words."""

import errno
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path

import pyarrow as pa

from pipeline.base.errors import StoreError


def file_hash(path: Path) -> str:
    """Return the content hash of a table's file, 32 hex digits."""
    digest = blake2b(digest_size=16)
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def link_or_copy(source: Path, target: Path) -> None:
    """Hard-link, or copy where the file system has no links."""
    try:
        os.link(source, target)
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.EOPNOTSUPP, errno.EXDEV, errno.EMLINK, errno.ENOSYS):
            raise
        shutil.copyfile(source, target)


def finish(temporary: Path, final: Path) -> None:
    """Flush a written file to the disk and give it its name, in place of what had that name."""
    with temporary.open("rb") as file:
        os.fsync(file.fileno())
    os.replace(temporary, final)


def write_whole(path: Path, content: bytes) -> None:
    """Write a small file so that a reader sees the old content or the new, also after a power failure."""
    temporary = path.with_name(f".{path.name}.new")
    with temporary.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)
    sync_folder(path.parent)


def sync_folder(path: Path) -> None:
    """Flush the names in a folder to the disk, where the system can."""
    if os.name != "posix":
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


_OF_A_GENERATION = re.compile(
    r"\.?[a-z][a-z_]*\.parquet(\.new)?|\.?manifest\.json(\.new)?|\.?(graph\.lbug|(passages|vectors)\.arrow)(\.\w+)?"
)


def remove_generation(path: Path) -> None:
    """Remove the folder of a generation or draft; a file in it that the store did not write stays, and so does its folder."""
    if path.is_symlink():
        path.unlink()
        return
    for file in path.iterdir():
        if _OF_A_GENERATION.fullmatch(file.name) and not file.is_dir():
            file.unlink()
    if not any(path.iterdir()):
        path.rmdir()


REPAIR = "run: graphstrata index"
WRITE_ELSEWHERE = "give yourself the right to write there, or go on with a copy of the project in a folder of your own"

_REASONS = {
    errno.ENOSPC: ("the disk is full", "free some space and run again"),
    errno.EDQUOT: ("the disk quota is used up", "free some space and run again"),
    errno.EROFS: ("the file system is read-only", WRITE_ELSEWHERE),
    errno.EACCES: ("permission was denied", WRITE_ELSEWHERE),
    errno.EPERM: ("permission was denied", WRITE_ELSEWHERE),
    errno.ENOENT: ("it is gone", f"try again; if it is still gone, {REPAIR}"),
}


@contextmanager
def disk_errors(path: Path) -> Iterator[None]:
    """Turn errors of the file system and of Parquet into StoreError."""
    try:
        yield
    except OSError as error:
        if error.errno is None:  # pyarrow raises OSError without a number for pages that cannot be decoded
            raise damaged(path, str(error)) from error
        why, fix = _REASONS.get(error.errno, (str(error), "fix that and run again"))
        place = Path(error.filename) if isinstance(error.filename, str) else path
        found = f"{place} cannot be used: {why}"
        if place.name == ".probe" or (place.name.startswith(".") and place.suffix == ".new"):  # ours, and temporary
            found = f"nothing can be written to {place.parent.resolve()}: {why}"
        raise StoreError(found, "the last published index is unchanged", fix) from error
    except pa.ArrowException as error:
        raise damaged(path, str(error)) from error


def damaged(path: Path, what: str) -> StoreError:
    """Return the error for a table's file that is not as it was published."""
    return StoreError(f"{path} is not a table that can be read: {what}", "the file was changed or damaged", REPAIR)
