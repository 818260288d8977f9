"""Text columns as integer codes, and runs of equal codes cut into lists: what replaces list-aggregating group-bys."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


def combined(column: Any) -> Any:
    """Return a column as one array."""
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


def parts_of(column: Any) -> list[Any]:
    """Return the arrays that a column consists of."""
    return list(column.chunks) if isinstance(column, pa.ChunkedArray) else [column]


def codes_of(column: Any) -> tuple[IntArray, Any]:
    """Return each row's position in the array of distinct texts, and that array; a null counts as the empty text.

    The column holds texts, or the texts as an Arrow dictionary.
    """
    if not len(column):
        return np.zeros(0, np.int64), pa.array([], pa.string())
    column = pa.chunked_array(parts_of(column))
    given = pa.types.is_dictionary(column.type)
    if column.null_count:
        column, given = pc.fill_null(column.cast(pa.string()), ""), False
    encoded = (column if given else column.dictionary_encode()).unify_dictionaries()
    codes = np.concatenate([part.indices.to_numpy() for part in encoded.chunks]).astype(np.int64)
    distinct = encoded.chunk(0).dictionary
    return _used(codes, distinct) if given else (codes, distinct)


def _used(codes: IntArray, distinct: Any) -> tuple[IntArray, Any]:
    """Leave out the texts that no row has, as a filtered dictionary may hold."""
    used = np.zeros(len(distinct), bool)
    used[codes] = True
    if used.all():
        return codes, distinct
    number: IntArray = np.cumsum(used) - 1
    return number[codes], distinct.filter(pa.array(used))


def codes_of_runs(column: Any) -> tuple[IntArray, Any]:
    """Do as ``codes_of``, five times faster where equal texts stand together, as the chunk ids of mentions do."""
    if pa.types.is_dictionary(column.type):
        return codes_of(column)
    runs = pc.run_end_encode(combined(column))
    codes, distinct = codes_of(runs.values)
    return np.repeat(codes, np.diff(runs.run_ends.to_numpy(), prepend=0)), distinct


def alphabet(texts: Any) -> IntArray:
    """Return the place of each text in code point order (that of UTF-8 bytes, too)."""
    place = np.empty(len(texts), np.int64)
    place[pc.sort_indices(texts).to_numpy()] = np.arange(len(texts))
    return place


def cut_lists(owner: IntArray, n: int, values: Any) -> Any:
    """Return n lists: ``values`` cut at the changes of ``owner``, which ascends."""
    return pa.ListArray.from_arrays(pa.array(np.searchsorted(owner, np.arange(n + 1)).astype(np.int32)), values)


def number_keys(keys: IntArray) -> tuple[IntArray, IntArray]:
    """Return the distinct keys, ascending, and each key's position among them (np.unique hashes, which is slower)."""
    order = np.argsort(keys, kind="stable")
    starts = run_starts(keys[order])
    number = np.empty(len(keys), np.int64)
    number[order] = np.cumsum(starts) - 1
    return keys[order][starts], number


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
