"""Reads spreadsheets (.xlsx) with openpyxl, a library of the extra "office", imported when first needed."""

import io
from collections.abc import Iterable, Sequence
from datetime import date, datetime, time
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any

from pipeline.base.errors import InputError
from pipeline.base.files import Problem
from pipeline.documents.encoding import clean
from pipeline.documents.parsed import FormatOptions, Parsed, Read, imported, readable_name
from pipeline.documents.places import MappedText, PlaceMap
from pipeline.documents.records import RecordReader, above_names
from pipeline.documents.tables import filled, follow, has_digit, head_row, names_of, of_digits, row_text, unlike
from pipeline.documents.zip_limits import check_archive
from pipeline.text.question.rows.row_words import is_total
from pipeline.text.sentences import CELLS

_Row = tuple[int, list[str]]
"""The number of a row and its cells."""

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


def _rows(sheet: Any) -> list[_Row]:
    """The rows that hold anything, with their numbers, all as wide as the widest; values are written as people read them."""
    sheet.reset_dimensions()  # what the file says of its size may be wrong
    found: list[_Row] = []
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


def _sheet(source: str, name: str, rows: Sequence[_Row], options: FormatOptions) -> Read:
    if not rows:
        return
    records = RecordReader(source, options)
    titles = next((place for place, (_, cells) in enumerate(rows) if len(filled(cells)) > 1), 0)
    for place in dict.fromkeys((0, titles)):
        header = unlike(rows[place][1])
        named = dict.fromkeys(name for name in header if name)
        if named and records.columns(named).text is not None:
            if place:
                yield above_names(source, f"{name}, row {rows[0][0]}", [cells for _, cells in rows[:place]])
            for number, cells in rows[place + 1 :]:
                record = dict.fromkeys(named, "") | {
                    name: cell for name, cell in zip(header, cells, strict=False) if name or cell
                }
                yield records.document(f"{name}, row {number}", number, record)
            yield from records.rest()
            return
    text = _SheetText(name)
    text.write(rows)
    title = f"{readable_name(source)}, {name}"
    yield Parsed(title, text.text.text(), {"sheet": name}, name, text.places())


class _TableBody:
    """The rows of a table up to the first blank one; what is asked of them for each row of the sheet is found once."""

    def __init__(self, rows: Iterable[_Row] = ()) -> None:
        self.rows = [cells for _, cells in rows]

    @cached_property
    def digits(self) -> set[int]:
        """The columns of which all cells have digits."""
        return of_digits(self.rows)

    @cached_property
    def several(self) -> list[list[str]]:
        """The rows of several cells."""
        return [cells for cells in self.rows if len(filled(cells)) > 1]

    @cached_property
    def digits_of_several(self) -> set[int]:
        """The columns of which all cells of these have digits."""
        return of_digits(self.several)


class _SheetText:
    """The text of a sheet in the making: its tables row by row, each cell behind the name of its column, and what is above and below
    them in paragraphs of their own."""

    def __init__(self, name: str) -> None:
        self.text = MappedText()
        self._name = name
        self._at = 0
        self._breaks: list[int] = []
        self._labels: list[str] = []
        self._head: _Row | None = None
        """The row that names the columns of the table that goes on, where one does."""
        self._columns: set[int] = set()
        """Those of its columns that it has had so far."""
        self._body = _TableBody()
        self._plain: tuple[int, ...] = ()
        """The columns of the rows written last, where these have no names."""
        self._is_new = False
        """Whether what is written next begins a paragraph."""

    def places(self) -> PlaceMap:
        """Return the way back to the rows."""
        return self.text.places("cells", 1, self._breaks, self._labels)

    def write(self, rows: Sequence[_Row]) -> None:
        """Write all rows. Blank ones part tables, where what follows has names of its own or does not fit those above."""
        starts = [0, *(k for k in range(1, len(rows)) if rows[k][0] > rows[k - 1][0] + 1), len(rows)]
        for (start, end), (_, last) in pairwise([*pairwise(starts), (len(rows), len(rows))]):
            block, behind = rows[start:end], [cells for _, cells in rows[end:last]]
            goes_on = self._goes_on(block)
            place = head_row([cells for _, cells in block], behind, typed=goes_on)
            if place is not None:
                self._untitled(block[:place])
                self._head, self._body = block[place], _TableBody()
                body = block[place + 1 :] or rows[end:last]
                self._columns = {*filled(block[place][1]), *_used(body)}
                self._paragraph()
                self._write_head()
                self._named(block[place + 1 :], False)
            elif goes_on:
                self._named(block, True)
            else:
                self._head = None
                self._untitled(block)

    def _goes_on(self, block: Sequence[_Row]) -> bool:
        """Return whether rows below a blank one belong to the table above it: their cells are in its columns, and where all of one have
        digits they do not all have none; so does what these come to."""
        if self._head is None:
            return False
        own = [cells for _, cells in block if len(filled(cells)) > 1 and not any(map(is_total, cells))]
        in_words = {k for k in self._body.digits if own and not any(has_digit(cells[k]) for cells in own)}
        return follow(filled(self._head[1]), own) and not any(cells[k] for k in in_words for cells in own)

    def _named(self, block: Sequence[_Row], below_blank: bool) -> None:
        """Write rows of the table that goes on, each cell behind the name of its column; headings of parts and notes among them apart,
        and what follows one, or has a column more, below the names once more: to a reader of the text it is a table of its own."""
        names = names_of(self._head[1]) if self._head else []
        first = next((k for k, (_, cells) in enumerate(block) if len(filled(cells)) > 1), len(block))
        first = first if below_blank and first in (1, len(block)) else 0
        self._body = self._body if self._body.rows else _TableBody(block[first if first < len(block) else 0 :])
        used = [{*filled(cells)} for _, cells in block]
        used_from = list(accumulate(reversed(used), set[int].union))[::-1]
        is_apart = False
        for k, row in enumerate(block):
            if self._is_heading(row, k < first):
                if not is_apart:
                    self._paragraph()
                self._row(row, row_text([], row[1]))
                is_apart = True
                continue
            if is_apart or not used[k] <= self._columns:
                self._columns |= used_from[k]
                self._paragraph()
                self._write_head()
            is_apart = False
            self._row(row, row_text(names, row[1]))
        if is_apart:
            self._paragraph()

    def _is_heading(self, row: _Row, is_first: bool) -> bool:
        """Return whether a row of a table with one cell is the heading of a part, or a note: where others have a number in that column,
        and, ``is_first`` below a blank row, where all rows above have several cells."""
        own, body = filled(row[1]), self._body
        if len(own) != 1 or not body.several:
            return False
        is_numbered = own[0] in body.digits_of_several and not has_digit(row[1][own[0]])
        return is_numbered or (is_first and len(body.several) == len(body.rows))

    def _write_head(self) -> None:
        """Write the names of the columns that have any cell, each as the rows have it."""
        if self._head:
            names = names_of(self._head[1])
            self._row(self._head, CELLS.join(name for k, name in enumerate(names) if k in self._columns))

    def _untitled(self, rows: Sequence[_Row]) -> None:
        """Write rows without names of columns, in which empty cells keep their place; those of one cell that come first apart."""
        n = next((k for k, (_, cells) in enumerate(rows) if len(filled(cells)) > 1), len(rows))
        several = [cells for _, cells in rows[n:] if len(filled(cells)) > 1]
        columns = tuple(sorted({k for cells in several for k in filled(cells)}))
        if n or columns != self._plain:
            self._paragraph()
        for row in rows[:n]:
            self._row(row, row_text([], row[1]))
        if n:
            self._paragraph()
        # else a text in which few rows have a second cell
        keeps = len(several) > 1 and 3 * len(several) > len(rows) - n
        for row in rows[n:]:
            self._row(row, _in_places([row[1][k] for k in columns]) if keeps else row_text([], row[1]))
        self._plain = columns if n < len(rows) else ()

    def _paragraph(self) -> None:
        """Let what is written next begin a paragraph."""
        self._plain = ()
        self._is_new = True

    def _row(self, row: _Row, written: str) -> None:
        # Nobody reads the characters of such a file, so a row is quoted as it is written here, names of columns and all.
        self.text.insert(("\n\n" if self._is_new else "\n") if self.text.length else "")
        self._is_new = False
        self._breaks.append(self._at)
        self._labels.append(f"sheet {self._name}, row {row[0]}")
        self.text.copy(written, self._at)
        self._at += len(written)


def _used(rows: Iterable[_Row]) -> set[int]:
    return {k for _, cells in rows for k in filled(cells)}


def _in_places(cells: Sequence[str]) -> str:
    """Return cells between bars, empty ones too; with bars around them where the first one is empty, which a reader would miss."""
    row = CELLS.join(cells)
    return row.rstrip() if cells[0] else f"| {row.lstrip()} |"
