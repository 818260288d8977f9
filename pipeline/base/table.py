"""What a table is: a declaration written once, and the check that every table passes at the gate to disk."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.base.arrow.build import array
from pipeline.base.arrow.columns import codes_of
from pipeline.base.arrow.columns import whole as in_one_array
from pipeline.base.errors import PlanError, TableError

text = pa.string()
whole = pa.int64()
real = pa.float64()
flag = pa.bool_()
texts = pa.list_(pa.string())
wholes = pa.list_(pa.int64())
vector = pa.list_(pa.float16())
small = pa.int32()
smalls = pa.list_(pa.int32())
single = pa.float32()
singles = pa.list_(pa.float32())


@dataclass(frozen=True)
class Column:
    """One column of a table: its name, Arrow type, meaning, what its values refer to (``table.column``), and which values, or
    items of lists, there are, where these are known beforehand."""

    name: str
    type: pa.DataType
    help: str
    refers: str | None = None
    null: bool = False
    among: tuple[str, ...] = ()


def column(
    name: str,
    type: pa.DataType,
    help: str,
    refers: str | None = None,
    null: bool = False,
    among: tuple[str, ...] = (),
) -> Column:
    """Declare a column; ``refers`` is ``"table.column"`` and holds for every value, or every item of a list value, as does ``among``."""
    return Column(name, type, help, refers, null, among)


@dataclass(frozen=True, eq=False)
class Table:
    """A declared table. ``key`` columns are unique together; ``version`` goes up when columns change meaning."""

    name: str
    help: str
    columns: tuple[Column, ...]
    key: tuple[str, ...] = ("id",)
    version: int = 1

    def __post_init__(self) -> None:
        names = [column.name for column in self.columns]
        if len(set(names)) != len(names) or not set(self.key) <= set(names):
            raise PlanError(f"table {self.name}: repeated column, or a key that is not a column")

    @cached_property
    def schema(self) -> pa.Schema:
        """The Arrow schema, with the table's name and version in its metadata."""
        fields = [pa.field(column.name, column.type, nullable=column.null) for column in self.columns]
        return pa.schema(fields, metadata={"graphstrata.table": self.name, "graphstrata.version": str(self.version)})

    @property
    def references(self) -> tuple[Column, ...]:
        """The columns whose values name rows of another table."""
        return tuple(column for column in self.columns if column.refers)

    def rows(self, rows: Iterable[Sequence[Any]]) -> pa.Table:
        """Build a table from tuples in the order of the declared columns."""
        listed = list(rows)
        arrays = [array([row[i] for row in listed], column.type) for i, column in enumerate(self.columns)]
        return pa.Table.from_arrays(arrays, schema=self.schema)

    def build(self, **columns: Any) -> pa.Table:
        """Build a table from named columns (lists or Arrow arrays); a missing or unknown name is an error."""
        expected = [column.name for column in self.columns]
        if set(columns) != set(expected):
            raise self._misfit("columns " + ", ".join(sorted(set(columns) ^ set(expected))) + " do not fit")
        arrays = [array(columns[declared.name], declared.type) for declared in self.columns]
        return pa.Table.from_arrays(arrays, schema=self.schema)

    def empty(self) -> pa.Table:
        """Return a table of no rows."""
        return self.rows(())

    def check(self, part: pa.Table) -> pa.Table:
        """Return ``part`` in the declared schema, or raise TableError for a missing, extra, mistyped or null column."""
        found, expected = set(part.column_names), {column.name for column in self.columns}
        if found != expected:
            missing, extra = sorted(expected - found), sorted(found - expected)
            raise self._misfit(f"missing columns {missing}, extra columns {extra}")
        for declared in self.columns:
            values = part.column(declared.name)
            if values.type != declared.type:
                raise self._misfit(f"column {declared.name} is {values.type}, declared {declared.type}")
            if not declared.null and values.null_count:
                raise self._misfit(f"column {declared.name} holds {values.null_count} nulls")
        return part.select([column.name for column in self.columns]).cast(self.schema)

    def check_key(self, keys: pa.Table) -> None:
        """Raise TableError when two rows of ``keys`` (the key columns of the whole table) are the same."""
        codes = np.zeros(keys.num_rows, np.int64)
        for name in self.key:  # renumbered each time, so that the product stays below the square of the rows
            own, distinct = codes_of(keys.column(name))
            codes = np.unique(codes, return_inverse=True)[1] * len(distinct) + own
        _, first, counts = np.unique(codes, return_index=True, return_counts=True)
        twice = first[counts > 1]
        if len(twice):
            example = keys.select(list(self.key)).slice(int(twice.min()), 1).to_pylist()[0]
            raise self._misfit(f"{len(twice)} keys are in more than one row, such as {example}")

    def check_reference(self, column: Column, parts: Iterable[Any], target: Any) -> None:
        """Raise TableError when a ``refers=`` column, given in ``parts``, names a value that is not in ``target``."""
        lost: dict[Any, None] = {}
        for some in _together(map(named_in, parts), len(target)):
            lost |= dict.fromkeys(dangling(pa.chunked_array(some), target).to_pylist())
        if lost:
            raise self._misfit(
                f"column {column.name} names {len(lost)} rows that {column.refers} lacks, such as {next(iter(lost))}"
            )

    def _misfit(self, what: str) -> TableError:
        return TableError(
            f"table {self.name}: {what}",
            "a table is published only when it fits its declaration in pipeline/base/schema.py",
            "fix the workflow that writes it, or the declaration; the last published index is unchanged",
        )


def _together(arrays: Iterable[Any], most: int) -> Iterator[list[Any]]:
    """Yield arrays, so many together that they have more than ``most`` values: what these are looked up in is prepared for each
    look-up, which takes as long as to look up as many values."""
    some, n_values = list[Any](), 0
    for one in arrays:
        some.append(one)
        n_values += len(one)
        if n_values > most:
            yield some
            some, n_values = [], 0
    if some:
        yield some


def named_in(values: Any) -> pa.Array:
    """Return the distinct non-null values (or list items) of a column."""
    values = in_one_array(values)
    if pa.types.is_list(values.type):
        values = values.flatten()
    return pc.unique(values).drop_null()


def dangling(values: Any, target: Any) -> pa.Array:
    """Return the distinct non-null values (or list items) that are not in ``target``."""
    distinct = named_in(values)
    return distinct.filter(pc.invert(pc.is_in(distinct, value_set=target)))
