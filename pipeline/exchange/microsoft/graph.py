"""An index of Microsoft GraphRAG as a graph of numbers: what its communities own, what their reports show, where citations lead.

How its indexer makes the context of a report (graphrag 2.7 and 3.3, ``summarize_communities/graph_context``): of the
edges among the nodes of a level, each node keeps one, the first in which it is the source, or else the first in which
it is the target, whether or not the other end is in the same community; then comes the cut at a token budget. What
is counted here is what there is before that cut: what reached a model can only be less.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from pipeline.base.arrow.columns import IntArray, numbers, pairs, whole
from pipeline.base.arrow.lists import members
from pipeline.exchange.microsoft.citations import Citation
from pipeline.exchange.microsoft.folder import MicrosoftIndex


class MicrosoftGraph(NamedTuple):
    """An index as numbers: ends of relationships and members of communities are rows of its entities."""

    n: int
    source: IntArray
    target: IntArray
    row: IntArray
    """Row of the community of each membership, and in ``entity`` the member."""
    entity: IntArray
    level: IntArray


class ShownEdges(NamedTuple):
    """Pairs of community row and relationship: those with both ends inside, and those that a report's context holds."""

    owned: IntArray
    shown: IntArray


def graph_of(tables: Mapping[str, pa.Table]) -> MicrosoftGraph:
    """Return the tables of an index, ours or Microsoft's, as numbers; an end or member that is no entity is -1 or left out."""
    entities, edges, communities = tables["entities"], tables["relationships"], tables["communities"]
    source, target = (numbers(edges[end], entities["title"]) for end in ("source", "target"))
    row, ids = members(communities["entity_ids"])
    entity = numbers(ids, entities["id"])
    level = whole(communities["level"]).to_numpy()
    return MicrosoftGraph(entities.num_rows, source, target, row[entity >= 0], entity[entity >= 0], level)


def shown_edges(graph: MicrosoftGraph) -> ShownEdges:
    """Return which edges communities own, and which their reports' contexts show before any cut at a budget."""
    n_edges = len(graph.source)
    owned, shown = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for level in np.unique(graph.level).tolist():
        label = np.full(graph.n + 1, -1, np.int64)
        here = graph.level[graph.row] == level
        label[graph.entity[here]] = graph.row[here]
        at = np.flatnonzero((label[graph.source] >= 0) & (label[graph.target] >= 0))
        own = at[label[graph.source[at]] == label[graph.target[at]]]
        owned.append(pairs(label[graph.source[own]], own, n_edges))
        kept = np.full(graph.n, -1, np.int64)
        for end in (
            graph.target,
            graph.source,
        ):  # written backwards, so that the first edge, and the source, has the last word
            kept[end[at[::-1]]] = at[::-1]
        nodes = np.flatnonzero((label[:-1] >= 0) & (kept >= 0))
        shown.append(np.unique(pairs(label[nodes], kept[nodes], n_edges)))
    return ShownEdges(np.concatenate(owned), np.concatenate(shown))


class CitedRows:
    """Where cited numbers lead."""

    def __init__(self, index: MicrosoftIndex, graph: MicrosoftGraph) -> None:
        self.rows = {
            kind: by_number(index[table])
            for kind, table in (("entities",) * 2, ("relationships",) * 2, ("claims", "covariates"), ("sources", "text_units"))
        }  # fmt: skip
        communities = index["communities"]
        self.community = {number: row for row, number in enumerate(communities["community"].to_pylist())}
        self.parent = numbers(communities["parent"], communities["community"])
        self.members = set(zip(graph.row.tolist(), graph.entity.tolist(), strict=True))
        self.subject = numbers(index["covariates"]["subject_id"], index["entities"]["title"])
        self.graph = graph

    def state(self, citation: Citation, community: int) -> str:
        """Return inside, outside (the community, a row), leaves (a relationship with one end inside) or missing."""
        if citation.kind == "reports":
            child = self.community.get(citation.number)
            if child is None:
                return "missing"
            return "inside" if community in (child, self.parent[child]) else "outside"
        row = self.rows.get(citation.kind, {}).get(citation.number)
        if row is None:
            return "missing"
        if citation.kind == "sources":
            return "inside"
        if citation.kind == "relationships":
            ends = [(community, int(end[row])) in self.members for end in (self.graph.source, self.graph.target)]
            return "inside" if all(ends) else "leaves" if any(ends) else "outside"
        entity = row if citation.kind == "entities" else int(self.subject[row])
        return "inside" if (community, entity) in self.members else "outside"


def by_number(table: pa.Table) -> dict[int, int]:
    """Return the row of each human-readable number, the first of those that share one; rows count from 0 where the folder has
    no numbers."""
    found = table["human_readable_id"].to_pylist()
    return {row if number is None else number: row for row, number in reversed(list(enumerate(found)))}
