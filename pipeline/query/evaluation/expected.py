"""What a question expects, found in an index: its gold documents, and where its passages are now."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from pipeline.base.store import Generation
from pipeline.query.answer import Source
from pipeline.query.evaluation.eval_questions import ExpectedPassage
from pipeline.query.opened import OpenedTables

LEAST = 0.5
"""Share of an expected passage that a chunk must hold to count as found: a sentence that a boundary cuts is in one of two."""


class GoldDocuments:
    """Finds documents by id, file, record key of their file, or title; of a title that several bear any will do."""

    def __init__(self, generation: Generation) -> None:
        self._ids: dict[str, set[str]] = {}
        rows = generation.table("documents", ["id", "title", "source", "metadata"]).to_pylist()
        keys = [{row["id"]: row["id"] for row in rows}, {}, {}, {}]
        for row in rows:
            record = json.loads(row["metadata"]).get("record")
            for place, key in enumerate((row["source"], record, row["title"]), 1):
                if key is not None:
                    keys[place][row["id"]] = str(key)
        for kind in keys:
            found: dict[str, set[str]] = {}
            for id, key in kind.items():
                found.setdefault(key.casefold(), set()).add(id)
            self._ids = found | self._ids

    def find(self, gold: Sequence[str]) -> tuple[list[set[str]], list[str]]:
        """Return the documents of each gold name that the index holds, and the names that it does not."""
        found = [(name, self._ids.get(name.casefold(), set())) for name in gold]
        return [ids for _, ids in found if ids], [name for name, ids in found if not ids]


class Span(NamedTuple):
    """Characters of a document's text."""

    document_id: str
    start: int
    end: int

    def holds(self, passage: "Span") -> bool:
        """Whether at least half of ``passage`` is inside."""
        shared = min(self.end, passage.end) - max(self.start, passage.start)
        return self.document_id == passage.document_id and shared >= LEAST * (passage.end - passage.start)


class ExpectedPassages:
    """Finds expected passages in the documents of an index, also when their texts changed around them."""

    def __init__(self, gold: GoldDocuments, tables: OpenedTables) -> None:
        self._gold, self._documents, self._chunks = gold, tables.rows("documents"), tables.rows("chunks")

    def find(self, passages: Iterable[ExpectedPassage]) -> dict[ExpectedPassage, Span]:
        """Return where each passage is, by its offsets or else its quote; those that the index no longer holds are absent."""
        named = {passage: self._gold.find((passage.document,))[0] for passage in passages}
        ids = {id for found in named.values() for group in found for id in group}
        texts = {id: row["text"] for id, row in self._documents.by_id(ids, ["text"]).items()}
        places: dict[ExpectedPassage, Span] = {}
        for passage, found in named.items():
            spans = (_span(passage, id, texts[id]) for group in found for id in sorted(group))
            place = next((span for span in spans if span), None)
            if place:
                places[passage] = place
        return places

    def chunk_spans(self, ids: Iterable[str]) -> dict[str, Span]:
        """Return the span of each chunk in its document, by id."""
        rows = self._chunks.by_id(ids, ["document_id", "start", "end"])
        return {id: Span(row["document_id"], row["start"], row["end"]) for id, row in rows.items()}

    def source_spans(self, sources: Sequence[Source]) -> list[Span]:
        """Return the spans that sources of an answer quote; those from outside the corpus have none."""
        rows = self._chunks.by_id({source.chunk_id for source in sources}, ["document_id", "start", "text"])
        return [span for source in sources if (span := _quoted(source, rows.get(source.chunk_id)))]


def _quoted(source: Source, chunk: Mapping[str, object] | None) -> Span | None:
    if chunk is None:
        return None
    text, begin = str(chunk["text"]), int(str(chunk["start"]))
    at = max(text.find(source.quote), 0)
    return Span(str(chunk["document_id"]), begin + at, begin + at + len(source.quote))


def _span(passage: ExpectedPassage, id: str, text: str) -> Span | None:
    if text[passage.start : passage.end] == passage.quote:
        return Span(id, passage.start, passage.end)
    at = text.find(passage.quote) if passage.quote else -1
    return Span(id, at, at + len(passage.quote)) if at >= 0 else None


def first_rank(chunks: Sequence[Span], passages: Collection[Span]) -> int:
    """Return the place, from 1, of the first chunk that holds a passage; 0 where none does."""
    return next((rank for rank, chunk in enumerate(chunks, 1) if any(map(chunk.holds, passages))), 0)
