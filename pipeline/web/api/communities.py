"""Themes: the tree of communities, and the report on each, its citations followed to passages."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from pipeline.query.evidence.citations import nearest_sentence, place_sentence
from pipeline.web.endpoint import NotFoundError, Registry, endpoint
from pipeline.web.projects import OpenIndex, ServedProject
from pipeline.web.replies import encoded_once

ENDPOINTS: Registry = []

MEMBERS = 500
"""Entities of a community that a reply lists, the best connected first."""
LOOKED_AT, COMPARED = 6, 2
"""Chunks behind a citation in which its words are looked for, and, where none has them, its nearest sentence."""

Number = Annotated[int, Field(ge=0, description="number of the community")]


class TreeRow(TypedDict):
    """A community in the tree of themes; ``parent`` is a number, -1 at level 0."""

    community: int
    level: int
    parent: int
    title: str
    size: int
    rank: float | None
    has_report: bool


class ThemeTree(TypedDict):
    """All communities, by level, the largest first."""

    tree: list[TreeRow]


class CitationRow(TypedDict):
    """What a finding rests on: a row, and the passage that says it; ``start`` and ``end`` count in the chunk's text."""

    kind: Literal["entity", "relationship", "claim", "report"]
    id: str
    label: str
    chunk: str | None
    document: str | None
    start: int | None
    end: int | None


class FindingRow(TypedDict):
    """A finding of a report."""

    summary: str
    explanation: str
    citations: list[CitationRow]


class MemberRow(TypedDict):
    """An entity of a community."""

    id: str
    name: str
    type: str


class ReportReply(TypedDict):
    """A community and the report on it; where it has none, title, summary and findings are empty."""

    community: int
    level: int
    parent: int
    children: list[int]
    title: str
    summary: str
    rank: float | None
    rank_explanation: str
    written_by: str
    size: int
    has_report: bool
    summary_citations: list[CitationRow]
    findings: list[FindingRow]
    entities: list[MemberRow]
    relationships: int


@endpoint(ENDPOINTS, "GET", "/projects/{project}/themes")
def list_themes(project: ServedProject) -> ThemeTree:
    """All communities as a tree, with the titles and ranks of their reports."""
    opened = project.open()
    return encoded_once(opened, "themes as sent", lambda: ThemeTree(tree=theme_tree(opened)))


def theme_tree(opened: OpenIndex) -> list[TreeRow]:
    """Return all communities, by level, the largest first."""
    return opened.once("themes", lambda: _tree(opened))


def _tree(opened: OpenIndex) -> list[TreeRow]:
    about = {
        n: (title, rank) for n, title, rank in opened.columns.all("community_reports", "community", "title", "rank")
    }
    every = range(opened.count("communities"))
    rows: list[TreeRow] = opened.columns.rows("communities", ["community", "level", "parent", "title", "size"], every)  # type: ignore[assignment]
    for row in rows:
        written, rank = about.get(row["community"], ("", None))
        row.update({"title": written or row["title"], "rank": rank, "has_report": row["community"] in about})
    return sorted(rows, key=lambda row: (row["level"], -row["size"], row["community"]))


@endpoint(ENDPOINTS, "GET", "/projects/{project}/communities/{community}")
def read_community(project: ServedProject, community: Number) -> ReportReply:
    """A community with its members and the report on it."""
    return _report(project.open(), community)


@endpoint(ENDPOINTS, "GET", "/projects/{project}/reports/{community}")
def read_report(project: ServedProject, community: Number) -> ReportReply:
    """The report on a community, each citation followed to the passage that says it."""
    found = _report(project.open(), community)
    if not found["has_report"]:
        raise NotFoundError(f"community {community} has no report", "it failed or was skipped", "see failures for why")
    return found


def _report(opened: OpenIndex, community: int) -> ReportReply:
    row = opened.row("communities", "community", community, "community")
    columns = ["community", "level", "parent", "children", "title", "size", "entity_ids", "relationship_ids"]
    own = opened.columns.rows("communities", columns, [row])[0]
    report = _written(opened, community)
    findings = [(one["summary"], one["explanation"], one["citations"]) for one in report.get("findings", ())]
    return {
        "community": community,
        "level": own["level"],
        "parent": own["parent"],
        "children": own["children"],
        "title": report.get("title") or own["title"],
        "summary": report.get("summary", ""),
        "rank": report.get("rank"),
        "rank_explanation": report.get("rank_explanation", ""),
        "written_by": report.get("written_by", ""),
        "size": own["size"],
        "has_report": bool(report),
        "summary_citations": _citations(opened, report.get("summary_citations", ()), [report.get("summary", "")]),
        "findings": [
            {
                "summary": summary,
                "explanation": explanation,
                "citations": _citations(opened, ids, [explanation, summary]),
            }
            for summary, explanation, ids in findings
        ],
        "entities": _members(opened, own["entity_ids"]),
        "relationships": len(own["relationship_ids"]),
    }


def _written(opened: OpenIndex, community: int) -> dict[str, Any]:
    row = opened.by("community_reports", "community").row(community)
    if row is None:
        return {}
    columns = ["title", "summary", "summary_citations", "findings", "rank", "rank_explanation", "written_by"]
    return opened.columns.rows("community_reports", columns, [row])[0]


def _members(opened: OpenIndex, ids: Sequence[str]) -> list[MemberRow]:
    rows = opened.by("entities", "id").first_rows(ids).values()
    found = opened.columns.rows("entities", ["id", "title", "type", "degree"], list(rows))
    best = sorted(found, key=lambda one: (-one["degree"], one["title"]))[:MEMBERS]
    return [{"id": one["id"], "name": one["title"], "type": one["type"]} for one in best]


def _citations(opened: OpenIndex, ids: Iterable[str], sentences: Sequence[str]) -> list[CitationRow]:
    return [row for id in ids for row in _citation(opened, id, sentences)]


def _citation(opened: OpenIndex, id: str, sentences: Sequence[str]) -> Iterator[CitationRow]:
    if (row := opened.by("claims", "id").row(id)) is not None:
        columns = ["chunk_id", "description", "start", "end"]
        claim = opened.columns.rows("claims", columns, [row])[0]
        yield _cited(opened, "claim", id, claim["description"], claim["chunk_id"], claim["start"], claim["end"])
    elif (row := opened.by("relationships", "id").row(id)) is not None:
        edge = opened.columns.rows("relationships", ["source", "target", "chunk_ids"], [row])[0]
        label = f"{edge['source']} - {edge['target']}"
        yield _cited(opened, "relationship", id, label, *_passage(opened, edge["chunk_ids"], sentences, label))
    elif (row := opened.by("entities", "id").row(id)) is not None:
        entity = opened.columns.rows("entities", ["title", "chunk_ids"], [row])[0]
        found = _passage(opened, entity["chunk_ids"], sentences, entity["title"])
        yield _cited(opened, "entity", id, entity["title"], *found)
    elif (row := opened.by("community_reports", "id").row(id)) is not None:
        report = opened.columns.rows("community_reports", ["community", "title"], [row])[0]
        yield {
            "kind": "report",
            "id": str(report["community"]),
            "label": report["title"],
            "chunk": None,
            "document": None,
            "start": None,
            "end": None,
        }


def _cited(
    opened: OpenIndex,
    kind: Literal["entity", "relationship", "claim"],
    id: str,
    label: str,
    chunk: str | None,
    start: int | None,
    end: int | None,
) -> CitationRow:
    document = opened.documents_of([chunk]).get(chunk) if chunk else None
    return {"kind": kind, "id": id, "label": label, "chunk": chunk, "document": document, "start": start, "end": end}


def _passage(
    opened: OpenIndex, chunk_ids: Sequence[str], sentences: Sequence[str], label: str
) -> tuple[str | None, int | None, int | None]:
    """Return the chunk that says one of the sentences, and where in it; the first chunk without a place where none does."""
    rows = [row for id in chunk_ids[:LOOKED_AT] if (row := opened.by("chunks", "id").row(id)) is not None]
    texts = [(one["id"], one["text"]) for one in opened.columns.rows("chunks", ["id", "text"], rows)]
    for sentence in filter(None, sentences):
        if place := place_sentence(sentence, texts):
            return place.chunk_id, place.start, place.end
    if place := nearest_sentence(f"{label} {' '.join(sentences)}", texts[:COMPARED]):
        return place.chunk_id, place.start, place.end
    return (texts[0][0] if texts else None), None, None
