"""Memory that a finished stage no longer needs goes back to the system, so that the next one starts from what it holds."""

import ctypes
import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

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
