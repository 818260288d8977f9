"""Finding evidence for a question without a model: chunks, the sentences in them, key elements, and how strong it is."""

import math
from collections import Counter
from collections.abc import Collection, Sequence
from functools import cached_property
from typing import NamedTuple

from pipeline.base.store import Rows
from pipeline.query.citations import by_id
from pipeline.text.overlap import content_words, match_share
from pipeline.text.sentences import split


class Hit(NamedTuple):
    """A chunk that was found; scores order the hits of one question and mean nothing across questions."""

    chunk_id: str
    score: float


class Passage(NamedTuple):
    """A sentence of a chunk: ``chunk.text[start:end] == text``; ``score`` from 0 to 1 is how much of the question it meets."""

    chunk_id: str
    start: int
    end: int
    text: str
    score: float


class Node(NamedTuple):
    """A key element that was found, with its score from 0 to 100."""

    id: str
    title: str
    score: float


class Finder:
    """Ranks the chunks, sentences and key elements of one index."""

    def __init__(self, chunks: Rows, key_elements: Rows) -> None:
        self._chunks, self._key_elements = chunks, key_elements

    def find(self, questions: Sequence[str], k: int) -> list[list[Hit]]:
        """Return for each question its ``k`` best chunks, best first, ties by id."""
        return [self._rank(question, k) for question in questions]

    def passages(self, question: str, chunk_ids: Collection[str], limit: int) -> list[Passage]:
        """Return the sentences of these chunks closest to the question, best first."""
        rows = by_id(self._chunks, chunk_ids, ["text"])
        wanted = content_words(question)
        found = []
        for order, id in enumerate(dict.fromkeys(chunk_ids)):
            text = rows[id]["text"]
            for start, end in split(text):
                share = self._weighted(wanted, text[start:end])
                if share > 0:
                    found.append((-share, order, start, Passage(id, start, end, text[start:end], share)))
        unique = {" ".join(passage.text.split()): passage for *_, passage in sorted(found, reverse=True)}
        return sorted(unique.values(), key=lambda p: (-p.score, p.chunk_id, p.start))[:limit]

    def nodes(self, question: str, k: int) -> list[Node]:
        """Return the key elements closest to the question, best first: only ones that exist."""
        wanted = content_words(question)
        table = self._key_elements.table(["id", "title", "frequency"]).to_pydict()
        found = []
        for id, title, frequency in zip(table["id"], table["title"], table["frequency"], strict=True):
            words = content_words(title)
            shared = sum(self._idf.get(word, self._rarest) for word in words & wanted)
            if shared:
                own = sum(self._idf.get(word, self._rarest) for word in words)
                found.append((-shared * shared / own / math.log(frequency + 2), title, id))
        best = -min(found, default=(0.0, "", ""))[0] or 1.0
        return [Node(id, title, -score / best * 100) for score, title, id in sorted(found)[:k]]

    def strength(self, question: str, passages: Sequence[Passage]) -> float:
        """Return how well passages together support an answer, 0 to 1: the share of the question's weight they meet."""
        return self._weighted(content_words(question), " ".join(passage.text for passage in passages))

    def _rank(self, question: str, k: int) -> list[Hit]:
        wanted = content_words(question)
        scored = [
            (-sum(self._idf[word] for word in wanted & words), id) for id, words in self._words.items() if wanted & words
        ]
        return [Hit(id, -score) for score, id in sorted(scored)[:k]]

    def _weighted(self, wanted: frozenset[str], text: str) -> float:
        weights = {word: self._idf.get(word, self._rarest) for word in sorted(wanted)}
        total = sum(weights.values())
        met = sum(weight for word, weight in weights.items() if match_share(frozenset([word]), text))
        return met / total if total else 0.0

    @cached_property
    def _words(self) -> dict[str, frozenset[str]]:
        table = self._chunks.table(["id", "text"]).to_pydict()
        return {id: content_words(text) for id, text in zip(table["id"], table["text"], strict=True)}

    @cached_property
    def _idf(self) -> dict[str, float]:
        counts = Counter(word for words in self._words.values() for word in words)
        return {word: math.log(1 + len(self._words) / count) for word, count in counts.items()}

    @cached_property
    def _rarest(self) -> float:
        return math.log(1 + len(self._words))
