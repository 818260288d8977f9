"""Nested communities as one array: a row a level, a column a node."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from pipeline.base.arrow.columns import IntArray, groups_of


class Community(NamedTuple):
    """A row of a hierarchy. ``parent`` is -1 at level 0; ``members`` are node numbers, ascending."""

    community: int
    level: int
    parent: int
    members: IntArray


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """Nested communities of nodes 0..n-1.

    ``labels`` has one row a level and one column a node: the number of the node's community on that level, -1 below
    its leaf. Numbers are unique over all levels. Level 0 covers every node, and the nodes of one community on a level
    are in one community on the level above.
    """

    labels: IntArray

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return int(self.labels.shape[1])

    @property
    def n_levels(self) -> int:
        """Number of levels; 0 for a graph of no nodes."""
        return int(self.labels.shape[0])

    @cached_property
    def rows(self) -> tuple[Community, ...]:
        """All communities, level by level, in the order of their numbers."""
        return tuple(row for level in range(self.n_levels) for row in self._rows_of(level))

    def _rows_of(self, level: int) -> Iterator[Community]:
        for number, members in groups_of(self.labels[level]):
            yield Community(number, level, int(self.labels[level - 1, members[0]]) if level else -1, members)

    def leaves(self) -> IntArray:
        """Return for each node the number of its leaf, the deepest community it is in."""
        return self.cover(self.n_levels - 1)

    def cover(self, level: int) -> IntArray:
        """Return for each node its community at ``level``, or its leaf where that is higher: a partition of the nodes."""
        cover: IntArray = np.full(self.n_nodes, -1, np.int64)
        for labels in self.labels[: level + 1]:
            cover = np.where(labels >= 0, labels, cover)
        return cover


def numbered(levels: list[IntArray], first: int = 0) -> Hierarchy:
    """Return the hierarchy with labels below ``first`` as they are and the others numbered from ``first`` on, by level,
    then by smallest member."""
    result = []
    number = first
    for labels in levels:
        given, smallest, place = np.unique(labels, return_index=True, return_inverse=True)
        new = np.flatnonzero(given >= first)
        new = new[np.argsort(smallest[new])]
        given[new] = number + np.arange(len(new))
        number += len(new)
        result.append(given[place])
    return Hierarchy(np.array(result, np.int64) if result else np.zeros((0, 0), np.int64))
