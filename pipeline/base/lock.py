"""One writer at a time: a lock on the output folder that a killed process cannot leave behind."""

import errno
import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pipeline.base.errors import LockError, StoreError
from pipeline.base.storage.disk import WRITE_ELSEWHERE

if sys.platform == "win32":
    import msvcrt

    FAR = 1 << 20
    """The byte that is locked: far behind what the file holds, since a locked byte can be read by nobody else."""

    def _lock(handle: int) -> None:
        os.lseek(handle, FAR, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def only_writer(folder: Path) -> Iterator[None]:
    """Hold the lock on ``folder``; LockError names the process that holds it and when it started.

    The lock is the system's own and goes with its process: what a killed one left in the file is no obstacle, and
    whether another process has its number by now is never asked. StoreError where the file cannot be used.
    """
    path = folder / "lock"
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o644)
    except OSError as error:
        raise _unusable(path, error) from error
    try:
        try:
            _lock(handle)
        except (BlockingIOError, PermissionError) as error:
            raise _refusal(handle) from error
        except OSError as error:
            raise _unusable(path, error) from error
        _write(handle, path, {"process": os.getpid(), "started": time.strftime("%Y-%m-%d %H:%M:%S")})
        yield
        os.ftruncate(handle, 0)
    finally:
        os.close(handle)


def _write(handle: int, path: Path, holder: dict[str, object]) -> None:
    try:
        os.ftruncate(handle, 0)
        os.lseek(handle, 0, os.SEEK_SET)
        os.write(handle, json.dumps(holder).encode())
    except OSError as error:
        raise _unusable(path, error) from error


def _refusal(handle: int) -> LockError:
    os.lseek(handle, 0, os.SEEK_SET)
    try:
        holder = json.loads(os.read(handle, 4096) or b"{}")
    except ValueError:
        holder = {}
    known = holder if isinstance(holder, dict) else {}
    return LockError(
        f"another index run is writing this output folder: process {known.get('process', 'unknown')}, "
        f"started {known.get('started', 'at an unknown time')}",
        "two writers would overwrite each other's tables",
        "wait for it to end, or end it; queries work meanwhile",
    )


def _unusable(path: Path, error: OSError) -> StoreError:
    denied = error.errno in (errno.EACCES, errno.EPERM, errno.EROFS)
    plain = "make it a plain file on a disk of this machine that has space left, or choose another output folder"
    return StoreError(
        f"{path} cannot be used: {error.strerror or error}",
        "one run at a time may write there, and this file says which; the last published index is unchanged",
        WRITE_ELSEWHERE if denied else plain,
    )
