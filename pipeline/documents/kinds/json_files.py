"""Reads JSON and JSON Lines: an object is a record. A bad record is one problem; the others are read."""

import json
import re
from collections.abc import Iterator
from itertools import accumulate
from typing import Any

from pipeline.base.files import Problem
from pipeline.documents.parsed import FormatOptions, Parsed, Read, millions
from pipeline.documents.records import RecordReader
from pipeline.text.dates import day_order_in

_WRAPPERS = ("records", "documents", "data", "items", "rows", "results")
"""Keys under which a JSON object may hold its records."""


def read_json(source: str, text: str, options: FormatOptions) -> Read:
    """One document a record: of an array, of an object's array under a key such as "records", or one object as a whole."""
    content = _loaded(text, options)
    if isinstance(content, str):
        hint = "; a file of one record a line is to be named .jsonl" if "Extra data" in content else ""
        yield Problem(source, "", content + hint)
        return
    records = RecordReader(source, options, day_order_in(text))
    found = _records(content[0], options)
    if isinstance(content[0], dict) and found != [content[0]]:
        records.left_out.update(name for name, value in content[0].items() if value is not found)
    for number, record in enumerate(found, 1):
        yield _document(records, "" if record is content[0] else f"record {number}", number, record)
    yield from records.rest()


def read_json_lines(source: str, text: str, options: FormatOptions) -> Read:
    """One document a line; blank lines are passed over."""
    records = RecordReader(source, options, day_order_in(text))
    for number, line in enumerate(_lines(text), 1):
        if line.strip():
            place = f"line {number}"
            if len(line) > options.max_record:
                limit = millions(options.max_record)
                yield Problem(
                    source, place, f"the record has {millions(len(line))}, more than the limit of {limit}; split it"
                )
                continue
            content = _loaded(line, options)
            if isinstance(content, str):
                yield Problem(source, place, content)
            else:
                yield _document(records, place, number, content[0])
    yield from records.rest()


def _lines(text: str) -> Iterator[str]:
    """Lines ended by LF or CRLF, or all by CR; JSON strings may hold the other line ends of Unicode as they are."""
    ended = "\n" if "\n" in text else "\r"
    start = 0
    while start < len(text):
        end = text.find(ended, start)
        end = len(text) if end < 0 else end
        yield text[start:end]
        start = end + 1


def _document(records: RecordReader, place: str, number: int, record: Any) -> Parsed | Problem:
    if isinstance(record, str):
        record = {records.options.text_column: record}
    if not isinstance(record, dict):
        reason = f"it is {_kind(record)}, not an object with a {records.options.text_column!r}"
        return Problem(records.source, place, reason)
    return records.document(place, number, record)


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
            return lists[key]
    return next(iter(lists.values())) if len(lists) == 1 else [content]


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
        return f"not valid JSON: {error.msg} at line {error.lineno}, character {error.colno}"
    except (ValueError, RecursionError) as error:  # a number of thousands of digits
        return f"not usable JSON: {error}"


def _depth(text: str) -> int:
    """Levels of nesting, outside strings."""
    brackets = re.sub(r"[^\[\]{}]+", "", _STRINGS.sub("", text))
    return max(accumulate(_STEPS[bracket] for bracket in brackets), default=0)
