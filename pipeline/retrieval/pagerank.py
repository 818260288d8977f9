"""Personalised PageRank on the graph of passages and the names in them, for a batch of questions at once.

The graph is bipartite: a passage leads to the names in it in proportion to its weights, a name to the passages that hold it
in proportion to theirs. A walk starts anew at the question's own restart distribution with probability 1 - damping
(Haveliwala, Topic-sensitive PageRank, WWW 2002). One step for a batch is two products of a sparse and a dense matrix.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

DAMPING: Final = 0.65
"""Mean length of a walk 1 / (1 - 0.65), about three steps: name, passage, name, passage is four. Between 0.5 and 0.75
recall moves by a point."""
ITERATIONS: Final = 10
"""What is left to spread after them is 0.65 ** 10, about a hundredth; from eight on no figure of the benchmark changes."""
BATCH: Final = 64
"""Questions in one product: bounds memory at 64 numbers for each passage and name."""

Floats32 = NDArray[np.float32]


class Walk:
    """Walks on N passages and E names; ``weights`` belong to ``names[offsets[p]:offsets[p + 1]]``, all above 0.

    A name that few passages hold says more of each: weights are multiplied by ln(1 + N / spread), which also keeps walks
    from draining into hubs.
    """

    def __init__(self, offsets: NDArray[Any], names: NDArray[Any], weights: NDArray[Any], n_names: int) -> None:
        n = len(offsets) - 1
        self.n_passages, self.n_names = n, n_names
        self.spread = np.bincount(names, minlength=n_names)
        scaled = weights * np.log1p(n / np.maximum(self.spread, 1))[names]
        from_passages = np.repeat(_inverse(_row_sums(offsets, scaled)), np.diff(offsets)) * scaled
        from_names = _inverse(np.bincount(names, weights=scaled, minlength=n_names))[names] * scaled
        rows = np.repeat(np.arange(n), np.diff(offsets))
        self._to_passages = _Sparse(offsets, names, from_names)
        order = np.argsort(names, kind="stable")
        starts = np.concatenate([[0], np.cumsum(self.spread)])
        self._to_names = _Sparse(starts, rows[order], from_passages[order])

    def spread_from(
        self, passages: Floats32, names: Floats32, damping: float = DAMPING, iterations: int = ITERATIONS
    ) -> Floats32:
        """Visits of every passage, shape (N, Q), for restarts of shapes (N, Q) and (E, Q).

        Each column of the two together is one question's distribution; it is scaled to sum to 1 (one of zeros stays so).
        """
        parts = [
            self._spread(passages[:, first : first + BATCH], names[:, first : first + BATCH], damping, iterations)
            for first in range(0, passages.shape[1], BATCH)
        ]
        return np.concatenate(parts, axis=1) if parts else passages

    def _spread(self, passages: Floats32, names: Floats32, damping: float, iterations: int) -> Floats32:
        total = _inverse(passages.sum(axis=0) + names.sum(axis=0)).astype(np.float32)
        again_p, again_n = (1 - damping) * passages * total, (1 - damping) * names * total
        at_p, at_n = passages * total, names * total
        for _ in range(iterations):
            at_p, at_n = again_p + damping * (self._to_passages @ at_n), again_n + damping * (self._to_names @ at_p)
        return np.asarray(at_p, dtype=np.float32)


class _Sparse:
    """A sparse matrix in rows: ``values`` stand in the columns ``columns[offsets[r]:offsets[r + 1]]`` of row ``r``.

    Its product with a dense one needs numpy alone: importing scipy.sparse takes longer than all steps of a question.
    """

    def __init__(self, offsets: NDArray[Any], columns: NDArray[Any], values: NDArray[Any]) -> None:
        self._n_rows, self._columns, self._values = len(offsets) - 1, columns, values.astype(np.float32)
        self._filled = np.flatnonzero(np.diff(offsets))
        self._starts = np.asarray(offsets)[self._filled]

    def __matmul__(self, dense: Floats32) -> Floats32:
        product = np.zeros((dense.shape[1], self._n_rows), dtype=np.float32)
        if len(self._filled):
            for row, column in zip(product, np.ascontiguousarray(dense.T), strict=True):
                row[self._filled] = np.add.reduceat(self._values * column[self._columns], self._starts)
        return product.T


def _row_sums(offsets: NDArray[Any], values: NDArray[Any]) -> NDArray[Any]:
    so_far = np.concatenate([[0.0], np.cumsum(values)])
    return np.asarray(so_far[offsets[1:]] - so_far[offsets[:-1]])


def _inverse(values: NDArray[Any]) -> NDArray[Any]:
    """1 / value, and 0 for 0."""
    return np.asarray(np.divide(1.0, values, out=np.zeros(values.shape, dtype=np.float64), where=values > 0))
