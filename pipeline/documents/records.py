"""Reads files of many records: CSV, JSON and JSON lines. A bad record is one problem; the others are kept."""

import csv
import io
import json
import re
from collections.abc import Iterator
from itertools import accumulate
from typing import Any

from pipeline.base.files import Problem
from pipeline.documents.parsed import FormatOptions, Parsed, Read, from_record

_DELIMITERS = (",", ";", "\t", "|")
_WRAPPERS = ("records", "documents", "data", "items", "rows", "results")
"""Keys under which a JSON object may hold its records."""


def read_csv(source: str, text: str, options: FormatOptions) -> Read:
    """One document a row; the first row names the columns. Rows are numbered as a spreadsheet does, the header being 1.

    The delimiter is the first of comma, semicolon, tab and bar that gives a header with the text column.
    """
    text, delimiter = _told_delimiter(text)
    delimiter = delimiter or _delimiter(text, options)
    # This limit is the whole process's, so it is only ever raised.
    csv.field_size_limit(max(csv.field_size_limit(), options.max_record))
    rows = _rows(text, delimiter)
    header = next((cells for _, cells, _ in rows if cells), [])
    columns = {name.casefold().strip() for name in header}
    if options.text_column.casefold() not in columns:
        yield Problem(
            source,
            "",
            f"no column {options.text_column!r}; its columns are: {', '.join(header)[:200]}; set input.text_column",
        )
        return
    for missing in [name for name in options.metadata_columns if name.casefold() not in columns]:
        yield Problem(source, f"column {missing}", "there is no such column to keep as metadata", "skipped")
    seen: set[str] = set()
    for number, cells, reason in rows:
        place = f"row {number}"
        if reason:
            yield Problem(source, place, reason)
        elif cells:
            yield _document(source, place, header, cells, delimiter, options, seen)


def _document(
    source: str, place: str, header: list[str], cells: list[str], delimiter: str, options: FormatOptions, seen: set[str]
) -> Parsed | Problem:
    note = ""
    if len(cells) < len(header):
        note = f"the row has {len(cells)} cells, its header {len(header)}"
    elif len(cells) > len(header) and header[-1].casefold().strip() == options.text_column.casefold():
        cells = [*cells[: len(header) - 1], delimiter.join(cells[len(header) - 1 :])]
        note = "the row has more cells than its header; the last ones were joined"
    elif len(cells) > len(header):
        note = f"the row has {len(cells)} cells, its header {len(header)}; left out: {delimiter.join(cells[len(header) :])[:200]}"
    record: dict[str, Any] = dict.fromkeys(header)
    record.update(zip(header, cells, strict=False))
    parsed = from_record(source, place, record, options, seen)
    return parsed.noted(note) if note and isinstance(parsed, Parsed) else parsed


def _rows(text: str, delimiter: str) -> Iterator[tuple[int, list[str], str]]:
    """Number, cells and "", or number, no cells and a reason; blank lines count as rows without cells."""
    lines: list[str] = []

    def remembered() -> Iterator[str]:
        for line in io.StringIO(text, newline=""):
            lines.append(line)
            yield line

    reader = csv.reader(remembered(), delimiter=delimiter, strict=True)
    number = 0
    while True:
        number += 1
        first = reader.line_num + 1
        lines.clear()
        try:
            yield number, next(reader), ""
        except StopIteration:
            return
        except csv.Error as error:
            if "field limit" in str(error):
                yield (
                    number,
                    [],
                    f"it begins a cell of more than {_millions(csv.field_size_limit())}; nothing behind it is read",
                )
                return
            if "unexpected end" in str(error):
                reason = f"the quote opened on line {first} is never closed; {len(lines)} lines to the end are lost"
                yield number, [], reason
            else:  # text behind a closing quote: read as spreadsheets do, as part of the cell
                yield number, next(csv.reader(lines, delimiter=delimiter)), ""


def _told_delimiter(text: str) -> tuple[str, str]:
    """The text without the "sep=;" line that spreadsheets write, and the delimiter that it names."""
    told = re.match(r"sep=(.)\r?\n", text, re.IGNORECASE)
    return (text[told.end() :], told[1]) if told else (text, "")


def _delimiter(text: str, options: FormatOptions) -> str:
    headers = []
    for delimiter in _DELIMITERS:
        try:
            header = next(csv.reader(io.StringIO(text[:65536], newline=""), delimiter=delimiter), [])
        except csv.Error:
            header = []
        if options.text_column.casefold() in (name.casefold().strip() for name in header):
            return delimiter
        headers.append(len(header))
    return _DELIMITERS[headers.index(max(headers))]


def read_json(source: str, text: str, options: FormatOptions) -> Read:
    """One document a record: of an array, of an object's array under a key such as "records", or one object as a whole."""
    content = _loaded(text, options)
    if isinstance(content, str):
        yield Problem(source, "", content)
        return
    records = _records(content[0], options)
    seen: set[str] = set()
    for number, record in enumerate(records, 1):
        place = "" if record is content[0] else f"record {number}"
        yield _checked(source, place, record, options, seen)


def read_json_lines(source: str, text: str, options: FormatOptions) -> Read:
    """One document a line; blank lines are passed over."""
    seen: set[str] = set()
    for number, line in enumerate(_lines(text), 1):
        if line.strip():
            place = f"line {number}"
            if len(line) > options.max_record:
                limit = _millions(options.max_record)
                yield Problem(
                    source, place, f"the record has {_millions(len(line))}, more than the limit of {limit}; split it"
                )
                continue
            content = _loaded(line, options)
            if isinstance(content, str):
                yield Problem(source, place, content)
            else:
                yield _checked(source, place, content[0], options, seen)


def _lines(text: str) -> Iterator[str]:
    """Lines ended by LF or CRLF; JSON strings may hold the other line ends of Unicode as they are."""
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield text[start:end]
        start = end + 1


def _checked(source: str, place: str, record: Any, options: FormatOptions, seen: set[str]) -> Parsed | Problem:
    if isinstance(record, str):
        record = {options.text_column: record}
    if not isinstance(record, dict):
        return Problem(source, place, f"it is {_kind(record)}, not an object with a {options.text_column!r}")
    return from_record(source, place, record, options, seen)


def _records(content: Any, options: FormatOptions) -> list[Any]:
    if isinstance(content, list):
        return content
    if not isinstance(content, dict) or options.text_column in content:
        return [content]
    lists = {
        key: value for key, value in content.items() if isinstance(value, list) and value and isinstance(value[0], dict)
    }
    for key in _WRAPPERS:
        if key in lists:
            return list(lists[key])
    return list(*lists.values()) if len(lists) == 1 else [content]


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    return {list: "an array", bool: "a truth value", int: "a number", float: "a number"}.get(
        type(value), "something else"
    )


_STRINGS = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_STEPS = {"[": 1, "{": 1, "]": -1, "}": -1}


def _loaded(text: str, options: FormatOptions) -> tuple[Any] | str:
    """What JSON text holds, in a tuple, or the reason why it cannot be read."""
    brackets = text.count("[") + text.count("{")
    if brackets + text.count(",") > options.max_values:
        return (
            f"it holds more than {options.max_values:,} values, the limit of one JSON text; split it, or name it .jsonl"
        )
    if brackets > options.max_depth and _depth(text) > options.max_depth:
        return f"nested more than {options.max_depth} levels deep"
    try:
        return (json.loads(text),)
    except json.JSONDecodeError as error:
        hint = "; a file of one record a line is to be named .jsonl" if error.msg == "Extra data" else ""
        return f"not valid JSON: {error.msg} at line {error.lineno}, character {error.colno}{hint}"
    except (ValueError, RecursionError) as error:  # a number of thousands of digits
        return f"not usable JSON: {error}"


def _depth(text: str) -> int:
    """Levels of nesting, outside strings."""
    brackets = re.sub(r"[^\[\]{}]+", "", _STRINGS.sub("", text))
    return max(accumulate(_STEPS[bracket] for bracket in brackets), default=0)


def _millions(characters: int) -> str:
    return f"{characters / 1e6:,.1f} million characters"
