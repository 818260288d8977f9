"""Reads CSV: a row is a record. A bad row is one problem; the others are read."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain, islice
from typing import Any, NamedTuple

from pipeline.base.files import Problem
from pipeline.documents.parsed import EVERY, FormatOptions, Parsed, Read, millions
from pipeline.documents.places import MappedText
from pipeline.documents.records import RecordReader, above_names, label
from pipeline.documents.table_rows import needs_quotes
from pipeline.documents.tables import between, filled, head_row, unlike, write_row
from pipeline.text.dates import day_order_in
from pipeline.text.metadata import CSV_HEADER, CSV_QUOTED

_DELIMITERS = (",", ";", "\t", "|")
_MOST_COLUMNS = 10_000
_LOOKED_AT = 50
"""Rows by which it is seen how a file parts its cells, and where its table begins."""


class _CsvRow(NamedTuple):
    """A row: its number as a spreadsheet has it, the header being 1; its cells, or why there are none.

    ``raw`` is the row as it is in the file from ``start`` on.
    """

    number: int
    cells: list[str]
    reason: str
    raw: str
    start: int


def read_csv(source: str, text: str, options: FormatOptions) -> Read:
    """One document a row; the first row names the columns, below lines of one cell above a table. Without a text column a row reads "name: value | name: value".

    The delimiter is the first of comma, semicolon, tab and bar that gives a header with the text column, else the one
    that gives most columns.
    """
    named = re.match(r"sep=(.)\r?\n", text, re.IGNORECASE)  # the line that spreadsheets write
    delimiter = named[1] if named else _delimiter(text, options)
    csv.field_size_limit(max(csv.field_size_limit(), options.max_record))  # the whole process's: it is only ever raised
    rows = _rows(text, named.end() if named else 0, delimiter)
    first = list(islice(rows, _LOOKED_AT))
    above = _above(first, options)
    rows = chain(first[len(above) :], rows)
    header = unlike(next((row.cells for row in rows if row.cells), []))
    if titles := [row for row in above if filled(row.cells)]:
        yield above_names(source, f"row {titles[0].number}", [row.cells for row in titles])
    records = RecordReader(source, options, day_order_in(text))
    columns = records.columns(dict.fromkeys(header))
    if len(header) > _MOST_COLUMNS:
        yield Problem(source, "", f"it has {len(header):,} columns, more than the limit of {_MOST_COLUMNS:,}")
        return
    if columns.text is None and (options.text_column != FormatOptions.text_column or len(header) < 2):
        reason = f"no column {options.text_column!r}; its columns are: {', '.join(header)[:200]}; set input.text_column"
        yield Problem(source, "", reason)
        return
    known = {name.casefold().strip() for name in header}
    for missing in [name for name in options.metadata_columns if name != EVERY and name.casefold() not in known]:
        yield Problem(source, f"column {missing}", "there is no such column to keep as metadata", "skipped")
    row = None
    for row in rows:
        if row.reason:
            yield Problem(source, f"row {row.number}", row.reason)
        elif row.cells:
            yield _document(records, row, header, delimiter)
    if row is None:
        reason = f"no row below its first, which names the columns: {', '.join(header)[:200]}"
        yield Problem(source, "", reason, "skipped")
    yield from records.rest()


def _above(rows: Sequence[_CsvRow], options: FormatOptions) -> Sequence[_CsvRow]:
    """Return the rows above the one that names the columns: none but where the first has one cell, as a title has."""
    start = next((k for k, row in enumerate(rows) if filled(row.cells)), 0)
    first = rows[start].cells if rows else []
    if len(filled(first)) != 1 or _has_text(first, options):
        return []
    below = [row.cells for row in rows[start + 1 :]]
    least = 2 if len(first) > 1 else 3  # two cells may be a line of words with a comma, unless the title is as wide
    texts = (k for k, cells in enumerate(below) if len(cells) > 1 and _has_text(cells, options))
    place = next(texts, head_row(below, least=least))
    return [] if place is None else rows[: start + 1 + place]


def _has_text(header: Sequence[str], options: FormatOptions) -> bool:
    return options.text_column.casefold() in (name.casefold().strip() for name in header)


def _document(records: RecordReader, row: _CsvRow, header: list[str], delimiter: str) -> Parsed | Problem:
    cells, note = _fitted(row.cells, header, delimiter, records.options)
    record: dict[str, Any] = dict.fromkeys(header)
    record.update(zip(header, cells, strict=False))
    columns = records.columns(record)
    place = f"row {row.number}"
    starts = _cell_starts(row, cells, delimiter)
    if columns.text is None:
        text = _labelled(header, cells, starts)
        parsed = records.with_text(place, row.number, record, text.text(), columns, note)
        read = {CSV_HEADER: delimiter.join(header)} | _quoted(cells, starts, delimiter)
        parsed = replace(parsed, metadata={**parsed.metadata, **read})
        return parsed.at(text.places("row", row.number, (), (label(parsed.key, place, None),)))
    found = records.document(place, row.number, record, note)
    at = header.index(columns.text)
    if isinstance(found, Problem) or at >= len(starts):
        return found
    text = MappedText()
    _copy(text, cells[at], *starts[at])
    return found.at(text.places("row", row.number, (), found.places.labels))


def _fitted(cells: list[str], header: list[str], delimiter: str, options: FormatOptions) -> tuple[list[str], str]:
    """As many cells as the header has, or fewer, and a note where there were more or fewer."""
    if len(cells) < len(header):
        return cells, f"the row has {len(cells)} cells, its header {len(header)}"
    if len(cells) == len(header):
        return cells, ""
    first, rest = cells[: len(header)], cells[len(header) :]
    if header[-1].casefold().strip() == options.text_column.casefold():
        joined = [*first[:-1], delimiter.join([first[-1], *rest])]
        return joined, "the row has more cells than its header; the last ones were joined"
    left_out = delimiter.join(rest)[:200]
    return first, f"the row has {len(cells)} cells, its header {len(header)}; left out: {left_out}"


def _labelled(header: list[str], cells: list[str], starts: list[tuple[int, bool]]) -> MappedText:
    """A row that can be read by itself, on one line where all its cells are short."""
    names = [name.strip() for name in header[: len(cells)]]
    text = MappedText()

    def write(k: int) -> None:
        if k < len(starts):
            _copy(text, cells[k], *starts[k])
        else:
            text.insert(cells[k])

    write_row(text, names, cells, write, between(cells))
    return text


def _cell_starts(row: _CsvRow, cells: list[str], delimiter: str) -> list[tuple[int, bool]]:
    """Where the cells begin in the file and whether they are quoted, as far as the row is written in the usual way."""
    starts = []
    at = 0
    for cell in cells:
        quoted = row.raw.startswith('"', at)
        written = f'"{cell.replace(chr(34), chr(34) * 2)}"' if quoted else cell
        if not row.raw.startswith(written, at):
            break
        starts.append((row.start + at + quoted, quoted))
        at += len(written) + len(delimiter)
    return starts


def _quoted(cells: list[str], starts: list[tuple[int, bool]], delimiter: str) -> dict[str, str]:
    """Which cells are in quotation marks, as metadata; nothing where these are those that need them."""
    quoted = [k for k, (_, is_quoted) in enumerate(starts, 1) if is_quoted]
    needed = [k for k, cell in enumerate(cells[: len(starts)], 1) if needs_quotes(cell, delimiter)]
    return {} if quoted == needed else {CSV_QUOTED: " ".join(map(str, quoted))}


def _copy(text: MappedText, cell: str, start: int, quoted: bool) -> None:
    """Copy a cell; where it is quoted, the file has each quotation mark in it twice."""
    parts = re.findall(r'[^"]*"|[^"]+', cell) if quoted and '"' in cell else [cell]
    for part in parts:
        text.copy(part, start)
        start += len(part) + (len(parts) > 1 and part.endswith('"'))


def _rows(text: str, start: int, delimiter: str) -> Iterator[_CsvRow]:
    """The rows behind ``start``; blank lines count as rows without cells."""
    lines: list[str] = []

    def remembered() -> Iterator[str]:
        for line in io.StringIO(text[start:], newline=""):
            lines.append(line)
            yield line

    reader = csv.reader(remembered(), delimiter=delimiter, strict=True)
    number = 0
    while True:
        number += 1
        first = reader.line_num + 1
        start += sum(map(len, lines))
        lines.clear()
        cells: list[str] = []
        reason = ""
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            if "field limit" in str(error):
                reason = f"it begins a cell of more than {millions(csv.field_size_limit())}; nothing behind it is read"
                yield _CsvRow(number, [], reason, "", start)
                return
            if "unexpected end" in str(error):
                reason = f"the quote opened on line {first} is never closed; what is behind it to the end is lost ({len(lines)} lines)"
            else:  # text behind a closing quote: read as spreadsheets do, as part of the cell
                cells = next(csv.reader(lines, delimiter=delimiter))
        yield _CsvRow(number, cells, reason, "".join(lines), start)


def _delimiter(text: str, options: FormatOptions) -> str:
    heads, usual = [], []
    for delimiter in _DELIMITERS:
        read = csv.reader(io.StringIO(text[:65536], newline=""), delimiter=delimiter)
        try:
            header = next(read, [])
        except csv.Error:
            header = []
        if _has_text(header, options):
            return delimiter
        heads.append(len(header))
        usual.append(_usual_width(read))
    best = heads.index(max(heads))
    is_title = usual[best] < 2 and max(usual) > 1  # a line above the table has another mark, or none
    return _DELIMITERS[usual.index(max(usual)) if is_title else best]


def _usual_width(rows: Iterator[list[str]]) -> int:
    """Return how many cells most of the rows next to be read have; 0 where there are none."""
    found = Counter[int]()
    with suppress(csv.Error):  # the last row that is looked at may be cut
        found.update(len(cells) for cells in islice(rows, _LOOKED_AT) if cells)
    return found.most_common(1)[0][0] if found else 0
