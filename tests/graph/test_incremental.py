"""Promises of stable communities: the invariants of fresh ones, nothing moved without cause, and the loss reported."""

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.base.arrow.columns import IntArray
from pipeline.base.errors import PlanError
from pipeline.graph.hierarchy import Hierarchy
from pipeline.graph.incremental import update_communities
from pipeline.graph.leiden import Options, find_communities
from tests.graph_cases import Arrays, assert_hierarchy, planted_graph, random_graph


def changed(seed: int, edges: Arrays, n: int, share: float) -> tuple[Arrays, IntArray, int]:
    """Return the graph after random nodes went, edges went and came and new nodes came, shuffled to other numbers."""
    rng = np.random.default_rng(seed)
    source, target, weight = edges
    gone = rng.random(n) < share / 2
    kept = ~gone[source] & ~gone[target] & (rng.random(len(source)) >= share)
    n_now = int((~gone).sum()) + int(rng.integers(0, 1 + int(n * share)))
    numbers = rng.permutation(n_now)
    moved = np.full(n, -1, np.int64)
    moved[~gone] = numbers[: int((~gone).sum())]
    fresh = int(len(source) * share) if n_now else 0
    a = np.concatenate([moved[source[kept]], rng.integers(0, max(n_now, 1), fresh)])
    b = np.concatenate([moved[target[kept]], rng.integers(0, max(n_now, 1), fresh)])
    return (a, b, np.concatenate([weight[kept], np.ones(fresh)])), moved, n_now


def members_by_number(hierarchy: Hierarchy) -> dict[int, tuple[int, ...]]:
    """Return the members of each community."""
    return {row.community: tuple(row.members.tolist()) for row in hierarchy.rows}


@settings(deadline=None, max_examples=60)
@given(
    st.integers(0, 10_000),
    st.integers(0, 70),
    st.sampled_from([0, 0.5, 1, 2, 5, 15]),
    st.sampled_from([0.02, 0.2, 0.7]),
    st.integers(1, 12),
)
def test_what_holds_of_fresh_communities_holds_of_updated_ones(
    seed: int, n: int, density: float, share: float, max_size: int
) -> None:
    edges = random_graph(seed, n, density)
    groups = np.arange(n) % 3
    hierarchy = find_communities(*edges, n, options=Options(max_size=max_size, iterations=2), groups=groups)
    for step in range(3):
        edges, moved, now = changed(seed + step, edges, n, share)
        groups = np.arange(now) % 3
        before = hierarchy
        hierarchy, report = update_communities(
            before, moved, *edges, now, options=Options(max_size=max_size, iterations=2), groups=groups
        )
        n = now
        assert_hierarchy(hierarchy, n, max_size)
        assert report.kept + report.changed + report.dissolved == len(before.rows)
        assert report.kept + report.changed + report.created == len(hierarchy.rows)


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 10_000), st.integers(0, 90), st.sampled_from([0, 0.5, 1, 2, 5, 15]), st.integers(1, 12))
def test_nothing_moves_when_nothing_changed(seed: int, n: int, density: float, max_size: int) -> None:
    edges = random_graph(seed, n, density)
    before = find_communities(*edges, n, options=Options(max_size=max_size))
    after, report = update_communities(before, np.arange(n), *edges, n, options=Options(max_size=max_size))
    assert np.array_equal(before.labels, after.labels)
    assert report.kept == len(before.rows) and report.joined == 0 and not report.stale


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10_000), st.integers(2, 70), st.sampled_from([0.5, 2]), st.randoms(use_true_random=False))
def test_the_order_of_edges_does_not_matter(seed: int, n: int, density: float, random: Random) -> None:
    before = find_communities(*random_graph(seed, n, density), n, options=Options(iterations=2))
    (source, target, weight), moved, now = changed(seed, random_graph(seed, n, density), n, 0.2)
    order = np.array(random.sample(range(len(source)), len(source)), np.int64)
    first, _ = update_communities(before, moved, source, target, weight, now, options=Options(iterations=2))
    second, _ = update_communities(
        before, moved, target[order], source[order], weight[order], now, options=Options(iterations=2)
    )
    assert np.array_equal(first.labels, second.labels)


def test_from_nothing_an_update_is_a_fresh_clustering() -> None:
    edges = random_graph(5, 80, 2)
    nothing = Hierarchy(np.zeros((0, 0), np.int64))
    updated, report = update_communities(nothing, np.zeros(0, np.int64), *edges, 80)
    assert np.array_equal(updated.labels, find_communities(*edges, 80).labels)
    assert report.loss == 0


def test_a_new_node_joins_its_best_neighbours_on_every_level_and_no_other_community_changes() -> None:
    source, target, weight = planted_graph(1, 400, 1600)
    before = find_communities(source, target, weight, 400)
    chosen = max(before.rows, key=lambda row: (row.level, -len(row.members)))
    assert len(chosen.members) < 10
    friend = int(chosen.members[0])
    a, b = np.append(source, friend), np.append(target, 400)
    after, report = update_communities(before, np.arange(400), a, b, np.append(weight, 1.0), 401)
    assert np.array_equal(after.labels[:, 400], before.labels[:, friend])
    assert np.array_equal(after.labels[:, :400], before.labels)
    assert (report.joined, report.changed, report.created, report.dissolved) == (1, int(chosen.level) + 1, 0, 0)


def test_only_the_leaf_that_overflows_is_split_and_its_parts_get_new_numbers() -> None:
    source, target, weight = planted_graph(1, 400, 1600)
    before = find_communities(source, target, weight, 400)
    chosen = max(before.rows, key=lambda row: (row.level, len(row.members)))
    joining = 400 + np.arange(11 - len(chosen.members))
    a = np.concatenate([source, np.full(len(joining), chosen.members[0])])
    after, report = update_communities(
        before, np.arange(400), a, np.append(target, joining), np.ones(len(a)), 400 + len(joining)
    )
    assert report.split == 1 and report.dissolved == 0
    new = [row for row in after.rows if row.community > before.labels.max()]
    assert {row.parent for row in new} == {chosen.community} and len(new) == report.created
    was, now = members_by_number(before), members_by_number(after)
    assert sum(was[number] != now[number] for number in was) == report.changed == chosen.level + 1


def test_a_removed_node_changes_only_its_own_communities() -> None:
    source, target, weight = planted_graph(2, 400, 1600)
    before = find_communities(source, target, weight, 400)
    degree = np.bincount(np.concatenate([source, target]), minlength=400)
    gone = int(np.flatnonzero(degree == 1)[0])
    moved = np.arange(400) - (np.arange(400) > gone)
    moved[gone] = -1
    kept = (source != gone) & (target != gone)
    after, report = update_communities(before, moved, moved[source[kept]], moved[target[kept]], weight[kept], 399)
    assert report.changed <= (before.labels[:, gone] >= 0).sum()
    assert report.kept + report.changed + report.dissolved == len(before.rows)
    assert_hierarchy(after, 399, 10)


def test_a_community_that_falls_apart_keeps_its_largest_piece() -> None:
    ring = np.arange(6)
    source, target = np.append(ring, 6), np.append((ring + 1) % 6, 0)
    before = Hierarchy(np.zeros((1, 7), np.int64))
    after, report = update_communities(before, np.arange(7), source[:6], target[:6], np.ones(6), 7)
    assert [row.members.tolist() for row in after.rows] == [[0, 1, 2, 3, 4, 5], [6]]
    assert (report.changed, report.created) == (1, 1)


def test_a_node_that_gains_its_first_edge_leaves_the_lone_ones() -> None:
    source, target = np.array([0, 1, 0]), np.array([1, 2, 2])
    before = find_communities(source, target, np.ones(3), 6)
    assert before.labels.tolist() == [[0, 0, 0, 1, 1, 1]]
    after, report = update_communities(before, np.arange(6), np.append(source, 2), np.append(target, 3), np.ones(4), 6)
    assert after.labels.tolist() == [[0, 0, 0, 0, 1, 1]]
    assert report.joined == 1


def test_a_new_lone_node_fills_the_room_beside_others_of_its_group() -> None:
    nothing = np.zeros(0, np.int64)
    before = find_communities(nothing, nothing, np.zeros(0), 4, groups=np.array([0, 0, 1, 1]))
    after, _ = update_communities(
        before, np.arange(4), nothing, nothing, np.zeros(0), 6, groups=np.array([0, 0, 1, 1, 1, 2])
    )
    assert after.labels.tolist() == [[0, 0, 1, 1, 1, 2]]


def test_a_partition_that_no_longer_fits_is_reported() -> None:
    first = planted_graph(1, 300, 1500)
    before = find_communities(*first, 300)
    _, report = update_communities(before, np.arange(300), *planted_graph(99, 300, 1500), 300)
    assert report.stale and report.loss is not None and report.loss > 0.01
    _, unasked = update_communities(before, np.arange(300), *first, 300, compare=False)
    assert unasked.loss is None and not unasked.stale


def test_one_percent_of_new_edges_leaves_nine_communities_in_ten_as_they_were() -> None:
    source, target, weight = planted_graph(4, 4000, 10_000)
    before = find_communities(source, target, weight, 4000)
    rng = np.random.default_rng(0)
    ends = np.concatenate([source, target])
    more = rng.choice(ends, (2, len(source) // 100))
    a, b = np.concatenate([source, more[0]]), np.concatenate([target, more[1]])
    after, report = update_communities(before, np.arange(4000), a, b, np.ones(len(a)), 4000)
    assert report.kept / len(after.rows) > 0.95
    assert report.loss is not None and report.loss < 0.005


def test_numbers_that_do_not_fit_the_previous_nodes_are_refused() -> None:
    before = find_communities(np.array([0]), np.array([1]), np.ones(1), 2)
    with pytest.raises(PlanError, match="nodes"):
        update_communities(before, np.array([0, 0]), np.array([0]), np.array([1]), np.ones(1), 2)
