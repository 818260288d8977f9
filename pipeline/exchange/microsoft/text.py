"""Finds where a text unit of Microsoft GraphRAG is in its document: the folder does not say.

Units begin with lines that its indexer may have put before them (title and metadata), and may end in halves of
characters where tokens were cut; beyond that, white space may differ. A span is given only where all the rest agrees.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

PREPENDED = re.compile(r"[^\n:]{1,100}: [^\n]*\n")
"""A line that may come before a unit: a key, a colon, a value."""
MOST = 40
"""Such lines, at most."""
SHORTEST = 12
"""Letters and signs, white space aside, of which what is left of a unit must have as many: less proves nothing."""
_PASSED_OVER = np.array([ord("\ufffd"), ord("\ufeff"), *(c for c in range(0x3001) if chr(c).isspace())], np.uint32)
"""White space, what is left of a character that was cut in two, and the byte order mark."""


class UnitPlace(NamedTuple):
    """Where a unit is. ``how`` is exact, tolerant (but for white space), or prepended (after some lines of it)."""

    start: int
    end: int
    how: str


class UnitFinder:
    """A document in which units are looked for, from the first to the last."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._squeezed: tuple[str, npt.NDArray[np.int64]] | None = None

    def place(self, unit: str, after: int = 0) -> UnitPlace | None:
        """Return where ``unit`` is, the first place from ``after`` on if there is one; None where it does not."""
        for lines, body in enumerate(_bodies(unit)):
            start = self._find(self.text, body, after)
            span = (start, start + len(body)) if start >= 0 else self._tolerant(body, after)
            if span:
                return UnitPlace(*span, "prepended" if lines else "exact" if start >= 0 else "tolerant")
        return None

    def _tolerant(self, unit: str, after: int) -> tuple[int, int] | None:
        if self._squeezed is None:
            self._squeezed = _squeeze(self.text)
        text, places = self._squeezed
        wanted, _ = _squeeze(unit)
        start = self._find(text, wanted, int(np.searchsorted(places, after))) if len(wanted) >= SHORTEST else -1
        return None if start < 0 else (int(places[start]), int(places[start + len(wanted) - 1]) + 1)

    @staticmethod
    def _find(text: str, wanted: str, after: int) -> int:
        found = text.find(wanted, after)
        return found if found >= 0 else text.find(wanted)


def _bodies(unit: str) -> Iterator[str]:
    """Yield the unit, then what is left of it without the first line that may have been put before it, and so on."""
    if unit.strip():
        yield unit
    for _ in range(MOST):
        line = PREPENDED.match(unit)
        if line is None or len(_squeeze(unit[line.end() :])[0]) < SHORTEST:
            return
        unit = unit[line.end() :]
        yield unit


def _squeeze(text: str) -> tuple[str, npt.NDArray[np.int64]]:
    """Return a text without white space, halves of characters and byte order marks, and where each of the rest was."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    kept = np.flatnonzero(~np.isin(codes, _PASSED_OVER))
    return codes[kept].tobytes().decode("utf-32-le", "surrogatepass"), kept.astype(np.int64)
