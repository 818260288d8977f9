"""One step ahead: the next item is made while the caller works on this one."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")

_END = object()


def ahead(items: Iterator[T]) -> Iterator[T]:
    """Yield the items of an iterator in their order; a thread of its own makes the next one meanwhile.

    What making an item raises is raised where it would have been yielded.
    """
    with ThreadPoolExecutor(1, "ahead") as thread:
        item: T | object = next(items, _END)
        while item is not _END:
            coming = thread.submit(next, items, _END)
            yield item  # type: ignore[misc]
            item = coming.result()
