"""A search as an iterator of events: steps as they happen, the answer's text as it is written, and then the answer."""

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import suppress
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
    left = _begin(ask, waiting.put)
    try:
        while not isinstance(event := waiting.get(), Answer):
            if isinstance(event, BaseException):
                raise event
            yield event
        yield event
    finally:
        left.set()


async def events_async(ask: Callable[[Emit], Answer]) -> AsyncGenerator[Event, None]:
    """As ``events``, for an event loop, which goes on meanwhile; who is cancelled leaves."""
    waiting: asyncio.Queue[Event | BaseException] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def put(event: Event | BaseException) -> None:
        with suppress(RuntimeError):  # the loop was closed meanwhile, and with it whoever waited
            loop.call_soon_threadsafe(waiting.put_nowait, event)

    left = _begin(ask, put)
    try:
        while not isinstance(event := await waiting.get(), Answer):
            if isinstance(event, BaseException):
                raise event
            yield event
        yield event
    finally:
        left.set()


def _begin(ask: Callable[[Emit], Answer], put: Callable[[Event | BaseException], None]) -> threading.Event:
    """Begin a search that puts its events, and in the end its answer or error; it ends early once the result is set."""
    left = threading.Event()

    def emit(event: Step | Piece) -> None:
        if left.is_set():
            raise _Left
        put(event)

    def run() -> None:
        try:
            put(ask(emit))
        except BaseException as error:  # noqa: BLE001 -- whatever ended the search is raised where it is waited for
            put(error)

    threading.Thread(target=run, name="graphstrata-search", daemon=True).start()
    return left
