"""Where the map draws each entity: communities as nested disks, and what did not change since the last layout stays there."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pipeline.base.arrow.columns import BoolArray, FloatArray, IntArray
from pipeline.graph.disk_packing import enclosing, pack, reach
from pipeline.graph.edges import Edges

SPACING = 0.9
"""Entities of a leaf lie on a spiral around its centre: the i-th at this times the root of i, a golden angle from the last."""
GOLDEN = np.pi * (3 - np.sqrt(5))
MARGIN = 0.8
"""Room between the centre of an outermost entity and the edge of its disk."""
GAP = 1.03
"""Disks are packed as if so much wider, so that they lie apart."""
SLACK = 1.04
"""A disk is drawn so much wider than its content, so that one more entity need not move its neighbours."""
SHRUNK = 0.6
"""A disk whose content needs less than this share of it is drawn anew."""
DECIMALS = 3


class Disk(NamedTuple):
    """A community on the map."""

    x: float
    y: float
    radius: float


@dataclass(frozen=True, eq=False)
class Layout:
    """``nodes`` holds x and y of each node (n, 2), NaN where it is not known; ``disks`` those of communities by number.

    The unit is about the distance between neighbours in a leaf. Nothing is scaled to a frame: places would move with it.
    """

    nodes: FloatArray
    disks: dict[int, Disk]


@dataclass(frozen=True, eq=False)
class Before:
    """The last layout, as the nodes of now see it: ``labels`` (levels, n) are the communities of then, -1 for a node that
    was not there; ``layout.nodes`` is NaN for it."""

    labels: IntArray
    layout: Layout


Links = tuple[IntArray, IntArray, FloatArray]
"""Pairs of disks, and the weight of each."""


class _Forest:
    """Communities as numbers 0..m-1, level by level, with parents; nodes that are left out by the children of their
    community, as in indexes of other programs, have one of their own there."""

    def __init__(self, labels: IntArray) -> None:
        levels = []
        self.number: list[int] = []
        self.parent: list[int] = []
        above = np.full(labels.shape[1], -1, np.int64)
        for level, given in enumerate(labels if len(labels) else np.full((1, labels.shape[1]), -1, np.int64)):
            divided = (above >= 0) & np.isin(above, above[given >= 0]) if level else np.ones(len(above), bool)
            inside = np.flatnonzero(divided)
            keys = np.where(given >= 0, given, -2 - above)[inside]
            found, first, at = np.unique(keys, return_index=True, return_inverse=True)
            own = np.full(len(above), -1, np.int64)
            own[inside] = len(self.number) + at
            self.number += np.maximum(found, -1).tolist()
            self.parent += above[inside][first].tolist()
            levels.append(own)
            above = own
        self.labels = np.array(levels)
        self.leaf = np.full(labels.shape[1], -1, np.int64)
        for own in self.labels:
            self.leaf = np.where(own >= 0, own, self.leaf)
        self.children: dict[int, list[int]] = {}
        for community, parent in enumerate(self.parent):
            self.children.setdefault(parent, []).append(community)


def lay_out(labels: IntArray, edges: Edges, degree: IntArray, before: Before | None = None) -> Layout:
    """Return where the nodes and communities of a graph are drawn.

    ``labels`` (levels, n) are those of a ``Hierarchy``. The entities of a leaf are on a spiral, the best connected in the
    middle; communities under one parent lie side by side, those that many edges join near each other. With ``before`` a
    community that kept most of its members keeps its place in its parent, and an entity that stayed in its leaf its place
    there: what is new takes the nearest room that is free, and a disk moves only when it has outgrown its room.
    """
    if not len(degree):
        return Layout(np.zeros((0, 2)), {})
    forest = _Forest(np.asarray(labels, np.int64).reshape(-1, len(degree)))
    carried = _Carried(forest, before)
    slots = _slots(forest, degree, carried)
    arranged = _Arrangement(forest, carried, _links(forest, edges), slots)
    angle = slots * GOLDEN
    spiral = SPACING * np.sqrt(slots)[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    values = np.round(np.column_stack([arranged.centre, arranged.radius]), DECIMALS)
    nodes = np.round(values[forest.leaf, :2] + spiral, DECIMALS)
    disks = {number: Disk(*value) for number, value in zip(forest.number, values.tolist(), strict=True) if number >= 0}
    return Layout(nodes, disks)


class _Carried:
    """What each community of now was in the last layout: the one with which it shares most members, if that holds both ways."""

    def __init__(self, forest: _Forest, before: Before | None) -> None:
        n = len(forest.number)
        self.centre = np.full((n, 2), np.nan)
        self.radius = np.zeros(n)
        self.node = np.full((forest.labels.shape[1], 2), np.nan)
        self._then = np.full(n, -1, np.int64)
        self._parent_then = np.full(n, -1, np.int64)
        self._parent = np.array(forest.parent, np.int64)
        if before is not None:
            for level in range(min(len(before.labels), len(forest.labels))):
                self._match(forest.labels[level], before.labels[: level + 1], before.layout)
            leaf = np.full(forest.labels.shape[1], -1, np.int64)
            for labels in before.labels:
                leaf = np.where(labels >= 0, labels, leaf)
            stayed = (leaf >= 0) & (leaf == self._then[forest.leaf])
            self.node[stayed] = before.layout.nodes[stayed] - self.centre[forest.leaf[stayed]]

    def _match(self, own: IntArray, labels: IntArray, layout: Layout) -> None:
        then = labels[-1]
        both = np.flatnonzero((own >= 0) & (then >= 0))
        if not len(both):
            return
        width = int(then.max()) + 1
        keys, first, counts = np.unique(own[both] * width + then[both], return_index=True, return_counts=True)
        now, old = keys // width, keys % width
        best = _first_of_each(now, counts) & _first_of_each(old, counts)
        for community, number, node in zip(now[best].tolist(), old[best].tolist(), both[first[best]], strict=True):
            if number in layout.disks:
                x, y, radius = layout.disks[number]
                self.centre[community], self.radius[community] = (x, y), radius
                self._then[community] = number
                self._parent_then[community] = labels[-2][node] if len(labels) > 1 else -1

    def offsets(self, children: IntArray) -> FloatArray:
        """Return where communities of one parent were in it, NaN for those that were elsewhere or nowhere."""
        parent = int(self._parent[children[0]])
        middle = self.centre[parent] if parent >= 0 else np.zeros(2)
        here = self._parent_then[children] == (self._then[parent] if parent >= 0 else -1)
        return np.where(here[:, None], self.centre[children] - middle, np.nan)

    def kept_radius(self, community: int, needed: float) -> float:
        """Return the radius of then where the content fits it, else a new one."""
        before = float(self.radius[community])
        return before if SHRUNK * before <= needed <= before else needed * SLACK


def _first_of_each(groups: IntArray, counts: IntArray) -> BoolArray:
    """Return whether each entry has the greatest count of its group (ties: the first)."""
    order = np.lexsort((np.arange(len(groups)), -counts, groups))
    best = np.zeros(len(groups), bool)
    best[order[np.diff(groups[order], prepend=-1) != 0]] = True
    return best


def _slots(forest: _Forest, degree: IntArray, carried: _Carried) -> IntArray:
    """Return for each node its place on the spiral of its leaf: the one it had, else the first that is free."""
    had = np.round(np.square(carried.node / SPACING).sum(axis=1))
    order = np.lexsort((np.arange(len(degree)), -degree, np.isnan(had), forest.leaf))
    slots = np.zeros(len(degree), np.int64)
    starts = np.flatnonzero(np.diff(forest.leaf[order], prepend=-1))
    for members in np.split(order, starts[1:]):
        kept = np.flatnonzero(~np.isnan(had[members]))
        taken = had[members[kept]].astype(np.int64)
        if not len(kept) or len(np.unique(taken)) < len(taken) or taken.max() > 2 * len(members):
            slots[members] = np.arange(len(members))
        else:
            slots[members[kept]] = taken
            free = np.setdiff1d(np.arange(len(members) + len(taken)), taken)
            slots[members[len(kept) :]] = free[: len(members) - len(kept)]
    return slots


def _links(forest: _Forest, edges: Edges) -> dict[int, Links]:
    """Return for each parent (-1 for the top) the links between its children, by their numbers, weights summed."""
    found: dict[int, Links] = {}
    size = len(forest.number)
    parent = np.array(forest.parent, np.int64)
    for own in forest.labels:
        a, b = own[edges.source], own[edges.target]
        between = (a >= 0) & (b >= 0) & (a != b)
        between[between] = parent[a[between]] == parent[b[between]]
        low, high = np.minimum(a, b)[between], np.maximum(a, b)[between]
        keys, at = np.unique(low * size + high, return_inverse=True)
        weight = np.bincount(at, edges.weight[between], minlength=len(keys)).astype(np.float64)
        order = np.argsort(parent[keys // size], kind="stable")
        parents, starts = np.unique(parent[keys // size][order], return_index=True)
        for group, rows in zip(parents.tolist(), np.split(order, starts)[1:], strict=True):
            found[group] = keys[rows] // size, keys[rows] % size, weight[rows]
    return found


class _Arrangement:
    """Radius and centre of every community: radii from the leaves up, centres from the top down."""

    def __init__(self, forest: _Forest, carried: _Carried, links: dict[int, Links], slots: IntArray) -> None:
        self._forest, self._carried, self._links = forest, carried, links
        outermost = np.zeros(len(forest.number))
        np.maximum.at(outermost, forest.leaf, slots)
        self.radius = np.zeros(len(forest.number))
        self.centre = np.zeros((len(forest.number), 2))
        for community in range(len(forest.number) - 1, -1, -1):  # children have greater numbers than parents
            if community in forest.children:
                needed = self._arrange(community)
            else:
                needed = SPACING * float(np.sqrt(outermost[community])) + MARGIN
            self.radius[community] = carried.kept_radius(community, needed)
        self._arrange(-1)
        for community, parent in enumerate(forest.parent):
            if parent >= 0:
                self.centre[community] += self.centre[parent]

    def _arrange(self, parent: int) -> float:
        """Place the children of a community around its centre, and return the radius that this needs."""
        children = np.array(self._forest.children[parent])
        radii = self.radius[children]
        was = self._carried.offsets(children)
        if 2 * np.isnan(was[:, 0]).sum() > len(children):
            was[:] = np.nan
        fixed = ~np.isnan(was[:, 0]) & (radii <= self._carried.radius[children])
        none = np.zeros(0, np.int64)
        a, b, weight = self._links.get(parent, (none, none, np.zeros(0)))
        links = np.searchsorted(children, a), np.searchsorted(children, b), weight
        centres = pack(radii * GAP, was, fixed, links)
        middle = enclosing(centres, radii) if parent >= 0 and np.isnan(was).all() else np.zeros(2)
        self.centre[children] = centres - middle
        return reach(centres - middle, radii) + MARGIN / 2
