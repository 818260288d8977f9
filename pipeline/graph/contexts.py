"""What each community's report is written from: evidence in order of prominence, cut at a token budget.

Rule of GraphRAG (arXiv 2404.16130, community summaries). All communities of a level are one sorted array of rows and one
cumulative sum; texts are never touched here. Degrees decide the order and are in no text.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from pipeline.base.arrow.columns import IntArray, running


class Kind(IntEnum):
    """What a row of evidence is."""

    REPORT = 0
    ENTITY = 1
    CLAIM = 2
    RELATIONSHIP = 3


@dataclass(frozen=True)
class Elements:
    """What reports can show. Tokens are those of a row's text as it will be in the context, line end included."""

    entity_tokens: IntArray
    source: IntArray
    """Per relationship, a row of the entities; so is ``target``."""
    target: IntArray
    relationship_tokens: IntArray
    combined_degree: IntArray
    """Per relationship, the degrees of its ends together: its prominence. Counted inside the community
    (``inner_degrees``), edges elsewhere have no say in a context; counted in the whole graph, each new one can reorder
    the contexts of both its ends (22 instead of 1 percent of contexts changed by 1 percent of new edges, measured)."""
    claim_entity: IntArray
    """Per claim, the entity it is about."""
    claim_tokens: IntArray


@dataclass(frozen=True)
class ChildReports:
    """The reports written one level down, and where the entities are there; communities there lie within those here."""

    labels: IntArray
    """Per entity, the number of its community one level down; -1 where there is none."""
    community: IntArray
    """Per report, the number of its community; a community without a report is simply not listed."""
    tokens: IntArray
    edges_shown: IntArray
    """Per report, how many relationships it was written from."""


class EvidencePiece(NamedTuple):
    """One piece: a row of entities, claims or relationships, or (REPORT) the number of a child community."""

    kind: Kind
    row: int


class Context(NamedTuple):
    """The evidence of one community, in order of prominence. ``edges_shown`` counts relationships shown directly or by
    a child's report; ``omitted`` counts the pieces for which the budget had no room."""

    community: int
    evidence: list[EvidencePiece]
    tokens: int
    edges_owned: int
    edges_shown: int
    children_used: list[int]
    omitted: int

    def rows(self, kind: Kind) -> list[int]:
        """Return the rows of one kind, most prominent first."""
        return [piece.row for piece in self.evidence if piece.kind is kind]


class _Rows(NamedTuple):
    """Candidate pieces of evidence; they are shown by owner, then step, then slot, then row."""

    owner: IntArray
    """Position of the community among those of the level."""
    step: IntArray
    """Order in which edges bring them in; below 0 for reports."""
    slot: IntArray
    kind: IntArray
    row: IntArray
    tokens: IntArray
    child: IntArray
    """Community one level down that holds the piece whole, -1 for none."""


def build_contexts(
    elements: Elements, labels: IntArray, budget: int, children: ChildReports | None = None
) -> Iterator[Context]:
    """Yield the context of each community of one level, in the order of their numbers.

    ``labels`` gives for each entity the number of its community on the level, -1 for none. Relationships inside the
    community come by descending combined degree (ties: row number), each preceded by the descriptions of its source
    and target and by their claims, everything once; entities without a relationship inside follow, by row
    number. Where that exceeds ``budget`` tokens and ``children`` are given, reports take the place of the elements of
    the sub-communities they are about, beginning with the one whose elements have most tokens, until it fits; a report
    that is no shorter than its elements replaces nothing. What still does not fit is cut off at the end. A single piece
    above the whole budget is passed over rather than ending the context.

    Relationships between sub-communities stay when their sub-communities are replaced: no report mentions them.
    """
    owner = np.full(len(labels), -1, np.int64)
    communities, owner[labels >= 0] = np.unique(labels[labels >= 0], return_inverse=True)
    n = len(communities)
    rows = _candidates(elements, owner, children.labels if children else None)
    edges_owned = _count(rows.owner[rows.kind == Kind.RELATIONSHIP], n)
    if children is not None:
        rows = _substituted(rows, n, budget, children)
    rows, omitted = _cut(rows, n, budget)
    yield from _contexts(communities, rows, edges_owned, omitted, children)


def inner_degrees(source: IntArray, target: IntArray, labels: IntArray) -> IntArray:
    """Return the combined degree of each relationship, counting only relationships inside communities."""
    inside = labels[source] == labels[target]
    degree = _count(np.concatenate([source[inside], target[inside]]), len(labels))
    return degree[source] + degree[target]


def tokens_by_community(elements: Elements, labels: IntArray) -> IntArray:
    """Return the tokens of all elements inside each community of one level, by its number; ``labels`` are -1 for none."""
    n = int(labels.max(initial=-1)) + 1
    source, about = labels[elements.source], labels[elements.claim_entity]
    inside = (source == labels[elements.target]) & (source >= 0)
    return (
        _count(labels[labels >= 0], n, elements.entity_tokens[labels >= 0])
        + _count(source[inside], n, elements.relationship_tokens[inside])
        + _count(about[about >= 0], n, elements.claim_tokens[about >= 0])
    )


def _candidates(elements: Elements, owner: IntArray, child: IntArray | None) -> _Rows:
    """Return every piece that lies inside a community, none twice."""
    child = np.full(len(owner), -1, np.int64) if child is None else child
    edges = np.flatnonzero((owner[elements.source] == owner[elements.target]) & (owner[elements.source] >= 0))
    edges = edges[np.lexsort((edges, -elements.combined_degree[edges], owner[elements.source[edges]]))]
    a, b = elements.source[edges], elements.target[edges]
    entities = np.flatnonzero(owner >= 0)
    step, slot = _entrances(a, b, len(owner))
    claims = np.flatnonzero(owner[elements.claim_entity] >= 0)
    about = elements.claim_entity[claims]
    of_entities = _Rows(
        owner[entities], step[entities], slot[entities], _kind(Kind.ENTITY, entities), entities,
        elements.entity_tokens[entities], child[entities],
    )  # fmt: skip
    of_claims = _Rows(
        owner[about], step[about], slot[about] + 2, _kind(Kind.CLAIM, claims), claims,
        elements.claim_tokens[claims], child[about],
    )  # fmt: skip
    of_edges = _Rows(
        owner[a], np.arange(len(edges)), np.full(len(edges), 4), _kind(Kind.RELATIONSHIP, edges), edges,
        elements.relationship_tokens[edges], np.where(child[a] == child[b], child[a], -1),
    )  # fmt: skip
    return _joined(of_entities, of_claims, of_edges)


def _entrances(a: IntArray, b: IntArray, n: int) -> tuple[IntArray, IntArray]:
    """Return for each entity the ordered edge that brings it in, and whether as source (0) or target (1); those that
    no edge brings in come later, by row number."""
    step = len(a) + np.arange(n)
    slot = np.zeros(n, np.int64)
    brought, first = np.unique(np.stack([a, b], axis=1).reshape(-1), return_index=True)
    step[brought], slot[brought] = first // 2, first % 2
    return step, slot


def _substituted(rows: _Rows, n: int, budget: int, children: ChildReports) -> _Rows:
    """Return rows in which reports replace the elements of sub-communities, where a community exceeds the budget."""
    excess = _count(rows.owner, n, rows.tokens) - budget
    size = int(max(children.labels.max(initial=-1), children.community.max(initial=-1))) + 1
    in_child = rows.child >= 0
    elements = _count(rows.child[in_child], size, rows.tokens[in_child])
    parent = np.full(size, -1, np.int64)
    parent[rows.child[in_child]] = rows.owner[in_child]
    reports = np.flatnonzero((parent[children.community] >= 0) & (children.tokens < elements[children.community]))
    number = children.community[reports]
    order = np.lexsort((number, -elements[number], parent[number]))
    reports, number = reports[order], number[order]
    saved = elements[number] - children.tokens[reports]
    before = running(parent[number], saved) - saved
    used = before < excess[parent[number]]
    reports, number = reports[used], number[used]
    replaced = np.zeros(size + 1, bool)
    replaced[number] = True
    step = np.arange(len(number)) - len(number)
    shown = _Rows(
        parent[number], step, np.zeros_like(step), _kind(Kind.REPORT, number), number,
        children.tokens[reports], np.full_like(step, -1),
    )  # fmt: skip
    return _joined(shown, _Rows(*(column[~replaced[rows.child]] for column in rows)))


def _cut(rows: _Rows, n: int, budget: int) -> tuple[_Rows, IntArray]:
    """Return the rows that fit, in the order in which they are shown, and how many of each community do not."""
    order = np.lexsort((rows.row, rows.slot, rows.step, rows.owner))
    order = order[rows.tokens[order] <= budget]
    fits = running(rows.owner[order], rows.tokens[order]) <= budget
    shown = _Rows(*(column[order][fits] for column in rows))
    return shown, _count(rows.owner, n) - _count(shown.owner, n)


def _contexts(
    communities: IntArray, rows: _Rows, edges_owned: IntArray, omitted: IntArray, children: ChildReports | None
) -> Iterator[Context]:
    n = len(communities)
    shown = _count(rows.owner[rows.kind == Kind.RELATIONSHIP], n)
    if children is not None:
        by_report = dict(zip(children.community.tolist(), children.edges_shown.tolist(), strict=True))
        reports = rows.kind == Kind.REPORT
        shown += _count(rows.owner[reports], n, np.array([by_report[c] for c in rows.row[reports].tolist()], np.int64))
    tokens = _count(rows.owner, n, rows.tokens)
    bounds = np.searchsorted(rows.owner, np.arange(n + 1)).tolist()
    kinds = map(list(Kind).__getitem__, rows.kind.tolist())
    evidence = list(map(EvidencePiece, kinds, rows.row.tolist()))
    for i, community in enumerate(communities.tolist()):
        mine = evidence[bounds[i] : bounds[i + 1]]
        used = [piece.row for piece in mine if piece.kind is Kind.REPORT] if children is not None else []
        yield Context(community, mine, int(tokens[i]), int(edges_owned[i]), int(shown[i]), used, int(omitted[i]))


def _kind(kind: Kind, rows: IntArray) -> IntArray:
    return np.full(len(rows), int(kind), np.int64)


def _joined(*parts: _Rows) -> _Rows:
    return _Rows(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _count(owner: IntArray, n: int, values: IntArray | None = None) -> IntArray:
    """Return per owner 0..n-1 the number of rows, or the sum of their values (exact below 2**53)."""
    return np.bincount(owner, values, minlength=n).astype(np.int64)
