"""Memory that a finished stage no longer needs goes back to the system, so that the next one starts from what it holds."""

import ctypes
import gc
import sys

import pyarrow as pa


def release() -> None:
    """Collect cycles and have the allocators return their empty pages.

    The C library keeps what many small objects and several threads have freed: after a stage over 18 MB of text that is
    a third of the process (measured), and each stage's peak would stand on the pile of those before it.
    """
    gc.collect()
    pa.default_memory_pool().release_unused()
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # the GNU C library has it, others do not
        if trim is not None:
            trim(0)
