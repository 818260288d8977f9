"""A search as an iterator of events: steps as they happen, the answer's text as it is written, and then the answer."""

import threading
from collections.abc import Callable, Iterator
from queue import SimpleQueue

from pipeline.query.answer import Answer, Piece, Step

Event = Step | Piece | Answer
"""What ``Index.stream`` yields; the last is the answer."""

Emit = Callable[[Step | Piece], None]


class _Left(Exception):
    """Whoever listened is gone."""


def events(ask: Callable[[Emit], Answer]) -> Iterator[Event]:
    """Run ``ask`` in a thread of its own and yield what it emits, then the answer that it returns.

    An error of the search is raised here. When the iterator is closed early, the search ends at its next event: what a
    model was asked by then is still waited for there, and nothing more is asked.
    """
    waiting: SimpleQueue[Event | BaseException] = SimpleQueue()
    left = threading.Event()

    def emit(event: Step | Piece) -> None:
        if left.is_set():
            raise _Left
        waiting.put(event)

    def run() -> None:
        try:
            waiting.put(ask(emit))
        except BaseException as error:  # noqa: BLE001 -- whatever ended the search is raised where it is waited for
            waiting.put(error)

    threading.Thread(target=run, name="graphstrata-search", daemon=True).start()
    try:
        while not isinstance(event := waiting.get(), Answer):
            if isinstance(event, BaseException):
                raise event
            yield event
        yield event
    finally:
        left.set()
