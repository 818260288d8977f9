"""Vectors of chunks, where an embedding model made some: the passages whose meaning is near that of a question."""

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pipeline.base.arrow.build import to_numpy
from pipeline.base.storage.array_file import ArrayFile, Arrays, Tables
from pipeline.retrieval.bm25 import Floats, Ints, best

NEAREST: Final = 20
"""Passages that vectors give to the restart of a walk."""
POWER: Final = 6
"""The power to which a cosine is raised, so that of passages that are all somewhat alike the nearest few get most."""
_AT_ONCE: Final = 1024
"""Vectors that are widened to 32 bits at a time: more leave the processor's cache, and cost a fifth more."""

Vectorise = Callable[..., NDArray[np.float32] | None]
"""Makes vectors of unit length, shape (texts, size), of texts by the model that made those of the chunks; None without one.
By name it may be given a ``ledger`` in which calls are entered."""


class Near(NamedTuple):
    """The passages nearest to a question, and their cosines to the sixth power."""

    rows: Ints
    shares: Floats


class ChunkVectors:
    """The vectors of those passages that have one, M of N, in 16 bits."""

    def __init__(self, tables: Tables) -> None:
        """``tables`` are those of VECTORS_FILE, by name; there may be no embeddings among them, or none in the table."""
        self.rows: Ints = np.zeros(0, dtype=np.int64)
        self.matrix: NDArray[np.float16] = np.zeros((0, 0), dtype=np.float16)
        if "embeddings" not in tables or not tables["embeddings"].num_rows:
            return
        arrays = VECTORS_FILE.arrays(tables)
        if len(arrays["rows"]):
            self.rows, self.matrix = arrays["rows"], arrays["vectors"].reshape(len(arrays["rows"]), -1)

    @property
    def size(self) -> int:
        """Numbers in a vector; 0 without vectors."""
        return int(self.matrix.shape[1])

    def nearest(self, vector: NDArray[np.float32], k: int = NEAREST) -> Near:
        """The ``k`` passages nearest to a vector, best first."""
        cosines, some = np.empty(len(self.matrix), np.float32), np.empty((_AT_ONCE, self.size), np.float32)
        for first in range(0, len(self.matrix), _AT_ONCE):
            block = self.matrix[first : first + _AT_ONCE]
            np.copyto(some[: len(block)], block)
            np.dot(some[: len(block)], vector.astype(np.float32, copy=False), out=cosines[first : first + len(block)])
        nearest = best(cosines, k)
        return Near(self.rows[nearest], cosines[nearest].astype(np.float64) ** POWER)


def _made(tables: Tables) -> Arrays:
    """The rows of the passages that have a vector, and their vectors end to end."""
    table = tables["embeddings"].table(["table", "row_id", "vector"])
    row_of = {id: row for row, id in enumerate(tables["retrieval_passages"].column("chunk_id").to_pylist())}
    owners = zip(table["table"].to_pylist(), table["row_id"].to_pylist(), strict=True)
    rows = np.array([row_of.get(id, -1) if name == "chunks" else -1 for name, id in owners], dtype=np.int64)
    every = to_numpy(table["vector"].combine_chunks().flatten()).reshape(len(rows), -1)  # all of one model and size
    return {"rows": rows[rows >= 0], "vectors": every[rows >= 0].ravel()}


VECTORS_FILE: Final = ArrayFile("vectors.arrow", 2, ("retrieval_passages", "embeddings"), _made)
"""The vectors of passages."""
