"""Edges of an undirected weighted graph in one canonical order, checked, and the modularity of a partition of it."""

from typing import NamedTuple

import numpy as np

from pipeline.base.arrow.columns import FloatArray, IntArray
from pipeline.base.errors import TableError


class Edges(NamedTuple):
    """Undirected edges in canonical form: source < target, each pair once, ascending, every weight above 0."""

    source: IntArray
    target: IntArray
    weight: FloatArray


def canonical_edges(source: IntArray, target: IntArray, weight: FloatArray, n_nodes: int) -> Edges:
    """Return edges in canonical form, self-loops and zero weights left out.

    Parallel edges are summed in ascending order of weight, since float sums depend on the order. Raises TableError for
    weights that are not finite and 0 or more, or whose sum is not finite, and for nodes outside 0..n_nodes-1.
    """
    source, target, weight = np.asarray(source, np.int64), np.asarray(target, np.int64), np.asarray(weight, np.float64)
    _check(source, target, weight, n_nodes)
    low, high = np.minimum(source, target), np.maximum(source, target)
    used = (low != high) & (weight > 0)
    pair, weight = low[used] * n_nodes + high[used], weight[used]
    order = np.lexsort((weight, pair))
    pair, weight = pair[order], weight[order]
    starts = np.flatnonzero(np.diff(pair, prepend=-1))
    low, high = np.divmod(pair[starts], max(n_nodes, 1))
    return Edges(low, high, np.add.reduceat(weight, starts) if len(starts) else weight)


def modularity(
    source: IntArray, target: IntArray, weight: FloatArray, labels: IntArray, resolution: float = 1.0
) -> float:
    """Return Newman's modularity of a partition (``labels`` per node), -0.5 to 1; 0 for a graph without edges."""
    edges = canonical_edges(source, target, weight, len(labels))
    total = edges.weight.sum()
    if not total:
        return 0.0
    _, part = np.unique(labels, return_inverse=True)
    inside = edges.weight[part[edges.source] == part[edges.target]].sum()
    ends = np.bincount(np.concatenate([part[edges.source], part[edges.target]]), np.tile(edges.weight, 2))
    return float(inside / total - resolution * np.square(ends / (2 * total)).sum())


def _check(source: IntArray, target: IntArray, weight: FloatArray, n_nodes: int) -> None:
    bad = ~np.isfinite(weight) | (weight < 0)
    if bad.any():
        raise TableError(
            f"{int(bad.sum())} of {len(weight)} edges have a weight such as {weight[bad][0]}",
            "weights are finite numbers of 0 or more; others would turn communities into single nodes in silence",
            "fix the stage that wrote the relationships",
        )
    with np.errstate(over="ignore"):
        total = weight.sum()
    if not np.isfinite(total):
        raise TableError(
            f"{len(weight)} edge weights sum to {total}",
            "modularity compares sums of weights, so they must stay finite",
            "scale the weights down in the stage that wrote the relationships",
        )
    ends = np.concatenate([source, target])
    if len(ends) and (ends.min() < 0 or ends.max() >= n_nodes):
        raise TableError(
            f"edges name nodes {ends.min()} to {ends.max()}, and there are {n_nodes} nodes",
            "every source and target of a relationship is an entity",
            "fix the stage that wrote the relationships",
        )
