"""What reading a file yields: documents, problems and what was left out; the options of reading, titles and values."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import PurePosixPath
from typing import Any, Literal, NamedTuple

from pipeline.base.errors import InputError
from pipeline.base.files import Problem
from pipeline.documents.encoding import clean
from pipeline.documents.places import NO_PLACES, PlaceMap

Scalar = str | int | float | bool | None
EVERY = "*"
"""In ``metadata_columns``: all columns that are neither text nor title and short enough for metadata."""


@dataclass(frozen=True)
class FormatOptions:
    """Which columns of records are read as what, and the limits of what is read."""

    text_column: str = "text"
    title_column: str = "title"
    metadata_columns: tuple[str, ...] = (EVERY,)
    id_column: str = ""
    """Column of a record's id; "" for one with a usual name, such as id or key. Where there is none, its place in the file."""
    date_column: str = ""
    """Column of a record's date; "" for one with a usual name, such as date or created."""
    web_pages: Literal["text", "whole", "main"] = "text"
    """What of a web page is read: all but what it marks as navigation, all, or only its main text."""
    max_depth: int = 64
    """Levels of nesting in JSON and in front matter."""
    max_record: int = 20_000_000
    """Characters of one record of CSV or JSON Lines."""
    max_values: int = 20_000_000
    """About how many values one JSON text may hold."""
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
    places: PlaceMap = NO_PLACES
    """The way from the text back to the file."""

    def at(self, places: PlaceMap) -> "Parsed":
        """The same with this way back to the file."""
        return replace(self, places=places)

    def noted(self, note: str) -> "Parsed":
        """The same with a sentence about its reading in ``metadata[NOTE]``, behind what is there already."""
        before = self.metadata.get(NOTE)
        return replace(self, metadata={**self.metadata, NOTE: f"{before}; {note}" if before else note})


class LeftOut(NamedTuple):
    """What was left out of a file's records: for each column the number of records that have it."""

    source: str
    columns: dict[str, int]


Read = Iterator[Parsed | Problem | LeftOut]


def imported(module: str, package: str, extra: str) -> Any:
    """Return a module that some kinds of files need; InputError that names the extra where it is not installed."""
    try:
        return import_module(module)
    except ImportError as error:
        found = "" if isinstance(error, ModuleNotFoundError) and error.name == module else f" ({error})"
        raise InputError(
            f"reading it needs {package}{found}; install the extra: pip install 'graphstrata[{extra}]'"
        ) from error


SAME_TEXT = "the same text as "
"""Beginning of the reason for which a file is left out: another file, named next, has the same text."""
NOTE = "reading_note"
"""Key of the metadata that says what was decided or lost while reading, such as characters replaced."""

_SMALL = re.compile("an?|and|at|by|for|from|in|of|on|or|the|to|with|de|du|la|le|et|der|die|das|und|von|al|el|y")
_LONGEST_TITLE = 300


def readable_name(source: str) -> str:
    """A file's name as words: "texts/01-joan_of_arc.txt" gives "Joan of Arc"; capitals that are there stay."""
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


def millions(characters: int) -> str:
    """A number of characters as messages give it."""
    return f"{characters / 1e6:,.1f} million characters"
