"""Names of entities, communities and documents, looked up as a person types them: by beginning, by word, by likeness."""

import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from typing import Literal, NamedTuple

import numpy as np

from pipeline.base.arrow.columns import IntArray
from pipeline.query.evidence.spelling import nearest

FIRST = 400
"""Matches of a kind that are ranked; what is typed so far may begin a great many names."""
SORTED = 24
"""Bytes by which the beginnings of words are in order."""
EXACT, BEGINS, WORD, INSIDE, NEAR = 1.0, 0.8, 0.6, 0.4, 0.3
"""Score of a name that is what was typed, begins with it, has a word that does, has it inside a word, or is nearly it."""
Kind = Literal["entity", "community", "document"]


class NamedRow(NamedTuple):
    """A name and what has it: ``kind`` entity, community or document, its row there, and how important it is, from 0 up."""

    name: str
    kind: Kind
    row: int
    weight: float


class NameHit(NamedTuple):
    """A row that was found, by which name, and how well it fits: 0 to 1."""

    name: str
    kind: Kind
    row: int
    score: float


class NameSearch:
    """All names, folded, with a space before each word, so that words are found by what they begin with."""

    def __init__(self, names: Iterable[NamedRow]) -> None:
        self._names = list(names)
        folded = [f" {' '.join(_words(one.name))}".encode() for one in self._names]
        self._folded = b"\n".join(folded) + b"\n"
        self._starts: IntArray = np.cumsum([0, *(len(name) + 1 for name in folded)])
        """Where each name begins in ``_folded``, and the end of it."""
        self._weights = np.array([one.weight for one in self._names], np.float64)
        places = np.flatnonzero(np.frombuffer(self._folded, np.uint8) == ord(" ")).tolist()
        self._sorted = np.array(sorted(places, key=lambda at: self._folded[at : at + SORTED]), np.int64)
        """Where each word begins in ``_folded``, by what is read from there on."""
        self._words: frozenset[str] | None = None

    def find(self, typed: str, limit: int) -> list[NameHit]:
        """Return the rows whose names fit best, each row once; where none does, those of the nearest spelling."""
        asked = " ".join(_words(typed))
        if not asked:
            return []
        hits = list(self._holding(asked, limit))
        if not hits and (meant := " ".join(self._corrected(word) for word in asked.split())) != asked:
            hits = [hit._replace(score=hit.score * NEAR) for hit in self._holding(meant, limit)]
        best: dict[tuple[str, int], NameHit] = {}
        for hit in hits:
            old = best.get((hit.kind, hit.row))
            if old is None or hit.score > old.score:
                best[hit.kind, hit.row] = hit
        return sorted(best.values(), key=lambda hit: (-hit.score, len(hit.name), hit.name))[:limit]

    def _holding(self, asked: str, limit: int) -> Iterator[NameHit]:
        """Yield the names that have the words; those that have them only inside others are looked for where too little else was found."""
        seen: set[int] = set()
        word = f" {asked}".encode()
        at = self._beginning(word)
        names = self._names_at(at)
        begins = at == self._starts[names]
        exact = begins & (at + len(word) + 1 == self._starts[names + 1])
        tests: tuple[tuple[float, Callable[[], IntArray]], ...] = (
            (EXACT, lambda: names[exact]),
            (BEGINS, lambda: names[begins]),
            (WORD, lambda: names),
            (INSIDE, lambda: self._names_at(self._inside(word[1:]))),
        )
        for score, test in tests:
            places = np.unique(test())
            found = [
                place
                for place in places[np.argsort(-self._weights[places], kind="stable")].tolist()
                if place not in seen
            ]
            seen.update(found)
            for place in found[:FIRST]:
                one = self._names[place]
                yield NameHit(one.name, one.kind, one.row, score - 0.19 / (1 + one.weight))
            if len(seen) >= (FIRST if score > WORD else limit):
                return

    def _names_at(self, places: IntArray) -> IntArray:
        """Return which name each place of ``_folded`` is in."""
        return self._starts.searchsorted(places, "right") - 1

    def _beginning(self, words: bytes) -> IntArray:
        """Return where ``_folded`` goes on with some words, each from its beginning, ascending."""
        known = words[:SORTED]
        low = bisect_left(self._sorted, known, key=lambda at: self._folded[at : at + len(known)])
        high = bisect_right(self._sorted, known, low, key=lambda at: self._folded[at : at + len(known)])
        found = np.sort(self._sorted[low:high])
        if len(words) > SORTED:
            found = np.array([at for at in found.tolist() if self._folded.startswith(words, at)], np.int64)
        return found

    def _inside(self, part: bytes) -> IntArray:
        """Return where some bytes are in ``_folded``, ascending."""
        found: list[int] = []
        at = self._folded.find(part)
        while at >= 0:
            found.append(at)
            at = self._folded.find(part, at + 1)
        return np.array(found, np.int64)

    def _corrected(self, word: str) -> str:
        if self._words is None:
            self._words = frozenset(word for word in self._folded.decode().split())
        return word if word in self._words else nearest(word, sorted(self._words)) or word


def _words(text: str) -> list[str]:
    """Return the words of a name without case and accents."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    kept = "".join(char for char in plain if not unicodedata.combining(char))
    return "".join(char if char.isalnum() else " " for char in kept).split()
