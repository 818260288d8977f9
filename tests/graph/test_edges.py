"""Promises of canonical edges and of modularity."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.base.errors import TableError
from pipeline.graph.edges import canonical_edges, modularity
from tests.graph_cases import random_graph


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 10_000), st.integers(0, 60), st.sampled_from([0.5, 2, 8]))
def test_each_pair_occurs_once_in_order_with_the_sum_of_its_weights(seed: int, n: int, density: float) -> None:
    source, target, weight = random_graph(seed, n, density)
    edges = canonical_edges(source, target, weight, n)
    pairs = list(zip(edges.source.tolist(), edges.target.tolist(), strict=True))
    assert pairs == sorted(set(pairs)) and all(a < b for a, b in pairs)
    assert (edges.weight > 0).all()
    assert edges.weight.sum() == pytest.approx(weight[source != target].sum())


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10_000), st.integers(2, 50), st.sampled_from([1, 4]), st.sampled_from([0.5, 1.0, 2.0]))
def test_modularity_is_that_of_networkx(seed: int, n: int, density: float, resolution: float) -> None:
    source, target, weight = canonical_edges(*random_graph(seed, n, density), n)
    labels = np.random.default_rng(seed).integers(0, 4, n)
    graph = nx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_weighted_edges_from(zip(source.tolist(), target.tolist(), weight.tolist(), strict=True))
    ours = modularity(source, target, weight, labels, resolution)
    parts = [set(np.flatnonzero(labels == label).tolist()) for label in range(4)]
    expected = nx.community.modularity(graph, parts, resolution=resolution) if len(source) else 0.0
    assert ours == pytest.approx(expected)


def test_a_graph_without_edges_has_modularity_zero() -> None:
    assert modularity(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0), np.arange(3)) == 0.0


def test_weights_whose_sum_overflows_are_refused() -> None:
    with pytest.raises(TableError, match="sum to inf"):
        canonical_edges(np.array([0, 0]), np.array([1, 2]), np.array([1e308, 1e308]), 3)
