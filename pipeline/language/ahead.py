"""Steps ahead: what comes next is made while the caller works on what is there."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")

UNDER_WAY = 2
"""Works under way at once: while one waits for the processes that answer, the other looks up and keeps replies."""


def ahead(works: Iterable[Callable[[], T]]) -> Iterator[T]:
    """Yield what each work returns, in their order; threads do the next ones meanwhile.

    What a work raises is raised where its result would have been yielded.
    """
    coming: deque[Future[T]] = deque()
    with ThreadPoolExecutor(UNDER_WAY, "ahead") as threads:
        try:
            for work in works:
                coming.append(threads.submit(work))
                if len(coming) > UNDER_WAY:
                    yield coming.popleft().result()
            while coming:
                yield coming.popleft().result()
        finally:
            for future in coming:
                future.cancel()
