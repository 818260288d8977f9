"""The engine: what stages and the scheduler hand parts of their work to; results depend neither on it nor on its workers."""

from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import Any, Protocol, TypeVar

from pipeline.base.errors import EngineError

PartT = TypeVar("PartT")
ResultT = TypeVar("ResultT")

AHEAD = 3
"""Parts under way for each worker: one at work, the others waiting beside it, so that no worker waits for the sender."""
LOSSES = 3
"""Times in a row that the worker of a part may end abruptly before the run ends: the part itself is then at fault."""

Call = Callable[[Any], Awaitable[Any]]
"""Answers one request; made by a worker, and used from the event loop of the process that has the engine."""


class Engine(Protocol):
    """Works on parts. What is handed over are functions of modules of this program, and picklable values."""

    workers: int
    inline: bool
    """Whether parts are worked on in this process: then nothing is won by cutting work into parts."""
    same_disk: bool
    """Whether the workers are on this machine, and see its files."""

    def map(self, work: Callable[[PartT], ResultT], parts: Iterable[PartT]) -> Iterator[ResultT]:
        """Yield ``work(part)`` of each part, in their order; at most AHEAD parts a worker are under way.

        What ``work`` raises is raised here. A part whose worker ended abruptly is worked on again; EngineError when
        that happens LOSSES times in a row. After the iterator is closed
        no part is taken; those under way may be finished, for nobody. Several threads may map at once.
        """
        ...

    def calls(self, build: Callable[[], Call]) -> Call | None:
        """Return what has workers answer requests, each by what ``build`` made there once; None where this process
        does that as well by itself."""
        ...

    def close(self) -> None:
        """End the workers that were started for this engine, also those that are at work."""
        ...


class InlineEngine:
    """Works on parts in this process, one after the other."""

    workers = 1
    inline = True
    same_disk = True

    def map(self, work: Callable[[PartT], ResultT], parts: Iterable[PartT]) -> Iterator[ResultT]:
        """Yield ``work(part)`` of each part."""
        return map(work, parts)

    def calls(self, build: Callable[[], Call]) -> Call | None:
        """Return None: calls are made here."""
        return None

    def close(self) -> None:
        """Do nothing: nothing was started."""


def lost(what: str) -> EngineError:
    """Return the error for a part whose workers ended abruptly again and again."""
    return EngineError(
        f"{what} ended abruptly {LOSSES} times in a row on the same part of the work",
        "nothing was published; what was finished before is in the reply cache and is not done again",
        "out of memory is the most likely cause: lower engine.workers, or give the machine more memory",
    )
