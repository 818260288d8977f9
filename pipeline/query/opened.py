"""What an index has opened: columns that were read stay in memory, so that the next question reads nothing again."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, TypeVar, cast

import pyarrow as pa

from pipeline.base.storage.parquet import BATCH_ROWS
from pipeline.base.store import Generation, Rows
from pipeline.retrieval.chunk_search import FINDER_READS, Finder
from pipeline.retrieval.vectors import Vectorise

T = TypeVar("T")


class CachedRows(Rows):
    """A table whose columns are read from disk once, when they are first asked for."""

    _columns: dict[tuple[str, bool], pa.ChunkedArray]

    @cached_property
    def num_rows(self) -> int:
        """Number of rows, read from the file's footer once."""
        return super().num_rows

    def table(self, columns: Sequence[str] | None = None, coded: Sequence[str] = ()) -> pa.Table:
        """Return the named columns or all; see ``Rows.table``."""
        cached = self.__dict__.setdefault("_columns", {})
        names = list(columns) if columns is not None else [column.name for column in self.declared.columns]
        missing = [name for name in names if (name, name in coded) not in cached]
        if missing:
            read = super().table(missing, [name for name in missing if name in coded])
            cached.update({(name, name in coded): read.column(name) for name in missing})
        return pa.Table.from_arrays([cached[name, name in coded] for name in names], names=names)

    def derived(self, make: Callable[[Rows], T]) -> T:
        """Return what a function makes of the table, made once; see ``Rows.derived``."""
        made = self.__dict__.setdefault("_made", {})
        if make not in made:
            made[make] = make(self)
        return cast(T, made[make])

    def by_id(self, ids: Iterable[str], columns: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Return the named columns of those rows, by id; see ``Rows.by_id``. Where each id is is looked up once for all."""
        rows = sorted({row for id in ids if (row := self._row_of.get(id)) is not None})
        names = ("id", *columns)
        table = self.table(list(dict.fromkeys(names)))
        columns_read = [table.column(name) for name in names]
        # One value of a column in one piece is found several times as fast.
        pieces = [column.chunk(0) if column.num_chunks == 1 else column for column in columns_read]
        values = [[piece[row].as_py() for row in rows] for piece in pieces]
        return {row[0]: dict(zip(names, row, strict=True)) for row in zip(*values, strict=True)}

    @cached_property
    def _row_of(self) -> dict[str, int]:
        return {id: row for row, id in enumerate(self.table(["id"]).column("id").to_pylist())}

    def batches(self, columns: Sequence[str] | None = None, rows: int = BATCH_ROWS) -> Iterator[pa.Table]:
        """Yield the rows in order, at most ``rows`` at a time."""
        table = self.table(columns)
        yield from (table.slice(start, rows) for start in range(0, table.num_rows, rows))


class OpenedTables:
    """The tables of a generation and what is made of them for questions; shared by all questions to an index."""

    def __init__(self, generation: Generation, vectorise: Vectorise = lambda texts: None) -> None:
        self._generation, self._vectorise, self._rows = generation, vectorise, dict[str, CachedRows]()

    def rows(self, name: str) -> Rows:
        """Return a table; StoreError when the generation does not have it."""
        if name not in self._rows:
            found = self._generation.rows(name)
            self._rows[name] = CachedRows(found.declared, found.path, found.hash, found.size)
        return self._rows[name]

    @cached_property
    def finder(self) -> Finder:
        """What ranks chunks, sentences and key elements, over the arrays of the retrieval tables."""
        stored = self._generation.manifest.tables  # an import has no vectors
        tables = {table.name: self.rows(table.name) for table in FINDER_READS if table.name in stored}
        return Finder(tables, self._vectorise)
