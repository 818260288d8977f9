"""Lists of numbers or texts, one a row: as offsets into their items, and as Arrow columns."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pipeline.base.arrow.build import array, scalar, to_numpy
from pipeline.base.arrow.columns import BoolArray, IntArray, running, whole


@dataclass(frozen=True)
class Lists:
    """One list of numbers a row: row ``r`` is ``items[offsets[r]:offsets[r + 1]]``."""

    offsets: IntArray
    items: NDArray[Any]

    def __getitem__(self, row: int) -> NDArray[Any]:
        return self.items[self.offsets[row] : self.offsets[row + 1]]

    def rows(self) -> IntArray:
        """The row of each item."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))


def by_row(rows: NDArray[Any], items: NDArray[Any], n_rows: int) -> Lists:
    """Return lists of items from the row of each, rows ascending."""
    return Lists(_offsets(rows, n_rows), items)


NO_LISTS = Lists(np.zeros(1, np.int64), np.zeros(0, np.int32))


def joined_lists(parts: Sequence[Lists]) -> Lists:
    """Return the lists of all parts, one part after the other."""
    ends = np.cumsum([0, *(len(part.items) for part in parts)])
    offsets = [part.offsets[1:] + first for part, first in zip(parts, ends, strict=False)]
    return Lists(np.concatenate([np.zeros(1, np.int64), *offsets]), np.concatenate([part.items for part in parts]))


def cut_lists(owner: IntArray, n: int, values: Any) -> Any:
    """Return n lists as an Arrow array: ``values`` cut at the changes of ``owner``, which ascends."""
    return list_array(_offsets(owner, n), values)


def list_array(offsets: Any, items: Any) -> pa.ListArray:
    """Return N lists from N + 1 offsets (numpy) into ``items`` (numpy or Arrow)."""
    return pa.ListArray.from_arrays(array(np.asarray(offsets, np.int32)), array(items))


def members(lists: Any) -> tuple[IntArray, Any]:
    """Return the items of a list column, each with the row of its list."""
    column = whole(lists)
    return to_numpy(pc.list_parent_indices(column)).astype(np.int64), pc.list_flatten(column)


def lengths(lists: Any) -> IntArray:
    """Return the lengths of the lists of a column, 0 for null."""
    found = pc.list_value_length(whole(lists)).cast(pa.int64())
    counted: IntArray = to_numpy(pc.fill_null(found, scalar(0)))
    return counted


def thinned(owner: IntArray, most: int) -> BoolArray:
    """Return which items stay where each owner, which ascend, keeps at most ``most``, evenly from first to last."""
    length = np.bincount(owner) if len(owner) else np.zeros(0, np.int64)
    places, length = running(owner, np.ones_like(owner)) - 1, length[owner]
    kept: BoolArray = (length <= most) | (places * most // length != (places - 1) * most // length)
    return kept


def _offsets(owner: NDArray[Any], n: int) -> Any:
    return np.searchsorted(owner, np.arange(n + 1, dtype=owner.dtype))
