"""The passages that carry a sentence of an answer: sought in the chunks that it cites, and then in the whole corpus."""

import re
from collections.abc import Sequence

from pipeline.base.store import Rows
from pipeline.query.answer import Place
from pipeline.retrieval.chunk_search import Finder
from pipeline.text.answering.support import SUPPORTED, Carried, carry, support

BETTER = 0.1
"""What other spans must add to the support to be cited instead."""
CLOSEST = 5
"""Chunks of the corpus that are looked through for a sentence."""

_LABEL = re.compile(r"[\s*•-]*\*\*[^*]+\*\*[:：]\s*")
"""A label in bold that a line of an answer begins with; it names what follows and asserts nothing."""


class Carrier:
    """Finds one to three spans for each sentence, over the chunks of one index."""

    def __init__(self, chunks: Rows, finder: Finder) -> None:
        self._chunks, self._finder = chunks, finder

    def __call__(self, sentence: str, cited: Sequence[Place]) -> tuple[list[Place], float]:
        """Return the spans that carry a sentence and how well, 0 to 1; what was cited where it carries the sentence already,
        or is not in the corpus.
        """
        sentence = _LABEL.sub("", sentence)
        rows = self._chunks.by_id([place.chunk_id for place in cited], ["text"])
        quoted = [rows[place.chunk_id]["text"][place.start : place.end] for place in cited if place.chunk_id in rows]
        said = "".join(sentence.split())
        for place, quote in zip(cited, quoted, strict=False):
            if said == "".join(quote.split()):
                return [place], 1.0
        own = support(sentence, quoted, self._finder.rarity)
        if len(quoted) < len(cited) or own >= SUPPORTED:
            return list(cited), own
        texts = {id: row["text"] for id, row in rows.items()}
        found = self._carry(sentence, texts)
        if found.support < SUPPORTED:
            ids = [hit.chunk_id for hit in self._finder.find([sentence], CLOSEST)[0]]
            wider = {id: row["text"] for id, row in self._chunks.by_id([*rows, *ids], ["text"]).items()}
            other = self._carry(sentence, wider)
            if other.support >= found.support + BETTER:
                found, texts = other, wider
        if found.support < own + BETTER:
            return list(cited), own
        return _places(found, texts), found.support

    def _carry(self, sentence: str, texts: dict[str, str]) -> Carried:
        return carry(sentence, list(texts.values()), self._finder.rarity)


def _places(found: Carried, texts: dict[str, str]) -> list[Place]:
    ids = list(texts)
    return [Place(ids[place], start, end) for place, start, end in found.spans]
