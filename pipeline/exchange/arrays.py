"""Columns as numbers: where a value is in another column, lists with their owners, pairs as one number."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


def whole(column: Any) -> Any:
    """Return a column in one piece."""
    if not isinstance(column, pa.ChunkedArray):
        return column
    return column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)


def numbers(values: Any, among: Any) -> IntArray:
    """Return the row of ``among`` that each value is, -1 for none (a null is none)."""
    places = pc.index_in(whole(values), value_set=whole(among), skip_nulls=True)
    found: IntArray = pc.fill_null(places, -1).to_numpy(zero_copy_only=False).astype(np.int64)
    return found


def members(lists: Any) -> tuple[IntArray, Any]:
    """Return the items of a list column, each with the row of its list."""
    column = whole(lists)
    owner: IntArray = pc.list_parent_indices(column).to_numpy(zero_copy_only=False).astype(np.int64)
    return owner, pc.list_flatten(column)


def lengths(lists: Any) -> IntArray:
    """Return the lengths of the lists of a column, 0 for null."""
    found: IntArray = (
        pc.fill_null(pc.list_value_length(whole(lists)), 0).to_numpy(zero_copy_only=False).astype(np.int64)
    )
    return found


def pairs(first: IntArray, second: IntArray, n_second: int) -> IntArray:
    """Return each pair as one number; a pair with a -1 in it is -1."""
    joined: IntArray = np.where((first < 0) | (second < 0), -1, first * max(n_second, 1) + second)
    return joined


def first_of(keys: IntArray) -> BoolArray:
    """Return where each distinct key occurs first."""
    marks = np.zeros(len(keys), bool)
    marks[np.unique(keys, return_index=True)[1]] = True
    return marks


def texts(column: Any, rows: Sequence[int] | IntArray) -> list[Any]:
    """Return the values of a column at some rows."""
    picked: list[Any] = whole(column).take(pa.array(np.asarray(rows, np.int64))).to_pylist()
    return picked


def rows_of(table: pa.Table, *columns: str) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of some columns as tuples of Python values."""
    return zip(*(table[name].to_pylist() for name in columns), strict=True)
