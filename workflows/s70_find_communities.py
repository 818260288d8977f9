"""Stage 70: hierarchical Leiden communities over every component; later runs keep the partition where little changed."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.base.arrow.build import array, scalar, to_numpy
from pipeline.base.arrow.columns import IntArray, alphabet, codes_of, number_keys, whole
from pipeline.base.arrow.lists import cut_lists, lengths, members
from pipeline.base.ids import content_id
from pipeline.base.schema import COMMUNITIES
from pipeline.base.settings import CommunitySettings
from pipeline.base.store import Rows
from pipeline.base.workflow import Notes, Parts
from pipeline.graph.convert import carried_hierarchy, edge_arrays, first_documents
from pipeline.graph.hierarchy import Hierarchy
from pipeline.graph.incremental import update_communities
from pipeline.graph.leiden import Options, find_communities

LONG = 1_000_000
"""Relationships from which on finding communities takes long enough to be watched level by level (12 CPU seconds)."""
NAMED = 3
"""Entities that a community's title names."""


def run(
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
    groups = first_documents(nodes, chunks.table(["id", "document_id"]))
    options = Options(settings.max_size, settings.resolution, settings.seed, engine=settings.engine)
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
            loss = f"the communities kept fit the graph {kept.loss:.1%} less well (by modularity) than communities found anew"
            notes.report(
                f"{loss}: found anew"
                if settings.refresh
                else f"{loss}; for these: graphstrata index --fresh-communities"
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
    levels = list(_levels(hierarchy, nodes, edges, source, target))
    yield COMMUNITIES, pa.concat_tables([COMMUNITIES.empty(), *levels])


def _levels(
    hierarchy: Hierarchy, nodes: pa.Table, edges: pa.Table, source: IntArray, target: IntArray
) -> Iterator[pa.Table]:
    """Yield the rows of each level, by number of the community."""
    ids, titles = whole(nodes["id"]), whole(nodes["title"])
    best_first = np.lexsort((alphabet(titles), -to_numpy(nodes["degree"])))
    edge_of, edge_chunks = members(edges["chunk_ids"])
    node_of, node_chunks = members(nodes["chunk_ids"])
    codes, chunks = codes_of(pa.chunked_array([edge_chunks, node_chunks]))
    codes, chunks = alphabet(chunks)[codes], chunks.take(pc.sort_indices(chunks))
    for level, labels in enumerate(hierarchy.labels):
        numbers, first = _numbers(labels)
        n = len(numbers)
        place = np.where(labels >= 0, np.searchsorted(numbers, labels), -1)
        inside = np.where(place[source] == place[target], place[source], -1)
        linked = np.zeros(len(labels), bool)
        linked[source[inside >= 0]] = linked[target[inside >= 0]] = True
        owner = np.concatenate([inside[edge_of], np.where(linked, -1, place)[node_of]])
        keys, _ = number_keys((owner * len(chunks) + codes)[owner >= 0])
        entity_ids = _lists(place, n, ids)
        named, best = _grouped(place[best_first])
        first_few = np.arange(len(named)) - np.searchsorted(named, named) < NAMED
        below, below_first = _numbers(hierarchy.labels[level + 1]) if level + 1 < hierarchy.n_levels else _NONE
        yield COMMUNITIES.build(
            id=[content_id("community", level, *entities) for entities in entity_ids.to_pylist()],
            community=numbers,
            level=np.full(n, level),
            parent=hierarchy.labels[level - 1, first] if level else np.full(n, -1),
            children=_lists(place[below_first], n, array(below)),
            title=pc.binary_join(
                cut_lists(named[first_few], n, titles.take(array(best_first[best[first_few]]))), scalar(", ")
            ),
            entity_ids=entity_ids,
            relationship_ids=_lists(inside, n, whole(edges["id"])),
            chunk_ids=cut_lists(keys // len(chunks), n, chunks.take(array(keys % len(chunks)))),
            size=lengths(entity_ids),
        )


_NONE = np.zeros(0, np.int64), np.zeros(0, np.int64)


def _numbers(labels: IntArray) -> tuple[IntArray, IntArray]:
    """Return the communities of a level, ascending, and the first member of each."""
    numbers, first = np.unique(labels, return_index=True)
    return numbers[numbers >= 0], first[numbers >= 0]


def _grouped(owner: IntArray) -> tuple[IntArray, IntArray]:
    """Return the owners that are not -1, ascending, and the row that each is of, those of one owner in their order."""
    rows = np.argsort(owner, kind="stable")
    rows = rows[owner[rows] >= 0]
    return owner[rows], rows


def _lists(owner: IntArray, n: int, values: Any) -> Any:
    """Return for each of n owners a list of its values; those of owner -1 are in none."""
    owners, rows = _grouped(owner)
    return cut_lists(owners, n, values.take(array(rows)))
