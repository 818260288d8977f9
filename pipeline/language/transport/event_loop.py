"""One event loop for all calls to models: a thread of its own, so that callers may run a loop of theirs, or none.

Requests go to the model and nowhere else: LangChain would send a trace of them to LangSmith where variables of the
environment ask for that, with every text in it, also where no model takes part.
"""

import asyncio
import atexit
import os
import threading
from collections.abc import Coroutine, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager
from typing import Any, TypeVar

T = TypeVar("T")

_lock = threading.Lock()
_running: tuple[asyncio.AbstractEventLoop, threading.Thread] | None = None


def loop() -> asyncio.AbstractEventLoop:
    """Return the loop of this process, started when it is first needed. It is never closed before the process ends,
    since clients keep connections that belong to it."""
    global _running
    with _lock:
        if _running is None:
            made = asyncio.new_event_loop()
            thread = threading.Thread(target=_run, args=(made,), name="graphstrata-models", daemon=True)
            thread.start()
            _running = (made, thread)
        return _running[0]


def start(work: Coroutine[Any, Any, T]) -> "Future[T]":
    """Start ``work`` on the loop, from any thread, untraced; cancelling the future cancels it."""
    with untraced():
        return asyncio.run_coroutine_threadsafe(work, loop())


def start_all(works: Sequence[Coroutine[Any, Any, None]], running: set[asyncio.Task[None]]) -> None:
    """Start works on the loop together, untraced, which wakes its thread once; ``running`` holds those not done yet, and
    is for the loop alone."""
    here = loop()

    def begin() -> None:
        for work in works:
            task = here.create_task(work)
            running.add(task)
            task.add_done_callback(running.discard)

    with untraced():
        here.call_soon_threadsafe(begin)


def cancel(running: set[asyncio.Task[None]]) -> None:
    """Cancel what ``start_all`` has under way; from any thread."""

    def end() -> None:
        for task in tuple(running):
            task.cancel()

    loop().call_soon_threadsafe(end)


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run ``work`` on the loop and wait for it; from any thread but the loop's own."""
    future = start(work)
    try:
        return future.result()
    finally:
        future.cancel()


def untraced() -> AbstractContextManager[None]:
    """Return the context within which LangChain and LangGraph send no traces, whatever the environment asks for."""
    from langsmith.run_helpers import tracing_context

    return tracing_context(enabled=False)


def _run(made: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(made)
    made.run_forever()


def _forked() -> None:
    """Start anew in a child: it has the parent's variables, but neither its thread nor the holder of the lock."""
    global _lock, _running
    _lock, _running = threading.Lock(), None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


@atexit.register
def _end() -> None:
    if _running is not None:
        _running[0].call_soon_threadsafe(_running[0].stop)
        _running[1].join(1)
