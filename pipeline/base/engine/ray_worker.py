"""What runs on the workers of a cluster: parts and calls, refused where the program is another one than at the head."""

import gc
import sys
from collections.abc import Callable
from functools import cache
from typing import Any, Literal

from pipeline.base.engine.engine import Call
from pipeline.base.source_hash import program_hash

Outcome = tuple[Literal["value", "error", "refused"], Any]
"""How a part ended: what it gave, what it raised, or what program was found instead of the head's."""


@cache
def program() -> str:
    """Return what must be the same at the head and at every worker: the version, the sources, and the Python."""
    version = sys.modules["pipeline"].__version__
    return f"graphstrata {version}, sources {program_hash()}, Python {sys.version_info[0]}.{sys.version_info[1]}"


def run_part(expected: str, work: Callable[[Any], Any], part: Any) -> Outcome:
    """Work on a part; refused unless this program is the ``expected`` one."""
    if program() != expected:
        return "refused", program()
    gc.disable()  # as in processes of the head's machine: results hold no cycles
    try:
        return "value", work(part)
    except Exception as error:  # noqa: BLE001 - raised again at the head
        return "error", error


class CallHost:
    """Answers calls by what ``build`` made; one in each worker that makes calls."""

    def __init__(self, expected: str, build: Callable[[], Call]) -> None:
        self._refused = "" if program() == expected else program()
        self._build = build
        self._call: Call | None = None

    async def start(self) -> Outcome:
        """Get ready for calls: what a request of a few seconds waits for must not be the start of the program."""
        if self._refused:
            return "refused", self._refused
        try:
            self._call = self._build()
        except Exception as error:  # noqa: BLE001 - raised again at the head
            return "error", error
        return "value", None

    async def call(self, request: Any) -> Outcome:
        """Answer one request; many are under way at once."""
        if self._call is None:
            kind, found = await self.start()
            if kind != "value":
                return kind, found
        assert self._call is not None
        try:
            return "value", await self._call(request)
        except Exception as error:  # noqa: BLE001 - raised again at the head
            return "error", error
