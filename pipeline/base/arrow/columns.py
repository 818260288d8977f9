"""Columns as numbers: texts as integer codes, where a value is in another column, pairs as one number, runs of equal codes."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.base.arrow.build import array, scalar, to_numpy

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]


def whole(column: Any) -> Any:
    """Return a column as one array; pyarrow imports pandas to combine none."""
    if not isinstance(column, pa.ChunkedArray):
        return column
    if column.num_chunks < 2:
        return column.chunk(0) if column.num_chunks else pa.nulls(0, column.type)
    return column.combine_chunks()


def parts_of(column: Any) -> list[Any]:
    """Return the arrays that a column consists of."""
    return list(column.chunks) if isinstance(column, pa.ChunkedArray) else [column]


def numbers(values: Any, among: Any) -> IntArray:
    """Return the row of ``among`` that each value is, -1 for none (a null is none)."""
    places = pc.index_in(whole(values), value_set=whole(among), skip_nulls=True)
    found: IntArray = to_numpy(pc.fill_null(places.cast(pa.int64()), scalar(-1)))
    return found


def texts(column: Any, rows: Sequence[int] | IntArray) -> list[Any]:
    """Return the values of a column at some rows."""
    picked: list[Any] = whole(column).take(array(np.asarray(rows, np.int64))).to_pylist()
    return picked


def rows_of(table: pa.Table, *columns: str) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of some columns as tuples of Python values."""
    return zip(*(table[name].to_pylist() for name in columns), strict=True)


def codes_of(column: Any) -> tuple[IntArray, Any]:
    """Return each row's position in the array of distinct texts, and that array; a null counts as the empty text.

    The column holds texts, or the texts as an Arrow dictionary.
    """
    if not len(column):
        return np.zeros(0, np.int64), array([], pa.string())
    column = pa.chunked_array(parts_of(column))
    given = pa.types.is_dictionary(column.type)
    if column.null_count:
        column, given = pc.fill_null(column.cast(pa.string()), scalar("")), False
    encoded = (column if given else column.dictionary_encode()).unify_dictionaries()
    codes = np.concatenate([to_numpy(part.indices) for part in encoded.chunks]).astype(np.int64)
    distinct = encoded.chunk(0).dictionary
    return _used(codes, distinct) if given else (codes, distinct)


def _used(codes: IntArray, distinct: Any) -> tuple[IntArray, Any]:
    """Leave out the texts that no row has, as a filtered dictionary may hold."""
    used = np.zeros(len(distinct), bool)
    used[codes] = True
    if used.all():
        return codes, distinct
    number: IntArray = np.cumsum(used) - 1
    return number[codes], distinct.filter(array(used))


def codes_of_runs(column: Any) -> tuple[IntArray, Any]:
    """Do as ``codes_of``, five times faster where equal texts follow each other, as the chunk ids of mentions do."""
    if pa.types.is_dictionary(column.type):
        return codes_of(column)
    runs = pc.run_end_encode(whole(column))
    codes, distinct = codes_of(runs.values)
    return np.repeat(codes, np.diff(to_numpy(runs.run_ends), prepend=0)), distinct


def alphabet(texts: Any) -> IntArray:
    """Return the place of each text in code point order (that of UTF-8 bytes, too)."""
    place = np.empty(len(texts), np.int64)
    place[to_numpy(pc.sort_indices(texts))] = np.arange(len(texts))
    return place


def pairs(first: IntArray, second: IntArray, n_second: int) -> IntArray:
    """Return each pair as one number; a pair with a -1 in it is -1."""
    joined: IntArray = np.where((first < 0) | (second < 0), -1, first * max(n_second, 1) + second)
    return joined


def first_of(keys: IntArray) -> BoolArray:
    """Return where each distinct key occurs first."""
    marks = np.zeros(len(keys), bool)
    marks[np.unique(keys, return_index=True)[1]] = True
    return marks


def number_keys(keys: IntArray) -> tuple[IntArray, IntArray]:
    """Return the distinct keys, ascending, and each key's position among them (np.unique hashes, which is slower)."""
    order = np.argsort(keys, kind="stable")
    starts = run_starts(keys[order])
    number = np.empty(len(keys), np.int64)
    number[order] = np.cumsum(starts) - 1
    return keys[order][starts], number


def groups_of(labels: IntArray) -> Iterator[tuple[int, IntArray]]:
    """Yield each label, ascending, and the places that have it, ascending; -1 aside."""
    order = np.argsort(labels, kind="stable")
    order = order[labels[order] >= 0]
    found, starts = np.unique(labels[order], return_index=True)
    return zip(found.tolist(), np.split(order, starts[1:]), strict=False)


def run_starts(keys: IntArray) -> BoolArray:
    """Return where each run of equal keys starts."""
    return np.concatenate([np.ones(min(len(keys), 1), bool), keys[1:] != keys[:-1]])


def running(owner: IntArray, values: IntArray) -> IntArray:
    """Return the running sum of values within each run of one owner."""
    total = np.cumsum(values)
    starts = np.flatnonzero(run_starts(owner))
    base = (total - values)[starts]
    sums: IntArray = total - np.repeat(base, np.diff(starts, append=len(owner)))
    return sums


def ranges(starts: npt.NDArray[Any], ends: npt.NDArray[Any]) -> IntArray:
    """Return the numbers of several ranges, end to end."""
    lengths = ends - starts
    before = np.cumsum(lengths) - lengths
    return np.asarray(np.arange(int(lengths.sum())) + np.repeat(starts - before, lengths))
