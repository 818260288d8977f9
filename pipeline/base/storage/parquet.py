"""The only place that touches Parquet: tables as they are written, and read from their file, or from memory where they are there already."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pipeline.base.arrow.build import array
from pipeline.base.arrow.columns import rows_of
from pipeline.base.storage.disk import damaged, disk_errors, finish
from pipeline.base.storage.spill import Spill
from pipeline.base.table import Table

T = TypeVar("T")
BATCH_ROWS = 1024
"""Rows of a batch; a constant, because the parts that stages write follow it and the same input must give the same bytes."""
NOT_PUBLISHED = "the file is not the one that was published"
GROUP_BYTES = 4 << 20
"""About the bytes in memory of the rows that are written at a time, a row group of the file: encoding them takes several
times as much."""
SMALL = 1 << 20
"""Bytes in memory of a table that stays there for the stages that read it next: opening its file anew for each column costs more."""

_WRITING: dict[str, Any] = {"compression": "zstd", "write_page_checksum": True}


class Rows:
    """A table on disk that a workflow or a query reads: whole, by columns, or in batches."""

    def __init__(self, table: Table, path: Path, hash: str = "", size: int = -1) -> None:
        self.declared, self.path, self.hash, self.size = table, path, hash, size
        """``hash`` is that of the published file's content, ``size`` its bytes; empty and -1 for rows that were not published."""

    @property
    def num_rows(self) -> int:
        """Number of rows, read from the file's footer."""
        with disk_errors(self.path), self._open() as file:
            return int(file.metadata.num_rows)

    def table(self, columns: Sequence[str] | None = None, coded: Sequence[str] = ()) -> pa.Table:
        """Return the rows, of the named columns or all; the columns ``coded`` as Arrow dictionaries, which where texts
        repeat take a fraction of the memory."""
        with disk_errors(self.path):
            return self._open(memory_map=True, read_dictionary=list(coded) or None).read(columns=columns)

    def values(self, *columns: str) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of some columns as tuples of Python values."""
        return rows_of(self.table(list(columns)), *columns)

    def batches(self, columns: Sequence[str] | None = None, rows: int = BATCH_ROWS) -> Iterator[pa.Table]:
        """Yield the rows in order, at most ``rows`` at a time."""
        with disk_errors(self.path), self._open() as file:
            for batch in file.iter_batches(rows, columns=columns):
                yield pa.Table.from_batches([batch])

    def take(self, rows: Sequence[int], columns: Sequence[str]) -> pa.Table:
        """Return some rows by number, in the order of ``rows``; only the row groups that hold them are read."""
        with disk_errors(self.path), self._open() as file:
            sizes = [file.metadata.row_group(group).num_rows for group in range(file.num_row_groups)]
            ends = list(accumulate(sizes))
            parts = []
            for row in rows:
                group = bisect_right(ends, row)
                parts.append((group, row - (ends[group] - sizes[group])))
            groups = {
                group: file.read_row_group(group, columns=list(columns)) for group in {group for group, _ in parts}
            }
            taken = [groups[group].slice(place, 1) for group, place in parts]
            return pa.concat_tables(taken) if taken else self.declared.schema.empty_table().select(list(columns))

    def _open(self, **options: Any) -> pq.ParquetFile:
        """Open the file; StoreError where it is another than the published one by its table or size. Pages with flipped bits
        are errors when they are read."""
        if self.size not in (-1, self.path.stat().st_size):
            raise damaged(self.path, NOT_PUBLISHED)
        file = pq.ParquetFile(self.path, page_checksum_verification=True, **options)
        name = (file.metadata.metadata or {}).get(b"graphstrata.table", b"").decode("utf-8", "replace")
        if name != self.declared.name:
            raise damaged(self.path, f"it is {f'the table {name!r}' if name else 'no table of graphstrata'}")
        if file.schema_arrow.equals(self.declared.schema):
            return file
        types = {field.name: field.type for field in file.schema_arrow}
        for column in self.declared.columns:
            found = types.get(column.name)
            # coded columns have a value type
            if found != column.type and getattr(found, "value_type", None) != column.type:
                raise damaged(self.path, f"its column {column.name} is {found}, declared {column.type}")
        return file

    def spill(self) -> Spill:
        """Return an empty file beside the table, for rows that a stage needs again."""
        return Spill(self.path.parent)

    def n_bytes(self, column: str) -> int:
        """Return the bytes of a column as it is in memory, about, read from the file's footer."""
        with disk_errors(self.path), self._open() as file:
            place = file.schema_arrow.get_field_index(column)
            groups = (file.metadata.row_group(group) for group in range(file.num_row_groups))
            return sum(group.column(place).total_uncompressed_size for group in groups)

    def column(self, name: str) -> pa.ChunkedArray:
        """Return one column."""
        return self.table([name]).column(name)

    def derived(self, make: "Callable[[Rows], T]") -> T:
        """Return what a function makes of the table; rows that stay in memory keep it, by the function."""
        return make(self)

    def by_id(self, ids: Iterable[str], columns: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Return the named columns of those rows, by id; an id that is not there is absent."""
        table = self.table(["id", *columns])
        found = table.filter(pc.is_in(table["id"], value_set=array(sorted(set(ids)), pa.string())))
        return {row["id"]: row for row in found.to_pylist()}


class MemoryRows(Rows):
    """Rows that are in memory; ``path`` is their file, where they are also in one."""

    def __init__(self, declared: Table, rows: pa.Table, path: Path | None = None, hash: str = "") -> None:
        super().__init__(declared, path or Path(f"{declared.name} in memory"), hash)
        self._rows = rows

    @property
    def num_rows(self) -> int:
        """Number of rows."""
        return int(self._rows.num_rows)

    def table(self, columns: Sequence[str] | None = None, coded: Sequence[str] = ()) -> pa.Table:
        """Return the rows, of the named columns or all; what is in memory is as it is, coded or not."""
        return self._rows if columns is None else self._rows.select(list(columns))

    def take(self, rows: Sequence[int], columns: Sequence[str]) -> pa.Table:
        """Return some rows by number, in the order of ``rows``."""
        return self.table(columns).take(array(rows, pa.int64()))

    def n_bytes(self, column: str) -> int:
        """Return the bytes of a column."""
        return int(self._rows[column].nbytes)

    def batches(self, columns: Sequence[str] | None = None, rows: int = BATCH_ROWS) -> Iterator[pa.Table]:
        """Yield the rows in order, at most ``rows`` at a time."""
        table = self.table(columns)
        for start in range(0, table.num_rows, rows):
            yield table.slice(start, rows)


class SmallRows(MemoryRows):
    """Rows that are in memory and in their file; another process reads the file."""

    def __reduce__(self) -> tuple[type[Rows], tuple[Table, Path, str, int]]:
        return Rows, (self.declared, self.path, self.hash, self.size)

    def n_bytes(self, column: str) -> int:
        """Return what the file says: the same whether the rows are in memory or not."""
        return Rows.n_bytes(self, column)


class TableWriter:
    """Writes the parts of one table to a temporary name, ``path``, and counts their rows."""

    def __init__(self, table: Table, folder: Path) -> None:
        self.path, self.num_rows = folder / f".{table.name}.parquet.new", 0
        self._file = pq.ParquetWriter(self.path, table.schema, **_WRITING)
        self._parts: list[pa.Table] | None = [pa.Table.from_batches([], table.schema)]
        self._bytes = 0

    def __enter__(self) -> "TableWriter":
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def add(self, part: pa.Table) -> None:
        """Write rows that fit the declared schema, in groups of GROUP_BYTES."""
        n = part.num_rows
        self.num_rows += n
        self._bytes += part.get_total_buffer_size()
        if self._bytes > SMALL:
            self._parts = None
        step = max(1, n // max(1, part.nbytes // GROUP_BYTES))
        for start in range(0, n, step):
            group = part.slice(start, step).combine_chunks()
            self._file.write_table(group)
            if self._parts is not None:
                self._parts.append(group)

    @property
    def whole(self) -> pa.Table | None:
        """The rows that were written; None where they are more than SMALL."""
        return None if self._parts is None else pa.concat_tables(self._parts).combine_chunks()


def read_whole(path: Path) -> pa.Table:
    """Return what a file holds, whatever table it is."""
    with pq.ParquetFile(path, page_checksum_verification=True) as file:
        return file.read()


def write_apart(declared: Table, table: pa.Table, path: Path) -> None:
    """Check a table that belongs to no index and write it to ``path``, in place of what was there."""
    with disk_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_name(f".{path.name}.new")
        pq.write_table(declared.check(table), temporary, **_WRITING)
        finish(temporary, path)
