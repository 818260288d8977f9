"""Graphs that the tests of the graph wing share, and the invariants that every hierarchy of communities keeps."""

import numpy as np

from pipeline.base.arrow.columns import FloatArray, IntArray
from pipeline.graph.hierarchy import Hierarchy

Arrays = tuple[IntArray, IntArray, FloatArray]


def random_graph(seed: int, n: int, density: float) -> Arrays:
    """Return the edges of a graph with dense and thin regions, hubs, lone nodes and several components."""
    rng = np.random.default_rng(seed)
    m = int(n * density)
    if n == 0:
        return np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0)
    source = (rng.random(m) ** 2 * n).astype(np.int64)
    near = np.minimum(source + rng.integers(0, 8, m), n - 1)
    target = np.where(rng.random(m) < 0.8, near, rng.integers(0, n, m))
    return source, target, rng.integers(0, 5, m) / 2


def assert_hierarchy(hierarchy: Hierarchy, n: int, max_size: int) -> None:
    """Check every invariant of DESIGN sections 4 and 7 that does not need the edges."""
    assert hierarchy.n_nodes == n
    labels = hierarchy.labels
    assert not n or (labels[0] >= 0).all(), "level 0 covers every node"
    assert all((np.diff(row.members) > 0).all() for row in hierarchy.rows)
    numbers = [row.community for row in hierarchy.rows]
    assert len(set(numbers)) == len(numbers)
    parents = {row.community: row for row in hierarchy.rows}
    children: dict[int, list[int]] = {}
    for row in hierarchy.rows:
        assert (row.level == 0) == (row.parent == -1)
        if row.parent != -1:
            assert parents[row.parent].level == row.level - 1
            children.setdefault(row.parent, []).extend(row.members.tolist())
            assert len(row.members) < len(parents[row.parent].members)
    for number, members in children.items():
        assert sorted(members) == parents[number].members.tolist(), "children cover their parent, nobody twice"
    for row in hierarchy.rows:
        assert len(row.members) <= max_size or row.community in children
    assert (hierarchy.leaves() >= 0).all()


def planted_graph(seed: int, n: int, m: int) -> Arrays:
    """Return edges of a graph of power-law degrees whose nodes are in groups of about 25 that most edges stay in."""
    rng = np.random.default_rng(seed)
    share = rng.permutation(np.arange(1, n + 1) ** -0.5)
    source = rng.choice(n, m, p=share / share.sum())
    group = rng.permutation(n) // 25
    order = np.argsort(group, kind="stable")
    first = np.searchsorted(group[order], np.arange(group.max() + 2))
    width = first[group[source] + 1] - first[group[source]]
    inside = order[first[group[source]] + (rng.random(m) * width).astype(np.int64)]
    target = np.where(rng.random(m) < 0.8, inside, rng.choice(n, m, p=share / share.sum()))
    used = source != target
    pairs = np.unique(np.minimum(source, target)[used] * n + np.maximum(source, target)[used])
    return pairs // n, pairs % n, np.ones(len(pairs))
