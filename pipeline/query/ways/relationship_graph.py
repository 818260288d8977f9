"""Relationships as a graph in which the cheapest way from one entity to another is found."""

import heapq
from collections.abc import Collection, Mapping
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.base.arrow.build import array, scalar, to_numpy
from pipeline.base.arrow.columns import codes_of
from pipeline.base.store import Rows

MOST_STEPS = 4
"""Relationships of a way: what is farther apart is not connected in a sense that a reader would accept."""
MOST_VISITED = 20_000
"""Entities that are looked at from one of two."""


class RelationshipGraph(NamedTuple):
    """Relationships both ways: those of entity ``i`` are ``starts[i]`` to ``starts[i + 1]`` of ``ends`` and ``costs``."""

    titles: pa.Array
    starts: np.ndarray
    ends: np.ndarray
    costs: np.ndarray

    def way(self, one: str, other: str, banned: Collection[str]) -> list[str]:
        """Return the titles of the cheapest way of at most MOST_STEPS from one entity to another past banned ones, both
        ends with it; a relationship of the two is always the way. Empty where there is none."""
        first, last, *out = (pc.index(self.titles, scalar(title)).as_py() for title in (one, other, *sorted(banned)))
        if first < 0 or last < 0 or first == last:
            return []
        if not banned and last in self.ends[self.starts[first] : self.starts[first + 1]]:
            return [one, other]
        # An entity is looked at again where a dearer way reaches it in fewer steps: the cheaper one may be too long to go on.
        fewest = dict.fromkeys(out, 0)
        before: dict[tuple[int, int], int] = {}
        heap = [(0.0, 0, first, first)]
        while heap and len(fewest) < MOST_VISITED:
            cost, steps, at, came = heapq.heappop(heap)
            if steps >= fewest.get(at, MOST_STEPS + 1):
                continue
            fewest[at], before[at, steps] = steps, came
            if at == last:
                return self._back(at, steps, before)
            around = slice(self.starts[at], self.starts[at + 1])
            for end, more in zip(self.ends[around].tolist(), self.costs[around].tolist(), strict=True):
                heapq.heappush(heap, (cost + more, steps + 1, end, at))
        return []

    def common(self, one: str, other: str) -> list[str]:
        """Return the titles that both of two entities are related to, the cheapest ways over them first."""
        first, last = (pc.index(self.titles, scalar(title)).as_py() for title in (one, other))
        if min(first, last) < 0:
            return []
        costs = [
            dict(zip(self.ends[around].tolist(), self.costs[around].tolist(), strict=True))
            for at in (first, last)
            for around in [slice(self.starts[at], self.starts[at + 1])]
        ]
        both = sorted(
            costs[0].keys() & costs[1].keys() - {first, last}, key=lambda at: (costs[0][at] + costs[1][at], at)
        )
        return [self.titles[at].as_py() for at in both]

    def _back(self, at: int, steps: int, before: Mapping[tuple[int, int], int]) -> list[str]:
        way = [at]
        for taken in range(steps, 0, -1):
            way.append(before[way[-1], taken])
        return [self.titles[place].as_py() for place in reversed(way)]


def graph_of_rows(relationships: Rows) -> RelationshipGraph:
    """Return the table of relationships as a graph; for ``Rows.derived``."""
    return graph_of(relationships.table(["source", "target", "weight", "combined_degree"]))


def graph_of(table: pa.Table) -> RelationshipGraph:
    """Return relationships (source, target, weight, combined_degree) as a graph to find ways in."""
    codes, distinct = codes_of(pa.chunked_array([*table["source"].chunks, *table["target"].chunks], pa.string()))
    # Titles in their own order, so that of ways that cost the same always the same one is found.
    by_title = to_numpy(pc.array_sort_indices(distinct)).astype(np.int64)
    source, target = np.argsort(by_title)[codes].reshape(2, -1)
    # What a relationship is of all that its ends are related by: one of a hub says little of either.
    cost = np.log1p(to_numpy(table["combined_degree"]) / np.maximum(to_numpy(table["weight"]), 1e-9))
    starts, ends = np.concatenate([source, target]), np.concatenate([target, source])
    order = np.lexsort((ends, starts))
    bounds = np.searchsorted(starts[order], np.arange(len(distinct) + 1))
    return RelationshipGraph(distinct.take(array(by_title)), bounds, ends[order], np.concatenate([cost, cost])[order])
