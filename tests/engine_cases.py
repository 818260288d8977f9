"""What the tests of engines share: functions that workers run, and an engine whose workers die."""

import asyncio
import os
import signal
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from pipeline.base.engine.engine import Call, Engine, PartT, ResultT


def doubled(number: int) -> int:
    """Return twice the number; odd ones take longer, so that results come out of order."""
    time.sleep(0.02 * (number % 2))
    return 2 * number


def refuses(number: int) -> int:
    """Raise ValueError for 3."""
    if number == 3:
        raise ValueError("3 is refused")
    return number


def deadly_after_the_first(number: int) -> int:
    """Return 0; end the process on any other number, once others wait behind it."""
    if number:
        time.sleep(0.1)
        os._exit(1)
    return number


def deadly(folder: str, times: int, number: int) -> int:
    """End the worker at 3, ``times`` times; all of them together."""
    marks = Path(folder)
    if number == 3 and len(list(marks.iterdir())) < times:
        (marks / str(time.monotonic_ns())).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def logged(folder: str, number: int) -> int:
    """Leave a file that says that the work on this part began."""
    (Path(folder) / str(number)).touch()
    return number


def process_of(number: int) -> int:
    """Return the process that works on a part."""
    return os.getpid()


def asleep(folder: str) -> None:
    """Leave a file that is named as the process is, and sleep."""
    (Path(folder) / str(os.getpid())).touch()
    time.sleep(600)


def _once(mark: str, work: Callable[[Any], Any], part: Any) -> Any:
    if not Path(mark).exists():
        Path(mark).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return work(part)


class DeadlyEngine:
    """An engine that loses a worker the first time that each kind of work comes whose name has ``of`` in it."""

    inline = False

    def __init__(self, engine: Engine, folder: Path, of: str = "") -> None:
        self._of = of
        self._engine, self._folder, self.workers, self.same_disk = engine, folder, engine.workers, engine.same_disk
        self.kinds: set[str] = set()

    def map(self, work: Callable[[PartT], ResultT], parts: Iterable[PartT]) -> Iterator[ResultT]:
        """Map by the engine; the first part of a kind of work ends its worker."""
        kind = str(getattr(work, "args", work)).replace("/", "")
        self.kinds.add(kind)
        if self._of not in kind:
            return self._engine.map(work, parts)
        return self._engine.map(partial(_once, str(self._folder / kind[:80]), work), parts)

    def calls(self, build: Callable[[], Call]) -> Call | None:
        """Return what the engine's workers answer calls by."""
        return self._engine.calls(build)

    def close(self) -> None:
        """Leave the engine open."""


def caller() -> Callable[[Any], Awaitable[Any]]:
    """Return a call that says which process answers it; "end" ends that process."""

    async def call(request: str) -> int:
        if request == "end":
            os.kill(os.getpid(), signal.SIGKILL)
        if request.startswith("/"):
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                Path(request).touch()
                raise
        if request == "refuse":
            raise ValueError("refused")
        return os.getpid()

    return call


NAMES = ("Ada Thorne", "Edmund Vane", "Harriet Loss", "Clara Finch", "Leith", "Carrow", "Owen Marsh", "Tilda Crane")
DEEDS = ("built", "accused", "married", "visited", "paid", "saw", "left", "praised")


def many_texts(count: int = 66) -> dict[str, str]:
    """Return texts of a few sentences each, enough that every stage hands parts to its engine."""
    texts = {}
    for at in range(count):
        sentences = [
            f"{NAMES[(at + step) % 8]} {DEEDS[(at * 3 + step) % 8]} {NAMES[(at * 5 + step + 1) % 8]} in 18{at % 90 + 10}."
            for step in range(4)
        ]
        texts[f"{at:03d}.txt"] = f"The mole number {at} of the harbour was new. " + " ".join(sentences) + "\n"
    return texts
