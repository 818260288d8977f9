"""Memory that a finished stage no longer needs goes back to the system, so that the next one starts from what it holds."""

import atexit
import ctypes
import gc
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

ARROW_POOL = "ARROW_DEFAULT_MEMORY_POOL"
"""Where Arrow reads, when it is first imported, by what it takes memory."""
ALLOCATIONS = 1_000_000
"""New objects after which the youngest are looked through for cycles; Python's own default is 700. Looking through so many
takes a quarter of a second, and a run makes few cycles: at 400,000 it was a sixtieth of a run over six thousand passages."""


def look_seldom_for_cycles() -> None:
    """Look for cycles seldom, for good: among what is imported there are none, and looking through it again and again takes
    a seventh of the start of a command (measured)."""
    gc.set_threshold(ALLOCATIONS, 20, 20)


def end_without_cycles() -> None:
    """Have this process end without a last look for cycles, for good: the system takes all back at once, and looking takes 0.4 s
    after an index of six thousand passages (measured)."""
    atexit.register(gc.freeze)


_LIMIT: ContextVar[int] = ContextVar("limit", default=0)
"""The megabytes that the run at work may take; 0 where none is."""
_AT_LAST_RELEASE: ContextVar[int] = ContextVar("at_last_release", default=0)
"""The megabytes that the process had in memory when it last gave some back, or the run began."""
GROWN = 32
"""Megabytes by which a process has grown when it is worth the tenth of a second and more that giving memory back takes."""


def parts_within_memory(n_bytes: int) -> int:
    """Return in how many parts to do work that takes ``n_bytes`` at once, so that a part takes half of what the run may
    still take; 1 outside a run. Results must not depend on it."""
    if not (limit := _LIMIT.get()):
        return 1
    left = max(limit - _megabytes("self", "VmRSS:"), LEAST_LEFT)
    return max(1, -(-2 * n_bytes // (left << 20)))


@contextmanager
def memory_of_a_run(limit_mb: int = 0) -> Iterator[None]:
    """Manage memory as suits a run of stages that may take ``limit_mb``; 0 for as much as there is.

    Cycles are looked for seldom, and never among what is loaded already: rows and replies hold none, and looking through
    them again and again takes a seventh of a run (measured). Arrow takes its memory from the C library, since its own
    allocator keeps what a stage has freed: 70 MB at a million tokens, more than the largest stage takes (measured).
    """
    pa = _arrow()
    before, pool, limit = gc.get_threshold(), pa.default_memory_pool(), _LIMIT.set(limit_mb)
    _AT_LAST_RELEASE.set(_megabytes("self", "VmRSS:"))
    gc.freeze()
    look_seldom_for_cycles()
    pa.set_memory_pool(pa.system_memory_pool())
    try:
        yield
    finally:
        _LIMIT.reset(limit)
        pa.set_memory_pool(pool)
        gc.set_threshold(*before)
        gc.unfreeze()


def one_heap() -> None:
    """Have all threads of this process take memory from one heap of the C library, and large arrays from the system
    itself, for good; called before threads begin.

    By default each thread gets a heap of its own, and what is free in one is of no use to the others: 40 MB of 280 at a
    million tokens (measured). Python runs one thread at a time, so that they hardly wait for each other. Arrays of up to
    32 MB are by default put among small objects, which then keep their space from being given back: 50 MB of 300 at four
    million tokens (measured).
    Arrow takes memory there as well, where it was not imported yet and no other place is named.
    """
    if sys.platform == "linux":
        os.environ.setdefault(ARROW_POOL, "system")
        set_option = getattr(ctypes.CDLL(None), "mallopt", None)  # as for malloc_trim
        if set_option is not None:
            set_option(_M_ARENA_MAX, 1)
            set_option(_M_MMAP_THRESHOLD, LARGE)
            set_option(_M_TRIM_THRESHOLD, KEPT)


LEAST_LEFT = 32
"""Megabytes that work in parts reckons with even where the limit is reached: parts would otherwise become ever smaller."""
LARGE = 1 << 20
"""Bytes from which on an array is taken from the system itself, and given back as soon as it is freed."""
KEPT = 1 << 24
"""Bytes that may be free at the end of the heap before the system gets them back; by default 128 KB, which many small
objects free and take again and again: each time the system clears the pages anew (measured: a twentieth of a run, and at
a quarter of LARGE and KEPT still a sixtieth, for a peak that is not lower)."""
_M_ARENA_MAX, _M_MMAP_THRESHOLD, _M_TRIM_THRESHOLD = -8, -3, -1
"""From malloc.h of the GNU C library."""
_CACHED = type(lru_cache(lambda: None))


@cache
def machine_mb() -> int:
    """Return the megabytes of this machine's memory, or of the container's where that is less."""
    sizes = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")] if hasattr(os, "sysconf") else []
    with suppress(OSError, ValueError):  # no such file: no container, or one without a limit
        sizes.append(int(Path("/sys/fs/cgroup/memory.max").read_text(encoding="ascii")))
    return min(sizes, default=4 << 30) >> 20


def peak_mb() -> int:
    """Return the most megabytes that this process and the workers it has started ever had in memory, each by itself,
    added up: no less than they had together; 0 where the system does not say."""
    workers = sys.modules["multiprocessing"].active_children() if "multiprocessing" in sys.modules else []
    return sum(_megabytes(process, "VmHWM:") for process in ("self", *(worker.pid for worker in workers)))


def _megabytes(process: object, what: str) -> int:
    try:
        status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    except OSError:  # no such file system, or a worker that has just ended
        return 0
    return next((int(line.split()[1]) >> 10 for line in status.splitlines() if line.startswith(what)), 0)


def release() -> None:
    """Give memory back where the process has grown by GROWN megabytes since it last did: empty the bounded caches of this
    program's functions, collect cycles and have the allocators return their empty pages.

    What functions know of words comes back within a second of work; a word list, which is kept whole, stays.
    The C library keeps what many small objects and several threads have freed: after a stage over 18 MB of text that is
    a third of the process (measured), and would be added to the peak of every later stage.
    """
    used = _megabytes("self", "VmRSS:")
    if used and used < _AT_LAST_RELEASE.get() + GROWN:
        return
    for module in [one for name, one in sys.modules.items() if name.startswith("pipeline.")]:
        for known in vars(module).values():
            if isinstance(known, _CACHED) and known.cache_parameters()["maxsize"]:
                known.cache_clear()
    gc.collect()
    for backend in _arrow().supported_memory_backends():
        getattr(_arrow(), f"{backend}_memory_pool")().release_unused()
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # the GNU C library has it, others do not
        if trim is not None:
            trim(0)
    _AT_LAST_RELEASE.set(_megabytes("self", "VmRSS:"))


def _arrow() -> Any:
    """Return pyarrow, which reads its environment when it is first imported: after a command has set that."""
    import pyarrow

    return pyarrow
