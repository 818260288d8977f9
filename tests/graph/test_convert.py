"""Promises of the conversions: what goes to networkx comes back, and arrays say what the tables say."""

import numpy as np
import pyarrow as pa
import pytest

from pipeline.base.errors import TableError
from pipeline.base.ids import content_id
from pipeline.base.schema import COMMUNITIES, ENTITIES, RELATIONSHIPS
from pipeline.graph.convert import carried_hierarchy, edge_arrays, to_networkx
from pipeline.graph.leiden import find_communities
from tests.graph_cases import planted_graph


def tables(n: int = 60) -> tuple[pa.Table, pa.Table, pa.Table]:
    """Return the tables of a small graph and its communities."""
    source, target, weight = planted_graph(1, n, 3 * n)
    titles = [f"Title {node:03d}" for node in range(n)]
    ids = [content_id(title) for title in titles]
    degree = np.bincount(np.concatenate([source, target]), minlength=n).tolist()
    entities = ENTITIES.rows(
        (
            ids[node],
            titles[node],
            "PERSON",
            [titles[node].upper()] if node % 2 else [],
            f"is number {node}",
            ["c1"],
            1,
            degree[node],
        )
        for node in range(n)
    )
    relationships = RELATIONSHIPS.rows(
        (content_id(a, b), titles[a], titles[b], "", w, degree[a] + degree[b], [])
        for a, b, w in zip(source.tolist(), target.tolist(), weight.tolist(), strict=True)
    )
    rows = find_communities(source, target, weight, n).rows
    children = {row.community: [other.community for other in rows if other.parent == row.community] for row in rows}
    communities = COMMUNITIES.rows(
        (
            content_id(row.level, *row.members), row.community, row.level, row.parent, children[row.community], "",
            [ids[node] for node in row.members], [], [], len(row.members),
        )
        for row in rows
    )  # fmt: skip
    return entities, relationships, communities


def test_nodes_and_edges_of_the_graph_have_the_columns_of_their_tables() -> None:
    entities, relationships, communities = tables()
    graph = to_networkx(entities, relationships, communities)
    nodes = {row["title"]: row for row in entities.to_pylist()}
    for title, node in graph.nodes(data=True):
        assert all(node[key] == nodes[title][key] for key in ("id", "type", "description", "aliases", "chunk_ids"))
    assert graph.number_of_nodes() == entities.num_rows and graph.number_of_edges() == relationships.num_rows
    for row in relationships.to_pylist():
        edge = graph.edges[row["source"], row["target"]]
        assert all(edge[key] == row[key] for key in ("id", "weight", "description", "chunk_ids"))


def test_nodes_know_their_communities_from_the_top_down() -> None:
    entities, relationships, communities = tables()
    graph = to_networkx(entities, relationships, communities)
    levels = dict(zip(communities["community"].to_pylist(), communities["level"].to_pylist(), strict=True))
    members = dict(zip(communities["community"].to_pylist(), communities["entity_ids"].to_pylist(), strict=True))
    for _, node in graph.nodes(data=True):
        assert [levels[number] for number in node["communities"]] == list(range(len(node["communities"])))
        assert all(node["id"] in members[number] for number in node["communities"])


def test_the_hierarchy_of_a_table_is_the_one_it_was_written_from() -> None:
    entities, relationships, communities = tables()
    hierarchy, moved = carried_hierarchy(communities, entities["id"])
    found = find_communities(*edge_arrays(entities, relationships), entities.num_rows)
    assert np.array_equal(hierarchy.labels, found.labels[:, moved])


def test_entities_that_are_gone_and_entities_that_are_new_are_distinguished() -> None:
    entities, _, communities = tables()
    now = entities.slice(1)["id"].to_pylist()
    hierarchy, moved = carried_hierarchy(communities, pa.array(["new", *now]))
    assert hierarchy.n_nodes == entities.num_rows
    assert (moved == -1).sum() == 1 and sorted(moved[moved >= 0].tolist()) == list(range(1, entities.num_rows))


def test_an_empty_index_is_an_empty_graph() -> None:
    empty = ENTITIES.empty(), RELATIONSHIPS.empty(), COMMUNITIES.empty()
    assert to_networkx(*empty).number_of_nodes() == 0
    hierarchy, moved = carried_hierarchy(empty[2], empty[0]["id"])
    assert hierarchy.labels.shape == (0, 0) and len(moved) == 0


def test_an_edge_to_no_entity_is_refused() -> None:
    entities, relationships, _ = tables()
    with pytest.raises(TableError, match="Title 000"):
        edge_arrays(entities.slice(1), relationships)
