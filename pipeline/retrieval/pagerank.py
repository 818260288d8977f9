"""Personalised PageRank on the graph of passages and the names in them.

The graph is bipartite: a passage leads to the names in it in proportion to its weights, a name to the passages that hold it
in proportion to theirs. A walk starts anew at the question's own restart distribution with probability 1 - damping
(Haveliwala, Topic-sensitive PageRank, WWW 2002).
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

DAMPING: Final = 0.65
"""Mean length of a walk 1 / (1 - 0.65), about three steps: name, passage, name, passage is four. Between 0.5 and 0.75
recall moves by a point."""
ITERATIONS: Final = 8
"""What is left to spread after them is 0.65 ** 8, three hundredths; more change no figure of the benchmark."""

Floats = NDArray[np.float64]


class RandomWalk:
    """Walks on N passages and E names; ``weights`` belong to ``names[offsets[p]:offsets[p + 1]]``, all above 0.

    A name that few passages hold says more of each: weights are multiplied by ln(1 + N / spread), which also keeps walks
    from draining into hubs.
    """

    def __init__(self, offsets: NDArray[Any], names: NDArray[Any], weights: NDArray[Any], n_names: int) -> None:
        n = len(offsets) - 1
        self.n_passages, self.n_names = n, n_names
        self.spread = np.bincount(names, minlength=n_names)
        self._names, self._passages = names, np.repeat(np.arange(n), np.diff(offsets))
        scaled = weights * np.log1p(n / np.maximum(self.spread, 1))[names]
        self._from_passages = (
            _inverse(np.bincount(self._passages, weights=scaled, minlength=n))[self._passages] * scaled
        )
        self._from_names = _inverse(np.bincount(names, weights=scaled, minlength=n_names))[names] * scaled

    def spread_from(self, passages: NDArray[Any], names: Floats, damping: float = DAMPING) -> Floats:
        """Visits of every passage, shape (N,), for restarts of shapes (N,) and (E,), which are scaled to sum to 1 together.

        Without a restart there are no visits. A question at a time: one of few is not slower so than several in matrices,
        and no library of sparse matrices has to be imported, which takes longer than a hundred questions.
        """
        total = float(passages.sum() + names.sum())
        if not total:
            return np.zeros(self.n_passages)
        at_passages, at_names = passages / total, names / total
        again_passages, again_names = (1 - damping) * at_passages, (1 - damping) * at_names
        for _ in range(ITERATIONS):
            to_passages = np.bincount(self._passages, self._from_names * at_names[self._names], self.n_passages)
            to_names = np.bincount(self._names, self._from_passages * at_passages[self._passages], self.n_names)
            at_passages, at_names = again_passages + damping * to_passages, again_names + damping * to_names
        return np.asarray(at_passages)


def _inverse(values: NDArray[Any]) -> Floats:
    """1 / value, and 0 for 0."""
    return np.asarray(np.divide(1.0, values, out=np.zeros(values.shape, dtype=np.float64), where=values > 0))
