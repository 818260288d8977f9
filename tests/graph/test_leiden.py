"""Promises of the communities: a partition on every level, nested, small enough at the leaves, the same every time."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.base.errors import SettingsError, TableError
from pipeline.graph import clusterers
from pipeline.graph.edges import canonical_edges, modularity
from pipeline.graph.leiden import ITERATIONS, SEED, Options, find_communities, first_level, group_lone
from pipeline.runner.run import run_index
from tests.corpora import project
from tests.graph_cases import assert_hierarchy, random_graph
from tests.paths import ROOT

ENGINES = get_args(clusterers.Engine)


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 10_000), st.integers(0, 90), st.sampled_from([0, 0.5, 1, 2, 5, 20]), st.integers(1, 12))
def test_every_level_is_a_partition_within_the_level_above(seed: int, n: int, density: float, max_size: int) -> None:
    hierarchy = find_communities(*random_graph(seed, n, density), n, options=Options(max_size=max_size, iterations=2))
    assert_hierarchy(hierarchy, n, max_size)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10_000), st.integers(2, 90), st.sampled_from([0.5, 1, 2, 5]), st.randoms(use_true_random=False))
def test_the_order_and_direction_of_edges_do_not_matter(seed: int, n: int, density: float, random: Random) -> None:
    source, target, weight = random_graph(seed, n, density)
    weight = weight + 0.1 * np.arange(len(weight)) / max(len(weight), 1)
    order = np.array(random.sample(range(len(source)), len(source)), np.int64)
    turned = np.array([random.random() < 0.5 for _ in range(len(source))], np.bool_)
    a, b = np.where(turned, target, source)[order], np.where(turned, source, target)[order]
    first = find_communities(source, target, weight, n, options=Options(iterations=2))
    second = find_communities(a, b, weight[order], n, options=Options(iterations=2))
    assert np.array_equal(first.labels, second.labels)


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10_000), st.integers(2, 90), st.sampled_from([0.5, 1, 2]))
def test_parallel_edges_count_as_their_sum(seed: int, n: int, density: float) -> None:
    source, target, weight = random_graph(seed, n, density)
    twice = find_communities(
        np.tile(source, 2), np.tile(target, 2), np.tile(weight, 2), n, options=Options(iterations=2)
    )
    summed = find_communities(source, target, 2 * weight, n, options=Options(iterations=2))
    assert np.array_equal(twice.labels, summed.labels)


def test_numbers_follow_level_and_smallest_member() -> None:
    hierarchy = find_communities(*random_graph(3, 90, 2), 90)
    assert [row.community for row in hierarchy.rows] == list(range(len(hierarchy.rows)))
    for level in range(hierarchy.n_levels):
        smallest = [row.members[0] for row in hierarchy.rows if row.level == level]
        assert smallest == sorted(smallest)


def test_small_components_and_lone_nodes_have_a_place() -> None:
    source, target = np.array([0, 1, 0, 5, 7]), np.array([1, 2, 2, 6, 7])
    hierarchy = find_communities(source, target, np.array([1.0, 1, 1, 1, 1]), 9, groups=np.array([0] * 8 + [1]))
    members = [row.members.tolist() for row in hierarchy.rows]
    assert members == [[0, 1, 2], [3, 4, 7], [5, 6], [8]]


def test_lone_nodes_are_grouped_with_those_of_their_group_at_most_max_size_each() -> None:
    groups = np.array([7, 3, 7, 7, 3, 7])
    labels = group_lone(np.arange(6), groups, 3)
    assert labels.tolist() == [1, 0, 1, 1, 0, 2]


def test_empty_single_and_edgeless_graphs_work() -> None:
    nothing = np.zeros(0, np.int64)
    assert find_communities(nothing, nothing, np.zeros(0), 0).rows == ()
    assert [row.members.tolist() for row in find_communities(nothing, nothing, np.zeros(0), 1).rows] == [[0]]
    assert [len(row.members) for row in find_communities(nothing, nothing, np.zeros(0), 25).rows] == [10, 10, 5]


@pytest.mark.parametrize("n", [11, 40])
def test_cliques_that_cannot_be_split_by_leiden_are_cut_evenly(n: int) -> None:
    source, target = np.triu_indices(n, 1)
    hierarchy = find_communities(source, target, np.ones(len(source)), n)
    assert_hierarchy(hierarchy, n, 10)
    sizes = [len(row.members) for row in hierarchy.rows if row.level == 1]
    assert max(sizes) - min(sizes) <= len(sizes)


def test_a_star_keeps_its_hub_with_its_heaviest_neighbours() -> None:
    leaves = np.arange(1, 30)
    hierarchy = find_communities(np.zeros(29, np.int64), leaves, leaves.astype(float), 30)
    assert_hierarchy(hierarchy, 30, 10)
    hub = next(row for row in hierarchy.rows if row.level == 1 and 0 in row.members)
    assert hub.members.tolist() == [0, *range(21, 30)]


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -1.0])
def test_weights_that_cannot_be_clustered_are_refused(bad: float) -> None:
    with pytest.raises(TableError, match="weight"):
        find_communities(np.array([0, 1]), np.array([1, 2]), np.array([1.0, bad]), 3)


def test_edges_to_nodes_outside_the_graph_are_refused() -> None:
    with pytest.raises(TableError, match="nodes"):
        find_communities(np.array([0]), np.array([3]), np.array([1.0]), 3)


def test_options_out_of_range_are_refused() -> None:
    with pytest.raises(SettingsError, match="max_size"):
        find_communities(np.array([0]), np.array([1]), np.array([1.0]), 2, options=Options(max_size=0))


def test_the_first_level_is_what_graspologic_finds_in_the_list_of_edges() -> None:
    import graspologic_native

    for seed in range(8):
        edges = canonical_edges(*random_graph(seed, 200, 2), 200)
        named = [(str(a), str(b), w) for a, b, w in zip(*(column.tolist() for column in edges), strict=True)]
        _, found = graspologic_native.leiden(named, None, 1.0, 0.001, ITERATIONS, True, SEED, 1)
        labels = first_level(edges, 200, Options())
        met = [int(node) for node in found]
        assert sorted(met) == np.flatnonzero(labels >= 0).tolist()
        pairs = {(found[str(node)], int(labels[node])) for node in met}
        assert len(pairs) == len({one for one, _ in pairs}) == len({other for _, other in pairs})


def test_the_package_graspologic_finds_the_same_communities_on_every_level() -> None:
    pytest.importorskip("graspologic", reason="the extra graspologic is not installed: it needs numpy below 2")
    for seed, n, density in ((1, 60, 1.5), (2, 300, 2), (3, 1500, 3), (4, 20, 5)):
        graph = random_graph(seed, n, density)
        native, package = (find_communities(*graph, n, options=Options(engine=engine)) for engine in ENGINES)
        assert np.array_equal(native.labels, package.labels)


def test_the_package_graspologic_is_asked_for_before_anything_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clusterers, "find_spec", lambda name: None)
    with pytest.raises(SettingsError, match="package graspologic is not installed") as caught:
        run_index(project(tmp_path, {"a.txt": "Ada met Bob."}, communities={"engine": "graspologic"}))
    assert "pip install 'graphstrata[graspologic]'" in caught.value.fix


def test_more_iterations_do_not_lose_modularity() -> None:
    source, target, weight = random_graph(1, 2000, 3)
    reached = [
        modularity(
            source,
            target,
            weight,
            find_communities(source, target, weight, 2000, options=Options(iterations=n)).labels[0],
        )
        for n in (1, 10)
    ]
    assert reached[1] >= reached[0]


def test_the_hash_seed_does_not_matter() -> None:
    code = (
        "import hashlib, numpy as np\n"
        "from pipeline.graph.leiden import find_communities\n"
        "r = np.random.default_rng(0)\n"
        "h = find_communities(r.integers(0, 300, 900), r.integers(0, 300, 900), r.random(900), 300)\n"
        "print(hashlib.sha256(h.labels.tobytes()).hexdigest())"
    )
    root = ROOT
    hashes = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(root)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(hashes) == 1


def test_each_level_is_reported_before_it_is_found() -> None:
    said: list[str] = []
    size = 40
    pairs = [(a, b) for a in range(size) for b in range(a)]
    source, target = (np.array(ends, np.int64) for ends in zip(*pairs, strict=True))
    found = find_communities(
        source, target, np.ones(len(pairs)), size, options=Options(max_size=10), report=said.append
    )
    assert said[0] == f"communities of {size} entities with {len(pairs)} pairs: level 0"
    assert said[1] == "level 1: 1 communities are split" and len(said) == found.n_levels
