"""Stage 70: hierarchical Leiden communities over every component; later runs keep the partition where little changed."""

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.base.arrow.build import array, to_numpy
from pipeline.base.arrow.columns import IntArray
from pipeline.base.ids import content_id
from pipeline.base.schema import CHUNKS, COMMUNITIES, ENTITIES, RELATIONSHIPS
from pipeline.base.settings import CommunitySettings
from pipeline.base.store import Rows
from pipeline.base.workflow import Notes, Parts, workflow
from pipeline.graph.convert import carried_hierarchy, edge_arrays
from pipeline.graph.hierarchy import Hierarchy
from pipeline.graph.incremental import update_communities
from pipeline.graph.leiden import Options, find_communities

LONG = 1_000_000
"""Relationships from which on finding communities takes long enough to be watched level by level (12 CPU seconds)."""
NAMED = 3
"""Entities that a community's title names."""


@workflow(
    reads=(ENTITIES, RELATIONSHIPS, CHUNKS), settings="communities", writes=(COMMUNITIES,), previous=(COMMUNITIES,)
)
def find_all_communities(
    entities: Rows,
    relationships: Rows,
    chunks: Rows,
    settings: CommunitySettings,
    previous_communities: Rows | None,
    notes: Notes,
) -> Parts:
    """Cluster afresh, or fit the last partition to the graph of now; entities without edges join those of their document."""
    nodes = entities.table(["id", "title", "degree", "chunk_ids"])
    edges = relationships.table(["id", "source", "target", "weight", "chunk_ids"])
    source, target, weight = edge_arrays(nodes, edges)
    groups = _documents(nodes, chunks)
    options = Options(settings.max_size, settings.resolution, settings.seed)
    hierarchy = None
    if settings.stable and previous_communities is not None and nodes.num_rows:
        before, moved = carried_hierarchy(previous_communities.table(), nodes["id"])
        hierarchy, kept = update_communities(
            before,
            moved,
            source,
            target,
            weight,
            nodes.num_rows,
            options=options,
            groups=groups,
            tolerance=settings.max_loss,
        )
        notes.report(f"{kept.kept} communities kept, {kept.changed} changed, {kept.created} new, {kept.dissolved} gone")
        if kept.stale:
            loss = f"modularity is {kept.loss:.1%} below that of a fresh partition"
            notes.report(
                f"{loss}: clustered afresh" if settings.refresh else f"{loss}: index --fresh-communities fixes it"
            )
            hierarchy = None if settings.refresh else hierarchy
    if hierarchy is None:
        hierarchy = find_communities(
            source,
            target,
            weight,
            nodes.num_rows,
            options=options,
            groups=groups,
            report=notes.report if len(source) >= LONG else lambda line: None,
        )
    yield COMMUNITIES, COMMUNITIES.rows(_rows(hierarchy, nodes, edges, source, target))


def _documents(nodes: pa.Table, chunks: Rows) -> IntArray:
    """Return for each entity a number for the document of its first chunk."""
    table = chunks.table(["id", "document_id"])
    document = to_numpy(pc.dictionary_encode(table["document_id"].combine_chunks()).indices)
    lists = nodes["chunk_ids"].combine_chunks()
    first = lists.flatten().take(lists.offsets[:-1]) if nodes.num_rows else array([], pa.string())
    groups: IntArray = document[to_numpy(pc.index_in(first, value_set=table["id"].combine_chunks()))].astype(np.int64)
    return groups


def _rows(
    hierarchy: Hierarchy, nodes: pa.Table, edges: pa.Table, source: IntArray, target: IntArray
) -> Iterator[tuple[object, ...]]:
    ids, titles = nodes["id"].to_pylist(), nodes["title"].to_pylist()
    degree = nodes["degree"].to_pylist()
    place = {
        node: at for at, node in enumerate(sorted(range(len(ids)), key=lambda node: (-degree[node], titles[node])))
    }
    edge_ids, edge_chunks = edges["id"].to_pylist(), edges["chunk_ids"].to_pylist()
    node_chunks = nodes["chunk_ids"].to_pylist()
    children: dict[int, list[int]] = {}
    for row in hierarchy.rows:
        children.setdefault(row.parent, []).append(row.community)
    for level in range(hierarchy.n_levels):
        inside, linked = _edges_inside(hierarchy.labels[level], source, target)
        for row in (row for row in hierarchy.rows if row.level == level):
            members = row.members.tolist()
            own = inside.get(row.community, [])
            best = sorted(members, key=place.__getitem__)[:NAMED]
            chunk_ids = [edge_chunks[edge] for edge in own] + [
                node_chunks[node] for node in members if not linked[node]
            ]
            yield (
                content_id("community", level, *(ids[node] for node in members)),
                row.community,
                level,
                row.parent,
                children.get(row.community, []),
                ", ".join(titles[node] for node in best),
                [ids[node] for node in members],
                [edge_ids[edge] for edge in own],
                _distinct(chunk_ids),
                len(members),
            )


def _edges_inside(labels: IntArray, source: IntArray, target: IntArray) -> tuple[dict[int, list[int]], list[bool]]:
    """Return the edges with both ends in one community of a level, by community; and for each node whether it has any."""
    own = np.flatnonzero((labels[source] == labels[target]) & (labels[source] >= 0))
    found: dict[int, list[int]] = {}
    for edge, community in zip(own.tolist(), labels[source[own]].tolist(), strict=True):
        found.setdefault(community, []).append(edge)
    linked = np.zeros(len(labels), bool)
    linked[source[own]] = linked[target[own]] = True
    return found, linked.tolist()


def _distinct(lists: Sequence[Sequence[str]]) -> list[str]:
    return sorted({item for some in lists for item in some})
