"""Documents and chunks as a reader sees them: text a page at a time, with what is marked in it."""

import json
from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from pipeline.documents.places import PLACE_COLUMNS, file_place
from pipeline.web.endpoint import Limit, Offset, Registry, endpoint
from pipeline.web.projects import OpenIndex, ServedProject
from pipeline.web.reading.marks import ChunkSpan, Mark, chunks_of, entity_marks, marks_in

ENDPOINTS: Registry = []

PAGE = 60_000
"""Most characters of a document in one reply."""
AHEAD = 2000
"""Characters before the first one asked for that come with it, so that a quote is read in its surroundings."""


class DocumentRow(TypedDict):
    """A document, as lists show it; ``place`` is its file."""

    id: str
    title: str
    place: str
    date: str | None
    characters: int
    chunks: int
    metadata: dict[str, Any]


class DocumentList(TypedDict):
    """Documents, in the order of the table."""

    items: list[DocumentRow]
    total: int


class DocumentPage(TypedDict):
    """A stretch of a document's text, and what is marked in it; all offsets are characters of the whole text."""

    id: str
    title: str
    place: str
    metadata: dict[str, Any]
    length: int
    start: int
    end: int
    text: str
    marks: list[Mark]
    chunks: list[ChunkSpan]


class NamedSpan(TypedDict):
    """An entity where the chunk names it; characters of the chunk's text."""

    id: str
    name: str
    start: int
    end: int


class ChunkReply(TypedDict):
    """A chunk; ``start`` and ``end`` are characters of its document's text, ``place`` is where it is in the file."""

    id: str
    document: str
    title: str
    heading: str
    text: str
    start: int
    end: int
    place: str
    entities: list[NamedSpan]
    previous: str | None
    next: str | None


@endpoint(ENDPOINTS, "GET", "/projects/{project}/documents")
def list_documents(
    project: ServedProject, offset: Annotated[int, Offset] = 0, limit: Annotated[int, Limit] = 50
) -> DocumentList:
    """The documents, a page at a time."""
    opened = project.open()
    found = opened.page("documents", ["id", "title", "source", "metadata"], offset, limit)
    return {"items": [_document(opened, one) for one in found], "total": opened.count("documents")}


def _document(opened: OpenIndex, one: dict[str, Any]) -> DocumentRow:
    chunks = chunks_of(opened, one["id"])
    metadata = _metadata(one["metadata"])
    date = metadata.get("date")
    return {
        "id": one["id"],
        "title": one["title"],
        "place": one["source"],
        "date": str(date) if date is not None else None,
        "characters": max((chunk["end"] for chunk in chunks), default=0),
        "chunks": len(chunks),
        "metadata": metadata,
    }


def _metadata(text: str) -> dict[str, Any]:
    found = json.loads(text or "{}")
    return found if isinstance(found, dict) else {}


@endpoint(ENDPOINTS, "GET", "/projects/{project}/documents/{document}")
def read_document(
    project: ServedProject,
    document: Annotated[str, Field(max_length=200, description="id of the document")],
    start: Annotated[int, Field(ge=0, description="first character; what is just before it comes with it")] = 0,
    end: Annotated[
        int | None, Field(ge=0, description="end, exclusive; at most 60,000 characters come at once")
    ] = None,
) -> DocumentPage:
    """A stretch of a document, with its names, claims and facts marked."""
    opened = project.open()
    row = opened.row("documents", "id", document, "document")
    one = opened.columns.rows("documents", ["id", "title", "source", "metadata"], [row])[0]
    text = opened.columns.values("documents", "text", [row])[0]
    low = min(max(start - AHEAD, 0), len(text))
    high = min(len(text), low + PAGE, max(end, start) + AHEAD if end is not None else len(text))
    chunks = chunks_of(opened, document)
    return {
        "id": one["id"],
        "title": one["title"],
        "place": one["source"],
        "metadata": _metadata(one["metadata"]),
        "length": len(text),
        "start": low,
        "end": high,
        "text": text[low:high],
        "marks": marks_in(opened, chunks, low, high),
        "chunks": chunks,
    }


@endpoint(ENDPOINTS, "GET", "/projects/{project}/chunks/{chunk}")
def read_chunk(
    project: ServedProject, chunk: Annotated[str, Field(max_length=200, description="id of the chunk")]
) -> ChunkReply:
    """A chunk with the entities that it names, and those before and after it."""
    opened = project.open()
    row = opened.row("chunks", "id", chunk, "chunk")
    one = opened.columns.rows("chunks", ["id", "document_id", "anchor", "text", "start", "end"], [row])[0]
    of = opened.row("documents", "id", one["document_id"], "document")
    document = opened.columns.rows("documents", ["title", "source", *PLACE_COLUMNS], [of])[0]
    siblings = [span["id"] for span in chunks_of(opened, one["document_id"])]
    at = siblings.index(chunk)
    label = file_place(document, one["start"], one["end"]).label
    return {
        "id": chunk,
        "document": one["document_id"],
        "title": document["title"],
        "heading": one["anchor"],
        "text": one["text"],
        "start": one["start"],
        "end": one["end"],
        "place": f"{document['source']}, {label}" if label else document["source"],
        "entities": [
            {"id": mark["id"], "name": mark["label"], "start": mark["start"], "end": mark["end"]}
            for mark in entity_marks(opened, chunk)
        ],
        "previous": siblings[at - 1] if at else None,
        "next": siblings[at + 1] if at + 1 < len(siblings) else None,
    }
