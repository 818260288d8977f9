"""The passages closest to a question: in place of an answer that was not found, and beside one that no model wrote."""

from collections.abc import Sequence
from dataclasses import replace

from pipeline.base.store import Rows
from pipeline.query.answer import Answer, Outcome, Source
from pipeline.query.evidence.citations import Place, Sources
from pipeline.query.evidence.spelling import Unheld
from pipeline.query.messages import message
from pipeline.retrieval.chunk_search import Finder
from pipeline.text.answering.windows import closest_window
from pipeline.text.keys import alike, keys_of
from pipeline.text.metadata import labels
from pipeline.text.question.question import Question

CLOSEST, MORE = 5, 3
"""Passages in place of an answer, and beside one."""
LOOKED_AT = 10
"""Chunks among which they are chosen."""
FIRST = 0.3
"""What the first place among the chunks found is worth, against the share of the question that a passage meets."""
SHORT = 500
"""Characters of a passage beside an answer."""


class ClosestPassages:
    """Finds them in one index."""

    def __init__(self, finder: Finder, chunks: Rows, documents: Rows) -> None:
        self._finder, self._chunks, self._documents = finder, chunks, documents

    def in_place_of(self, answer: Answer, question: Question, words: Sequence[Unheld]) -> Answer:
        """Return an answer that was not found with the passages closest to ``question``, in the question's language.

        ``words`` are those of the question that the corpus does not hold. The outcome is "nothing" only where no passage
        speaks of anything that the question does.
        """
        language = question.language
        closest = self._find(question, CLOSEST)
        missing = tuple(one.word for one in words)
        near = tuple(dict.fromkeys(one.near for one in words if one.near))
        about = [message("missing", language, missing)] if missing else []
        about += [message("suggestion", language, near)] if near else []
        said = [*about, message("closest", language)] if closest else [message("nothing", language), *about]
        outcome: Outcome = "closest" if closest else "nothing"
        text = " ".join(said)
        return replace(answer, text=text, sources=(), outcome=outcome, closest=closest, missing=missing, sentences=())

    def beside(self, answer: Answer, question: Question) -> Answer:
        """Return an answer with a few more passages that it does not quote."""
        quoted = {(source.chunk_id, source.quote) for source in answer.sources}
        found = [
            one
            for one in self._find(question, CLOSEST, SHORT)
            if not any(one.chunk_id == chunk and quote in one.quote for chunk, quote in quoted)
        ]
        return replace(answer, closest=tuple(replace(one, number=n) for n, one in enumerate(found[:MORE], 1)))

    def _find(self, question: Question, k: int, length: int | None = None) -> tuple[Source, ...]:
        ids = [hit.chunk_id for hit in self._finder.find([question.text], LOOKED_AT)[0]]
        rows = self._chunks.by_id(ids, ["text", "anchor", "document_id"])
        about = self._documents.by_id([row["document_id"] for row in rows.values()], ["metadata"])

        def weight(text: str) -> float:
            return question.share(question.met_by(text))

        found = []
        for rank, id in enumerate(ids):
            start, end, value = closest_window(rows[id]["text"], weight, *([length] if length else []))
            value = max(value, weight(f"{rows[id]['anchor']} {labels(about[rows[id]['document_id']]['metadata'])}"))
            if value > 0:
                found.append((-(value + FIRST / (rank + 1)), rank, Place(id, start, end)))
        sources = Sources(self._chunks, self._documents)
        shown: list[frozenset[str]] = []
        for _, _, place in sorted(found):
            keys = keys_of(rows[place.chunk_id]["text"][place.start : place.end], question.language)
            if len(shown) < k and not any(alike(keys, other) for other in shown):
                shown.append(keys)
                sources.number(place)
        return sources.listed()
