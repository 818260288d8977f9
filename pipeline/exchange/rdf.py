"""The graph as RDF, in Turtle (w3.org/TR/turtle) and in JSON-LD (w3.org/TR/json-ld11): entities in the words of schema.org,
relationships, claims and their sources."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pipeline.base.arrow.columns import rows_of
from pipeline.base.store import Generation
from pipeline.exchange.folder import Exported, prepare, writing

TURTLE, JSON_LD = "graph.ttl", "graph.jsonld"
NAMESPACES = {
    "schema": "https://schema.org/",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "g": "urn:graphstrata:",
    **{name: f"urn:graphstrata:{name}:" for name in ("entity", "relationship", "claim", "chunk", "document")},
}
"""By prefix; the last part of the name of a thing is the id of its row."""
CLASSES = {
    "PERSON": "schema:Person",
    "PLACE": "schema:Place",
    "LOCATION": "schema:Place",
    "GEO": "schema:Place",
    "ORGANIZATION": "schema:Organization",
    "EVENT": "schema:Event",
    "WORK": "schema:CreativeWork",
}
"""Classes of schema.org by types of entities; any other is a schema:Thing."""
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_ESCAPED = re.compile(r'[\\"\n\r\t]')
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


class _Name(str):
    """A name with a prefix, where other strings are texts."""

    __slots__ = ()


class _Typed(NamedTuple):
    text: str
    type: _Name


_Value = _Name | _Typed | str | int
_Said = tuple[str, _Value]
"""Predicate and object; an empty text says nothing."""


class _Thing(NamedTuple):
    name: _Name
    type: _Name
    values: Sequence[_Said]


def export_turtle(generation: Generation, folder: Path, force: bool = False) -> Exported:
    """Write graph.ttl."""
    prepare(folder, force)
    with writing(folder, TURTLE) as path, path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"@prefix {prefix}: <{full}> .\n" for prefix, full in NAMESPACES.items())
        for thing in _things(generation):
            pairs = "".join(f" ;\n  {predicate} {_turtle(value)}" for predicate, value in thing.values if value != "")
            file.write(f"\n{thing.name} a {thing.type}{pairs} .")
        file.write("\n")
    return Exported(folder, _counts(generation))


def export_json_ld(generation: Generation, folder: Path, force: bool = False) -> Exported:
    """Write graph.jsonld: one object a line, so that it can be read as it was written."""
    prepare(folder, force)
    with writing(folder, JSON_LD) as path, path.open("w", encoding="utf-8", newline="\n") as file:
        file.write(f'{{"@context": {json.dumps(NAMESPACES)},\n"@graph": [')
        for number, thing in enumerate(_things(generation)):
            said: dict[str, Any] = {"@id": thing.name, "@type": thing.type}
            for predicate, value in thing.values:
                if value != "":
                    said.setdefault(predicate, []).append(_json(value))
            file.write(("," if number else "") + "\n" + json.dumps(said, ensure_ascii=False))
        file.write("\n]}\n")
    return Exported(folder, _counts(generation))


def _turtle(value: _Value) -> str:
    if isinstance(value, _Name | int):
        return str(value)
    text = _ESCAPED.sub(lambda found: _ESCAPES[found[0]], value.text if isinstance(value, _Typed) else value)
    return f'"{text}"^^{value.type}' if isinstance(value, _Typed) else f'"{text}"'


def _json(value: _Value) -> Any:
    if isinstance(value, _Name):
        return {"@id": value}
    return {"@value": value.text, "@type": value.type} if isinstance(value, _Typed) else value


def _counts(generation: Generation) -> dict[str, int]:
    return {name: generation.rows(name).num_rows for name in ("entities", "relationships", "claims")}


def _things(generation: Generation) -> Iterator[_Thing]:
    """Yield what the tables hold."""
    entities = generation.table("entities")
    id_of = dict(rows_of(entities, "title", "id"))
    for id, title, source in generation.values("documents", "id", "title", "source"):
        said: list[_Said] = [("schema:name", _text(title)), ("schema:url", _text(source))]
        yield _thing("document", id, "schema:DigitalDocument", said)
    for id, document, start, end, text in generation.values("chunks", "id", "document_id", "start", "end", "text"):
        of: list[_Said] = [("schema:isPartOf", _Name(f"document:{document}")), ("g:start", start), ("g:end", end)]
        yield _thing("chunk", id, "g:Chunk", [*of, ("schema:text", _text(text))])
    related: dict[str, list[_Said]] = {}
    relationships = generation.table("relationships")
    for source, target in rows_of(relationships, "source", "target"):
        related.setdefault(source, []).append(("g:relatedTo", _Name(f"entity:{id_of[target]}")))
    for id, title, type, aliases, description, sources in rows_of(
        entities, "id", "title", "type", "aliases", "description", "chunk_ids"
    ):
        yield _thing(
            "entity",
            id,
            CLASSES.get((type or "").upper(), "schema:Thing"),
            [
                ("schema:name", _text(title)),
                ("g:type", _text(type)),
                ("schema:description", _text(description)),
                *(("schema:alternateName", _text(name)) for name in aliases if name != title),
                *_mentioned(sources),
                *related.get(title, ()),
            ],
        )
    for id, source, target, description, weight, sources in rows_of(
        relationships, "id", "source", "target", "description", "weight", "chunk_ids"
    ):
        ends: list[_Said] = [
            ("g:source", _Name(f"entity:{id_of[source]}")),
            ("g:target", _Name(f"entity:{id_of[target]}")),
        ]
        weighed: _Said = ("g:weight", _Typed(repr(weight), _Name("xsd:double")))
        said = [*ends, ("schema:description", _text(description)), weighed, *_mentioned(sources)]
        yield _thing("relationship", id, "g:Relationship", said)
    for id, chunk, subject, status, description, start, end in rows_of(
        generation.table("claims"), "id", "chunk_id", "subject", "status", "description", "start_date", "end_date"
    ):
        about: list[_Said] = [("schema:about", _Name(f"entity:{id_of[subject]}"))] if subject in id_of else []
        dates: list[_Said] = [("schema:startDate", _date(start)), ("schema:endDate", _date(end))]
        said = [*about, ("g:status", _text(status)), ("schema:text", _text(description)), *_mentioned([chunk]), *dates]
        yield _thing("claim", id, "schema:Claim", said)


def _thing(kind: str, id: str, type: str, values: Sequence[_Said]) -> _Thing:
    return _Thing(_Name(f"{kind}:{id}"), _Name(type), values)


def _mentioned(chunks: Iterable[str]) -> list[_Said]:
    return [("g:mentionedIn", _Name(f"chunk:{chunk}")) for chunk in chunks]


def _text(value: object) -> str:
    """Return a text; control characters other than tabs and ends of lines become U+FFFD."""
    return _CONTROL.sub("\ufffd", str(value or ""))


def _date(day: str | None) -> _Typed | str:
    return _Typed(day, _Name("xsd:date")) if day and _DAY.fullmatch(day) else _text(day)
