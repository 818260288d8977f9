"""Memory that a finished stage no longer needs goes back to the system, so that the next one starts from what it holds."""

import ctypes
import gc
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pyarrow as pa

ALLOCATIONS = 50_000
"""New objects after which the youngest are looked through for cycles; Python's own default is 700."""


@contextmanager
def collected_rarely() -> Iterator[None]:
    """Look for cycles seldom, and never among what is loaded already: rows and replies hold none, and looking through
    them again and again takes a seventh of an index run (measured)."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(ALLOCATIONS, 20, 20)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def machine_mb() -> int:
    """Return the megabytes of this machine's memory, or of the container's where that is less."""
    sizes = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")] if hasattr(os, "sysconf") else []
    with suppress(OSError, ValueError):  # no such file: no container, or one without a limit
        sizes.append(int(Path("/sys/fs/cgroup/memory.max").read_text(encoding="ascii")))
    return min(sizes, default=4 << 30) >> 20


def resident_mb() -> int:
    """Return the megabytes of this process that are in memory now; 0 where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE") >> 20


def release() -> None:
    """Collect cycles and have the allocators return their empty pages.

    The C library keeps what many small objects and several threads have freed: after a stage over 18 MB of text that is
    a third of the process (measured), and would be added to the peak of every later stage.
    """
    gc.collect()
    pa.default_memory_pool().release_unused()
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # the GNU C library has it, others do not
        if trim is not None:
            trim(0)
