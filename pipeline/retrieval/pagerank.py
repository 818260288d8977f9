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
    from draining into hubs. Names that one passage alone holds, most of them, lead back to it and nowhere else: they are
    counted together, one number a passage (``alone``), and not followed one by one.
    """

    def __init__(self, offsets: NDArray[Any], names: NDArray[Any], weights: NDArray[Any], n_names: int) -> None:
        n = len(offsets) - 1
        self.n_passages, self.n_names = n, n_names
        self.spread = np.bincount(names, minlength=n_names)
        passages = np.repeat(np.arange(n), np.diff(offsets))
        scaled = weights * np.log1p(n / np.maximum(self.spread, 1))[names]
        from_passages = _inverse(np.bincount(passages, weights=scaled, minlength=n))[passages] * scaled
        from_names = _inverse(np.bincount(names, weights=scaled, minlength=n_names))[names] * scaled
        shared = self.spread[names] > 1
        self._home = np.full(n_names, -1)
        self._home[names[~shared]] = passages[~shared]
        self._back = np.bincount(passages[~shared], weights=from_passages[~shared], minlength=n)
        self._shared, self._names = np.unique(names[shared], return_inverse=True)
        self._passages = passages[shared]
        self._from_passages, self._from_names = from_passages[shared], from_names[shared]

    def spread_from(self, passages: NDArray[Any], names: Floats, damping: float = DAMPING) -> Floats:
        """Visits of every passage, shape (N,), for restarts of shapes (N,) and (E,), which are scaled to sum to 1 together.

        Without a restart there are no visits. A question at a time: one of few is not slower so than several in matrices,
        and no library of sparse matrices has to be imported, which takes longer than a hundred questions.
        """
        total = float(passages.sum() + names.sum())
        if not total:
            return np.zeros(self.n_passages)
        alone = np.flatnonzero((names > 0) & (self._home >= 0))
        at_alone = np.bincount(self._home[alone], names[alone], self.n_passages) / total
        at_passages, at_names = passages / total, names[self._shared] / total
        again_passages, again_names, again_alone = ((1 - damping) * at for at in (at_passages, at_names, at_alone))
        from_passages, from_names = damping * self._from_passages, damping * self._from_names
        for _ in range(ITERATIONS):
            to_passages = np.bincount(self._passages, from_names * at_names[self._names], self.n_passages)
            to_names = np.bincount(self._names, from_passages * at_passages[self._passages], len(self._shared))
            to_alone = damping * self._back * at_passages
            at_passages = again_passages + to_passages + damping * at_alone
            at_names, at_alone = again_names + to_names, again_alone + to_alone
        return np.asarray(at_passages)


def _inverse(values: NDArray[Any]) -> Floats:
    """1 / value, and 0 for 0."""
    return np.asarray(np.divide(1.0, values, out=np.zeros(values.shape, dtype=np.float64), where=values > 0))
