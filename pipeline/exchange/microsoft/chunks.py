"""Documents and text units of Microsoft GraphRAG as documents and chunks of ours, each chunk with its place."""

from typing import Any, NamedTuple

import pyarrow as pa

from pipeline.base.arrow.columns import rows_of
from pipeline.base.ids import content_id, dump
from pipeline.base.schema import CHUNKS, DOCUMENTS
from pipeline.base.settings import ChunkSettings
from pipeline.base.tokens import Tokenizer
from pipeline.documents.places import NO_PLACES
from pipeline.exchange.microsoft.folder import MicrosoftIndex
from pipeline.exchange.microsoft.import_report import ImportLog
from pipeline.exchange.microsoft.text import UnitFinder
from pipeline.text.chunking import cut


class Texts(NamedTuple):
    """Documents, chunks, and for each text unit of Microsoft's the chunk that it became."""

    documents: pa.Table
    chunks: pa.Table
    chunk_of: dict[str, str]


class _Document:
    """A document with the spans that its units take."""

    def __init__(self, id: str, title: str, source: str, text: str, metadata: dict[str, Any]) -> None:
        self.id, self.title, self.source, self.text, self.metadata = id, title, source, text, metadata
        self.places = UnitFinder(text)
        self.after = 0
        self.spans: dict[int, tuple[int, list[str]]] = {}
        """By start: the end, and the units that are there."""

    def add(self, unit: str, start: int, end: int) -> bool:
        """Enter a unit; say whether another one starts at the same place: the two become one chunk, the longer."""
        known_end, units = self.spans.get(start, (end, []))
        self.spans[start] = (max(end, known_end), [*units, unit])
        self.after = start + 1
        return bool(units)


def read_texts(index: MicrosoftIndex, settings: ChunkSettings, tokenizer: Tokenizer, log: ImportLog) -> Texts:
    """Return documents, chunks and what became of each text unit.

    A unit that is not in its document becomes a document of its own: a chunk's text is its document's, always.
    """
    documents = _documents(index)
    placed = _place(index, documents, log)
    rows = [(d.id, d.title, d.source, d.text, tokenizer.count(d.text), dump(d.metadata), *NO_PLACES) for d in placed]
    chunks: list[tuple[object, ...]] = []
    chunk_of: dict[str, str] = {}
    for document in placed:
        for position, (start, end, units) in enumerate(_spans(document, settings, tokenizer, log)):
            text = document.text[start:end]
            id = content_id(document.id, position, text)
            chunks.append((id, document.id, position, start, end, document.title, text, tokenizer.count(text)))
            chunk_of |= dict.fromkeys(units, id)
    return Texts(DOCUMENTS.rows(rows), CHUNKS.rows(chunks), chunk_of)


def _documents(index: MicrosoftIndex) -> dict[str, _Document]:
    found: dict[str, _Document] = {}
    ids: set[str] = set()
    for row, (own, title, text, created) in enumerate(
        rows_of(index["documents"], "id", "title", "text", "creation_date")
    ):
        source = (title or f"document {row}").replace("\\", "/").strip("/")
        id = content_id(source, "", text or "")
        if id in ids:
            id = content_id(source, own, text or "")
        ids.add(id)
        metadata = {"microsoft_id": own} | ({"creation_date": created} if created else {})
        found[own] = _Document(id, title or source, source, text or "", metadata)
    return found


def _place(index: MicrosoftIndex, documents: dict[str, _Document], log: ImportLog) -> list[_Document]:
    """Give every unit its span; return the documents, those that units became among them."""
    own: list[_Document] = []
    units = list(rows_of(index["text_units"], "id", "text", "document_id", "document_ids", "human_readable_id"))
    for row, (id, text, single, several, number) in sorted(
        enumerate(units), key=lambda unit: (unit[0] if unit[1][4] is None else unit[1][4], unit[0])
    ):
        named = [documents[name] for name in dict.fromkeys((single, *(several or ()))) if name in documents]
        number = row if number is None else number
        if not (text or "").strip():
            log.skip(f"text unit {number}", "text units without text: left out")
            continue
        for document in named:
            place = document.places.place(text, document.after)
            if place:
                log.count("text units with lines put before their text: without these", place.how == "prepended")
                if document.add(id, place.start, place.end):
                    log.count("text units that start where another one does: both are one chunk")
                break
        else:
            log.skip(f"text unit {number}", "text units that are nowhere in their document: documents of their own")
            title = f"{named[0].title if named else 'text unit'} {number}"
            source = f"{named[0].source if named else 'text units'}#{number}"
            alone = _Document(content_id(source, id, text), title, source, text, {"microsoft_id": id})
            alone.add(id, 0, len(text))
            own.append(alone)
    return [*documents.values(), *own]


def _spans(
    document: _Document, settings: ChunkSettings, tokenizer: Tokenizer, log: ImportLog
) -> list[tuple[int, int, list[str]]]:
    """Return the spans in reading order; a document without a unit is cut as ours are."""
    if document.spans or not document.text.strip():
        return [(start, end, units) for start, (end, units) in sorted(document.spans.items())]
    log.skip(document.source, "documents without a text unit: cut anew, and nothing is extracted from them")
    pieces = cut(document.text, document.title, size=settings.size, overlap=settings.overlap, tokenizer=tokenizer)
    return [(piece.start, piece.end, []) for piece in pieces]
