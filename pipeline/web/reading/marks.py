"""Where names, claims and facts are in a stretch of a document."""

from collections.abc import Iterable, Iterator
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
    found = opened.columns.rows("sentences", ["titles", "starts", "ends", "roles"], sentences)
    lists = ((one["titles"], one["starts"], one["ends"], one["roles"]) for one in found)
    named = [(title, start, end) for each in lists for title, start, end, role in zip(*each, strict=True) if not role]
    entities = entities_named(opened, (title for title, _, _ in named))
    for title, start, end in named:
        if title in entities:
            id, label = entities[title]
            yield {"start": start, "end": end, "kind": "entity", "id": id, "label": label}


def entities_named(opened: "OpenIndex", names: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Return id and title of the entity that has each name as its title, or else as an alias; names that none has are absent."""
    wanted = list(dict.fromkeys(names))
    rows = opened.by("entities", "title").first_rows(wanted)
    rows |= opened.by("entities", "aliases").first_rows(name for name in wanted if name not in rows)
    ids, titles = (opened.columns.values("entities", column, list(rows.values())) for column in ("id", "title"))
    return dict(zip(rows, zip(ids, titles, strict=True), strict=True))
