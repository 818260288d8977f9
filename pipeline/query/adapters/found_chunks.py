"""The chunks that fit a question best, each with where it is in its file: what every retriever hands out."""

from typing import TYPE_CHECKING, Any, NamedTuple

from pipeline.documents.chunk_documents import Row, with_documents
from pipeline.documents.places import PLACE_COLUMNS, file_place

if TYPE_CHECKING:
    from pipeline.query.index import Index


class FoundChunk(NamedTuple):
    """A chunk found for a question."""

    id: str
    text: str
    score: float
    """Orders the chunks of one question, and means nothing beyond it."""
    metadata: dict[str, Any]
    """Where it is: ``file``, ``start`` and ``end`` in characters as a Source has them, ``place`` ("line 41", "page 3"),
    ``title``, ``anchor`` (the headings above), ``chunk_id``, ``document_id``, and the ``score``."""


def found_chunks(index: "Index", question: str, k: int) -> list[FoundChunk]:
    """Return the ``k`` chunks that fit ``question`` best, best first, by what every search finds with, without a model."""
    hits = index.finder().find([question], k)[0]
    chunks, documents = map(index.generation.rows, ("chunks", "documents"))
    ids, of_document = [hit.chunk_id for hit in hits], ["title", "source", *PLACE_COLUMNS]
    rows = with_documents(ids, chunks, documents, ["start", "end", "anchor", "text"], of_document)
    return [_found(hit.score, *rows[hit.chunk_id]) for hit in hits]


def _found(score: float, chunk: Row, document: Row) -> FoundChunk:
    place = file_place(document, chunk["start"], chunk["end"])
    about = {
        "file": document["source"],
        "place": place.label,
        "start": place.start,
        "end": place.end,
        "within": place.within,
        "title": document["title"],
        "anchor": chunk["anchor"],
        "score": score,
        "chunk_id": chunk["id"],
        "document_id": chunk["document_id"],
    }
    return FoundChunk(chunk["id"], chunk["text"], score, about)
