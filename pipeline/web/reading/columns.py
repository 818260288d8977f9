"""Columns of an index's tables in memory, up to a number of bytes; those used longest ago are read again when needed."""

import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import pyarrow as pa

from pipeline.base.arrow.build import array
from pipeline.base.store import Generation

BUDGET = 256 * 2**20
"""Bytes of columns that are kept."""
WHOLE = 2**30
"""Bytes up to which a column is put into one piece, in which a row is found at once."""
MANY = 12
"""Values from which they are taken together, which costs as much as a few one by one."""
LARGE = 2**25
"""Bytes from which the texts of documents, of which a reader sees one at a time, are read where they are, row group by row group."""


class Columns:
    """The columns of one generation. Safe to use from several threads."""

    def __init__(self, generation: Generation, budget: int = BUDGET) -> None:
        self._generation, self._budget = generation, budget
        self._kept: OrderedDict[tuple[str, str], Any] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def get(self, table: str, column: str) -> Any:
        """Return a column as an Arrow array; StoreError when the generation does not have the table."""
        key = (table, column)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
            read = self._generation.rows(table).column(column)
            values = read.combine_chunks() if read.num_chunks != 1 and read.nbytes < WHOLE else read
            values = values.chunk(0) if isinstance(values, pa.ChunkedArray) and values.num_chunks == 1 else values
            self._kept[key] = values
            self._bytes += values.nbytes
            while self._bytes > self._budget and len(self._kept) > 1:
                self._bytes -= self._kept.popitem(last=False)[1].nbytes
            return values

    def count(self, table: str) -> int:
        """Return the number of rows of a table."""
        return self._generation.manifest.tables[table].rows

    @cached_property
    def _texts_are_large(self) -> bool:
        return self._generation.rows("documents").n_bytes("text") > LARGE

    def values(self, table: str, column: str, rows: Sequence[int]) -> list[Any]:
        """Return the values of some rows as Python values, in the order of ``rows``."""
        return self._values(table, column, rows, array(rows, pa.int64()) if len(rows) >= MANY else None)

    def rows(self, table: str, columns: Sequence[str], rows: Sequence[int]) -> list[dict[str, Any]]:
        """Return some rows as dicts of the named columns, in the order of ``rows``."""
        places = array(rows, pa.int64()) if len(rows) >= MANY else None
        lists = [self._values(table, column, rows, places) for column in columns]
        return [dict(zip(columns, row, strict=True)) for row in zip(*lists, strict=True)]

    def all(self, table: str, *columns: str) -> Iterator[tuple[Any, ...]]:
        """Yield all rows of a table as tuples of the named columns."""
        return zip(*(self.get(table, column).to_pylist() for column in columns), strict=True)

    def _values(self, table: str, column: str, rows: Sequence[int], places: Any) -> list[Any]:
        """Return the values of rows; ``places`` are the same rows as an Arrow array where they are many."""
        if (table, column) == ("documents", "text") and self._texts_are_large:
            return list(self._generation.rows(table).take(rows, [column])[column].to_pylist())
        found = self.get(table, column)
        if places is None or isinstance(found, pa.ChunkedArray):
            return [found[row].as_py() for row in rows]
        return list(found.take(places).to_pylist())
