"""pipeline/retrieval/pagerank.py: personalised PageRank on passages and names."""

from unittest import mock

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.retrieval import pagerank
from pipeline.retrieval.pagerank import DAMPING, ITERATIONS, RandomWalk

N_NAMES = 5
GRAPHS = st.lists(
    st.dictionaries(st.integers(0, N_NAMES - 1), st.floats(0.1, 5.0), max_size=N_NAMES), min_size=1, max_size=6
)


def walk_on(graph: list[dict[int, float]]) -> RandomWalk:
    offsets = np.cumsum([0, *(len(row) for row in graph)])
    names = np.array([name for row in graph for name in sorted(row)], dtype=np.int64)
    weights = np.array([row[name] for row in graph for name in sorted(row)])
    return RandomWalk(offsets, names, weights, N_NAMES)


def visits(walk: RandomWalk, names: dict[int, float]) -> np.ndarray:
    at_names = np.zeros(N_NAMES)
    at_names[list(names)] = list(names.values())
    return walk.spread_from(np.zeros(walk.n_passages), at_names)


@settings(deadline=None, max_examples=60)
@given(GRAPHS, st.integers(0, N_NAMES - 1))
def test_visits_are_those_of_the_plain_definition(graph: list[dict[int, float]], name: int) -> None:
    n = len(graph)
    weights = np.zeros((n, N_NAMES))
    for row, names in enumerate(graph):
        weights[row, list(names)] = list(names.values())
    weights *= np.log1p(n / np.maximum((weights > 0).sum(axis=0), 1))
    to_names = weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-12)
    to_passages = weights / np.maximum(weights.sum(axis=0), 1e-12)
    start = np.eye(N_NAMES)[name]
    passages, at = np.zeros(n), start
    for _ in range(ITERATIONS):
        passages, at = DAMPING * to_passages @ at, (1 - DAMPING) * start + DAMPING * to_names.T @ passages
    found = visits(walk_on(graph), {name: 3.0})
    assert np.allclose(found, passages, atol=1e-5)


def test_a_step_over_all_edges_and_one_from_few_sources_agree_to_the_last_bit() -> None:
    chance = np.random.default_rng(0)
    sources = np.sort(chance.integers(0, 40, 400))
    targets, shares, at = chance.integers(0, 60, 400), chance.random(400), chance.random(40)
    with mock.patch.object(pagerank, "TABLE", 3):
        edges = pagerank._Edges(sources, targets, shares, 40, 60)
    plain = np.bincount(targets, shares * at[sources], 60)
    assert np.array_equal(edges.step(at), plain)
    with mock.patch.object(pagerank, "FEW", 0):  # always from few
        assert np.array_equal(edges.step(at), plain)


def test_visits_together_are_at_most_one_and_nothing_named_is_no_visit() -> None:
    walk = walk_on([{0: 1.0, 1: 2.0}, {1: 1.0}, {}])
    found = visits(walk, {0: 5.0})
    assert 0 < found.sum() <= 1 and found[2] == 0 and not visits(walk, {}).any()


def test_a_passage_is_reached_through_a_rare_name_rather_than_through_a_hub() -> None:
    hub, rare, asked = 0, 1, 2
    graph = [{hub: 1.0, rare: 1.0, asked: 1.0}, {rare: 1.0}, *[{hub: 1.0}] * 8]
    found = visits(walk_on(graph), {asked: 1.0})
    assert found[1] > found[2]


def test_an_empty_graph_gives_no_visits() -> None:
    empty = RandomWalk(np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0), 0)
    assert empty.spread_from(np.zeros(0), np.zeros(0)).shape == (0,)
