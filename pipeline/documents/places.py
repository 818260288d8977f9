"""Maps a document's text back to its file: characters and lines, pages, paragraphs, records.

A map has positions: characters of the decoded file (the byte order mark apart) where the file keeps the text's characters,
else characters of the text of its pages, paragraphs or record, counted through. Stretches of the text lead to positions.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from pipeline.text.spans import line_end

NOT_IN_FILE = -1
"""The position of a stretch that reading inserted: a list's sign, a separator of cells, a label."""
_LINE_END = re.compile(r"\r\n?|\n")
_LABEL = re.compile(r"[|\w]")
_NUMBERED = re.compile(r"([a-z]+) (\d+) to \1 (\d+)")
PlaceUnit = Literal["", "line", "row", "time", "page", "paragraph", "record", "slide", "cells"]
"""What the places of a file are called by; "" where the text came from no file, in "row" characters count in the file, in "cells" (of a
spreadsheet) within the row."""
FAR = 1000
"""Characters into a line behind which its number alone does not lead a reader to the words: some files are one line."""
IN_FILE = ("", "line", "row", "time")
"""Units of files whose characters people read: ``start`` and ``end`` count in the file, in any other case within the unit."""


class PlaceMap(NamedTuple):
    """The columns ``place_*`` of the table documents, in their order.

    Stretch k of the text begins at ``offsets[k]`` and at position ``starts[k]``, -1 where it is not in the file; the last
    offset is the text's length. An offset that is there twice ends what is shorter in the text than in the file, such as
    a character reference. Unit k begins at position ``breaks[k]``; it is called ``labels[k]``, or by its number from
    ``first`` on where there are no labels.
    """

    unit: PlaceUnit = ""
    first: int = 1
    offsets: Sequence[int] = ()
    starts: Sequence[int] = ()
    breaks: Sequence[int] = ()
    labels: Sequence[str] = ()


NO_PLACES = PlaceMap()
"""The map of a text that came from no file."""
PLACE_COLUMNS = tuple(f"place_{name}" for name in PlaceMap._fields)


class FilePlace(NamedTuple):
    """Where a span of a text is in its file.

    ``label`` is for people: "line 41", "lines 41-43", "line 1, column 20512" (more than FAR characters into it, from 1 on),
    "page 3", "paragraph 12", "record T-10003". ``start`` and ``end``
    count characters of the text of what ``within`` names ("page 3", "paragraph 12", "table 1, row 2"), from 0 on and
    through what follows it; of the decoded file where ``within`` is empty.
    """

    label: str
    start: int
    end: int
    page: int | None = None
    record: int | None = None
    within: str = ""


def places_of(document: Mapping[str, Any]) -> PlaceMap:
    """Return the map of a document's row, whose columns are PLACE_COLUMNS."""
    return PlaceMap(*(document[name] for name in PLACE_COLUMNS))


def file_place(document: Mapping[str, Any], start: int, end: int) -> FilePlace:
    """Where ``document["text"][start:end]`` is in the file; ``document`` needs the PLACE_COLUMNS alone.

    What reading inserted at the span's ends is left out. Without a map (imported indexes) the span is returned as it is.
    """
    places = places_of(document)
    if not places.offsets:
        return FilePlace("", start, end)
    first, last = _first_position(places, start), _last_position(places, end)
    first, last = (first, last) if first < last else (min(first, last),) * 2
    unit = max(bisect_right(places.breaks, first) - 1, 0)
    in_file = places.unit in IN_FILE
    base = places.breaks[unit] if places.breaks and not in_file else 0
    number = places.first + unit
    label = _label(places, unit, max(bisect_left(places.breaks, last) - 1, unit))
    if places.unit == "line" and (into := first - (places.breaks[unit] if places.breaks else 0)) > FAR:
        label += f", column {into + 1}"
    return FilePlace(
        label,
        first - base,
        last - base,
        number if places.unit == "page" else None,
        number if places.unit == "record" else None,
        "" if in_file else _label(places, unit, unit),
    )


def quotable(document: Mapping[str, Any], text: str, start: int) -> tuple[int, int]:
    """Which part of ``text``, a span of the document's text from ``start`` on, a reader finds in the file in these words.

    Where reading put names of columns or bars between the cells of a row, this is the longest stretch of lines without
    them, or, of rows alone, of cells; signs of lists and white space do not count. What else reading put at the ends, the sign
    of an item or the fences of code, is left out. ``document`` needs the PLACE_COLUMNS alone.
    """
    places = places_of(document)
    labels = []
    first_own, last_own = 0, len(text)
    first = bisect_right(places.offsets, start) - 1 if places.offsets else 0
    for k in range(max(first, 0), len(places.starts) - 1):
        if places.offsets[k] >= start + len(text):
            break
        if places.starts[k] == NOT_IN_FILE:
            low, high = (min(max(places.offsets[j] - start, 0), len(text)) for j in (k, k + 1))
            if _LABEL.search(text, low, high):
                labels.append((low, high))
            elif not low:
                first_own = high
            elif high == len(text):
                last_own = low
    if not labels:
        return (first_own, last_own) if text[first_own:last_own].strip() else (0, len(text))
    rows = [(text.rfind("\n", 0, low) + 1, line_end(text, high)) for low, high in labels]
    return _longest_between(rows, text) or _longest_between(labels, text) or (0, len(text))


def _longest_between(spans: Sequence[tuple[int, int]], text: str) -> tuple[int, int] | None:
    """Return the longest stretch of a text that no span overlaps, without white space at its ends; None where all do."""
    stretches = zip([0, *(end for _, end in spans)], [*(start for start, _ in spans), len(text)], strict=True)
    trimmed = [(end - len(text[start:end].lstrip()), end) for start, end in stretches if text[start:end].strip()]
    low, high = max(trimmed, key=_length, default=(0, 0))
    return (low, low + len(text[low:high].rstrip())) if low < high else None


def column_labels(document: Mapping[str, Any], text: str, start: int) -> list[tuple[int, int]]:
    """Which stretches of ``text``, a span of the document's text from ``start`` on, are names of columns that reading put
    before the cells of a row. ``document`` needs the PLACE_COLUMNS alone.
    """
    offsets, starts = document["place_offsets"], document["place_starts"]
    found = []
    for k in range(max(bisect_right(offsets, start) - 1, 0), len(starts) - 1 if offsets else 0):
        if offsets[k] >= start + len(text):
            break
        low, high = (min(max(offset - start, 0), len(text)) for offset in (offsets[k], offsets[k + 1]))
        if starts[k] == NOT_IN_FILE and any(char.isalnum() for char in text[low:high]):
            found.append((low, high))
    return found


def _length(span: tuple[int, int]) -> int:
    return span[1] - span[0]


def _first_position(places: PlaceMap, offset: int) -> int:
    k = bisect_right(places.offsets, offset) - 1
    if places.starts[k] != NOT_IN_FILE:
        return places.starts[k] + offset - places.offsets[k]
    return next((position for position in places.starts[k:] if position != NOT_IN_FILE), places.starts[-1])


def _last_position(places: PlaceMap, offset: int) -> int:
    k = bisect_left(places.offsets, offset)
    if places.offsets[k] == offset and places.offsets[min(k + 1, len(places.offsets) - 1)] == offset:
        return places.starts[k]
    k -= 1
    while k > 0 and places.starts[k] == NOT_IN_FILE:
        k, offset = k - 1, places.offsets[k]
    return max(places.starts[k], 0) + offset - places.offsets[k]


def _label(places: PlaceMap, first: int, last: int) -> str:
    if places.labels:
        labels = places.labels[first], places.labels[last]
        if first == last:
            return labels[0]
        alike = _NUMBERED.fullmatch(" to ".join(labels))
        return f"{alike[1]}s {alike[2]}-{alike[3]}" if alike else " to ".join(labels)
    number, to = places.first + first, places.first + last
    return f"{places.unit} {number}" if first == last else f"{places.unit}s {number}-{to}"


def line_starts(text: str) -> list[int]:
    """Where each line of a text begins; lines end with LF, CRLF or CR."""
    return [0, *(found.end() for found in _LINE_END.finditer(text))]


def copied(text: str, start: int, breaks: Sequence[int]) -> PlaceMap:
    """The map of a text that is its file's from ``start`` on, character for character, given the file's lines."""
    return PlaceMap("line", 1, (0, len(text)), (start, start + len(text)), breaks)


def record_text(length: int, number: int, label: str) -> PlaceMap:
    """The map of a text that is the value of a record, whose characters the file may write in another way."""
    return PlaceMap("record", number, (0, length), (0, length), (), (label,))


class MappedText:
    """A text in the making, and the way back from it: pieces are copied from positions of the file, or inserted."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self.length = 0
        """Characters so far."""
        self._offsets: list[int] = []
        self._starts: list[int] = []
        self._next = NOT_IN_FILE
        """The position behind the last piece, where one that is copied from there continues the stretch."""
        self._end = 0

    def copy(self, text: str, start: int) -> None:
        """Add a piece whose characters are those from position ``start`` on, one for one, if it has any."""
        if not text:
            return
        if start != self._next:
            self._begin(start)
        self._next = self._end = start + len(text)
        self._add(text)

    def insert(self, text: str) -> None:
        """Add a piece that is not in the file, if it has any character."""
        if not text:
            return
        if not self._starts or self._starts[-1] != NOT_IN_FILE:
            self._begin(NOT_IN_FILE)
        self._next = NOT_IN_FILE
        self._add(text)

    def replace(self, text: str, start: int, end: int) -> None:
        """Add a piece that the file writes in other characters, those from ``start`` to ``end``."""
        self._begin(start)
        self._add(text)
        self._begin(end)
        self._next, self._end = NOT_IN_FILE, end

    def _begin(self, start: int) -> None:
        self._offsets.append(self.length)
        self._starts.append(start)

    def _add(self, text: str) -> None:
        self._pieces.append(text)
        self.length += len(text)

    def text(self) -> str:
        """The text so far."""
        return "".join(self._pieces)

    def places(self, unit: PlaceUnit, first: int, breaks: Sequence[int], labels: Sequence[str] = ()) -> PlaceMap:
        """The map of the text so far."""
        return PlaceMap(unit, first, (*self._offsets, self.length), (*self._starts, self._end), breaks, labels)
