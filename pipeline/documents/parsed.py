"""What reading a file yields: documents and problems; the options of reading, and what all formats share."""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Any

from pipeline.base.files import Problem
from pipeline.documents.encoding import clean

Scalar = str | int | float | bool | None


@dataclass(frozen=True)
class FormatOptions:
    """Where records keep their parts, and the limits of what is read."""

    text_column: str = "text"
    title_column: str = "title"
    metadata_columns: tuple[str, ...] = ()
    key_column: str = "id"
    """Column that names a record, where there is one; else its place in the file does."""
    max_depth: int = 64
    """Levels of nesting in JSON and in front matter."""
    max_record: int = 20_000_000
    """Characters of one record of CSV or JSON Lines."""
    max_values: int = 20_000_000
    """Values, about, that one JSON text may hold."""
    max_unpacked: int = 300_000_000
    """Bytes that an office document may hold unpacked."""
    max_pages: int = 5_000
    max_seconds: float = 120
    """CPU seconds for one PDF."""


@dataclass(frozen=True)
class Parsed:
    """One document. ``key`` names its record within the file, "" where the file is one document."""

    title: str
    text: str
    metadata: dict[str, Scalar] = field(default_factory=dict)
    key: str = ""

    def noted(self, note: str) -> "Parsed":
        """The same with a sentence about its reading in ``metadata[NOTE]``, behind what is there already."""
        before = self.metadata.get(NOTE)
        return replace(self, metadata={**self.metadata, NOTE: f"{before}; {note}" if before else note})


Read = Iterator[Parsed | Problem]

NOTE = "reading_note"
"""Key of the metadata that says what was decided or lost while reading, such as characters replaced."""

_SMALL = re.compile("an?|and|at|by|for|from|in|of|on|or|the|to|with|de|du|la|le|et|der|die|das|und|von|al|el|y")
_LONGEST_TITLE = 300


def readable_name(source: str) -> str:
    """A file's name as words: "texts/01-joan_of_arc.txt" gives "Joan of Arc"; capitals that are there are kept."""
    stem = PurePosixPath(source).stem
    name = re.sub(r"^\d{1,3}[-_. ]+(?=[^\W\d_])", "", stem)
    words = re.sub(r"[_\s]+|(?<=[^\W\d_])-(?=\w)|(?<=\d)-(?=[^\W\d_])", " ", name).split()
    if name == name.lower():
        words = [
            word if place and _SMALL.fullmatch(word) else word[:1].upper() + word[1:]
            for place, word in enumerate(words)
        ]
    return " ".join(words) or stem


def one_line(title: str) -> str:
    """A title on one line, at most 300 characters of it."""
    return " ".join(title[: 10 * _LONGEST_TITLE].split())[:_LONGEST_TITLE].rstrip()


def from_record(
    source: str, place: str, record: Mapping[str, Any], options: FormatOptions, seen: set[str]
) -> Parsed | Problem:
    """Make a document of a record of named values.

    Its key is the value of the key column where that is new in the file (``seen`` holds the ones before), else ``place``.
    """
    name, value = _pick(record, options.text_column)
    if name is None:
        return Problem(
            source, place, f"no {options.text_column!r} among its keys: {_listed(record)}; set input.text_column"
        )
    if value is None:
        return Problem(source, place, f"its {name!r} is null", "skipped")
    if isinstance(value, list | dict):
        return Problem(
            source, place, f"its {name!r} is a {'list' if isinstance(value, list) else 'group of values'}, not text"
        )
    text, replaced = clean(str(value))
    title = _pick(record, options.title_column)[1]
    parsed = Parsed(
        one_line(clean(str(title))[0] if isinstance(title, str | int | float) else "")
        or f"{readable_name(source)}, {place}",
        text,
        metadata_of(record, options.metadata_columns),
        _key(place, _pick(record, options.key_column)[1], seen),
    )
    if not isinstance(value, str):
        parsed = parsed.noted(
            f"its {name!r} was not text but {'a truth value' if isinstance(value, bool) else 'a number'}"
        )
    return parsed.noted(f"{replaced} unusable characters replaced") if replaced else parsed


_WIDEST = 64
"""Bits of a whole number that metadata hold as a number."""


def scalar(value: Any) -> Scalar:
    """A value as metadata can hold it: numbers that JSON cannot write become text, those of more than 64 bits hexadecimal."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, int) and value.bit_length() > _WIDEST:
        return f"{value:#x}"
    if value is None or isinstance(value, int | float):
        return value
    return clean(str(value))[0]


def name_of(value: Any) -> str:
    """A name of a value, which files may write as anything, as a text that can be stored."""
    return str(scalar(value))


_NESTED = (list, tuple, dict, set)


def metadata_of(record: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Scalar]:
    """The named values of a record that are there; lists of plain values are joined, deeper ones left out and noted."""
    metadata: dict[str, Scalar] = {}
    left_out = []
    for column in names:
        name, value = _pick(record, column)
        if name is None:
            continue
        plain = _joined(value) if isinstance(value, _NESTED) else scalar(value)
        if plain is None and value is not None:
            left_out.append(column)
        else:
            metadata[column] = plain
    if left_out:
        metadata[NOTE] = f"nested values left out: {', '.join(left_out)}"
    return metadata


def _joined(value: Any) -> str | None:
    """A list of plain values as one text, a set of them in the order of its texts; None for anything deeper."""
    if not isinstance(value, list | set) or any(isinstance(item, _NESTED) for item in value):
        return None
    items = [str(scalar(item)) for item in value]
    return ", ".join(sorted(items) if isinstance(value, set) else items)


def _pick(record: Mapping[str, Any], wanted: str) -> tuple[str | None, Any]:
    """A record's own name for ``wanted`` and its value; case is ignored where the exact name is missing."""
    if wanted in record:
        return wanted, record[wanted]
    near = [name for name in record if name.strip().casefold() == wanted.casefold()]
    return (near[0], record[near[0]]) if near else (None, None)


def _key(place: str, value: Any, seen: set[str]) -> str:
    usable = isinstance(value, str | int) and not isinstance(value, bool)
    key = one_line(clean(str(value))[0]) if usable else ""
    if not key:
        return place
    if key in seen:
        return f"{key} ({place})"
    seen.add(key)
    return key


def _listed(record: Mapping[str, Any]) -> str:
    names = [one_line(clean(str(name))[0])[:40] for name in list(record)[:12]]
    return ", ".join(names) + (", ..." if len(record) > 12 else "") if names else "it has none"
