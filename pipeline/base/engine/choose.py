"""From settings to the engine that they name."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from pipeline.base.engine.engine import Engine, InlineEngine
from pipeline.base.release_memory import machine_mb
from pipeline.base.settings import EngineSettings

HEAD_MB, WORKER_MB = 300, 100
"""What the process that holds the tables takes of four million tokens (measured: benchmarks/growth.py), and what a worker
takes of parts of any corpus: 52 MB of English (measured over the podcasts), and more where word lists of several languages are
read."""

EMPTY_MB, GROWTH = 250, 12
"""What an index of little text takes, and the bytes of memory that each further byte of text adds (measured: benchmarks/growth.py)."""


@contextmanager
def opened_engine(settings: EngineSettings) -> Iterator[Engine]:
    """Open the engine of ``settings`` and close it at the end; EngineError where it cannot be had."""
    engine = _engine(settings)
    try:
        yield engine
    finally:
        engine.close()


def _engine(settings: EngineSettings) -> Engine:
    if settings.kind == "ray":
        from pipeline.base.engine.ray_cluster import RayEngine

        return RayEngine(settings.address, settings.workers)
    unasked = min(cores(), (memory_mb(settings) - HEAD_MB) // WORKER_MB)
    workers = settings.workers or unasked
    if workers <= 1:
        return InlineEngine()
    from pipeline.base.engine.local import LocalEngine

    return LocalEngine(workers)


def memory_mb(settings: EngineSettings) -> int:
    """Return the megabytes that a run and its workers may take: those of the settings, or half of the machine's."""
    return settings.memory_mb or machine_mb() // 2


def needed_mb(text_bytes: int) -> int:
    """Return about how many megabytes the process that holds the tables takes for an index of so much text."""
    return EMPTY_MB + GROWTH * text_bytes // 1_000_000


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
