"""Which rows hold a value: the hashes of a column's values in order, in sixteen bytes a value and no Python object."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.base.arrow.build import array, scalar, to_numpy
from pipeline.base.arrow.columns import IntArray, whole

MANY = 12
"""Values from which they are taken out of the column together, which costs as much as a few one by one."""
AT_ONCE = 65_536
"""Values that are Python objects at the same time while their hashes are taken."""


class RowsByValue:
    """The rows of a column by value; in a column of lists, the rows whose list holds it. Nulls are in no row."""

    def __init__(self, column: Any) -> None:
        column, owner = whole(column), None
        if pa.types.is_list(column.type):
            owner = to_numpy(pc.list_parent_indices(column)).astype(np.int64)
            column = column.flatten()
        parts = (column.slice(start, AT_ONCE).to_pylist() for start in range(0, len(column), AT_ONCE))
        hashes = np.fromiter((hash(value) for part in parts for value in part), np.int64, len(column))
        order = np.argsort(hashes, kind="stable")
        if column.null_count:
            order = order[to_numpy(column.is_valid())[order]]
        self._values, self._hashes, self._order, self._owner = column, hashes[order], order, owner

    def rows(self, value: Any) -> list[int]:
        """Return the rows that hold ``value``, ascending, each once."""
        asked = np.int64(hash(value))
        start = int(self._hashes.searchsorted(asked))
        end = int(self._hashes.searchsorted(asked, "right"))
        places: IntArray = self._order[start:end]
        if len(places) < MANY:
            few = [place for place in places.tolist() if self._values[place].as_py() == value]
            return sorted({place if self._owner is None else int(self._owner[place]) for place in few})
        found = places[to_numpy(pc.equal(self._values.take(array(places, pa.int64())), scalar(value)))]
        rows: list[int] = np.unique(found if self._owner is None else self._owner[found]).tolist()
        return rows

    def row(self, value: Any) -> int | None:
        """Return the first row that holds ``value``, None where none does."""
        return self._first(value, int(self._hashes.searchsorted(np.int64(hash(value)))))

    def first_rows(self, values: Iterable[Any]) -> dict[Any, int]:
        """Return the first row of each value, many at once; a value that no row holds is absent."""
        wanted = list(dict.fromkeys(values))
        asked = np.fromiter(map(hash, wanted), np.int64, len(wanted))
        starts = self._hashes.searchsorted(asked)
        if len(wanted) < MANY or not len(self._order):
            pairs = zip(wanted, starts.tolist(), strict=True)
            return {value: row for value, start in pairs if (row := self._first(value, start)) is not None}
        nearest = np.minimum(starts, len(self._order) - 1)
        here = np.flatnonzero(self._hashes[nearest] == asked)  # the others are not there
        places = self._order[nearest[here]]
        rows = places if self._owner is None else self._owner[places]
        seen = self._values.take(array(places, pa.int64())).to_pylist()
        found: dict[Any, int] = {}
        for at, row, value_there in zip(here.tolist(), rows.tolist(), seen, strict=True):
            value = wanted[at]
            first = row if value_there == value else self._first(value, int(starts[at]))
            if first is not None:
                found[value] = first
        return found

    def _first(self, value: Any, start: int) -> int | None:
        """Return the first row of ``value``, whose hash begins at ``start`` if it is there at all."""
        asked = hash(value)
        while start < len(self._hashes) and int(self._hashes[start]) == asked:
            place = int(self._order[start])
            if self._values[place].as_py() == value:
                return place if self._owner is None else int(self._owner[place])
            start += 1
        return None
