"""Communities of Microsoft GraphRAG as communities of ours: the same numbers and members, made whole where they are not."""

from typing import NamedTuple

import numpy as np
import pyarrow as pa

from pipeline.base.arrow.columns import IntArray, groups_of, numbers, rows_of, whole
from pipeline.base.ids import content_id
from pipeline.base.schema import COMMUNITIES
from pipeline.base.settings import CommunitySettings
from pipeline.exchange.microsoft.folder import MicrosoftIndex
from pipeline.exchange.microsoft.import_report import ImportLog
from pipeline.graph.leiden import Options, find_communities

NAMED = 3
"""Entities that a community's title names."""


class Tree(NamedTuple):
    """Communities by number: parents (-1 at level 0), and for each level the community of every entity, -1 for none."""

    parent: dict[int, int]
    labels: list[IntArray]
    new: frozenset[int]
    """Numbers that Microsoft's index does not have."""


def read_tree(
    index: MicrosoftIndex,
    entity_of: dict[str, int],
    entities: pa.Table,
    relationships: pa.Table,
    groups: IntArray,
    settings: CommunitySettings,
    log: ImportLog,
) -> Tree:
    """Return the tree of communities; ``entity_of`` gives the row of ``entities`` that each of Microsoft's became.

    Entities without a community are clustered among themselves (those without edges by ``groups``) into communities of
    their own from level 0 down; members of a community that none of its parts has become one more part.
    """
    parent, labels = _read(index, entity_of, entities.num_rows, log)
    unused = max(parent, default=-1) + 1
    first = unused
    for level in range(1, len(labels)):
        unused = _complete(labels, level, parent, unused, log)
    lone = np.flatnonzero(labels[0] < 0) if labels else np.arange(entities.num_rows)
    if labels:
        log.count("entities without a community: now in communities of their own", len(lone))
    _cluster(lone, entities, relationships, groups, settings, parent, labels, unused)
    used = {number for row in labels for number in np.unique(row[row >= 0]).tolist()}
    kept = {number: above for number, above in parent.items() if number in used}
    return Tree(kept, labels, frozenset(number for number in kept if number >= first))


def _read(
    index: MicrosoftIndex, entity_of: dict[str, int], n: int, log: ImportLog
) -> tuple[dict[int, int], list[IntArray]]:
    """Return parents and labels; a member that its parent lacks, or that is in two of a level, is logged and left out."""
    rows = list(rows_of(index["communities"], "community", "level", "parent", "entity_ids"))
    levels = {level: place for place, level in enumerate(sorted({level for _, level, _, _ in rows}))}
    labels = [np.full(n, -1, np.int64) for _ in levels]
    parents: dict[int, int] = {}
    for number, stated, parent, ids in sorted(rows, key=lambda row: (row[1], row[0])):
        if number < 0 or number in parents:
            log.skip(f"community {number}", "communities of a number below 0, or of one that another has: left out")
            continue
        level = levels[stated]
        entities = [entity_of.get(id, -1) for id in ids or ()]
        if level and parent is None:
            parent = next((int(labels[level - 1][entity]) for entity in entities if entity >= 0), -1)
        parents[number] = parent if level else -1
        _label(labels, level, number, parents[number], entities, log)
    return parents, labels


def _label(labels: list[IntArray], level: int, number: int, parent: int, entities: list[int], log: ImportLog) -> None:
    """Enter the members of a community."""
    for entity in entities:
        if entity < 0:
            log.count("members of communities that are no entity: left out")
        elif labels[level][entity] == number:
            continue  # two rows of one title were merged
        elif labels[level][entity] >= 0 or (level and labels[level - 1][entity] != parent):
            log.count("members of a community that are in another of its level, or not in its parent: left out")
        else:
            labels[level][entity] = number


def _complete(labels: list[IntArray], level: int, parent: dict[int, int], unused: int, log: ImportLog) -> int:
    """Make one more part of those members of a divided community that are in none of its parts."""
    above, here = labels[level - 1], labels[level]
    divided = np.unique(above[here >= 0])
    left = np.isin(above, divided) & (here < 0) & (above >= 0)
    for number in np.unique(above[left]).tolist():
        here[left & (above == number)] = unused
        parent[unused] = number
        log.count("communities whose parts did not hold all of their members: the rest became one more part")
        unused += 1
    return unused


def _cluster(
    lone: IntArray,
    entities: pa.Table,
    relationships: pa.Table,
    groups: IntArray,
    settings: CommunitySettings,
    parent: dict[int, int],
    labels: list[IntArray],
    unused: int,
) -> None:
    """Find communities among the entities that have none, and enter them."""
    place = np.full(entities.num_rows + 1, -1, np.int64)
    place[lone] = np.arange(len(lone))
    a, b = (place[numbers(relationships[end], entities["title"])] for end in ("source", "target"))
    inside = (a >= 0) & (b >= 0)
    found = find_communities(
        a[inside],
        b[inside],
        whole(relationships["weight"]).to_numpy()[inside],
        len(lone),
        options=Options(settings.max_size, settings.resolution, settings.seed),
        groups=groups[lone],
    )
    while len(labels) < found.n_levels:
        labels.append(np.full(entities.num_rows, -1, np.int64))
    for row in found.rows:
        parent[unused + row.community] = -1 if row.parent < 0 else unused + row.parent
        labels[row.level][lone[row.members]] = unused + row.community


def communities_table(tree: Tree, entities: pa.Table, relationships: pa.Table) -> pa.Table:
    """Return the table of communities, level by level, in the order of their numbers."""
    graph = _Graph(entities, relationships)
    children: dict[int, list[int]] = {}
    for number, parent in sorted(tree.parent.items()):
        children.setdefault(parent, []).append(number)
    rows: list[tuple[object, ...]] = []
    for level, labels in enumerate(tree.labels):
        inside = np.where(labels[graph.source] == labels[graph.target], labels[graph.source], -1)
        own = {number: edges.tolist() for number, edges in groups_of(inside)}
        for number, members in groups_of(labels):
            kin = (number, level, tree.parent[number], children.get(number, []))
            rows.append(graph.row(kin, members.tolist(), own.get(number, [])))
    return COMMUNITIES.rows(rows)


class _Graph:
    """Entities and relationships as lists, for making rows of communities."""

    def __init__(self, entities: pa.Table, relationships: pa.Table) -> None:
        self.ids, self.titles, self.chunks = (entities[name].to_pylist() for name in ("id", "title", "chunk_ids"))
        self.edge_ids, self.edge_chunks = (relationships[name].to_pylist() for name in ("id", "chunk_ids"))
        self.degree = entities["degree"].to_pylist()
        self.source, self.target = (numbers(relationships[end], entities["title"]) for end in ("source", "target"))

    def row(self, kin: tuple[int, int, int, list[int]], members: list[int], edges: list[int]) -> tuple[object, ...]:
        """Return the row of a community; ``kin`` are number, level, parent and children."""
        best = sorted(members, key=lambda node: (-self.degree[node], self.titles[node]))[:NAMED]
        linked = {end for edge in edges for end in (int(self.source[edge]), int(self.target[edge]))}
        mentioned = [self.edge_chunks[edge] for edge in edges]
        mentioned += [self.chunks[node] for node in members if node not in linked]
        ids = [self.ids[node] for node in members]
        return (
            content_id("community", kin[1], *ids),
            *kin,
            ", ".join(self.titles[node] for node in best),
            ids,
            [self.edge_ids[edge] for edge in edges],
            sorted({chunk for some in mentioned for chunk in some}),
            len(members),
        )
