"""Processes of this machine as an engine."""

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any

from pipeline.base.engine.engine import AHEAD, LOSSES, Call, PartT, ResultT, lost
from pipeline.base.engine.worker_process import start_worker


@dataclass
class _Job:
    """A part under way, and the pool that has it."""

    part: Any
    pool: ProcessPoolExecutor
    future: Future[Any]


class _Spawning(SpawnContext):
    """Starts processes anew, since forking would copy the locks of threads that pyarrow has started; and knows them."""

    def __init__(self) -> None:
        self.processes: list[SpawnProcess] = []

    def Process(self, *arguments: Any, **named: Any) -> SpawnProcess:  # type: ignore[override]
        """Return a process to be started."""
        self.processes = [one for one in self.processes if one.exitcode is None]
        self.processes.append(SpawnProcess(*arguments, **named))
        return self.processes[-1]


class LocalEngine:
    """Works on parts in ``workers`` processes, which start when the first part comes."""

    inline = False
    same_disk = True

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._pool: ProcessPoolExecutor | None = None
        self._spawning = _Spawning()
        self._closed = False
        self._lock = threading.Lock()

    def map(self, work: Callable[[PartT], ResultT], parts: Iterable[PartT]) -> Iterator[ResultT]:
        """Yield ``work(part)`` of each part, in their order.

        The few parts under way when the caller stops early are finished for nobody: a pool that breaks while one of its futures
        is cancelled forgets all others (the thread that notifies them ends with an InvalidStateError), and who waits for them
        would wait for ever.
        """
        under_way: deque[_Job] = deque()
        for part in parts:
            under_way.append(self._begin(work, part))
            if len(under_way) > AHEAD * self.workers:
                yield self._result(work, under_way)
        while under_way:
            yield self._result(work, under_way)

    def calls(self, build: Callable[[], Call]) -> Call | None:
        """Return None: one process waits for as many calls as a server takes."""
        return None

    def close(self) -> None:
        """End the processes; what is at work has nobody left to take its result."""
        with self._lock:
            pool, self._pool, self._closed = self._pool, None, True
        if pool is not None:
            for process in filter(SpawnProcess.is_alive, self._spawning.processes):
                process.terminate()
            pool.shutdown(cancel_futures=True)

    def _begin(self, work: Callable[[Any], Any], part: Any) -> _Job:
        for _ in range(LOSSES):
            pool = self._processes()
            try:
                return _Job(part, pool, pool.submit(work, part))
            except BrokenProcessPool:
                self._discard(pool)
            except (OSError, ValueError):
                # A pool that breaks closes its pipes, and whoever is just starting a process passes on numbers of closed ones.
                if not _is_broken(pool):
                    raise
                self._discard(pool)
        raise lost("the worker processes")

    def _result(self, work: Callable[[Any], Any], under_way: deque[_Job]) -> Any:
        """Return the result of the oldest job. When its pool broke, all jobs of that pool begin anew in another."""
        for loss in range(LOSSES):
            job = under_way[0]
            try:
                result = job.future.result()
            except BrokenProcessPool:
                self._discard(job.pool)
                if loss == LOSSES - 1:
                    break
                for place, other in enumerate(under_way):
                    if other.pool is job.pool and not _finished(other.future):
                        under_way[place] = self._begin(work, other.part)
            else:
                under_way.popleft()
                return result
        raise lost("a worker process")

    def _processes(self) -> ProcessPoolExecutor:
        with self._lock:
            if self._closed:
                raise CancelledError
            if self._pool is None:
                self._pool = ProcessPoolExecutor(self.workers, mp_context=self._spawning, initializer=start_worker)
            return self._pool

    def _discard(self, pool: ProcessPoolExecutor) -> None:
        """Let go of a pool that broke; several threads may find that it did."""
        with self._lock:
            if self._pool is pool:
                self._pool = None
        pool.shutdown(wait=False, cancel_futures=True)


def _is_broken(pool: ProcessPoolExecutor) -> bool:
    try:
        pool.submit(int)
    except BrokenProcessPool:
        return True
    return False


def _finished(future: Future[Any]) -> bool:
    return future.done() and not future.cancelled() and not isinstance(future.exception(), BrokenProcessPool)
