"""One writer at a time: a lock on the output folder that a killed process cannot leave behind."""

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pipeline.base.errors import LockError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]


@contextmanager
def only_writer(folder: Path) -> Iterator[None]:
    """Hold the lock on ``folder``; LockError names the process that holds it and when it started.

    Where the system has advisory locks, the lock goes with its process, so a stale file is no obstacle; elsewhere a
    lock whose process no longer runs is taken over.
    """
    path = folder / "lock"
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        if not _take(handle):
            raise _refusal(handle)
        os.ftruncate(handle, 0)
        started = time.strftime("%Y-%m-%d %H:%M:%S")
        os.pwrite(handle, json.dumps({"process": os.getpid(), "started": started}).encode(), 0)
        yield
        os.ftruncate(handle, 0)
    finally:
        os.close(handle)


def _take(handle: int) -> bool:
    if fcntl is None:
        holder = _holder(handle).get("process")
        return not (isinstance(holder, int) and holder != os.getpid() and _alive(holder))
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _holder(handle: int) -> dict[str, object]:
    content = os.pread(handle, 4096, 0)
    try:
        holder = json.loads(content or b"{}")
    except ValueError:
        return {}
    return holder if isinstance(holder, dict) else {}


def _refusal(handle: int) -> LockError:
    holder = _holder(handle)
    return LockError(
        f"another index run holds this output folder: process {holder.get('process', 'unknown')}, "
        f"started {holder.get('started', 'at an unknown time')}",
        "two writers would spoil each other's tables",
        "wait for it to end, or end it; queries work meanwhile",
    )
