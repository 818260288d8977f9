"""The map: nested disks that do not overlap, the same each time, and still where nothing changed."""

import numpy as np
import pytest

from pipeline.base.arrow.columns import IntArray
from pipeline.graph.edges import Edges, canonical_edges
from pipeline.graph.hierarchy import Hierarchy
from pipeline.graph.incremental import update_communities
from pipeline.graph.layout import Before, Layout, lay_out
from pipeline.graph.leiden import find_communities


def planted(n: int, groups: int, seed: int = 3) -> Edges:
    """A graph of ``groups`` dense groups with some edges between them, and a tenth of the nodes without any."""
    rng = np.random.default_rng(seed)
    linked = n * 9 // 10
    group = rng.integers(0, groups, linked)
    source, target = rng.integers(0, linked, (2, 8 * n))
    near = group[source] == group[target]
    kept = (source != target) & (near | (rng.random(8 * n) < 0.02))
    return canonical_edges(source[kept], target[kept], np.ones(int(kept.sum())), n)


def degrees(edges: Edges, n: int) -> IntArray:
    return np.bincount(np.concatenate([edges.source, edges.target]), minlength=n)


def laid_out(n: int = 600, groups: int = 12) -> tuple[Edges, Hierarchy, Layout]:
    edges = planted(n, groups)
    hierarchy = find_communities(*edges, n)
    return edges, hierarchy, lay_out(hierarchy.labels, edges, degrees(edges, n))


def check_nested(hierarchy: Hierarchy, layout: Layout) -> None:
    siblings: dict[int, list[int]] = {}
    for row in hierarchy.rows:
        siblings.setdefault(row.parent, []).append(row.community)
        x, y, radius = layout.disks[row.community]
        assert (np.hypot(*(layout.nodes[row.members] - [x, y]).T) <= radius).all()
        if row.parent >= 0:
            above = layout.disks[row.parent]
            assert np.hypot(x - above.x, y - above.y) + radius <= above.radius + 0.01
    for numbers in siblings.values():
        disks = np.array([layout.disks[number] for number in numbers])
        apart = np.hypot(*(disks[:, None, :2] - disks[None, :, :2]).transpose(2, 0, 1))
        room = apart - disks[:, None, 2] - disks[None, :, 2]
        assert (room[~np.eye(len(disks), dtype=bool)] >= -0.01).all()


def test_communities_are_nested_disks_that_do_not_overlap() -> None:
    _, hierarchy, layout = laid_out()
    assert hierarchy.n_levels >= 2
    check_nested(hierarchy, layout)
    distinct = np.unique(layout.nodes, axis=0)
    assert len(distinct) == len(layout.nodes)


def test_the_same_graph_is_laid_out_the_same() -> None:
    (_, _, one), (_, _, other) = laid_out(), laid_out()
    assert np.array_equal(one.nodes, other.nodes) and one.disks == other.disks


def test_nothing_moves_where_nothing_changed() -> None:
    edges, hierarchy, first = laid_out()
    again = lay_out(hierarchy.labels, edges, degrees(edges, 600), Before(hierarchy.labels, first))
    assert np.array_equal(first.nodes, again.nodes) and first.disks == again.disks


def test_a_new_entity_and_its_edges_leave_nearly_everything_where_it_was() -> None:
    edges, hierarchy, first = laid_out()
    source = np.concatenate([edges.source, [0, 1]])
    target = np.concatenate([edges.target, [600, 600]])
    grown = canonical_edges(source, target, np.ones(len(source)), 601)
    after, _ = update_communities(hierarchy, np.arange(600), *grown, 601)
    before = Before(
        np.column_stack([hierarchy.labels, np.full(hierarchy.n_levels, -1)]),
        Layout(np.vstack([first.nodes, [np.nan, np.nan]]), first.disks),
    )
    second = lay_out(after.labels, grown, degrees(grown, 601), before)
    check_nested(after, second)
    moved = (second.nodes[:600] != first.nodes).any(axis=1)
    assert moved.mean() < 0.05
    assert np.isfinite(second.nodes).all()


def test_what_hangs_together_lies_together() -> None:
    edges, _, layout = laid_out()
    length = np.hypot(*(layout.nodes[edges.source] - layout.nodes[edges.target]).T)
    rng = np.random.default_rng(1)
    others = np.hypot(*(layout.nodes[rng.permutation(edges.source)] - layout.nodes[edges.target]).T)
    assert np.median(length) < 0.7 * np.median(others)


@pytest.mark.parametrize("n", [0, 1, 2])
def test_small_graphs_have_a_layout(n: int) -> None:
    none = np.zeros(0, np.int64)
    edges = Edges(none, none, np.zeros(0))
    layout = lay_out(np.zeros((1, n), np.int64), edges, np.zeros(n, np.int64))
    assert layout.nodes.shape == (n, 2) and len(layout.disks) == min(n, 1)


def test_entities_outside_every_community_have_a_place_of_their_own() -> None:
    none = np.zeros(0, np.int64)
    labels = np.array([[0, 0, 1, -1, -1], [2, -1, -1, -1, -1]])
    layout = lay_out(labels, Edges(none, none, np.zeros(0)), np.zeros(5, np.int64))
    assert np.isfinite(layout.nodes).all() and len(np.unique(layout.nodes, axis=0)) == 5
    assert set(layout.disks) == {0, 1, 2}
