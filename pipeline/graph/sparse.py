"""The two things that arrays of edges are asked for as sparse matrices: a product, and connected components.

Both are a few lines of numpy; a library for them would be a quarter of the whole installation.
"""

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.graph.edges import IntArray

Floats32 = NDArray[np.float32]

AT_ONCE = 1 << 22
"""Numbers of an intermediate product held at once: 16 MB."""


class SparseRows:
    """A matrix of rows: row ``r`` holds ``values[offsets[r]:offsets[r + 1]]`` in ``columns`` of the same places."""

    def __init__(self, offsets: NDArray[Any], columns: NDArray[Any], values: NDArray[Any]) -> None:
        self.offsets = np.asarray(offsets, np.int64)
        self.columns, self.values = columns, values.astype(np.float32)[:, None]
        self._filled = np.flatnonzero(np.diff(self.offsets))

    def __matmul__(self, dense: Floats32) -> Floats32:
        """Return the product with a dense matrix of shape (columns, Q): shape (rows, Q)."""
        product = np.zeros((len(self.offsets) - 1, dense.shape[1]), np.float32)
        step = max(AT_ONCE // max(dense.shape[1], 1), 1)
        filled = self._filled
        cuts = [*np.searchsorted(self.offsets[filled], np.arange(0, self.offsets[-1], step)), len(filled)]
        for first, last in pairwise(cuts):
            if first < last:
                rows = filled[first:last]
                begin, end = self.offsets[rows[0]], self.offsets[rows[-1] + 1]
                part = dense[self.columns[begin:end]] * self.values[begin:end]
                product[rows] = np.add.reduceat(part, self.offsets[rows] - begin, axis=0)
        return product

    def transposed(self, n_columns: int) -> "SparseRows":
        """Return the same matrix with its columns as rows."""
        order = np.argsort(self.columns, kind="stable")
        rows = np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))
        counts = np.bincount(self.columns, minlength=n_columns)
        return SparseRows(np.concatenate([[0], np.cumsum(counts)]), rows[order], self.values[order, 0])


def connected_components(source: IntArray, target: IntArray, n_nodes: int) -> IntArray:
    """Return for each node the smallest node of its connected piece.

    Labels pass over edges, and on to where they point, until none changes: as many rounds as the logarithm of the
    longest path, about.
    """
    labels = np.arange(n_nodes)
    while True:
        smaller = np.minimum(labels[source], labels[target])
        after = labels.copy()
        for ends in (labels[source], labels[target], source, target):
            np.minimum.at(after, ends, smaller)
        while not np.array_equal(after, after[after]):
            after = after[after]
        if np.array_equal(after, labels):
            return labels
        labels = after
