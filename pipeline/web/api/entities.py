"""Entities: one with all that is linked to it, and the search for names."""

from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from pipeline.text.inflection import in_number
from pipeline.web.api.map import edges_of, heaviest_edges
from pipeline.web.endpoint import NotFoundError, Registry, endpoint
from pipeline.web.projects import OpenIndex, ServedProject

ENDPOINTS: Registry = []

LISTED = 200
"""Relationships, claims and chunks of one entity that a reply lists."""


class NameItem(TypedDict):
    """A name that was found; ``score`` from 0 to 1."""

    kind: Literal["entity", "community", "document"]
    id: str
    name: str
    detail: str
    score: float


class NameList(TypedDict):
    """Names that were found, best first."""

    items: list[NameItem]


class AliasRow(TypedDict):
    """Another name, and what joined it: the evidence for it, how strong it is from 0 to 1, and who decided."""

    name: str
    evidence: str
    score: float | None
    by: str


class RelationshipRow(TypedDict):
    """A relationship, as seen from one of its ends."""

    id: str
    other: str
    other_name: str
    weight: float
    description: str


class ClaimRow(TypedDict):
    """A claim about the entity; ``start`` and ``end`` are where its quote is in the chunk, null where it was not found."""

    id: str
    type: str
    object: str | None
    status: str
    text: str
    quote: str
    start_date: str | None
    end_date: str | None
    chunk: str
    document: str
    start: int | None
    end: int | None


class ChunkRow(TypedDict):
    """A chunk that mentions the entity."""

    id: str
    document: str
    title: str
    heading: str
    place: str


class CommunityRow(TypedDict):
    """A community that the entity is in."""

    id: int
    level: int
    title: str


class EntityReply(TypedDict):
    """An entity with what is linked to it, at most 200 rows of each kind, the most important first; ``totals`` has all."""

    id: str
    name: str
    type: str
    description: str
    degree: int
    frequency: int
    aliases: list[AliasRow]
    relationships: list[RelationshipRow]
    claims: list[ClaimRow]
    chunks: list[ChunkRow]
    communities: list[CommunityRow]
    totals: dict[str, int]
    x: float | None
    y: float | None


@endpoint(ENDPOINTS, "GET", "/projects/{project}/search")
def search_names(
    project: ServedProject,
    q: Annotated[str, Field(max_length=200, description="what was typed: a name or the beginning of one")],
    limit: Annotated[int, Field(ge=1, le=100, description="most names")] = 12,
) -> NameList:
    """Entities, communities and documents by name: those that begin so, then those with such a word, then near spellings."""
    opened = project.open()
    items: list[NameItem] = []
    for hit in opened.names().find(q, limit):
        id, name, detail = _described(opened, hit.kind, hit.row)
        detail = f"{detail}, also {hit.name}" if hit.kind == "entity" and hit.name != name else detail
        items.append({"kind": hit.kind, "id": id, "name": name, "detail": detail, "score": round(hit.score, 3)})
    return {"items": items}


def _described(opened: OpenIndex, kind: str, row: int) -> tuple[str, str, str]:
    if kind == "entity":
        one = opened.columns.rows("entities", ["id", "title", "type", "degree"], [row])[0]
        return one["id"], one["title"], ", ".join(filter(None, (one["type"], in_number(one["degree"], "relationship"))))
    if kind == "community":
        one = opened.columns.rows("community_reports", ["community", "title", "level"], [row])[0]
        return str(one["community"]), one["title"], f"theme of level {one['level']}"
    one = opened.columns.rows("documents", ["id", "title", "source"], [row])[0]
    return one["id"], one["title"], one["source"]


@endpoint(ENDPOINTS, "GET", "/projects/{project}/entities/{entity}")
def read_entity(
    project: ServedProject,
    entity: Annotated[str, Field(max_length=2000, description="id, title or alias")],
) -> EntityReply:
    """An entity with its aliases, relationships, claims, chunks and communities."""
    opened = project.open()
    row = entity_row(opened, entity)
    columns = ["id", "title", "type", "description", "degree", "frequency", "aliases", "chunk_ids"]
    one = opened.columns.rows("entities", columns, [row])[0]
    edges = edges_of(opened, one["title"])
    claims = opened.by("claims", "subject").rows(one["title"])
    place = _place(opened, one["id"])
    return {
        **{name: one[name] for name in ("id", "type", "description", "degree", "frequency")},  # type: ignore[typeddict-item]
        "name": one["title"],
        "aliases": _aliases(opened, one),
        "relationships": _relationships(opened, one["title"], edges),
        "claims": _claims(opened, claims),
        "chunks": chunk_rows(opened, one["chunk_ids"][:LISTED]),
        "communities": _communities(opened, one["id"]),
        "totals": {"relationships": len(edges), "claims": len(claims), "chunks": len(one["chunk_ids"])},
        "x": place[0] if place else None,
        "y": place[1] if place else None,
    }


def entity_row(opened: OpenIndex, name: str) -> int:
    """Return the row of an entity by id, title or alias, in any case; NotFoundError says which names are near."""
    for column in ("id", "title"):
        row = opened.by("entities", column).row(name)
        if row is not None:
            return row
    hits = [hit for hit in opened.names().find(name, 5) if hit.kind == "entity"]
    exact = [hit.row for hit in hits if hit.name.casefold() == name.casefold()]
    if exact:
        return exact[0]
    near = ", ".join(hit.name for hit in hits)
    fix = f"near are: {near}" if near else "search for it by name"
    raise NotFoundError(f"no entity {name!r} in this index", "it was never there, or a later run changed it", fix)


def _aliases(opened: OpenIndex, one: dict[str, Any]) -> list[AliasRow]:
    """Return the other names; who decided is in the table aliases, where the index has it."""
    known: dict[str, AliasRow] = {}
    if opened.has("aliases"):
        rows = opened.by("aliases", "entity").rows(one["title"])
        for row in opened.columns.rows("aliases", ["name", "evidence", "score", "by", "joined"], rows):
            if row["joined"] and row["name"] != one["title"]:
                evidence = row["evidence"]
                reason = evidence if isinstance(evidence, str) else ", ".join(map(str, evidence or ()))
                known[row["name"]] = {"name": row["name"], "evidence": reason, "score": row["score"], "by": row["by"]}
    others: list[AliasRow] = [
        {"name": name, "evidence": "", "score": None, "by": ""} for name in one["aliases"] if name not in known
    ]
    return [*known.values(), *others]


def _relationships(opened: OpenIndex, title: str, rows: list[int]) -> list[RelationshipRow]:
    found = heaviest_edges(opened, rows, LISTED)
    others = [one["target"] if one["source"] == title else one["source"] for one in found]
    ids = opened.ids_of(others)
    return [
        {
            "id": one["id"],
            "other": ids[other],
            "other_name": other,
            "weight": one["weight"],
            "description": one["description"],
        }
        for one, other in zip(found, others, strict=True)
        if other in ids
    ]


def _claims(opened: OpenIndex, rows: list[int]) -> list[ClaimRow]:
    columns = [
        "id", "type", "object", "status", "description", "quote", "start_date", "end_date", "chunk_id", "start", "end",
    ]  # fmt: skip
    claims = opened.columns.rows("claims", columns, rows)
    claims.sort(key=lambda one: (one["start_date"] or "9999", one["id"]))
    documents = opened.documents_of(one["chunk_id"] for one in claims[:LISTED])
    return [
        {
            **{name: one[name] for name in columns if name not in ("description", "chunk_id")},  # type: ignore[typeddict-item]
            "text": one["description"],
            "chunk": one["chunk_id"],
            "document": documents[one["chunk_id"]],
        }
        for one in claims[:LISTED]
    ]


def chunk_rows(opened: OpenIndex, ids: list[str]) -> list[ChunkRow]:
    """Return chunks as lists show them, those that are there."""
    rows = list(opened.by("chunks", "id").first_rows(ids).values())
    chunks = opened.columns.rows("chunks", ["id", "document_id", "anchor", "position"], rows)
    titles = opened.titles_of(chunk["document_id"] for chunk in chunks)
    return [
        {
            "id": chunk["id"],
            "document": chunk["document_id"],
            "title": titles[chunk["document_id"]],
            "heading": chunk["anchor"],
            "place": f"passage {chunk['position'] + 1}",
        }
        for chunk in chunks
    ]


def _communities(opened: OpenIndex, id: str) -> list[CommunityRow]:
    rows = opened.by("communities", "entity_ids").rows(id)
    found = opened.columns.rows("communities", ["community", "level", "title"], rows)
    titles = opened.report_titles(one["community"] for one in found)
    listed: list[CommunityRow] = [
        {"id": one["community"], "level": one["level"], "title": titles.get(one["community"]) or one["title"]}
        for one in found
    ]
    return sorted(listed, key=lambda one: one["level"])


def _place(opened: OpenIndex, id: str) -> tuple[float, float] | None:
    row = opened.by("layout", "entity").row(id) if opened.has("layout") else None
    if row is None:
        return None
    one = opened.columns.rows("layout", ["x", "y"], [row])[0]
    return one["x"], one["y"]
