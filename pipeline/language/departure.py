"""Questions leave one after another. Clients give way to each other many times while they build a request, so that of
25 begun at once the first would leave when nearly all are built; in turn, each is under way while the next is built."""

import asyncio
from contextvars import ContextVar
from types import TracebackType
from typing import Any

TELL_DEPARTURE = {"openai", "azure"}
"""Providers whose client calls ``departed``; calls to others are not held back for one another."""
LONGEST = 0.05
"""Seconds after which the next may go in any case, should a client not tell that its question has left."""

_under_way: ContextVar["_Turn | None"] = ContextVar("_under_way", default=None)


class _Turn:
    def __init__(self, turns: asyncio.Semaphore) -> None:
        self._turns: asyncio.Semaphore | None = turns

    def end(self) -> None:
        """Let the next one go; once."""
        if self._turns is not None:
            self._turns.release()
            self._turns = None


class Departure:
    """``async with`` around a call: entered in turn, left for the next as soon as the request goes out."""

    def __init__(self) -> None:
        self._turns = asyncio.Semaphore(1)

    async def __aenter__(self) -> None:
        await self._turns.acquire()
        turn = _Turn(self._turns)
        _under_way.set(turn)
        asyncio.get_running_loop().call_later(LONGEST, turn.end)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await departed()


async def departed(request: Any = None) -> None:
    """End the turn of the call at hand: a hook that HTTP clients call when a request is complete."""
    turn = _under_way.get()
    if turn is not None:
        turn.end()
