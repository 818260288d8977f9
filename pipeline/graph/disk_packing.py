"""Places disks side by side without overlap, each as near as possible to where it is wanted; those that are fixed stay."""

import heapq
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from math import sqrt
from operator import itemgetter

import numpy as np
import numpy.typing as npt

from pipeline.base.arrow.columns import BoolArray, FloatArray, IntArray

FINEST = 0.35
"""Width of a cell of the grid, as a share of the smallest disk."""
MOST_CELLS = 1200
"""Cells of a side of the grid, at most."""
STEPS = 60
"""Steps by which the centre of an enclosing circle is approached: it is then within a few percent of the radius."""
FEW = 12
"""Disks up to which arrays take longer than the same steps in Python."""
COARSE = 4
"""Of so many cells of a row or column one is looked at where the distance of a free one is estimated."""
SCANNED = 1024
"""Cells that are looked at together where a disk is wanted at the centre."""
RINGS = 64
"""Cells from the middle as far as which these are put in order at first; then twice as far, and so on."""


def pack(
    radii: FloatArray, before: FloatArray, fixed: BoolArray, links: tuple[IntArray, IntArray, FloatArray]
) -> FloatArray:
    """Return centres (k, 2) of k disks that do not overlap.

    ``before`` (k, 2) holds where a disk was, NaN for a new one; ``fixed`` ones stay there, which must be free of overlap,
    and another that was somewhere is placed as near to it as there is room. New ones go to the weighted middle of those
    that ``links`` (two disks and a weight each) join them to, the best joined first, and without any to the centre.
    """
    grid = _Grid(radii, before, fixed)
    centres = np.full((len(radii), 2), np.nan)
    for disk in np.flatnonzero(fixed).tolist():
        centres[disk] = before[disk]
        grid.occupy(before[disk], radii[disk])
    moved = np.flatnonzero(~fixed & ~np.isnan(before[:, 0]))
    for disk in moved[np.argsort(-radii[moved], kind="stable")].tolist():
        centres[disk] = grid.nearest(before[disk], radii[disk])
    for disk, wanted in _by_links(radii, centres, links):
        centres[disk] = grid.nearest(wanted, radii[disk]) if wanted is not None else grid.central(radii[disk])
    return centres


def enclosing(centres: FloatArray, radii: FloatArray) -> FloatArray:
    """Return about the centre of the smallest circle around all disks: each step goes towards the farthest point of them,
    by less each time (Bădoiu and Clarkson 2003)."""
    if len(centres) > FEW:
        centre: FloatArray = centres[0]
        for step in range(2, STEPS):
            away = centres - centre
            distance = np.sqrt(away[:, 0] ** 2 + away[:, 1] ** 2)
            far = int(np.argmax(distance + radii))
            if distance[far] > 0:
                centre = centre + away[far] * ((1 + radii[far] / distance[far]) / step)
        return centre
    disks = [(x, y, radius) for (x, y), radius in zip(centres.tolist(), radii.tolist(), strict=True)]
    x, y, _ = disks[0]
    for step in range(2, STEPS if len(disks) > 1 else 0):
        ends = [(sqrt((a - x) ** 2 + (b - y) ** 2) + radius, a - x, b - y, radius) for a, b, radius in disks]
        end, right, up, radius = max(ends, key=itemgetter(0))
        if end > radius:
            share = (1 + radius / (end - radius)) / step
            x, y = x + right * share, y + up * share
    return np.array([x, y])


def reach(centres: FloatArray, radii: FloatArray) -> float:
    """Return the radius of the circle around the origin that holds all disks; 0 for none."""
    return float((np.hypot(centres[:, 0], centres[:, 1]) + radii).max(initial=0.0))


def _by_links(
    radii: FloatArray, centres: FloatArray, links: tuple[IntArray, IntArray, FloatArray]
) -> Iterator[tuple[int, FloatArray | None]]:
    """Yield the disks that have no centre yet, each with where it is wanted; ``centres`` is filled by the caller as it goes."""
    near: dict[int, list[tuple[int, float]]] = {}
    for a, b, weight in zip(*(part.tolist() for part in links), strict=True):
        near.setdefault(a, []).append((b, weight))
        near.setdefault(b, []).append((a, weight))
    waiting = np.isnan(centres[:, 0])
    joined = np.zeros(len(radii))
    heap: list[tuple[float, float, int]] = []

    def settled(disk: int) -> None:
        waiting[disk] = False
        for other, weight in near.get(disk, ()):
            if waiting[other]:
                joined[other] += weight
                heapq.heappush(heap, (-joined[other], -radii[other], other))

    for disk in np.flatnonzero(~waiting).tolist():
        settled(disk)
    for first in np.lexsort((np.arange(len(radii)), -radii)).tolist():
        if waiting[first]:
            heapq.heappush(heap, (0.0, -radii[first], first))
        while heap:
            weight, _, disk = heapq.heappop(heap)
            if not waiting[disk] or -weight != joined[disk]:
                continue
            placed = [(other, w) for other, w in near.get(disk, ()) if not waiting[other]]
            yield disk, _middle(centres, placed, radii * ~waiting) if placed else None
            settled(disk)


def _middle(centres: FloatArray, placed: list[tuple[int, float]], masses: FloatArray) -> FloatArray:
    """Return the point halfway between the weighted middle of some disks and that of all: near its own, and compact."""
    others = [other for other, _ in placed]
    near = _weighted_mean(centres[others], np.array([weight for _, weight in placed]))
    every = np.flatnonzero(masses)
    middle: FloatArray = (near + _weighted_mean(centres[every], masses[every] ** 2)) / 2
    return middle


def _weighted_mean(points: FloatArray, weights: FloatArray) -> FloatArray:
    mean: FloatArray = (points * weights[:, None]).sum(axis=0) / weights.sum()
    return mean


class _Grid:
    """Cells around the origin, each with its distance to the nearest disk, as far as the largest radius yet to be entered."""

    def __init__(self, radii: FloatArray, before: FloatArray, fixed: BoolArray) -> None:
        largest = float(radii.max(initial=1.0))
        known = ~np.isnan(before[:, 0])
        extent = reach(before[known], radii[known])
        half = extent + largest + 1.6 * float(np.sqrt((radii[~fixed] ** 2).sum())) + largest
        self.cell = max(float(radii.min(initial=1.0)) * FINEST, 2 * half / MOST_CELLS)
        side = _shared_side(2 * int(np.ceil(half / self.cell)) + 1)
        self.axis = (np.arange(side) - side // 2) * self.cell
        self._marks: list[float] = self.axis.tolist()
        self.room = np.full((side, side), largest)
        self._left = sorted(radii.tolist())
        """Radii of the disks that are not entered yet: what is farther from all others than the largest is room enough."""
        self._from: dict[float, int] = {}
        self._rings = RINGS
        self._disks = np.empty((len(radii), 3))
        """Centre and radius of each disk that was entered, ``_entered`` of them."""
        self._entered = 0

    def occupy(self, centre: FloatArray, radius: float) -> None:
        """Enter a disk."""
        del self._left[bisect_left(self._left, radius)]
        if not self._left:  # nothing will look for room
            return
        rows, columns = (self._span(value, radius + self._left[-1]) for value in centre.tolist()[::-1])
        room = self.room[rows, columns]
        # Roots are exact on every machine, and three times as fast as hypot.
        distance = (
            np.sqrt(np.add.outer((self.axis[rows] - centre[1]) ** 2, (self.axis[columns] - centre[0]) ** 2)) - radius
        )
        np.minimum(room, distance, out=room)
        self._disks[self._entered] = centre[0], centre[1], radius
        self._entered += 1

    def nearest(self, wanted: FloatArray, radius: float) -> FloatArray:
        """Enter a disk as near to ``wanted`` as there is room, and return its centre."""
        return self._occupied(wanted if self._free(wanted, radius) else self._search(wanted, radius), radius)

    def central(self, radius: float) -> FloatArray:
        """Enter a disk as near to the origin as there is room, and return its centre."""
        room = self.room.ravel()
        start = self._from.get(radius, 0)  # nearer cells had no room for such a disk, and have no more of it now
        while start < len(room):
            outwards = _outwards(len(self.axis), self._rings)
            if start == len(outwards):
                self._rings *= 2
                continue
            some = outwards[start : start + SCANNED]
            free = room[some] >= radius
            first = int(free.argmax())
            if free[first]:
                start += first
                row, column = divmod(int(outwards[start]), len(self.axis))
                self._from[radius] = start
                return self._occupied(np.array([self.axis[column], self.axis[row]]), radius)
            start += len(some)
        return self._occupied(self._beside(radius), radius)

    def _occupied(self, centre: FloatArray, radius: float) -> FloatArray:
        self.occupy(centre, radius)
        return centre

    def _free(self, centre: FloatArray, radius: float) -> bool:
        disks = self._disks[: self._entered]
        distance = np.hypot(disks[:, 0] - centre[0], disks[:, 1] - centre[1])
        return bool((distance >= disks[:, 2] + radius - 1e-9).all())

    def _search(self, wanted: FloatArray, radius: float) -> FloatArray:
        """Return the free cell nearest to ``wanted``; a coarse search first bounds how far away it is."""
        span, end = 3 * radius, 2 * self.axis[-1] + np.hypot(*wanted)
        coarse = self._nearest_cell(wanted, radius, span, COARSE)
        while coarse[0] == np.inf and span <= end:
            span *= 2
            coarse = self._nearest_cell(wanted, radius, span, COARSE)
        distance, centre = self._nearest_cell(wanted, radius, coarse[0] + self.cell)
        return centre if distance < np.inf else self._beside(radius)

    def _nearest_cell(self, wanted: FloatArray, radius: float, span: float, step: int = 1) -> tuple[float, FloatArray]:
        """Return the distance and centre of the nearest of every ``step``-th cell within ``span`` in both directions that
        has room; the distance is infinite where none has."""
        rows, columns = (self._span(value, span) for value in wanted.tolist()[::-1])
        across, down = self.axis[columns][::step], self.axis[rows][::step]
        free = np.flatnonzero(self.room[rows, columns][::step, ::step] >= radius)  # thrice as fast as by row and column
        if not len(free):
            return np.inf, wanted
        x, y = across[free % len(across)], down[free // len(across)]
        distance = np.hypot(x - wanted[0], y - wanted[1])
        best = int(distance.argmin())
        return float(distance[best]), np.array([x[best], y[best]])

    def _beside(self, radius: float) -> FloatArray:
        """Return a centre to the right of everything: the grid is full."""
        disks = self._disks[: self._entered]
        return np.array([(disks[:, 0] + disks[:, 2]).max() + radius, 0.0])

    def _span(self, value: float, radius: float) -> slice:
        return slice(bisect_left(self._marks, value - radius), bisect_left(self._marks, value + radius))


def _shared_side(side: int) -> int:
    """Return the side of the grid to take for one that needs ``side`` cells: one of few, since grids of one side share the
    order of their cells, and what is beyond the disks changes nothing."""
    taken = 9
    while taken < side:
        taken += 2 * (taken // 8)
    return taken


@lru_cache(maxsize=32)
def _outwards(side: int, rings: int) -> npt.NDArray[np.int32]:
    """Return the cells of a grid of ``side`` times ``side`` from its middle outwards, as far as ``rings`` cells; grids of
    one size share the order."""
    squares = np.square(np.arange(side, dtype=np.int32) - side // 2)
    distance = np.add.outer(squares, squares).ravel()
    near = np.flatnonzero(distance <= rings**2)
    return near[np.argsort(distance[near], kind="stable")].astype(np.int32)
