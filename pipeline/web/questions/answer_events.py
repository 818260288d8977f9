"""The events of an answer under way as plain values: steps with the rows that they saw, text, the answer with its places."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from pipeline.query.answer import Answer, Piece, Source, Step
from pipeline.text.inflection import in_number
from pipeline.web.projects import OpenIndex
from pipeline.web.reading.marks import Mark, entities_named, entity_marks

MOST = 60
"""Rows of a kind that one step names."""
LOOKED_INTO = 3
"""Chunks of a step that found passages whose entities are named with it."""
QUOTED = 40
"""Sources of an answer whose entities are named."""


def event_of(opened: OpenIndex, event: Step | Piece | Answer) -> list[dict[str, Any]]:
    """Return an event as lines of the stream."""
    if isinstance(event, Piece):
        return [{"event": "text", "text": event.text, "begins": event.begins}]
    if isinstance(event, Step):
        return [{"event": "step", "kind": event.name, "text": event.detail, **_seen(opened, event.data)}]
    return [_quoted(opened, event), {"event": "answer", "answer": plain_answer(opened, event)}]


def plain_answer(opened: OpenIndex, answer: Answer) -> dict[str, Any]:
    """Return an answer as ``Answer.to_dict`` does; each source also with ``text_start`` and ``text_end``, its characters in
    the stored text of its document (null for pages from outside), and the short names ``document`` and ``chunk``; and
    ``follow_ups``, questions that may follow."""
    plain = replace(answer, steps=()).to_dict()  # they were sent as they happened
    for name in ("sources", "closest"):
        plain[name] = [_placed(opened, one) for one in plain[name]]
    del plain["steps"]
    return {**plain, "follow_ups": opened.index.follow_ups(answer)}


def _placed(opened: OpenIndex, source: dict[str, Any]) -> dict[str, Any]:
    start = end = None
    row = opened.by("chunks", "id").row(source["chunk_id"])
    if row is not None:
        chunk = opened.columns.rows("chunks", ["text", "start"], [row])[0]
        at = chunk["text"].find(source["quote"])
        if at >= 0:
            start, end = chunk["start"] + at, chunk["start"] + at + len(source["quote"])
    names = {"document": source["document_id"], "chunk": source["chunk_id"]}
    return {**source, **names, "text_start": start, "text_end": end}


def _quoted(opened: OpenIndex, answer: Answer) -> dict[str, Any]:
    """Return a last step: the passages that the answer quotes, and the entities that they name."""
    sources = (answer.sources or answer.closest)[:QUOTED]
    marks = cache(lambda chunk: list(entity_marks(opened, chunk)))
    entities = dict.fromkeys(id for source in sources for id in _named(opened, source, marks))
    chunks = dict.fromkeys(source.chunk_id for source in sources if source.document_id)
    text = f"{in_number(len(chunks), 'passage')} quoted, naming {in_number(len(entities), 'entity')}"
    seen = {"entities": list(entities)[:MOST], "chunks": list(chunks), "communities": []}
    return {"event": "step", "kind": "quote", "text": text, **seen}


def _named(opened: OpenIndex, source: Source, marks: Callable[[str], list[Mark]]) -> Iterator[str]:
    row = opened.by("chunks", "id").row(source.chunk_id)
    if row is None:
        return
    text = opened.columns.values("chunks", "text", [row])[0]
    start = text.find(source.quote)
    for mark in marks(source.chunk_id):
        if start <= mark["start"] < start + len(source.quote):
            yield mark["id"]


def _seen(opened: OpenIndex, data: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return the entities, chunks and communities whose ids the data of a step hold."""
    ids = list(dict.fromkeys(_texts(data.values())))
    chunks = opened.by("chunks", "id").first_rows(ids)
    known = opened.by("entities", "id").first_rows(ids)
    elements = opened.by("key_elements", "id").first_rows(ids)
    titles = dict(zip(elements, opened.columns.values("key_elements", "title", list(elements.values())), strict=True))
    behind = entities_named(opened, titles.values())
    entities = dict.fromkeys(
        id if id in known else behind[titles[id]][0]
        for id in ids
        if id not in chunks and (id in known or titles.get(id) in behind)
    )
    if not entities:
        named_there = (mark["id"] for chunk in list(chunks)[:LOOKED_INTO] for mark in entity_marks(opened, chunk))
        entities = dict.fromkeys(named_there)
    ratings = data.get("ratings")
    rated = [int(number) for number in ratings] if isinstance(ratings, Mapping) else []
    reports = [number for number in data.get("communities", ()) if isinstance(number, int)]
    return {
        "entities": list(entities)[:MOST],
        "chunks": list(chunks)[:MOST],
        "communities": [*reports, *rated][:MOST],
    }


def _texts(values: Iterable[Any]) -> Iterator[str]:
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, list | tuple):
            yield from (one for one in value[:MOST] if isinstance(one, str))
