"""Tables as questions on rows see them: rows by the names of their columns, wherever they come from, and what columns hold."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from pipeline.text.answering.row_tables import are_years, days_of, has_currency
from pipeline.text.dates import days_in
from pipeline.text.question.rows.row_questions import QUARTER
from pipeline.text.question.rows.row_words import is_column_of

NUMBERING = re.compile(
    r"(?:.*[\W_])?(?:#|№|id|no[.]?|nr[.]?|number|nummer|numéro|número|numero|record|номер|编号|番号|序号|ref|reference|code|phone"
    r"|telephone|telefon|téléphone|teléfono|telefono|zip|plz)"
)
"""Heads of columns whose numbers are names."""


class CellRow(NamedTuple):
    """A row by the names of its columns, and its span in the text of its document; a record is the whole of its own, from 0 to 0."""

    document_id: str
    start: int
    end: int
    cells: Mapping[str, str]
    title: str = ""
    """What its table is of."""


def cells_of(rows: Iterable[CellRow], name: str) -> list[str]:
    """Return the cells of some rows in a column, empty where a row has none."""
    return [row.cells.get(name, "") for row in rows]


@dataclass(frozen=True)
class RowTable:
    """A table of a text, or of a file with one record a row; ``title`` is what it is of. Its columns are put together once."""

    title: str
    rows: Sequence[CellRow]

    @cached_property
    def columns(self) -> list[str]:
        """The names of its columns, in the order in which rows have them first."""
        return list(dict.fromkeys(name for row in self.rows for name in row.cells))

    def column(self, name: str) -> list[str]:
        """The cells of a column, one for each row, empty where a row has none."""
        if name not in self._read:
            self._read[name] = cells_of(self.rows, name)
        return self._read[name]

    @cached_property
    def _read(self) -> dict[str, list[str]]:
        return {}

    @cached_property
    def days(self) -> dict[str, list[float]]:
        """The columns of days, and these of each row; see ``days_of``."""
        return {name: days for name in self.columns if name and (days := days_of(self.column(name))) is not None}

    def recurs(self, name: str) -> bool:
        """Return whether a column has several cells, and fewer than rows."""
        return 1 < len({*map(folded, self.column(name))} - {""}) < len(self.rows)


def folded(cell: str) -> str:
    """Return a cell as it is compared with others of its column: "JÜRGEN THOMA" is Jürgen Thoma."""
    return " ".join(cell.split()).casefold()


def is_numbering(name: str, rows: Sequence[CellRow]) -> bool:
    """Return whether the numbers of a column are names of the rows: by its head, or since they count them."""
    counted = all(row.cells.get(name) == str(place) for place, row in enumerate(rows, 1))
    return counted or NUMBERING.fullmatch(name.lower().strip()) is not None


def is_of_money(table: RowTable, name: str) -> bool:
    """Return whether a column of a table has sums of money, as its head or its cells say."""
    return any(is_column_of(name, kind) for kind in ("money", "planned")) or has_currency(table.column(name))


def with_period(table: RowTable, name: str, size: int, named: Collection[str]) -> RowTable:
    """Return a table with one more column of this name: the month or year of each row's day, ``size`` characters of it, or with QUARTER
    its quarter; the table as it is where a column or cell is called so, or its columns, first those ``named``, do not show which day that is."""
    days = [one for one in table.days if not are_years(table.column(one))]
    days = [one for one in days if one in named] or [one for one in days if one == "date"] or days
    if name.casefold() in map(str.casefold, table.columns) or len({tuple(table.column(one)) for one in days}) != 1:
        return table
    cells = [days_in(cell) for cell in table.column(days[0])]
    periods = [_period(found, size) for found in cells]
    rows = [row._replace(cells={**row.cells, name: cell}) for row, cell in zip(table.rows, periods, strict=True)]
    return RowTable(table.title, rows)


def _period(days: tuple[str, str] | None, size: int) -> str:
    """Return the month, quarter or year that days are in; empty where they are in several."""
    names = [f"{day[:4]}-Q{(int(day[5:7]) + 2) // 3}" if size == QUARTER else day[:size] for day in days or ()]
    return names[0] if len({*names}) == 1 else ""
