"""Personalised PageRank on the graph of passages and the names in them.

The graph is bipartite: a passage leads to the names in it in proportion to its weights, a name to the passages that hold it
in proportion to theirs. A walk starts anew at the question's own restart distribution with probability 1 - damping
(Haveliwala, Topic-sensitive PageRank, WWW 2002).
"""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pipeline.base.arrow.columns import FloatArray, IntArray, ranges
from pipeline.retrieval.bm25 import is_in
from pipeline.retrieval.lookup_arrays import LookupArrays

DAMPING: Final = 0.7
"""Mean length of a walk 1 / (1 - 0.7), three steps and more: name, passage, name, passage is four. Between 0.5 and 0.75
recall moves by a point."""
ITERATIONS: Final = 8
"""After them 0.7 ** 8, six hundredths, are left to spread; with twelve recall moves by half a point, either way."""

FEW: Final = 16
"""Where one in so many sources has something to bring, a step goes over all edges: that is then faster than picking them."""
TABLE: Final = 128
"""So many targets that have equally many edges are summed as a table: a smaller one costs more than it saves."""
WHOLE: Final = 20_000
"""Passages up to which a walk goes over all of them; in a larger corpus over those near its restart."""
NEAR: Final = (2_000, 3_000)
"""Passages that are added by the names of the restart and of its passages, and then by the names of those added; names that
bring most to each of their passages come first."""


class Whole(NamedTuple):
    """The graph of which a walk sees a part: its passages, and of each name in the part its passages and weights there."""

    n_passages: int
    spread: NDArray[Any]
    weights: FloatArray


class Visited(NamedTuple):
    """The passages that a walk visited, ascending, how often, and the share of its steps that left what it goes over."""

    rows: IntArray
    visits: FloatArray
    lost: float


class _Edges:
    """The edges from one side of the graph to the other, sources ascending. What comes to a target is summed in that order,
    so that a step from few sources and one over all edges agree to the last bit.

    For a step over all, edges lie in tables: a row for the first of each target, for the second, and so on, a column for each
    target that has so many. Targets with as many edges as hardly any other are left over.
    """

    def __init__(
        self, sources: IntArray, targets: IntArray, shares: FloatArray, n_sources: int, n_targets: int
    ) -> None:
        self._targets, self._shares, self._n_targets = targets, shares, n_targets
        self._offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.bincount(sources, minlength=n_sources))])
        n_each = np.bincount(targets, minlength=n_targets)
        widths = np.bincount(n_each)
        heights = [height for height, width in enumerate(widths.tolist()) if height and width >= TABLE]
        order = np.argsort(np.where(np.isin(n_each, heights), n_each, len(widths)), kind="stable")
        self._place = np.empty(n_targets, np.int64)
        """Where each target is among those of the tables and those left over."""
        self._place[order] = np.arange(n_targets)
        edges = np.argsort(self._place[targets], kind="stable")
        self._tables: list[tuple[slice, slice, tuple[int, int]]] = []
        edge = target = 0
        for height, width in ((height, int(widths[height])) for height in heights):
            here = slice(edge, edge + height * width)
            edges[here] = edges[here].reshape(width, height).T.ravel()
            self._tables.append((here, slice(target, target + width), (height, width)))
            edge, target = here.stop, target + width
        edges[edge:].sort()
        self._left = slice(edge, None), slice(target, None), self._place[targets[edges[edge:]]] - target
        self._from, self._worth = sources[edges], shares[edges]

    def step(self, at: FloatArray) -> FloatArray:
        """Return what comes to each target from what is at each source."""
        if np.count_nonzero(at) * FEW > len(at):
            return self._step_over_all(at)
        some = np.flatnonzero(at)
        starts, ends = self._offsets[some], self._offsets[some + 1]
        edges = ranges(starts, ends)
        return _sums(self._targets[edges], self._shares[edges] * np.repeat(at[some], ends - starts), self._n_targets)

    def _step_over_all(self, at: FloatArray) -> FloatArray:
        found = np.empty(self._n_targets)
        brought = np.take(at, self._from, mode="clip")
        brought *= self._worth
        for edges, columns, shape in self._tables:
            np.add.reduce(brought[edges].reshape(shape), axis=0, out=found[columns])
        edges, columns, targets = self._left
        found[columns] = _sums(targets, brought[edges], len(found[columns]))
        return found.take(self._place)


class RandomWalk:
    """Walks on N passages and E names; ``weights`` belong to ``names[offsets[p]:offsets[p + 1]]``, all above 0.

    A name that few passages hold says more of each: weights are multiplied by ln(1 + N / spread), which also keeps walks
    from draining into hubs. Names that one passage alone holds, most of them, lead back to it and nowhere else: they are
    counted together, one number a passage (``alone``), and not followed one by one. Where the graph is a part of a larger
    one, ``whole`` describes that.
    """

    def __init__(
        self,
        offsets: IntArray,
        names: NDArray[Any],
        weights: NDArray[Any],
        n_names: int,
        whole: Whole | None = None,
        damping: float = DAMPING,
    ) -> None:
        n = len(offsets) - 1
        self.n_passages, self._damping = n, damping
        weights = weights.astype(np.float64)
        every, spread, totals = whole or Whole(
            n,
            np.bincount(names, minlength=n_names),
            np.bincount(names, weights=weights, minlength=n_names).astype(np.float64),
        )
        passages = np.repeat(np.arange(n), np.diff(offsets))
        scaled = weights * np.log1p(every / np.maximum(spread, 1))[names]
        from_passages = _inverse(np.bincount(passages, weights=scaled, minlength=n))[passages] * scaled
        from_names = _inverse(totals)[names] * weights
        shared = spread[names] > 1
        self._home = np.full(n_names, -1)
        self._home[names[~shared]] = passages[~shared]
        self._back = damping * np.bincount(passages[~shared], weights=from_passages[~shared], minlength=n)
        names, passages = names[shared], passages[shared]
        order = np.argsort(names, kind="stable")
        begins = np.diff(names[order], prepend=-1) > 0
        self._shared, by_name = names[order][begins], np.cumsum(begins) - 1
        local = np.empty_like(by_name)
        local[order] = by_name
        n_shared = len(self._shared)
        self._to_names = _Edges(passages, local, damping * from_passages[shared], n, n_shared)
        self._to_passages = _Edges(by_name, passages[order], damping * from_names[shared][order], n_shared, n)

    def spread_from(self, passages: NDArray[Any], names: FloatArray) -> FloatArray:
        """Visits of every passage, shape (N,), for restarts of shapes (N,) and (E,), which are scaled to sum to 1 together.

        Without a restart there are no visits. One question at a time is not slower than a few at once in matrices, and needs
        no library of sparse matrices, whose import takes longer than a hundred questions.
        """
        total = float(passages.sum() + names.sum())
        if not total:
            return np.zeros(self.n_passages)
        named = np.flatnonzero(names)
        alone, shared = named[self._home[named] >= 0], named[is_in(named, self._shared)]
        at_alone = np.bincount(self._home[alone], names[alone], self.n_passages) / total
        at_passages, at_names = passages / total, np.zeros(len(self._shared))
        at_names[np.searchsorted(self._shared, shared)] = names[shared] / total
        again_passages, again_names, again_alone = (
            (1 - self._damping) * at for at in (at_passages, at_names, at_alone)
        )
        for left in reversed(range(ITERATIONS)):
            before = at_passages
            at_passages = again_passages + self._to_passages.step(at_names) + self._damping * at_alone
            if left:
                at_names, at_alone = again_names + self._to_names.step(before), again_alone + self._back * before
        return np.asarray(at_passages)


class PassageWalk:
    """Walks over the passages of an index: over all of a small one, near the restart in a large one.

    Near are the passages that the names of the restart lead to, and those that the names in these do, as far as there is
    room: names that bring much to each of their passages first (the frontier of a push, Andersen, Chung and Lang, FOCS
    2006). What a walk carries elsewhere is spread over a whole corpus, and is reported as lost.
    """

    def __init__(self, arrays: LookupArrays, damping: float = DAMPING) -> None:
        self._arrays, self._damping = arrays, damping
        self._n, self._in_part = arrays.n_passages, arrays.n_passages > WHOLE

    def visited(self, rows: IntArray, shares: FloatArray, names: Mapping[int, float]) -> Visited:
        """Visits for a restart of passages, which may come several times, and of names; nothing without a restart."""
        at_names = np.array(list(names), dtype=np.int64)
        weights = np.array(list(names.values()), dtype=np.float64)
        total = float(shares.sum() + weights.sum())
        if not total:
            return Visited(np.zeros(0, np.int64), np.zeros(0), 0.0)
        if not self._in_part:
            restart = np.zeros(self._arrays.n_names)
            restart[at_names] = weights
            visits = self._whole.spread_from(np.bincount(rows, weights=shares, minlength=self._n), restart)
            found = np.flatnonzero(visits)
            return Visited(found, visits[found], 0.0)
        part = self._near(rows, shares, at_names, weights)
        edges, n_each = self._edges(part)
        known, local = np.unique(self._arrays.names.items[edges], return_inverse=True)
        walk = RandomWalk(
            np.concatenate([np.zeros(1, np.int64), np.cumsum(n_each)]),
            local,
            self._arrays.weights[edges],
            len(known),
            Whole(self._n, self._spread(known), self._arrays.name_weights[known]),
            self._damping,
        )
        at_passages, restart = np.zeros(len(part)), np.zeros(len(known))
        inside = is_in(rows, part)
        np.add.at(at_passages, np.searchsorted(part, rows[inside]), shares[inside])
        here = is_in(at_names, known)
        restart[np.searchsorted(known, at_names[here])] = weights[here]
        kept = float(at_passages.sum() + restart.sum()) / total
        visits = kept * walk.spread_from(at_passages, restart)
        every = _all_visits(float(shares.sum()) / total, self._damping)
        return Visited(part, visits, max(0.0, every - float(visits.sum())))

    @cached_property
    def _whole(self) -> RandomWalk:
        arrays = self._arrays
        return RandomWalk(arrays.names.offsets, arrays.names.items, arrays.weights, arrays.n_names, None, self._damping)

    def _near(self, rows: IntArray, shares: FloatArray, names: IntArray, weights: FloatArray) -> IntArray:
        rows, mass = _summed(rows, shares)
        part = rows
        for room in NEAR:
            edges, n_each = self._edges(rows)
            carried = self._arrays.weights[edges] * np.repeat(mass / np.maximum(n_each, 1), n_each)
            names, weights = _summed(
                np.concatenate([names, self._arrays.names.items[edges]]), np.concatenate([weights, carried])
            )
            spread = self._spread(names)
            best = np.argsort(-weights / np.maximum(spread, 1), kind="stable")
            best = best[np.cumsum(spread[best]) <= room]
            holders = self._arrays.holders
            places = ranges(holders.offsets[names[best]], holders.offsets[names[best] + 1])
            each = np.repeat(weights[best] / np.maximum(spread[best], 1), spread[best])
            rows, mass = _summed(holders.items[places].astype(np.int64), each)
            part = np.union1d(part, rows)
            names, weights = np.zeros(0, np.int64), np.zeros(0)
        return part

    def _edges(self, rows: IntArray) -> tuple[IntArray, IntArray]:
        offsets = self._arrays.names.offsets
        return ranges(offsets[rows], offsets[rows + 1]), offsets[rows + 1] - offsets[rows]

    def _spread(self, names: IntArray) -> IntArray:
        offsets = self._arrays.holders.offsets
        return offsets[names + 1] - offsets[names]


def _all_visits(at_passages: float, damping: float) -> float:
    """Visits of all passages together in a graph without dead ends, of a restart with so much at passages."""
    passages, names = at_passages, 1 - at_passages
    for _ in range(ITERATIONS):
        passages, names = (
            (1 - damping) * at_passages + damping * names,
            (1 - damping) * (1 - at_passages) + damping * passages,
        )
    return passages


def _summed(rows: IntArray, values: FloatArray) -> tuple[IntArray, FloatArray]:
    """Each row once, ascending, with the sum of its values."""
    found, places = np.unique(rows, return_inverse=True)
    return found, np.bincount(places, weights=values, minlength=len(found)).astype(np.float64)


def _sums(places: IntArray, values: FloatArray, n: int) -> FloatArray:
    """The sum of the values at each of ``n`` places, in their order."""
    return np.asarray(np.bincount(places, values, n), np.float64)


def _inverse(values: NDArray[Any]) -> FloatArray:
    """1 / value, and 0 for 0."""
    return np.asarray(np.divide(1.0, values, out=np.zeros(values.shape, dtype=np.float64), where=values > 0))
