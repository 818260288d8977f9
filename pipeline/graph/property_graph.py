"""The index as a property graph, for Neo4j and Cypher: labels, relationship types, properties, and the rows of each, for files and for the driver.

The lower half is that of GraphReader as the LangGraph tutorials build it: (:Chunk)-[:PART_OF]->(:Document), chunks in
reading order by NEXT, (:Chunk)-[:HAS_ATOMIC_FACT]->(:AtomicFact)-[:HAS_KEY_ELEMENT]->(:KeyElement), where a key element's
``id`` is its title and a chunk has ``index`` and ``document_name``. The upper half is GraphRAG's: entities, RELATED, claims,
communities and reports.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any

from pipeline.base.arrow.columns import rows_of
from pipeline.base.storage.json_line import line
from pipeline.base.store import Generation

Row = tuple[Any, ...]

TEXT, TEXTS = "string", "string[]"
"""Types of properties that hold text, as neo4j-admin names them; the others are long and double."""


@dataclass(frozen=True)
class NodeKind:
    """Nodes of one label. ``properties`` (name, type) begin with the id, which is unique; rows come in their order."""

    label: str
    properties: tuple[tuple[str, str], ...]
    rows: Callable[[Generation], Iterator[Row]]


@dataclass(frozen=True)
class Edge:
    """Relationships of one type from one label to another; rows are both ids, then the properties."""

    type: str
    start: str
    end: str
    rows: Callable[[Generation], Iterator[Row]]
    properties: tuple[tuple[str, str], ...] = ()


def _columns(table: str, *columns: str) -> Callable[[Generation], Iterator[Row]]:
    """Return the rows of some columns of a table, read in batches."""

    def rows(generation: Generation) -> Iterator[Row]:
        batches = generation.rows(table).batches(list(columns))
        return chain.from_iterable(rows_of(batch, *columns) for batch in batches)

    return rows


def _listed(table: str, owner: str, items: str) -> Callable[[Generation], Iterator[Row]]:
    """Return a row for each item of a list column: the owner's value, the item."""
    rows = _columns(table, owner, items)
    return lambda generation: ((own, item) for own, listed in rows(generation) for item in listed)


def _turned(rows: Callable[[Generation], Iterator[Row]]) -> Callable[[Generation], Iterator[Row]]:
    """Return pairs the other way round."""
    return lambda generation: ((second, first) for first, second in rows(generation))


def _chunks(generation: Generation) -> Iterator[Row]:
    titles: dict[str, str] = dict(_columns("documents", "id", "title")(generation))
    names = ("id", "text", "position", "document_id", "anchor", "start", "end", "n_tokens")
    for id, text, position, document, *rest in _columns("chunks", *names)(generation):
        yield id, text, position, titles[document], document, *rest


def _next(generation: Generation) -> Iterator[Row]:
    order = sorted((d, p, id) for d, p, id in _columns("chunks", "document_id", "position", "id")(generation))
    for (document, _, id), (following, _, after) in pairwise(order):
        if document == following:
            yield id, after


def _ids(generation: Generation, table: str, key: str = "title") -> dict[Any, str]:
    return dict(_columns(table, key, "id")(generation))


def _key_elements(generation: Generation) -> Iterator[Row]:
    titles: dict[str, str] = dict(_columns("key_elements", "id", "title")(generation))
    return ((fact, titles[id]) for fact, id in _listed("facts", "id", "key_element_ids")(generation))


def _related(generation: Generation) -> Iterator[Row]:
    id_of = _ids(generation, "entities")
    names = ("source", "target", "id", "description", "weight", "combined_degree")
    return ((id_of[a], id_of[b], *rest) for a, b, *rest in _columns("relationships", *names)(generation))


def _about(end: str) -> Callable[[Generation], Iterator[Row]]:
    def rows(generation: Generation) -> Iterator[Row]:
        id_of = _ids(generation, "entities")
        return ((claim, id_of[t]) for claim, t in _columns("claims", "id", end)(generation) if t is not None)

    return rows


def _parents(generation: Generation) -> Iterator[Row]:
    id_of = _ids(generation, "communities", "community")
    return ((id, id_of[p]) for id, p in _columns("communities", "id", "parent")(generation) if p >= 0)


def _reports(generation: Generation) -> Iterator[Row]:
    names = (
        "id",
        "title",
        "summary",
        "summary_citations",
        "full_content",
        "findings",
        "rank",
        "rank_explanation",
        "written_by",
    )
    for *before, findings, rank, why, by, owned, shown in _columns(
        "community_reports", *names, "edges_owned", "edges_shown"
    )(generation):
        yield *before, line(findings), rank, why, by, owned, shown


def _reported(generation: Generation) -> Iterator[Row]:
    id_of = _ids(generation, "communities", "community")
    return ((id, id_of[number]) for id, number in _columns("community_reports", "id", "community")(generation))


def _typed(*names: str) -> tuple[tuple[str, str], ...]:
    """Return properties and their types; those without one are text."""
    return tuple((name, type or TEXT) for name, _, type in (name.partition(":") for name in names))


NODES: tuple[NodeKind, ...] = (
    NodeKind(
        "Document",
        _typed("id", "title", "source", "n_tokens:long", "metadata"),
        _columns("documents", "id", "title", "source", "n_tokens", "metadata"),
    ),
    NodeKind(
        "Chunk",
        _typed(
            "id",
            "text",
            "index:long",
            "document_name",
            "document_id",
            "anchor",
            "start:long",
            "end:long",
            "n_tokens:long",
        ),
        _chunks,
    ),
    NodeKind("AtomicFact", _typed("id", "text"), _columns("facts", "id", "text")),
    NodeKind(
        "KeyElement",
        _typed("id", "row_id", "aliases:string[]", "frequency:long"),
        _columns("key_elements", "title", "id", "aliases", "frequency"),
    ),
    NodeKind(
        "Entity",
        _typed("id", "title", "type", "aliases:string[]", "description", "frequency:long", "degree:long"),
        _columns("entities", "id", "title", "type", "aliases", "description", "frequency", "degree"),
    ),
    NodeKind(
        "Claim",
        _typed("id", "type", "status", "description", "start_date", "end_date", "quote", "start:long", "end:long"),
        _columns("claims", "id", "type", "status", "description", "start_date", "end_date", "quote", "start", "end"),
    ),
    NodeKind(
        "Community",
        _typed("id", "community:long", "level:long", "title", "size:long"),
        _columns("communities", "id", "community", "level", "title", "size"),
    ),
    NodeKind(
        "Report",
        (
            *_typed("id", "title", "summary", "summary_citations:string[]", "full_content", "findings", "rank:double"),
            *_typed("rank_explanation", "written_by", "edges_owned:long", "edges_shown:long"),
        ),
        _reports,
    ),
)

EDGES: tuple[Edge, ...] = (
    Edge("PART_OF", "Chunk", "Document", _columns("chunks", "id", "document_id")),
    Edge("NEXT", "Chunk", "Chunk", _next),
    Edge("HAS_ATOMIC_FACT", "Chunk", "AtomicFact", _turned(_listed("facts", "id", "chunk_ids"))),
    Edge("HAS_KEY_ELEMENT", "AtomicFact", "KeyElement", _key_elements),
    Edge("MENTIONS", "Chunk", "Entity", _turned(_listed("entities", "id", "chunk_ids"))),
    Edge("RELATED", "Entity", "Entity", _related, _typed("id", "description", "weight:double", "combined_degree:long")),
    Edge("HAS_CLAIM", "Chunk", "Claim", _turned(_columns("claims", "id", "chunk_id"))),
    Edge("SUBJECT", "Claim", "Entity", _about("subject")),
    Edge("OBJECT", "Claim", "Entity", _about("object")),
    Edge("IN_COMMUNITY", "Entity", "Community", _turned(_listed("communities", "id", "entity_ids"))),
    Edge("PARENT", "Community", "Community", _parents),
    Edge("REPORTS_ON", "Report", "Community", _reported),
)


def constraints() -> list[str]:
    """Return the Cypher statements that make each label's id unique; they may be run any number of times."""
    return [
        f"CREATE CONSTRAINT {node.label.lower()}_id IF NOT EXISTS FOR (n:{node.label}) REQUIRE n.id IS UNIQUE"
        for node in NODES
    ] + ["CREATE INDEX entity_title IF NOT EXISTS FOR (n:Entity) ON (n.title)"]
