"""One event loop for all calls to models: a thread of its own, so that callers may run a loop of theirs, or none."""

import asyncio
import atexit
import os
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")

_lock = threading.Lock()
_running: tuple[int, asyncio.AbstractEventLoop, threading.Thread] | None = None


def loop() -> asyncio.AbstractEventLoop:
    """Return the loop of this process, started when it is first needed. It is never closed before the process ends,
    since clients keep connections that belong to it."""
    global _running
    with _lock:
        # A forked child has the parent's variables but not its thread.
        if _running is None or _running[0] != os.getpid():
            made = asyncio.new_event_loop()
            thread = threading.Thread(target=_run, args=(made,), name="graphstrata-models", daemon=True)
            thread.start()
            _running = (os.getpid(), made, thread)
        return _running[1]


def start(work: Coroutine[Any, Any, T]) -> "Future[T]":
    """Start ``work`` on the loop, from any thread; cancelling the future cancels it."""
    return asyncio.run_coroutine_threadsafe(work, loop())


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run ``work`` on the loop and wait for it; from any thread but the loop's own."""
    future = start(work)
    try:
        return future.result()
    finally:
        future.cancel()


def _run(made: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(made)
    made.run_forever()


@atexit.register
def _end() -> None:
    if _running is not None and _running[0] == os.getpid():
        _running[1].call_soon_threadsafe(_running[1].stop)
        _running[2].join(1)
