"""Vectors of chunks, where an embedding model made some: how near in meaning passages are to a question.

A vector of a long text is the mean of all that it says. So a chunk has one for each of its parts, of about a hundred words, and is
as near as the nearest of them.

How near two texts that have nothing in common are is another number for each encoder (0 for one, 0.75 for another). So a cosine
counts by how far it is above those of the corpus with the same question, in standard deviations.

Many vectors lie in cells around centres (spherical k-means), and only those of the nearest cells are compared, exactly: of 200,000
clustered ones in 9.5 ms of CPU with 98 % of the ten nearest found, where LanceDB (IVF_FLAT, 64 cells) takes 38 ms for that share.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pipeline.base.arrow.build import to_numpy
from pipeline.base.arrow.columns import FloatArray, IntArray, ranges, whole
from pipeline.base.storage.array_file import ArrayFile, Arrays, Tables
from pipeline.retrieval.bm25 import best
from pipeline.text.sentences import split
from pipeline.text.tokenizer import words

NEAREST: Final = 20
"""Passages that vectors give to the restart of a walk."""
SHARPNESS: Final = 3.0
"""A passage a standard deviation less near has a share less by e to this power."""
PART: Final = 100
"""Words of a chunk, about, that one vector is made for."""
NEIGHBOURS: Final = 8
"""Parts that are looked at for each of the nearest passages: several of them may be of one passage."""
ONE_CELL: Final = 40_000
"""Vectors up to which all are compared."""
COMPARED: Final = 8_000
"""Vectors that are compared at least, of more."""
CELLS, ROUNDS, SAMPLED = 4, 6, 16
"""Cells for each vector of the square root of all, rounds of k-means, and vectors for each cell from which it finds centres."""
_SAMPLE: Final = 2048
"""Vectors, evenly spaced, from which the mean and the deviation of cosines with a question are taken."""
_AT_ONCE: Final = 1024
"""Vectors that are widened to 32 bits at a time: more leave the processor's cache, and cost a fifth more. They are multiplied
on one core: of so few numbers a second one costs several times the CPU that it saves in time."""

Vectorise = Callable[..., NDArray[np.float32] | None]
"""Makes vectors of unit length, shape (texts, size), of questions by the model that made those of the chunks; None without one.
By name it may be given a ``ledger`` in which calls are entered."""
Floats32 = NDArray[np.float32]


@dataclass(frozen=True)
class Near:
    """How near passages are to a question, in standard deviations above the average part of one."""

    rows: IntArray
    """The nearest, best first."""
    above: FloatArray
    """How near each of them is."""
    above_of: Callable[[IntArray], FloatArray]
    """How near any passages are; 0 for those no nearer than the average, and those without a vector."""

    @property
    def shares(self) -> FloatArray:
        """Of the nearest passages, together 1: nearly all for the few that stand out."""
        shares = np.exp(SHARPNESS * (self.above - self.above[0]))
        return np.asarray(shares / shares.sum())


def parts(text: str) -> list[str]:
    """A text in runs of whole sentences, about PART words each and as long as one another."""
    spans = split(text)
    said = np.cumsum([len(words(text[start:end])) for start, end in spans] or [0])
    n = max(1, round(float(said[-1]) / PART))
    ends = np.unique(np.searchsorted(said, said[-1] * np.arange(1, n) / n) + 1)
    runs = zip([0, *ends.tolist()], [*ends.tolist(), len(spans)], strict=True)
    return [text[spans[first][0] : spans[last - 1][1]] for first, last in runs if first < last] or [text]


class ChunkVectors:
    """The vectors of the parts of passages, M of them, in 16 bits; not every passage has one."""

    def __init__(self, arrays: Arrays) -> None:
        """``arrays`` as ``in_cells`` makes them."""
        self.rows: IntArray = arrays["rows"]
        self.matrix: NDArray[np.float16] = arrays["vectors"].reshape(len(self.rows), -1) if len(self.rows) else _NONE
        self._cells, self._centres = arrays["cells"], arrays["centres"].reshape(len(arrays["cells"]) - 1, self.size)
        self._order = np.argsort(self.rows, kind="stable")
        """Where vectors are, passage by passage."""
        self._first = np.searchsorted(self.rows[self._order], np.arange(int(self.rows.max(initial=-1)) + 2))
        """Where those of each passage begin in that order."""
        self._step = max(1, len(self.rows) // _SAMPLE)

    @classmethod
    def opened(cls, tables: Tables) -> "ChunkVectors":
        """The vectors of the tables of VECTORS_FILE, by name; there may be no embeddings among them, or none in the table."""
        if "embeddings" not in tables or not tables["embeddings"].num_rows:
            return cls(in_cells(np.zeros(0, np.int64), _NONE))
        return cls(VECTORS_FILE.arrays(tables))

    @property
    def size(self) -> int:
        """Numbers in a vector; 0 without vectors."""
        return int(self.matrix.shape[1])

    def nearest(self, vector: Floats32, k: int = NEAREST) -> Near:
        """The ``k`` passages nearest to a vector of unit length, best first; of many vectors those in cells far from it are
        not looked at."""
        vector = vector.astype(np.float32, copy=False)
        bounds = self._around(vector)
        cosines = np.concatenate([self._cosines(slice(*both), vector) for both in bounds])
        whole = len(cosines) == len(self.rows)  # then they are in the order of the matrix, and no product is made twice
        usual = cosines[:: self._step] if whole else np.einsum("ij,j->i", self._sample, vector)
        mean, deviation = float(usual.mean()), float(usual.std()) or 1.0
        nearest = best(cosines + 2, NEIGHBOURS * k)  # it leaves out what is not above 0
        rows = np.concatenate([self.rows[slice(*both)] for both in bounds])[nearest]
        kept = np.sort(np.unique(rows, return_index=True)[1])[:k]

        def above_of(rows: IntArray) -> FloatArray:
            starts, ends = (self._first[np.minimum(rows + one, len(self._first) - 1)] for one in (0, 1))
            found, known = np.zeros(len(rows)), np.flatnonzero(ends > starts)
            if len(known):
                places = self._order[ranges(starts[known], ends[known])]
                some = cosines[places] if whole else self._cosines(places, vector)
                first = np.concatenate([[0], np.cumsum((ends - starts)[known])[:-1]])
                found[known] = (np.maximum.reduceat(some, first) - mean) / deviation
            return np.maximum(found, 0)

        return Near(rows[kept], (cosines[nearest[kept]].astype(np.float64) - mean) / deviation, above_of)

    @cached_property
    def _widened(self) -> NDArray[np.floating[Any]]:
        """The vectors, of few in 32 bits: to widen them costs more than their products do."""
        return self.matrix.astype(np.float32) if len(self.rows) <= COMPARED else self.matrix

    @cached_property
    def _sample(self) -> Floats32:
        return self.matrix[:: self._step].astype(np.float32)

    def _around(self, vector: Floats32) -> list[tuple[int, int]]:
        """Where the vectors of the nearest cells begin and end."""
        order = np.argsort(-(self._centres @ vector), kind="stable")
        enough = int(np.searchsorted(np.cumsum(np.diff(self._cells)[order]), COMPARED)) + 1
        cells = np.sort(order[:enough])
        return list(zip(self._cells[cells].tolist(), self._cells[cells + 1].tolist(), strict=True))

    def _cosines(self, places: IntArray | slice, vector: Floats32) -> Floats32:
        some = self._widened[places]
        if some.dtype == np.float32:
            return np.asarray(np.einsum("ij,j->i", some, vector))
        cosines, wide = np.empty(len(some), np.float32), np.empty((min(len(some), _AT_ONCE), self.size), np.float32)
        for first in range(0, len(some), _AT_ONCE):
            block = some[first : first + _AT_ONCE]
            np.copyto(wide[: len(block)], block)
            np.einsum("ij,j->i", wide[: len(block)], vector, out=cosines[first : first + len(block)])
        return cosines


def in_cells(rows: IntArray, vectors: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """Vectors of parts, ``rows`` the passage of each, cell by cell: the passages, the vectors end to end, where each cell
    begins and ends, and the centres end to end. Few vectors are in one cell."""
    n = len(rows)
    n_cells = int(CELLS * n**0.5) if n > ONE_CELL else 1
    sample = vectors[np.linspace(0, n - 1, min(n, n_cells * SAMPLED)).astype(np.int64)].astype(np.float32)
    centres = sample[np.linspace(0, len(sample) - 1, n_cells).astype(np.int64)] if n else np.zeros((1, 0), np.float32)
    for _ in range(ROUNDS if n_cells > 1 else 0):
        cells = _nearest_centre(sample, centres)
        order = np.argsort(cells, kind="stable")
        filled, first = np.unique(cells[order], return_index=True)
        sums = np.add.reduceat(sample[order], first)
        centres[filled] = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9)
    cells = _nearest_centre(vectors, centres) if n_cells > 1 else np.zeros(n, np.int64)
    order = np.argsort(cells, kind="stable")
    bounds = np.searchsorted(cells[order], np.arange(n_cells + 1))
    return {
        "rows": rows[order],
        "vectors": np.asarray(vectors[order], np.float16).ravel(),
        "cells": bounds.astype(np.int64),
        "centres": centres.ravel(),
    }


def _nearest_centre(vectors: NDArray[Any], centres: Floats32) -> IntArray:
    blocks = (vectors[first : first + _AT_ONCE] for first in range(0, len(vectors), _AT_ONCE))
    return np.concatenate([np.argmax(block.astype(np.float32) @ centres.T, axis=1) for block in blocks])


def _made(tables: Tables) -> Iterable[tuple[str, NDArray[Any]]]:
    table = tables["embeddings"].table(["table", "row_id", "vector"])
    row_of = {id: row for row, id in enumerate(tables["retrieval_passages"].column("chunk_id").to_pylist())}
    owners = zip(table["table"].to_pylist(), table["row_id"].to_pylist(), strict=True)
    rows = np.array([row_of.get(id, -1) if name == "chunks" else -1 for name, id in owners], dtype=np.int64)
    every = to_numpy(whole(table["vector"]).flatten()).reshape(len(rows), -1)  # all of one model and size
    return in_cells(rows[rows >= 0], every[rows >= 0]).items()


_NONE: Final = np.zeros((0, 0), dtype=np.float16)
VECTORS_FILE: Final = ArrayFile("vectors.arrow", 3, ("retrieval_passages", "embeddings"), _made)
"""The vectors of passages."""
