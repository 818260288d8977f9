"""The tables themselves: which there are, and their rows by column and page, filtered and sorted."""

from typing import Annotated, Any

import pyarrow as pa
import pyarrow.compute as pc
from pydantic import Field
from typing_extensions import TypedDict

from pipeline.base.arrow.build import array, to_numpy
from pipeline.base.schema import TABLES
from pipeline.web.endpoint import Limit, NotFoundError, Offset, Registry, RequestError, endpoint
from pipeline.web.projects import OpenIndex, ServedProject

ENDPOINTS: Registry = []

LONGEST = 2000
"""Characters of a text, and items of a list, that a row shows; a page of rows stays small however long they are."""
TESTS = {
    "eq": pc.equal,
    "ne": pc.not_equal,
    "lt": pc.less,
    "le": pc.less_equal,
    "gt": pc.greater,
    "ge": pc.greater_equal,
}


class ColumnRow(TypedDict):
    """A column: its name, Arrow type and meaning."""

    name: str
    type: str
    help: str


class TableRow(TypedDict):
    """A table: its name, meaning, rows and columns."""

    name: str
    help: str
    rows: int
    columns: list[ColumnRow]


class TableList(TypedDict):
    """The tables of an index."""

    tables: list[TableRow]


class TableRows(TypedDict):
    """A page of rows; texts and lists that are longer than 2,000 are cut, ``cut`` says how many. ``total`` counts what meets the filters."""

    columns: list[str]
    items: list[dict[str, Any]]
    total: int
    offset: int
    cut: int


@endpoint(ENDPOINTS, "GET", "/projects/{project}/tables")
def list_tables(project: ServedProject) -> TableList:
    """The tables of the index, with their columns."""
    opened = project.open()
    return {"tables": [_described(opened, name) for name in TABLES if opened.has(name)]}


def _described(opened: OpenIndex, name: str) -> TableRow:
    columns: list[ColumnRow] = [
        {"name": column.name, "type": str(column.type), "help": column.help} for column in TABLES[name].columns
    ]
    return {"name": name, "help": TABLES[name].help, "rows": opened.count(name), "columns": columns}


@endpoint(ENDPOINTS, "GET", "/projects/{project}/tables/{table}")
def read_table(
    project: ServedProject,
    table: Annotated[str, Field(description="name of the table")],
    columns: Annotated[str, Field(description="columns with commas; empty for all")] = "",
    filter: Annotated[
        list[str], Field(max_length=10, description="column:test:value; tests are eq ne lt le gt ge contains")
    ] = [],  # noqa: B006 -- a declaration, never changed
    sort: Annotated[str, Field(description="column to sort by; with - before it, descending")] = "",
    offset: Annotated[int, Offset] = 0,
    limit: Annotated[int, Limit] = 50,
) -> TableRows:
    """Rows of a table: those that meet all filters, sorted, a page at a time."""
    opened = project.open()
    if not opened.has(table) or table not in TABLES:
        raise NotFoundError(f"no table {table!r} in this index", f"it has {', '.join(TABLES)}", "name one of these")
    types = {column.name: column.type for column in TABLES[table].columns}
    named = [_known(name, types, table) for name in columns.split(",") if name] or list(types)
    rows = _selected(opened, table, filter, sort, types)
    page = range(opened.count(table))[offset : offset + limit] if rows is None else rows[offset : offset + limit]
    found = opened.columns.rows(table, named, page)
    cut = sum(_long(value) for row in found for value in row.values())
    shown = [{name: value[:LONGEST] if _long(value) else value for name, value in row.items()} for row in found]
    total = opened.count(table) if rows is None else len(rows)
    return {"columns": named, "items": shown, "total": total, "offset": offset, "cut": cut}


def _known(name: str, types: dict[str, pa.DataType], table: str) -> str:
    if name not in types:
        raise RequestError(f"table {table} has no column {name!r}", f"it has {', '.join(types)}", "name one of these")
    return name


def _selected(
    opened: OpenIndex, table: str, filters: list[str], sort: str, types: dict[str, pa.DataType]
) -> list[int] | None:
    """Return the rows that meet all filters, in the order asked for; None for all of them as they are."""
    if not filters and not sort:
        return None
    mask = None
    for one in filters:
        met = _met(opened, table, one, types)
        mask = met if mask is None else pc.and_(mask, met)
    column = sort.removeprefix("-")
    if not column:
        found: list[int] = to_numpy(pc.fill_null(mask, False)).nonzero()[0].tolist()
        return found
    if pa.types.is_list(types[_known(column, types, table)]):
        raise RequestError(f"column {column} holds lists", "lists have no order", "sort by another column")
    values = opened.columns.get(table, column)
    order = "descending" if sort.startswith("-") else "ascending"
    sorted_rows = to_numpy(pc.sort_indices(pa.table({"value": values}), sort_keys=[("value", order)])).astype(int)
    if mask is not None:
        sorted_rows = sorted_rows[to_numpy(pc.fill_null(mask, False))[sorted_rows]]
    rows: list[int] = sorted_rows.tolist()
    return rows


def _met(opened: OpenIndex, table: str, filter: str, types: dict[str, pa.DataType]) -> Any:
    column, _, rest = filter.partition(":")
    test, colon, value = rest.partition(":")
    if not colon or (test not in TESTS and test != "contains"):
        raise RequestError(
            f"filter {filter!r} is not column:test:value",
            f"tests are {', '.join(TESTS)} and contains",
            "write it so: type:eq:PERSON",
        )
    type_ = types[_known(column, types, table)]
    values = opened.columns.get(table, column)
    if test == "contains" and pa.types.is_list(type_):
        rows = opened.by(table, column).rows(_parsed(value, type_.value_type, filter))
        holding = [False] * opened.count(table)
        for row in rows:
            holding[row] = True
        return array(holding, pa.bool_())
    if pa.types.is_list(type_) or (test == "contains" and not pa.types.is_string(type_)):
        raise RequestError(
            f"filter {filter!r} does not fit a column of {type_}", "it cannot be compared so", "use another"
        )
    if test == "contains":
        return pc.match_substring(values, value, ignore_case=True)
    return TESTS[test](values, array([_parsed(value, type_, filter)], type_)[0])


def _parsed(value: str, type_: pa.DataType, filter: str) -> Any:
    try:
        if pa.types.is_boolean(type_):
            return {"true": True, "false": False}[value.casefold()]
        return int(value) if pa.types.is_integer(type_) else float(value) if pa.types.is_floating(type_) else value
    except (ValueError, KeyError) as error:
        raise RequestError(
            f"filter {filter!r}: {value!r} is no {type_}", "it cannot be compared so", "write one"
        ) from error


def _long(value: Any) -> bool:
    return isinstance(value, str | list) and len(value) > LONGEST
