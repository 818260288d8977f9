"""Reads spreadsheets (.xlsx) with openpyxl, a library of the extra "office", imported when first needed."""

import io
from collections.abc import Sequence
from datetime import date, datetime, time
from typing import Any

from pipeline.base.errors import InputError
from pipeline.base.files import Problem
from pipeline.documents.encoding import clean
from pipeline.documents.parsed import FormatOptions, Parsed, Read, imported, readable_name
from pipeline.documents.places import MappedText
from pipeline.documents.records import RecordReader
from pipeline.documents.tables import column_names, row_text, unlike
from pipeline.documents.zip_limits import check_archive

_MOST_COLUMNS = 1_000
"""Columns of a sheet that are read."""
_MOST_ROWS = 1_048_576
"""Rows that a sheet can have; openpyxl makes up all that are missing before a row, whatever number the file gives it."""


def read_xlsx(source: str, data: bytes, options: FormatOptions) -> Read:
    """A document for each sheet, row by row; for each row where the first row names a text column, as in CSV."""
    openpyxl = imported("openpyxl", "openpyxl", "office")
    check_archive(data, ".xlsx", options)
    book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    found = 0
    for name in book.sheetnames:
        sheet = book[name]
        rows = _rows(sheet) if hasattr(sheet, "iter_rows") else []  # a chart can be a sheet of its own
        for item in _sheet(source, name, rows, options):
            found += 1
            yield item
    book.close()
    if not found:
        yield Problem(source, "", "the spreadsheet has no text", "skipped")


def _rows(sheet: Any) -> list[tuple[int, list[str]]]:
    """The rows that hold anything, with their numbers, all as wide as the widest; values are written as people read them."""
    sheet.reset_dimensions()  # what the file says of its size may be wrong
    found = []
    for number, row in enumerate(sheet.iter_rows(values_only=True), 1):
        if number > _MOST_ROWS:
            raise InputError(
                f"sheet {sheet.title} has a row beyond number {_MOST_ROWS:,}, the last that a sheet can have"
            )
        cells = [_written(value) for value in row[:_MOST_COLUMNS]]
        if any(cells):
            found.append((number, cells))
    width = max((k + 1 for _, cells in found for k, cell in enumerate(cells) if cell), default=0)
    return [(number, (cells + [""] * width)[:width]) for number, cells in found]


def _written(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(" ", "minutes")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return clean(" ".join(str(value).split()))[0]


def _sheet(source: str, name: str, rows: Sequence[tuple[int, list[str]]], options: FormatOptions) -> Read:
    if not rows:
        return
    header = rows[0][1]
    records = RecordReader(source, options)
    named = dict.fromkeys(name for name in unlike(header) if name)
    if named and records.columns(named).text is not None:
        for number, cells in rows[1:]:
            record = dict.fromkeys(named, "") | {
                name: cell for name, cell in zip(unlike(header), cells, strict=False) if name or cell
            }
            yield records.document(f"{name}, row {number}", number, record)
        yield from records.rest()
        return
    text = MappedText()
    breaks, labels = [], []
    names = column_names([cells for _, cells in rows])
    at = 0
    for place, (number, cells) in enumerate(rows):
        text.insert("\n" if place else "")
        breaks.append(at)
        labels.append(f"sheet {name}, row {number}")
        # Nobody reads the characters of such a file, so a row is quoted as it is written here, names of columns and all.
        row = row_text(names if place else [], cells)
        text.copy(row, at)
        at += len(row)
    title = f"{readable_name(source)}, {name}"
    yield Parsed(title, text.text(), {"sheet": name}, name, text.places("cells", 1, breaks, labels))
