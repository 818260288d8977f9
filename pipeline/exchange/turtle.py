"""The graph as RDF in Turtle (w3.org/TR/turtle): entities in the words of schema.org, relationships, claims and their sources."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TextIO

from pipeline.base.arrow.columns import rows_of
from pipeline.base.store import Generation
from pipeline.exchange.folder import Exported, prepare, writing

FILE = "graph.ttl"
PREFIXES = """@prefix schema: <https://schema.org/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix g: <urn:graphstrata:> .
@prefix entity: <urn:graphstrata:entity:> .
@prefix relationship: <urn:graphstrata:relationship:> .
@prefix claim: <urn:graphstrata:claim:> .
@prefix chunk: <urn:graphstrata:chunk:> .
@prefix document: <urn:graphstrata:document:> .

"""
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
_ESCAPED = re.compile(r'[\\"\n\r\t\x00-\x1f\x7f]')
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def export_turtle(generation: Generation, folder: Path, force: bool = False) -> Exported:
    """Write graph.ttl; the last part of every name is the id of its row."""
    prepare(folder, force)
    counts = {}
    entities = generation.table("entities")
    id_of = dict(rows_of(entities, "title", "id"))
    with writing(folder, FILE) as path, path.open("w", encoding="utf-8", newline="\n") as file:
        file.write(PREFIXES)
        documents = generation.table("documents", ["id", "title", "source"])
        for id, title, source in rows_of(documents, "id", "title", "source"):
            values = [("schema:name", _text(title)), ("schema:url", _text(source))]
            _write(file, f"document:{id}", "schema:DigitalDocument", values)
        chunks = generation.table("chunks", ["id", "document_id", "start", "end", "text"])
        for id, document, start, end, text in rows_of(chunks, "id", "document_id", "start", "end", "text"):
            values = [("schema:isPartOf", f"document:{document}"), ("g:start", str(start)), ("g:end", str(end))]
            _write(file, f"chunk:{id}", "g:Chunk", [*values, ("schema:text", _text(text))])
        for id, title, type, aliases, description, sources in rows_of(
            entities, "id", "title", "type", "aliases", "description", "chunk_ids"
        ):
            values = [
                ("schema:name", _text(title)),
                ("g:type", _text(type)),
                ("schema:description", _text(description)),
            ]
            values += [("schema:alternateName", _text(name)) for name in aliases if name != title]
            values += [("g:mentionedIn", f"chunk:{chunk}") for chunk in sources]
            _write(file, f"entity:{id}", CLASSES.get((type or "").upper(), "schema:Thing"), values)
        relationships = generation.table("relationships")
        for id, source, target, description, weight, sources in rows_of(
            relationships, "id", "source", "target", "description", "weight", "chunk_ids"
        ):
            values = [("g:source", f"entity:{id_of[source]}"), ("g:target", f"entity:{id_of[target]}")]
            values += [("schema:description", _text(description)), ("g:weight", f'"{weight!r}"^^xsd:double')]
            values += [("g:mentionedIn", f"chunk:{chunk}") for chunk in sources]
            _write(file, f"relationship:{id}", "g:Relationship", values)
            file.write(f"entity:{id_of[source]} g:relatedTo entity:{id_of[target]} .\n")
        claims = generation.table("claims")
        for id, chunk, subject, status, description, start, end in rows_of(
            claims, "id", "chunk_id", "subject", "status", "description", "start_date", "end_date"
        ):
            values = [("schema:about", f"entity:{id_of[subject]}")] if subject in id_of else []
            values += [
                ("g:status", _text(status)),
                ("schema:text", _text(description)),
                ("g:mentionedIn", f"chunk:{chunk}"),
            ]
            dated = (("schema:startDate", start), ("schema:endDate", end))
            values += [
                (name, f'"{day}"^^xsd:date' if _DAY.fullmatch(day) else _text(day)) for name, day in dated if day
            ]
            _write(file, f"claim:{id}", "schema:Claim", values)
        counts = {"entities": entities.num_rows, "relationships": relationships.num_rows, "claims": claims.num_rows}
    return Exported(folder, counts)


def _write(file: TextIO, subject: str, kind: str, values: Iterable[tuple[str, str]]) -> None:
    pairs = "".join(f" ;\n  {name} {value}" for name, value in values if value != '""')
    file.write(f"{subject} a {kind}{pairs} .\n")


def _text(value: object) -> str:
    """Return a text as a literal; other control characters than tabs and ends of lines become U+FFFD."""
    plain = _ESCAPED.sub(lambda found: _ESCAPES.get(found[0], "\ufffd"), str(value or ""))
    return f'"{plain}"'
