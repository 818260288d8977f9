"""A table in memory that reads like one on disk: what an import hands to a stage in place of a published table."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa

from pipeline.base.store import BATCH_ROWS, Rows
from pipeline.base.table import Table


class MemoryRows(Rows):
    """Rows that are in no file."""

    def __init__(self, declared: Table, rows: pa.Table) -> None:
        super().__init__(declared, Path(f"{declared.name} in memory"))
        self._rows = rows

    @property
    def num_rows(self) -> int:
        """Number of rows."""
        return int(self._rows.num_rows)

    def table(self, columns: Sequence[str] | None = None, coded: Sequence[str] = ()) -> pa.Table:
        """Return the rows, of the named columns or all; what is in memory is as it is, coded or not."""
        return self._rows if columns is None else self._rows.select(list(columns))

    def n_bytes(self, column: str) -> int:
        """Return the bytes of a column."""
        return int(self._rows[column].nbytes)

    def batches(self, columns: Sequence[str] | None = None, rows: int = BATCH_ROWS) -> Iterator[pa.Table]:
        """Yield the rows in order, at most ``rows`` at a time."""
        table = self.table(columns)
        for start in range(0, table.num_rows, rows):
            yield table.slice(start, rows)
