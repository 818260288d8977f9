"""Tables in a text, row by row and cell by cell, and what the cells of a column come to."""

import math
import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from pipeline.text.answering.blocks import RULE
from pipeline.text.dates import MONTHS, days_in, is_year
from pipeline.text.numbers import values_of
from pipeline.text.question.rows.row_words import is_unknown
from pipeline.text.sentences import CELLS

_NUMBER = re.compile(
    r"(?P<sign>[A-Z]{3}\s|[^\w\s]{1,2}\s?)??(?P<number>[-−]?\d[\d.,'’\u00a0\u202f ]*)(?<=\d)\s?(?P<unit>[^\W\d_]{0,8}|[^\w\s]{1,2})"
)
"""A cell that is a number, perhaps with a unit of money or measure before or behind it."""
_LINES = re.compile(r"(?:^(?:[^\n|]*\|[^\n]*|[^\n|:]{1,60}: [^\n|]+)(?:\n|\Z)){2,}", re.M)
"""Lines with bars, and those between them of one cell behind the name of its column."""
_LABEL = ": "
"""Between the name of a column and the cell behind it."""
_YEAR = re.compile(r"(?:1[0-9]|20)\d\d")


class TextRow(NamedTuple):
    """A row of a table in a text, ``text[start:end]``, and its cells by the names of their columns; an empty one is missing where no row names them."""

    start: int
    end: int
    cells: dict[str, str]


def rows_of_tables(text: str) -> Iterator[list[TextRow]]:
    """Yield the rows of each table of a text, without those of its head."""
    for region in _LINES.finditer(text):
        if text.count("```", 0, region.start()) % 2:
            continue  # code
        lines = [(at, at + len(line), _cells(line)) for at, line in _lines(region)]
        parts = [list(part) for has_bars, part in groupby(lines, lambda one: len(one[2]) > 1) if has_bars]
        columns = {cell.partition(_LABEL)[0] for part in parts for _, _, cells in part for cell in cells}
        is_one = all(len(cells) > 1 or cells[0].partition(_LABEL)[0] in columns for _, _, cells in lines)
        tables = [lines] if is_one else [part for part in parts if len(part) > 1]
        for table in tables:
            found = _rows(text, table)
            if found:
                yield found


def _rows(text: str, lines: Sequence[tuple[int, int, list[str]]]) -> list[TextRow]:
    """Return the rows of a table, given its lines with their spans and cells; none where its columns have no names of their own."""
    rows = [cells for _, _, cells in lines]
    headed = not _labels(rows)
    names = rows[0] if headed else _labels(rows)
    labels = _labels(rows[headed:], names)
    empty = dict.fromkeys(names, "") if headed else {}
    found = [
        TextRow(start, end, empty | _by_label(cells) if labels else dict(zip(names, cells, strict=True)))
        for start, end, cells in lines[headed:]
        if labels or (len(cells) == len(names) and not RULE.match(text[start:end]))
    ]
    return found if len({*names}) == len(names) > 1 else []


def _labels(rows: Sequence[Sequence[str]], names: Sequence[str] = ()) -> list[str]:
    """Return the names of the columns, in their order, where every cell of every row begins with that of its own, "Paid: yes": one of
    ``names``, where these are given. Rows leave out empty cells, and each has a column of the longest one. Empty where there
    are cells without a name."""
    if not rows or not all(_LABEL in cell for cells in rows for cell in cells):
        return []
    named = [list(_by_label(cells)) for cells in rows]
    longest = max(named, key=len)
    if any(len(own) != len(cells) or not {*own} & {*longest} for own, cells in zip(named, rows, strict=True)):
        return []
    found = list(dict.fromkeys([*longest, *(name for own in named for name in own)]))
    return found if not names or {*found} <= {*names} else []


def _by_label(cells: Sequence[str]) -> dict[str, str]:
    return {name: value for name, _, value in (cell.partition(_LABEL) for cell in cells)}


def _lines(region: re.Match[str]) -> Iterator[tuple[int, str]]:
    at = region.start()
    for line in region[0].splitlines(keepends=True):
        yield at + len(line) - len(line.lstrip()), line.strip()
        at += len(line)


def _cells(line: str) -> list[str]:
    inner = line.strip()
    if inner.startswith("|"):
        inner = inner.removeprefix("|").removesuffix("|")
        return [cell.strip().strip("*_`") for cell in re.split(r"(?<!\\)\|", inner)]
    return [cell.strip() for cell in inner.split(CELLS.strip())]


def figures_of(cells: Sequence[str], column: Sequence[str], language: str) -> list[float] | None:
    """Return the numbers that cells of a column are, NaN for those that are empty or say that it is not known; None where one is
    something else or of another unit or currency, or all are empty. Where nobody knows whether a mark of the column is that
    of decimals, all are NaN."""
    found = [_NUMBER.fullmatch(cell.strip()) for cell in cells]
    if any(not one and not _is_open(cell) for cell, one in zip(cells, found, strict=True)) or not any(found):
        return None
    if len(units := {one["unit"] for one in found if one}) > 1 or not MONTHS.keys().isdisjoint(map(str.lower, units)):
        return None
    if len({one["sign"].strip() for one in found if one and one["sign"]}) > 1:
        return None
    numbers = [one["number"] for cell in column if (one := _NUMBER.fullmatch(cell.strip()))]
    values = values_of([one["number"] for one in found if one], numbers, language)
    return values and [values.pop(0) if one else math.nan for one in found]


def has_currency(cells: Sequence[str]) -> bool:
    """Return whether the numbers of some cells have a sign of money."""
    found = [one for cell in cells if (one := _NUMBER.fullmatch(cell.strip()))]
    return any(one["sign"] or one["unit"] in ("$", "€", "£", "¥") for one in found)


def are_years(cells: Sequence[str]) -> bool:
    """Return whether all cells that hold something are years by themselves, which may be other numbers."""
    return all(_YEAR.fullmatch(cell.strip()) for cell in cells if not _is_open(cell))


def days_of(cells: Sequence[str]) -> list[float] | None:
    """Return a number for the first day that each cell of a column names, greater for later ones, NaN for cells that are empty or say
    that it is not known; None where another names none, or all are so."""
    found = []
    for cell in cells:
        days = days_in(cell)
        if not _is_open(cell) and (days is None or (is_year(days) and not _YEAR.fullmatch(cell.strip()))):
            return None  # 5/6/1944 is a day in May or in June
        found.append(_order(days[0]) if days else math.nan)
    return None if all(map(math.isnan, found)) else found


def _is_open(cell: str) -> bool:
    """Return whether a cell is empty or says that it is not known, or does not apply."""
    return not cell.strip(" -–") or is_unknown(cell)


def _order(day: str) -> float:
    year, month, of_month = day.rsplit("-", 2)
    return (int(year) * 12 + int(month)) * 31 + int(of_month)
