"""Tables <-> graphs: networkx, the object that users want back, and the arrays that the heavy work is done on."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.base.arrow.build import to_numpy
from pipeline.base.arrow.columns import FloatArray, IntArray, numbers, rows_of, run_starts, whole
from pipeline.base.arrow.lists import members
from pipeline.base.errors import TableError
from pipeline.base.ids import content_id
from pipeline.base.schema import ENTITIES, RELATIONSHIPS
from pipeline.graph.hierarchy import Hierarchy

if TYPE_CHECKING:
    import networkx as nx


def entity_rows(merged: pa.Table, descriptions: Any, joined: Mapping[str, Sequence[tuple[str, str]]]) -> pa.Table:
    """Return rows of the table entities: merged entities with their ``degree``, one description each, and what
    ``joined_names`` found of them: their other names, and a type that overrules their mentions'."""
    titles = merged["title"].to_pylist()
    others, types = merged["aliases"].to_pylist(), merged["type"].to_pylist()
    for place, title in enumerate(titles):
        for name, type in joined.get(title, ()):
            others[place].append(name)
            types[place] = type or types[place]
    return ENTITIES.build(
        id=[content_id("entity", title) for title in titles],
        type=types,
        aliases=[sorted({*other} - {title}) for title, other in zip(titles, others, strict=True)],
        description=descriptions,
        **{name: merged[name] for name in ("title", "chunk_ids", "frequency", "degree")},
    )


def joined_names(aliases: pa.Table) -> dict[str, list[tuple[str, str]]]:
    """Return the names that the table aliases (name, entity, joined, type) joins to each title, with the type it gives."""
    found: dict[str, list[tuple[str, str]]] = {}
    for name, entity, joined, type in rows_of(aliases, "name", "entity", "joined", "type"):
        if joined:
            found.setdefault(entity, []).append((name, type))
    return found


def relationship_rows(merged: pa.Table, descriptions: Any) -> pa.Table:
    """Return rows of the table relationships: merged relationships with one description each."""
    ends = zip(merged["source"].to_pylist(), merged["target"].to_pylist(), strict=True)
    return RELATIONSHIPS.build(
        id=[content_id("relationship", *pair) for pair in ends],
        description=descriptions,
        **{name: merged[name] for name in ("source", "target", "weight", "combined_degree", "chunk_ids")},
    )


def edge_arrays(entities: pa.Table, relationships: pa.Table) -> tuple[IntArray, IntArray, FloatArray]:
    """Return source, target (rows of ``entities``) and weight of each relationship. TableError for an unknown title."""
    ends = []
    for end in ("source", "target"):
        places = pc.index_in(relationships[end], value_set=whole(entities["title"]))
        if places.null_count:
            lost = pc.unique(relationships[end].filter(pc.is_null(places)))
            raise TableError(
                f"{len(lost)} relationships' {end} names no entity, such as {lost[0].as_py()!r}",
                "source and target are titles of entities",
                "merge relationships together with the entities of the same run",
            )
        ends.append(to_numpy(places).astype(np.int64))
    return ends[0], ends[1], to_numpy(relationships["weight"])


def first_documents(entities: pa.Table, chunks: pa.Table) -> IntArray:
    """Return for each entity a number for the document of the first of its ``chunk_ids``; ``chunks`` has id and document_id."""
    document = to_numpy(whole(chunks["document_id"]).dictionary_encode().indices).astype(np.int64)
    owner, ids = members(entities["chunk_ids"])
    found: IntArray = document[numbers(ids, chunks["id"])[run_starts(owner)]]
    return found


def carried_hierarchy(communities: pa.Table, entity_ids: Any) -> tuple[Hierarchy, IntArray]:
    """Return the hierarchy that a table of communities holds, and for each of its nodes the row of ``entity_ids`` (the
    entities of now) that it is, -1 when it is gone: what ``update_communities`` takes."""
    members = whole(communities["entity_ids"])
    ids = pc.unique(members.flatten())
    ids = ids.take(pc.sort_indices(ids))
    nodes, rows = numbers(members.flatten(), ids), to_numpy(pc.list_parent_indices(members))
    level, number = to_numpy(communities["level"])[rows], to_numpy(communities["community"])[rows]
    labels = np.full((int(level.max(initial=-1)) + 1, len(ids)), -1, np.int64)
    labels[level, nodes] = number
    return Hierarchy(labels), numbers(ids, entity_ids)


def community_labels(communities: pa.Table, entity_ids: Any) -> IntArray:
    """Return for each level of a table of communities, and each of ``entity_ids``, the community's number, -1 for none."""
    hierarchy, moved = carried_hierarchy(communities, entity_ids)
    labels: IntArray = np.full((hierarchy.n_levels, len(entity_ids)), -1, np.int64)
    labels[:, moved[moved >= 0]] = hierarchy.labels[:, moved >= 0]
    return labels


def to_networkx(entities: pa.Table, relationships: pa.Table, communities: pa.Table | None = None) -> "nx.Graph[str]":
    """Return the graph: nodes are titles, and every other column is an attribute of its node or edge.

    With ``communities``, each node's attribute ``communities`` lists the numbers of its communities from level 0 down
    to its leaf, and ``graph.graph["communities"]`` holds the rows of the table.
    """
    import networkx as nx

    graph: nx.Graph[str] = nx.Graph()
    graph.add_nodes_from((row.pop("title"), row) for row in entities.to_pylist())
    graph.add_edges_from((row.pop("source"), row.pop("target"), row) for row in relationships.to_pylist())
    if communities is not None:
        graph.graph["communities"] = communities.to_pylist()
        labels = carried_hierarchy(communities, entities["id"])
        for title, numbers in zip(entities["title"].to_pylist(), _paths(*labels, entities.num_rows), strict=True):
            graph.nodes[title]["communities"] = numbers
    return graph


def _paths(hierarchy: Hierarchy, moved: IntArray, n: int) -> list[list[int]]:
    """Return for each of n entities the numbers of its communities, from level 0 down."""
    paths: list[list[int]] = [[] for _ in range(n)]
    for labels in hierarchy.labels:
        for node in np.flatnonzero((labels >= 0) & (moved >= 0)).tolist():
            paths[moved[node]].append(int(labels[node]))
    return paths
