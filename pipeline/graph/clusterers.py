"""Leiden clustering of one matrix: by the compiled core of graspologic itself, or by the package graspologic around it (extra "graspologic")."""

from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import Final, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from pipeline.base.arrow.columns import FloatArray, IntArray
from pipeline.base.errors import SettingsError

Engine = Literal["native", "graspologic"]


class CompressedRows(NamedTuple):
    """A symmetric sparse matrix in compressed rows, as the clustering takes it."""

    indptr: IntArray
    indices: npt.NDArray[np.int32]
    data: FloatArray


def _by_core(rows: CompressedRows, resolution: float, iterations: int, seed: int) -> IntArray:
    import graspologic_native

    n = len(rows.indptr) - 1
    _, found = graspologic_native.leiden_csr(*rows, n, resolution=resolution, iterations=iterations, seed=seed)
    return np.fromiter((found[node] for node in range(n)), np.int64, n)


def _by_package(rows: CompressedRows, resolution: float, iterations: int, seed: int) -> IntArray:
    """The package takes a list of edges and numbers nodes as they first occur in it. Edges sorted by their larger end, then by the
    smaller one descending, make it number them 0, 1, 2 ... as the matrix does, so that its random choices are those of the core."""
    from graspologic.partition import leiden

    n = len(rows.indptr) - 1
    row, column = np.repeat(np.arange(n), np.diff(rows.indptr)), rows.indices.astype(np.int64)
    below = np.flatnonzero(column < row)
    below = below[np.lexsort((-column[below], row[below]))]
    edges = list(zip(column[below].tolist(), row[below].tolist(), rows.data[below].tolist(), strict=True))
    found = leiden(edges, extra_forced_iterations=iterations - 1, resolution=resolution, random_seed=seed)
    return np.fromiter((found[node] for node in range(n)), np.int64, n)


Clusterer = Callable[[CompressedRows, float, int, int], IntArray]
CLUSTERERS: Final[Mapping[Engine, Clusterer]] = {"native": _by_core, "graspologic": _by_package}
"""What clusters the nodes of a matrix, each of which has an edge, by resolution, iterations and seed; all find the same parts."""


def check_installed(engine: Engine) -> None:
    """Raise SettingsError where the package that ``engine`` needs is not installed."""
    if engine == "graspologic" and find_spec("graspologic") is None:
        raise SettingsError(
            "communities.engine is graspologic, and the package graspologic is not installed",
            "communities cannot be found by it; it needs Python below 3.13 and numpy below 2",
            "pip install 'graphstrata[graspologic]' in an environment of these, or set communities.engine to native: it finds "
            "the same communities by the same compiled core",
        )
