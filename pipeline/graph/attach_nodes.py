"""Where nodes without a community go: to their best neighbours, or, without edges, to those of their group."""

import numpy as np

from pipeline.base.arrow.columns import FloatArray, IntArray
from pipeline.graph.edges import Edges
from pipeline.graph.leiden import group_lone

ROUNDS = 16
"""Nodes join in rounds, each by neighbours placed before; those further away than this make communities of their own."""


def join_neighbours(edges: Edges, labels: IntArray, within: IntArray) -> IntArray:
    """Return labels where nodes without one have that of the best neighbours in the same ``within`` (-1: left alone)."""
    labels = labels.copy()
    near = (within[edges.source] == within[edges.target]) & (within[edges.source] >= 0)
    a = np.concatenate([edges.source[near], edges.target[near]])
    b = np.concatenate([edges.target[near], edges.source[near]])
    weight = np.tile(edges.weight[near], 2)
    for _ in range(ROUNDS):
        open_end = labels[a] < 0
        a, b, weight = a[open_end], b[open_end], weight[open_end]
        ready = labels[b] >= 0
        if not ready.any():
            break
        nodes, best, _ = _best(a[ready], labels[b[ready]], weight[ready])
        labels[nodes] = best
    return labels


def _best(nodes: IntArray, labels: IntArray, weight: FloatArray) -> tuple[IntArray, IntArray, FloatArray]:
    """Return each distinct node, the label its weights sum highest to (ties: the smaller label), and that sum."""
    order = np.lexsort((labels, nodes))
    nodes, labels, weight = nodes[order], labels[order], weight[order]
    starts = np.flatnonzero((np.diff(nodes, prepend=-1) != 0) | (np.diff(labels, prepend=-1) != 0))
    nodes, labels, sums = nodes[starts], labels[starts], np.add.reduceat(weight, starts)
    order = np.lexsort((labels, -sums, nodes))
    order = order[np.diff(nodes[order], prepend=-1) != 0]
    return nodes[order], labels[order], sums[order]


def strays(edges: Edges, labels: IntArray, resolution: float) -> IntArray:
    """Return nodes that have edges, but none into their community, and should leave it: because others are there, or,
    alone, because Leiden would move them, too (joining their best neighbours raises modularity)."""
    given, place, counts = np.unique(labels, return_inverse=True, return_counts=True)
    inside = labels[edges.source] == labels[edges.target]
    outer = labels >= 0
    outer[edges.source[inside]] = outer[edges.target[inside]] = False
    alone = outer & (counts[place] == 1)
    a, b = np.concatenate([edges.source, edges.target]), np.concatenate([edges.target, edges.source])
    weight = np.tile(edges.weight, 2)
    touched = alone[a] & (labels[b] >= 0)
    nodes, best, gained = _best(a[touched], labels[b[touched]], weight[touched])
    strength = np.bincount(a, weight, minlength=len(labels))
    whole = np.bincount(place, strength)[np.searchsorted(given, best)]
    movable = nodes[gained * strength.sum() > resolution * strength[nodes] * whole]
    return np.concatenate([np.flatnonzero(outer & ~alone & (strength > 0)), movable])


def place_lone(labels: IntArray, lone: IntArray, groups: IntArray | None, max_size: int, unused: int) -> IntArray:
    """Return level 0 with a place for every node without edges: the one it has when all there are alike, or one with
    room among those of its group, or a new one."""
    group = np.zeros(len(labels), np.int64) if groups is None else np.asarray(groups)
    taken = set(np.delete(labels, lone).tolist()) | {-1}
    size: dict[int, int] = {}
    kind: dict[int, int] = {}
    homeless = []
    for node, label, own in zip(lone.tolist(), labels[lone].tolist(), group[lone].tolist(), strict=True):
        if label in taken or kind.setdefault(label, own) != own or size.get(label, 0) == max_size:
            homeless.append(node)
        else:
            size[label] = size.get(label, 0) + 1
    room: dict[int, list[int]] = {}
    for label in sorted(size, reverse=True):
        room.setdefault(kind[label], []).extend([label] * (max_size - size[label]))
    result = labels.copy()
    found = [rooms.pop() if (rooms := room.get(int(group[node]), [])) else -1 for node in homeless]
    result[homeless] = found
    new = np.array(homeless, np.int64)[np.array(found, np.int64) < 0]
    result[new] = unused + group_lone(new, groups, max_size)
    return result
