"""Work under way and what it brought: a plain iterator for the caller, the shared event loop behind it."""

import asyncio
import threading
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Iterator
from queue import SimpleQueue
from typing import Any, Generic, TypeVar

from pipeline.base.errors import GraphstrataError
from pipeline.language.transport.event_loop import cancel, start_all

T = TypeVar("T")


class Stop:
    """The first error that ends a run: calls under way are finished, no other is made."""

    def __init__(self) -> None:
        self.error: GraphstrataError | None = None

    def set(self, error: GraphstrataError) -> None:
        """Remember the first error."""
        self.error = self.error or error

    def check(self) -> None:
        """Raise Stopped when the run has ended."""
        if self.error is not None:
            raise Stopped


class Stopped(Exception):
    """Raised in work that was waiting when other work ended the run."""


Work = Callable[[Stop], Awaitable[T]]
"""Raises a GraphstrataError when no other work should begin, Stopped when other work ended the run."""


class TaskPool(Generic[T]):
    """Tagged work and its results. For one thread, which may be in a running event loop; several pools may be at work.

    Work of ``begin`` runs at once on the shared loop, where rate limiters decide how much of it proceeds. Work of
    ``later`` runs in the caller's thread, when its results are taken.

    ``store`` is called with results, from any thread but one at a time, before they are handed over. Work on the loop
    awaits ``keep`` with its result while it still has its place among the requests under way, however late the caller
    takes it: a ``kill -9`` loses what is on the wire or being written, one result for each place, and nothing that came
    before.
    """

    def __init__(self, store: Callable[[list[tuple[Any, T]]], None] | None = None) -> None:
        self._store, self._unstored = store, list[tuple[Any, T]]()
        self._unkept: Exception | None = None
        self._turn, self._storing = asyncio.Lock(), threading.Lock()
        self._stop = Stop()
        self._finished: SimpleQueue[tuple[Any, Any, BaseException | None, bool]] = SimpleQueue()
        self._later: deque[Callable[[], list[tuple[Any, T]]]] = deque()
        self._running: set[asyncio.Task[None]] = set()
        self._under_way = 0

    def begin(self, works: Iterable[tuple[Any, Work[T]]]) -> None:
        """Begin works on the loop, each with a tag by which ``results`` names what it returns."""
        begun = [self._do(tag, work) for tag, work in works]
        self._under_way += len(begun)
        start_all(begun, self._running)

    def later(self, work: Callable[[], list[tuple[Any, T]]]) -> None:
        """Have ``results`` do this, first come, first served; it returns (tag, result) pairs."""
        self._later.append(work)

    async def keep(self, tag: Any, result: T) -> None:
        """Return once ``store`` has the result; those that come meanwhile are stored together. On the loop."""
        if self._store is not None:
            self._unstored.append((tag, result))
            await asyncio.shield(self._kept())

    async def _kept(self) -> None:
        async with self._turn:
            if self._unstored:
                await asyncio.to_thread(self._store_all)
            if self._unkept is not None:
                raise self._unkept

    def _store_all(self) -> None:
        """Store what waits for it; an error is for all whose results were to be stored."""
        with self._storing:
            some, self._unstored = self._unstored, []
            try:
                if some and self._store is not None:
                    self._store(some)
            except Exception as error:  # noqa: BLE001 - raised again by each keep
                self._unkept = error

    def note(self, tag: Any, part: Any) -> None:
        """Hand over a part of a result while its work goes on; from any thread."""
        self._finished.put((tag, part, None, False))

    def results(self) -> Iterator[list[tuple[Any, Any]]]:
        """Yield lists of (tag, result or part) as they come, until nothing is left; more may be begun meanwhile.

        A GraphstrataError of any work ends the run: what was under way is finished and yielded, then it is raised.
        Any other error is raised as it is, after what came before it.
        """
        while self._under_way or (self._later and self._stop.error is None):
            if self._later and self._finished.empty():
                done = self._later.popleft()()
                if self._store is not None:
                    self._store(done)
                yield done
                continue
            found, error = self._take()
            if found:
                yield found
            if error is not None:
                raise error
        if self._stop.error is not None:
            raise self._stop.error

    def _take(self) -> tuple[list[tuple[Any, Any]], BaseException | None]:
        """Wait for a result, and take all that are there."""
        found = []
        while True:
            tag, result, error, last = self._finished.get()
            self._under_way -= last
            if error is None:
                found.append((tag, result))
            elif not isinstance(error, GraphstrataError | Stopped):
                return found, error
            if self._finished.empty():
                return found, None

    def close(self) -> None:
        """Cancel what is still under way; what has come is stored."""
        if self._under_way:
            cancel(self._running)
            self._store_all()

    async def _do(self, tag: Any, work: Work[T]) -> None:
        try:
            self._stop.check()
            self._finished.put((tag, await work(self._stop), None, True))
        except BaseException as error:  # noqa: BLE001 - raised again in the caller's thread
            if isinstance(error, GraphstrataError):
                self._stop.set(error)
            self._finished.put((tag, None, error, True))
