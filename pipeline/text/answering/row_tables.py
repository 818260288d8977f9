"""Tables in a text, row by row and cell by cell, and what the cells of a column come to."""

import math
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pipeline.text.answering.blocks import CELLS, RULE
from pipeline.text.dates import MONTHS, find_dates

_NUMBER = re.compile(
    r"(?:[A-Z]{3}\s|[^\w\s]{1,2}\s?)??([-−]?\d[\d.,'’\u00a0\u202f ]*)(?<=\d)\s?(?P<unit>[^\W\d_]{0,8}|[^\w\s]{1,2})"
)
"""A cell that is a number, perhaps with a unit of money or measure before or behind it."""
_LINES_WITH_BARS = re.compile(r"(?:^[^\n|]*\|[^\n]*(?:\n|\Z)){2,}", re.M)
_YEAR = re.compile(r"(?:1[0-9]|20)\d\d")
_DECIMALS = re.compile(r"[.,](?=(?:\d{1,2}|\d{4,})(?!\d))")


class TextRow(NamedTuple):
    """A row of a table in a text, ``text[start:end]``, and its cells by the names of their columns."""

    start: int
    end: int
    cells: dict[str, str]


def rows_of_tables(text: str) -> Iterator[list[TextRow]]:
    """Yield the rows of each table of a text, without those of its head."""
    for region in _LINES_WITH_BARS.finditer(text):
        if text.count("```", 0, region.start()) % 2:
            continue  # code
        lines = [(at, at + len(line), _cells(line)) for at, line in _lines(region)]
        names = [cell.partition(": ")[0] for cell in lines[0][2]]
        headed = not all(
            len(cells) == len(names) and all(map(str.startswith, cells, (f"{name}: " for name in names)))
            for _, _, cells in lines
        )
        names = lines[0][2] if headed else names
        found = [
            TextRow(start, end, {name: cell.removeprefix(f"{name}: ") for name, cell in zip(names, cells, strict=True)})
            for start, end, cells in lines[headed:]
            if len(cells) == len(names) and not RULE.match(text[start:end])
        ]
        if found and len({*names}) == len(names) > 1:
            yield found


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


def figures_of(cells: Sequence[str]) -> list[float] | None:
    """Return the numbers that the cells of a column are, NaN for empty ones; None where one is something else or of another unit,
    or all are empty.

    A comma or a point is that of decimals where any cell has other than three digits behind it as its last.
    """
    found = [_NUMBER.fullmatch(cell.strip()) for cell in cells]
    if any(cell.strip(" -–") and not one for cell, one in zip(cells, found, strict=True)) or not any(found):
        return None
    if len(units := {one["unit"] for one in found if one}) > 1 or not MONTHS.keys().isdisjoint(map(str.lower, units)):
        return None
    written = ["" if one is None else re.sub(r"[\s'’]", "", one[1]).replace("−", "-") for one in found]
    points = {mark[0] for one in written for mark in [*_DECIMALS.finditer(one)][-1:]}
    if len(points) > 1:
        return None
    point = points.pop() if points else ""
    plain = [
        re.sub(r"[.,]", lambda mark: "." if mark[0] == point else "", one) if point else re.sub(r"[.,]", "", one)
        for one in written
    ]
    if any(one.count(".") > 1 for one in plain):
        return None
    return [float(one) if one else math.nan for one in plain]


def days_of(cells: Sequence[str]) -> list[float] | None:
    """Return a number for the first day that each cell of a column names, greater for later ones, NaN for empty cells; None where one
    names none, or all are empty."""
    found = []
    for cell in cells:
        dates = find_dates(cell)
        year = _YEAR.fullmatch(cell.strip())
        if not dates and not year and cell.strip(" -–"):
            return None
        if dates and not year and dates[0].first[:4] + "-12-31" == dates[0].last:
            return None  # 5/6/1944 is a day in May or in June
        day = dates[0].first if dates else f"{cell.strip()}-01-01" if year else ""
        found.append(_order(day) if day else math.nan)
    return None if all(map(math.isnan, found)) else found


def _order(day: str) -> float:
    year, month, of_month = day.rsplit("-", 2)
    return (int(year) * 12 + int(month)) * 31 + int(of_month)
