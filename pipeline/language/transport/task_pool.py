"""Many calls at once, handed over as they finish: a plain iterator for the caller, the shared loop behind it."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Iterator, Sequence
from queue import SimpleQueue
from typing import Any, Generic, TypeVar

from pipeline.base.errors import GraphstrataError
from pipeline.language.transport.event_loop import loop

T = TypeVar("T")


class Stop:
    """The first error that stops a run of requests; calls under way end, no other is made."""

    def __init__(self) -> None:
        self.error: GraphstrataError | None = None

    def set(self, error: GraphstrataError) -> None:
        """Keep the first error."""
        self.error = self.error or error


class Stopped(Exception):
    """Raised in a request that was waiting when another one stopped the run."""


Work = Callable[[Stop], Awaitable[T]]
"""Answers one request; raises a GraphstrataError when no other should be made, Stopped when another one said so."""


class Crowd(Generic[T]):
    """Work under way, at most ``at_once`` at a time, first come first served. For one thread, which may be in a running
    event loop; several crowds may be at work at once."""

    def __init__(self, at_once: int) -> None:
        self._stop = Stop()
        self._places = asyncio.Semaphore(at_once)
        self._finished: SimpleQueue[tuple[Hashable, Any, BaseException | None]] = SimpleQueue()
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop = loop()
        self._begun = 0

    def begin(self, tag: Hashable, work: Work[T]) -> None:
        """Begin work; ``results`` will name it by ``tag``."""
        self._begun += 1
        self._loop.call_soon_threadsafe(self._start, tag, work)

    def results(self) -> Iterator[tuple[Any, T]]:
        """Yield (tag, what the work returned) as it finishes, until nothing is under way; more may be begun meanwhile.

        A GraphstrataError of any work ends the run: what was under way is finished and yielded, then it is raised.
        """
        while self._begun:
            tag, result, error = self._finished.get()
            self._begun -= 1
            if error is None:
                yield tag, result
            elif not isinstance(error, GraphstrataError | Stopped):
                raise error
        if self._stop.error is not None:
            raise self._stop.error

    def close(self) -> None:
        """Cancel what is still under way."""
        if self._begun:
            self._loop.call_soon_threadsafe(self._cancel)

    def _start(self, tag: Hashable, work: Work[T]) -> None:
        task = self._loop.create_task(self._do(tag, work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _do(self, tag: Hashable, work: Work[T]) -> None:
        try:
            async with self._places:
                if self._stop.error is not None:
                    raise Stopped
                self._finished.put((tag, await work(self._stop), None))
        except GraphstrataError as error:
            self._stop.set(error)
            self._finished.put((tag, None, error))
        except BaseException as error:  # noqa: BLE001 - raised again in the caller's thread
            self._finished.put((tag, None, error))

    def _cancel(self) -> None:
        for task in tuple(self._tasks):
            task.cancel()


def as_finished(works: Sequence[Work[T]], at_once: int) -> Iterator[tuple[int, T]]:
    """Yield (position in ``works``, what it returned) as they finish, at most ``at_once`` under way. Errors as in
    Crowd; leaving the iterator cancels the rest."""
    crowd: Crowd[T] = Crowd(at_once)
    try:
        for position, work in enumerate(works):
            crowd.begin(position, work)
        yield from crowd.results()
    finally:
        crowd.close()
