"""Names of entities, communities and documents, looked up as a person types them: by beginning, by word, by likeness."""

import unicodedata
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.base.arrow.build import array, scalar, to_numpy
from pipeline.query.evidence.spelling import nearest

FIRST = 400
"""Matches of a kind that are ranked; what is typed so far may begin a great many names."""
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
        self._folded: pa.Array = array([f" {' '.join(_words(one.name))}" for one in self._names], pa.string())
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
        """Yield what holds the words; what has them only inside others is looked for where too little else was found."""
        seen: set[int] = set()
        tests: tuple[tuple[float, Callable[[], Any]], ...] = (
            (EXACT, lambda: pc.equal(self._folded, scalar(f" {asked}"))),
            (BEGINS, lambda: pc.starts_with(self._folded, f" {asked}")),
            (WORD, lambda: pc.match_substring(self._folded, f" {asked}")),
            (INSIDE, lambda: pc.match_substring(self._folded, asked)),
        )
        for score, test in tests:
            places = to_numpy(test()).nonzero()[0].tolist()
            found = sorted((place for place in places if place not in seen), key=lambda p: -self._names[p].weight)
            seen.update(found)
            for place in found[:FIRST]:
                one = self._names[place]
                yield NameHit(one.name, one.kind, one.row, score - 0.19 / (1 + one.weight))
            if len(seen) >= (FIRST if score > WORD else limit):
                return

    def _corrected(self, word: str) -> str:
        if self._words is None:
            self._words = frozenset(word for name in self._folded.to_pylist() for word in name.split())
        return word if word in self._words else nearest(word, sorted(self._words)) or word


def _words(text: str) -> list[str]:
    """Return the words of a name without case and accents."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    kept = "".join(char for char in plain if not unicodedata.combining(char))
    return "".join(char if char.isalnum() else " " for char in kept).split()
