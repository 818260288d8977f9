"""Stable communities: the last partition is kept, what is new joins it, and only what overflows or broke is split again.

A fresh clustering after one percent of new edges changes about half of all communities, and with each the report that
a model was paid for. Keeping the partition leaves more than nine tenths of them as they were, at a modularity that is
compared with a fresh one each time.
"""

from dataclasses import dataclass

import numpy as np

from pipeline.base.arrow.columns import BoolArray, FloatArray, IntArray
from pipeline.base.errors import PlanError
from pipeline.graph.attach_nodes import join_neighbours, place_lone, strays
from pipeline.graph.edges import Edges, canonical_edges, modularity
from pipeline.graph.hierarchy import Hierarchy, numbered
from pipeline.graph.leiden import DEFAULTS, Options, checked, first_level, refine, split

TOLERANCE = 0.01


@dataclass(frozen=True)
class StableReport:
    """What an update did to the communities of before, and what it cost in modularity."""

    kept: int
    """Communities with exactly the members they had."""
    changed: int
    """Communities of before that won or lost members."""
    created: int
    """Communities that are new."""
    dissolved: int
    """Communities of before that are gone."""
    joined: int
    """Nodes that joined a community of level 0: new ones, and those whose own community broke."""
    split: int
    """Leaves that had grown beyond the size and were split one level down."""
    modularity: float
    """Of the kept partition at level 0."""
    fresh_modularity: float | None
    """Of a fresh partition; None when it was not asked for."""
    tolerance: float
    """The loss that is accepted."""

    @property
    def loss(self) -> float | None:
        """Share of the fresh modularity that keeping the partition costs; below 0 when the kept one is better."""
        if self.fresh_modularity is None:
            return None
        return 1 - self.modularity / self.fresh_modularity if self.fresh_modularity > 0 else 0.0

    @property
    def stale(self) -> bool:
        """Whether the loss is above the tolerance, so that communities should be found afresh."""
        return self.loss is not None and self.loss > self.tolerance


def update_communities(
    previous: Hierarchy,
    moved: IntArray,
    source: IntArray,
    target: IntArray,
    weight: FloatArray,
    n_nodes: int,
    *,
    options: Options = DEFAULTS,
    groups: IntArray | None = None,
    tolerance: float = TOLERANCE,
    compare: bool = True,
) -> tuple[Hierarchy, StableReport]:
    """Return the previous hierarchy fitted to the graph of now, and what was done.

    ``moved`` gives for each node of ``previous`` its number now, -1 when it is gone; the other arguments are those of
    ``find_communities``, and the promises about partition, nesting, leaf size and order are the same. On every level
    down to the leaf a new node joins the community to which the weights of its edges sum highest (ties: the smaller
    number). A community whose members no longer hang together keeps its largest piece; the nodes of other pieces join
    anew, as new ones do, except that a piece above ``max_size`` becomes a community of its own with all it contains. Leaves above ``max_size``
    are split as in ``find_communities``. A community down to half of ``max_size`` is no longer split further, and a
    community is not repeated as its own only child. When nothing changed since a fresh clustering, nothing moves.

    A community keeps its number as long as it lives; new ones are numbered on from the greatest of before. Use
    ``find_communities`` instead when the options changed, or when the report says ``stale``; ``compare=False`` saves
    the fresh partition that this is judged by.
    """
    checked(options)
    edges = canonical_edges(source, target, weight, n_nodes)
    before = _carried(previous, moved, n_nodes)
    first = int(previous.labels.max(initial=-1)) + 1
    levels = _settled(edges, before, options, groups)
    hierarchy = numbered(_used(refine(edges, levels, options)), first)
    report = StableReport(
        *_fates(previous, before, hierarchy),
        joined=int(((hierarchy.cover(0) != before[0]) & (hierarchy.cover(0) < first)).sum()),
        split=_count_overfull(levels, options.max_size),
        modularity=modularity(*edges, hierarchy.cover(0), options.resolution),
        fresh_modularity=modularity(*edges, first_level(edges, n_nodes, options), options.resolution)
        if compare
        else None,
        tolerance=tolerance,
    )
    return hierarchy, report


def _carried(previous: Hierarchy, moved: IntArray, n_nodes: int) -> list[IntArray]:
    """Return the labels of the previous levels (at least one) over the nodes of now, -1 for those that are new."""
    moved = np.asarray(moved, np.int64)
    here = np.flatnonzero(moved >= 0)
    if len(moved) != previous.n_nodes or len(np.unique(moved[here])) < len(here) or moved.max(initial=-1) >= n_nodes:
        raise PlanError(
            f"{len(moved)} new numbers for the {previous.n_nodes} nodes of the previous communities",
            f"each must be given its own number below {n_nodes}, or -1",
            "build it from the ids of both runs, as carried_hierarchy does",
        )
    labels = np.full((max(previous.n_levels, 1), n_nodes), -1, np.int64)
    labels[: previous.n_levels, moved[here]] = previous.labels[:, here]
    return list(labels)


def _settled(edges: Edges, levels: list[IntArray], options: Options, groups: IntArray | None) -> list[IntArray]:
    """Return levels on which every node has its place: each community connected, or cut by size from a whole one."""
    linked = np.zeros(len(levels[0]), bool)
    linked[edges.source] = linked[edges.target] = True
    lone = np.flatnonzero(~linked)
    levels = _unplaced(_unplaced(levels, strays(edges, levels[0], options.resolution), 0), lone, 1)
    levels[0] = place_lone(levels[0], lone, groups, options.max_size, _unused(levels))
    for level in range(len(levels)):
        parents = np.where(linked, levels[level - 1] if level else 0, -1)
        levels = _settle(edges, levels, level, parents, options)
    return _pruned(levels, options.max_size)


def _settle(edges: Edges, levels: list[IntArray], level: int, parents: IntArray, options: Options) -> list[IntArray]:
    """Repair the communities of one level within their parents, then let the nodes without a place join them."""
    levels = _nested(levels, level, parents) if level else levels
    levels = _repaired(edges, levels, level, parents, options)
    labels = levels[level]
    divided = np.isin(parents, parents[labels >= 0]) if level else True
    within = np.where(divided, parents, -1)
    labels = join_neighbours(edges, labels, within)
    parts = split(edges, np.where(labels < 0, within, -1), options, cut=False)
    levels[level] = np.where(parts >= 0, _unused(levels) + parts, labels)
    return levels


def _nested(levels: list[IntArray], level: int, parents: IntArray) -> list[IntArray]:
    """Give a community whose members now are under several parents a new number under all but its main one."""
    labels = levels[level]
    nodes = np.flatnonzero(labels >= 0)
    pieces = _numbers(labels[nodes], parents[nodes])
    main = _main_pieces(labels[nodes], pieces)
    levels[level] = _renamed(labels, nodes, np.where(main, -1, pieces), _unused(levels))
    return levels


def _repaired(edges: Edges, levels: list[IntArray], level: int, parents: IntArray, options: Options) -> list[IntArray]:
    """Take apart what no longer hangs together: large pieces get a number of their own, small ones lose their place."""
    labels = levels[level]
    nodes = np.flatnonzero((labels >= 0) & (parents >= 0))
    pieces = _numbers(labels[nodes], _components(edges, labels)[nodes])
    main = _main_pieces(labels[nodes], pieces)
    if level and not main.all():
        main |= np.isin(parents[nodes], _whole(edges, parents, np.unique(parents[nodes[~main]]), options))
    large = np.bincount(pieces)[pieces] > options.max_size if len(pieces) else main
    levels[level] = _renamed(labels, nodes, np.where(main | ~large, -1, pieces), _unused(levels))
    return _unplaced(levels, nodes[~main & ~large], level)


def _whole(edges: Edges, parents: IntArray, suspects: IntArray, options: Options) -> IntArray:
    """Return those of the suspects that Leiden leaves whole: their children were cut by size and need not hang together."""
    parts = split(edges, np.where(np.isin(parents, suspects), parents, -1), options, cut=False)
    asked = np.flatnonzero(parts >= 0)
    _, first = np.unique(parts[asked], return_index=True)
    given, counts = np.unique(parents[asked][first], return_counts=True)
    whole: IntArray = given[counts == 1]
    return whole


def _pruned(levels: list[IntArray], max_size: int) -> list[IntArray]:
    """Drop what lies below communities of at most half of ``max_size``, and children that repeat their parent."""
    levels = list(levels)
    for level in range(1, len(levels)):
        parents = _sizes(levels[level - 1])
        levels = _unplaced(levels, np.flatnonzero(parents <= max_size // 2), level)
        while (same := (levels[level] >= 0) & (_sizes(levels[level]) == parents)).any():
            below = [*levels[level + 1 :], np.full_like(same, -1, np.int64)]
            levels[level:] = [np.where(same, lower, upper) for upper, lower in zip(levels[level:], below, strict=True)]
    return levels


def _used(levels: list[IntArray]) -> list[IntArray]:
    """Drop levels on which no node has a place."""
    return [labels for labels in levels if (labels >= 0).any()]


def _fates(previous: Hierarchy, before: list[IntArray], hierarchy: Hierarchy) -> tuple[int, int, int, int]:
    """Count the communities that were kept, changed, created and dissolved."""
    old, old_counts = np.unique(previous.labels[previous.labels >= 0], return_counts=True)
    new, new_counts = np.unique(hierarchy.labels[hierarchy.labels >= 0], return_counts=True)
    both = np.intersect1d(_pairs(np.array(before)), _pairs(hierarchy.labels)) // max(hierarchy.n_nodes, 1)
    common, common_counts = np.unique(both, return_counts=True)
    alive = np.intersect1d(old, new)
    shared = np.zeros(len(alive), np.int64)
    shared[np.searchsorted(alive, common)] = common_counts
    same = (old_counts[np.isin(old, alive)] == shared) & (new_counts[np.isin(new, alive)] == shared)
    kept = int(same.sum())
    return kept, len(alive) - kept, len(new) - len(alive), len(old) - len(alive)


def _pairs(labels: IntArray) -> IntArray:
    """Return one number for each node and community it is in."""
    _, nodes = np.nonzero(labels >= 0)
    pairs: IntArray = labels[labels >= 0] * labels.shape[1] + nodes
    return pairs


def _components(edges: Edges, labels: IntArray) -> IntArray:
    """Return for each node a number of the connected piece it is in, over the edges inside labels."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    inside = (labels[edges.source] == labels[edges.target]) & (labels[edges.source] >= 0)
    ends = (edges.source[inside], edges.target[inside])
    graph = coo_matrix((np.ones(len(ends[0]), np.int8), ends), shape=(len(labels), len(labels)))
    pieces: IntArray = connected_components(graph, directed=False)[1].astype(np.int64)
    return pieces


def _numbers(labels: IntArray, others: IntArray) -> IntArray:
    """Number the distinct pairs of a label and another number from 0 on, in ascending order."""
    return np.unique(labels * (others.max(initial=0) + 1) + others, return_inverse=True)[1].astype(np.int64)


def _main_pieces(labels: IntArray, pieces: IntArray) -> BoolArray:
    """Return whether each node is in the largest piece of its label (ties: the one of the smallest node)."""
    if not len(labels):
        return np.zeros(0, bool)
    _, first, counts = np.unique(pieces, return_index=True, return_counts=True)
    order = np.lexsort((first, -counts, labels[first]))
    main = order[np.diff(labels[first][order], prepend=-1) != 0]
    return np.isin(pieces, main)


def _renamed(labels: IntArray, nodes: IntArray, pieces: IntArray, unused: int) -> IntArray:
    """Return labels where ``nodes`` of pieces from 0 up have a label of their own piece, from ``unused`` on."""
    result = labels.copy()
    given = np.flatnonzero(pieces >= 0)
    result[nodes[given]] = unused + np.unique(pieces[given], return_inverse=True)[1]
    return result


def _unplaced(levels: list[IntArray], nodes: IntArray, level: int) -> list[IntArray]:
    """Return levels on which ``nodes`` have no place from ``level`` down."""
    result = [labels.copy() for labels in levels]
    for labels in result[level:]:
        labels[nodes] = -1
    return result


def _unused(levels: list[IntArray]) -> int:
    return max(int(labels.max(initial=-1)) for labels in levels) + 1


def _sizes(labels: IntArray) -> IntArray:
    """Return for each node how many nodes have its label."""
    _, place, counts = np.unique(labels, return_inverse=True, return_counts=True)
    sizes: IntArray = counts[place].astype(np.int64)
    return sizes


def _count_overfull(levels: list[IntArray], max_size: int) -> int:
    leaves = Hierarchy(np.array(levels)).leaves()
    return int((np.unique(leaves, return_counts=True)[1] > max_size).sum())
