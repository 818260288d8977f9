"""The passages that carry a sentence of an answer: sought in the chunks that it was written from, and then in the whole corpus."""

import re
from collections.abc import Iterable, Sequence

from pipeline.base.store import Rows
from pipeline.documents.chunk_documents import with_documents
from pipeline.query.answer import Grounds, Place
from pipeline.retrieval.chunk_search import Finder
from pipeline.text.answering.support import (
    LONG,
    SUPPORTED,
    Carried,
    carry,
    passage_around,
    passages_for,
    passages_of,
    support,
)
from pipeline.text.keys import content_keys, keys_of
from pipeline.text.metadata import sent_by
from pipeline.text.scripts import language_of

BETTER = 0.1
"""What other spans must add to the support to be cited instead."""
CLOSEST = 5
"""Chunks of the corpus, and of those that a sentence was written from, that are looked through for it."""
NOTES, OF_NOTE = 3, 2
"""Notes whose passages are offered for a sentence that was written from them, and passages of each that it is known to rest on;
one more is sought by its words."""

_LABEL = re.compile(r"[\s*•-]*\*\*[^*]+\*\*[:：]\s*")
"""A label in bold that a line of an answer begins with; it names what follows and asserts nothing."""


class Carrier:
    """Finds one to three spans for each sentence of one answer, over the chunks of one index."""

    def __init__(self, chunks: Rows, documents: Rows, finder: Finder) -> None:
        self._chunks, self._documents, self._finder = chunks, documents, finder
        self._keys: dict[str, frozenset[str]] = {}
        self._sender: dict[str, str] = {}
        self._closest: dict[str, list[str]] = {}
        self._written_from: dict[str, tuple[tuple[Place, ...], Grounds]] = {}
        self._carried: dict[tuple[str, tuple[Place, ...], Grounds], tuple[list[Place], float]] = {}

    def __call__(self, sentence: str, cited: Sequence[Place], grounds: Grounds = ()) -> tuple[list[Place], float]:
        """Return the spans that carry a sentence and how well, 0 to 1; what was cited where it carries the sentence already,
        or is not in the corpus. The chunks behind its grounds are looked through before the corpus is.

        A stream asks for the same sentences each time one more has ended; they are looked for once.
        """
        sentence = _LABEL.sub("", sentence)
        asked = sentence, tuple(cited), grounds
        if asked not in self._carried:
            self._written_from[sentence] = asked[1:]
            self._carried[asked] = self._carrying(*asked)
        places, carried = self._carried[asked]
        return list(places), carried

    def _carrying(self, sentence: str, cited: Sequence[Place], grounds: Grounds) -> tuple[list[Place], float]:
        texts = self._texts(place.chunk_id for place in cited)
        quoted = [texts[place.chunk_id][place.start : place.end] for place in cited if place.chunk_id in texts]
        said = "".join(sentence.split())
        for place, quote in zip(cited, quoted, strict=False):
            if said == "".join(quote.split()):
                return [place], 1.0
        own = support(sentence, [*quoted, *self._senders(texts)], self._finder.rarity)
        if len(quoted) < len(cited) or own >= SUPPORTED:
            return list(cited), own
        if grounds:
            texts |= self._texts(self._best(sentence, [id for one in grounds for id in one.chunk_ids]))
        found = self._carry(sentence, texts)
        if found.support < SUPPORTED:
            wider = texts | self._texts(self._found(sentence))
            other = self._carry(sentence, wider)
            if other.support >= found.support + BETTER:
                found, texts = other, wider
        if found.support < own + BETTER:
            return list(cited), own
        return _places(found.spans, texts), found.support

    def passages(self, sentence: str, chunk_ids: Sequence[str], most: int) -> list[Place]:
        """Return passages that may support a sentence, none of which overlap: what it cited when it was written; of each of the
        notes that it was written from, NOTES at most, OF_NOTE passages that it rests on and one by its words; and ``most`` at
        most by the sentence's own words, of these chunks, of those behind the notes, and of the corpus."""
        sentence = _LABEL.sub("", sentence)
        cited, grounds = self._written_from.get(sentence, ((), ()))
        found = self._around(cited, language_of(sentence))
        for note in grounds[:NOTES]:
            found += self._around(sorted(note.passages, key=lambda place: -self._shared(note.text, place))[:OF_NOTE])
            found += self._by_words(note.text, self._best(note.text, note.chunk_ids), 1)
        near = self._best(sentence, [*chunk_ids, *(id for note in grounds for id in note.chunk_ids)])
        found += self._by_words(sentence, [*near, *self._found(sentence)], most)
        kept: list[Place] = []
        for place in found:
            start, end = place.start, place.end
            for one in kept:
                if one.chunk_id == place.chunk_id:
                    start = one.end if one.start <= start < one.end else start
                    end = one.start if one.start < end <= one.end else end
            if start < end:
                kept.append(Place(place.chunk_id, start, end))
        return kept

    def rarity(self, word: str) -> float:
        """Return how rare a word is in the corpus, 0 where it is not in it."""
        return self._finder.rarity(word)

    def _carry(self, sentence: str, texts: dict[str, str]) -> Carried:
        return carry(sentence, list(texts.values()), self._finder.rarity, self._senders(texts))

    def _senders(self, chunk_ids: Iterable[str]) -> list[str]:
        """Return who sent the mail that each of some chunks is of, and when, as its source shows it; empty for other documents."""
        ids = list(chunk_ids)
        new = [id for id in ids if id not in self._sender]
        rows = with_documents(new, self._chunks, self._documents, [], ["metadata"]) if new else {}
        self._sender |= {id: sent_by(document["metadata"]) for id, (_, document) in rows.items()}
        return [self._sender[id] for id in ids]

    def _texts(self, chunk_ids: Iterable[str]) -> dict[str, str]:
        """Return the texts of those of some chunks that there are, in the order of the ids."""
        ids = list(dict.fromkeys(chunk_ids))
        rows = self._chunks.by_id(ids, ["text"])
        return {id: rows[id]["text"] for id in ids if id in rows}

    def _by_words(self, said: str, chunk_ids: Iterable[str], n: int) -> list[Place]:
        texts = self._texts(chunk_ids)
        return _places(passages_for(said, list(texts.values()), self._finder.rarity, n), texts)

    def _around(self, places: Iterable[Place], language: str = "und") -> list[Place]:
        """Return the passages that spans of chunks are in; those of the whole span where it is long, and of the whole chunk where
        that is in another language than what rests on it: words then tell little of where. Pages from outside are left out."""
        places = list(places)
        texts = self._texts(place.chunk_id for place in places)
        found = []
        for one in places:
            if text := texts.get(one.chunk_id):
                start, end = (
                    (0, len(text)) if len({language, language_of(text)} - {"und"}) > 1 else (one.start, one.end)
                )
                is_long = end - start > LONG
                cut = passages_of(text, start, end) if is_long else [passage_around(text, start, end)]
                found += [Place(one.chunk_id, *span) for span in cut]
        return list(dict.fromkeys(found))

    def _shared(self, said: str, place: Place) -> float:
        """Return how well a span of a chunk carries what is said."""
        quoted = [text[place.start : place.end] for text in self._texts([place.chunk_id]).values()]
        return support(said, quoted, self._finder.rarity)

    def _best(self, sentence: str, chunk_ids: Sequence[str]) -> list[str]:
        """Return the chunks that share most with a sentence, by the rarity of the words; of equals the first."""
        new = [id for id in dict.fromkeys(chunk_ids) if id not in self._keys]
        self._keys |= {id: frozenset(keys_of(text, language_of(text))) for id, text in self._texts(new).items()}
        weights = {key: self._finder.rarity(key) for key in sorted(content_keys(sentence, language_of(sentence)))}
        shared = {
            id: sum(weight for key, weight in weights.items() if key in self._keys[id])
            for id in dict.fromkeys(chunk_ids)
            if id in self._keys
        }
        return sorted(shared, key=lambda id: -shared[id])[:CLOSEST]

    def _found(self, sentence: str) -> list[str]:
        """Return the chunks of the corpus that are closest to a sentence."""
        if sentence not in self._closest:
            self._closest[sentence] = [hit.chunk_id for hit in self._finder.find([sentence], CLOSEST)[0]]
        return self._closest[sentence]


def _places(spans: Iterable[tuple[int, int, int]], texts: dict[str, str]) -> list[Place]:
    ids = list(texts)
    return [Place(ids[place], start, end) for place, start, end in spans]
