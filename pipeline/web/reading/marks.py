"""Where names, claims and facts are in a stretch of a document."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from typing_extensions import TypedDict

if TYPE_CHECKING:
    from pipeline.web.projects import OpenIndex

MOST = 5000
"""Marks of one reply, in the order of the text."""


class Mark(TypedDict):
    """A span that says something: characters of the text it is given with, the row that it belongs to and what that is called."""

    start: int
    end: int
    kind: Literal["entity", "claim", "fact"]
    id: str
    label: str


class ChunkSpan(TypedDict):
    """A chunk of a document; characters of the document's text."""

    id: str
    start: int
    end: int


def chunks_of(opened: "OpenIndex", document: str) -> list[ChunkSpan]:
    """Return the chunks of a document in reading order."""
    rows = opened.by("chunks", "document_id").rows(document)
    found = opened.columns.rows("chunks", ["id", "start", "end"], rows)
    return [
        {"id": one["id"], "start": one["start"], "end": one["end"]}
        for one in sorted(found, key=lambda one: (one["start"], one["end"]))
    ]


def marks_in(opened: "OpenIndex", chunks: list[ChunkSpan], start: int, end: int) -> list[Mark]:
    """Return what is marked between two characters of a document, each span and row once, in the order of the text."""
    found: dict[tuple[int, int, str, str], Mark] = {}
    for chunk in chunks:
        if chunk["start"] < end and chunk["end"] > start:
            for mark in marks_of_chunk(opened, chunk["id"]):
                low, high = mark["start"] + chunk["start"], mark["end"] + chunk["start"]
                if low < end and high > start:
                    found.setdefault((low, high, mark["kind"], mark["id"]), {**mark, "start": low, "end": high})
    return [found[key] for key in sorted(found)][:MOST]


def marks_of_chunk(opened: "OpenIndex", chunk: str) -> Iterator[Mark]:
    """Yield the marks of a chunk; characters of its text."""
    yield from entity_marks(opened, chunk)
    claims = opened.by("claims", "chunk_id").rows(chunk)
    for one in opened.columns.rows("claims", ["id", "description", "start", "end"], claims):
        if one["start"] is not None:
            yield {
                "start": one["start"],
                "end": one["end"],
                "kind": "claim",
                "id": one["id"],
                "label": one["description"],
            }
    facts = opened.by("facts", "chunk_ids").rows(chunk)
    for one in opened.columns.rows("facts", ["id", "text", "start", "end", "chunk_ids"], facts):
        if one["start"] is not None and one["chunk_ids"][0] == chunk:
            yield {"start": one["start"], "end": one["end"], "kind": "fact", "id": one["id"], "label": one["text"]}


def entity_marks(opened: "OpenIndex", chunk: str) -> Iterator[Mark]:
    """Yield where a chunk names entities: as its annotated sentences have them, pronouns left out."""
    sentences = opened.by("sentences", "chunk_id").rows(chunk)
    for one in opened.columns.rows("sentences", ["titles", "starts", "ends", "roles"], sentences):
        for title, start, end, role in zip(one["titles"], one["starts"], one["ends"], one["roles"], strict=True):
            entity = None if role else entity_named(opened, title)
            if entity:
                yield {"start": start, "end": end, "kind": "entity", "id": entity[0], "label": entity[1]}


def entity_named(opened: "OpenIndex", title: str) -> tuple[str, str] | None:
    """Return id and title of the entity that has a title or an alias; None where none has."""
    row = opened.by("entities", "title").row(title)
    row = opened.by("entities", "aliases").row(title) if row is None else row
    if row is None:
        return None
    id, name = (opened.columns.values("entities", column, [row])[0] for column in ("id", "title"))
    return id, name
