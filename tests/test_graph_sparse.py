"""Products and components of sparse arrays are those of the dense ones."""

import networkx as nx
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.graph import sparse
from pipeline.graph.sparse import SparseRows, connected_components


@settings(deadline=None, max_examples=80)
@given(
    st.integers(0, 2**32 - 1), st.integers(0, 6), st.integers(1, 6), st.integers(1, 4), st.sampled_from([1, 3, 1 << 22])
)
def test_the_product_is_that_of_the_dense_matrix(
    seed: int, rows: int, columns: int, questions: int, at_once: int
) -> None:
    random = np.random.default_rng(seed)
    dense = random.random((rows, columns)) * (random.random((rows, columns)) < 0.4)
    at = [np.flatnonzero(row) for row in dense]
    offsets = np.concatenate([[0], np.cumsum([len(some) for some in at])]).astype(np.int64)
    names = np.concatenate([*at, np.zeros(0, np.int64)]).astype(np.int64)
    matrix = SparseRows(offsets, names, dense[dense != 0])
    right, left = random.random((columns, questions)), random.random((rows, questions))
    before, sparse.AT_ONCE = sparse.AT_ONCE, at_once
    try:
        np.testing.assert_allclose(matrix @ right.astype(np.float32), dense @ right, rtol=1e-4, atol=1e-6)
        np.testing.assert_allclose(
            matrix.transposed(columns) @ left.astype(np.float32), dense.T @ left, rtol=1e-4, atol=1e-6
        )
    finally:
        sparse.AT_ONCE = before


@settings(deadline=None, max_examples=80)
@given(st.integers(0, 2**32 - 1), st.integers(0, 30), st.integers(0, 40))
def test_nodes_have_one_label_exactly_when_a_path_joins_them(seed: int, n: int, edges: int) -> None:
    random = np.random.default_rng(seed)
    source, target = (random.integers(0, max(n, 1), edges if n else 0) for _ in range(2))
    graph = nx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from(zip(source.tolist(), target.tolist(), strict=True))
    labels = connected_components(source, target, n)
    for piece in nx.connected_components(graph):
        assert {int(labels[node]) for node in piece} == {min(piece)}


def test_a_long_path_is_one_piece() -> None:
    n = 20_000
    assert not connected_components(np.arange(n - 1), np.arange(1, n), n).any()
