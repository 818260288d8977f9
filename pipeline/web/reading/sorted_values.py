"""Which rows hold a value: a column's values in order, searched by halving, in eight bytes a value and no Python object."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.base.arrow.build import array, to_numpy
from pipeline.base.arrow.columns import IntArray

MANY = 40
"""Values from which the column is gone through once for all, which costs as much as a few dozen searches."""


class SortedValues:
    """The rows of a column by value; in a column of lists, the rows whose list holds it. Nulls are in no row."""

    def __init__(self, column: Any) -> None:
        if isinstance(column, pa.ChunkedArray):
            column = column.combine_chunks()
        owner = None
        if pa.types.is_list(column.type):
            owner = to_numpy(pc.list_parent_indices(column)).astype(np.int64)
            column = column.flatten()
        order: IntArray = to_numpy(pc.sort_indices(column)).astype(np.int64)
        self._values, self._order, self._owner = column, order[: len(order) - column.null_count], owner

    def rows(self, value: Any) -> list[int]:
        """Return the rows that hold ``value``, ascending, each once."""
        places = range(len(self._order))
        start = bisect_left(places, value, key=self._value)
        end = bisect_right(places, value, lo=start, key=self._value)
        found = self._order[start:end]
        owners = found if self._owner is None else self._owner[found]
        rows: list[int] = np.unique(owners).tolist()
        return rows

    def row(self, value: Any) -> int | None:
        """Return the first row that holds ``value``, None where none does."""
        place = bisect_left(range(len(self._order)), value, key=self._value)
        if place == len(self._order) or self._value(place) != value:
            return None
        found = int(self._order[place])
        return found if self._owner is None else int(self._owner[found])

    def first_rows(self, values: Iterable[Any]) -> dict[Any, int]:
        """Return the first row of each value, many at once; a value that no row holds is absent."""
        wanted = list(dict.fromkeys(values))
        if len(wanted) < MANY:
            return {value: row for value in wanted if (row := self.row(value)) is not None}
        places = pc.index_in(array(wanted, self._values.type), value_set=self._values).to_pylist()
        found = ((value, place) for value, place in zip(wanted, places, strict=True) if place is not None)
        return {value: place if self._owner is None else int(self._owner[place]) for value, place in found}

    def _value(self, place: int) -> Any:
        return self._values[int(self._order[place])].as_py()
