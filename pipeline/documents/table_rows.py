"""Rows of tables as their files have them, given as they were read: each cell behind the name of its column."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pipeline.documents.places import FilePlace, column_labels, file_place, places_of
from pipeline.text.metadata import CSV_HEADER, CSV_QUOTED, read_metadata
from pipeline.text.sentences import CELLS

USUAL = (",", "\t", "|")
"""Delimiters of which a row that is printed shows nothing but its cells."""


def quoted_row(document: Mapping[str, Any], text: str, start: int) -> tuple[str, FilePlace] | None:
    """Return a row of a CSV file in the file's own characters, and where they are; None where ``text``, a span of the
    document's text from ``start`` on, is no such row, or the file has other characters between its cells."""
    names, row = parted(text, column_labels(document, text, start))
    places = places_of(document)
    if len(names) < 2 or "\n" in text or places.unit != "row":
        return None
    metadata = read_metadata(document["metadata"])
    header = str(metadata.get(CSV_HEADER, "")) or ",".join(names)
    quoted = [int(n) for n in re.findall(r"\d+", str(metadata[CSV_QUOTED]))] if CSV_QUOTED in metadata else None
    first, said = as_in_file(header, names, row, quoted)
    if first != header:
        return None
    place = file_place(document, start, start + len(text))
    is_last = start + len(text) == places.offsets[-1]
    closes = _quotes_behind(said) > _quotes_behind(row)
    said = said if is_last or not closes else said[:-1]
    behind = (closes and is_last) + (closes and row[-1] == '"')  # the file has a mark of the cell's own twice
    place = place._replace(start=place.start - (said[0] == '"'), end=place.end + behind)
    return (said, place) if len(said) == place.end - place.start else None


def _quotes_behind(text: str) -> int:
    return len(text) - len(text.rstrip('"'))


def parted(text: str, labels: Sequence[tuple[int, int]]) -> tuple[list[str], str]:
    """Return the names of the columns in a text, and the text without them; bars between cells stay, or stand in place of the line
    ends that part long cells."""
    names, rest, at = [], "", 0
    for start, end in labels:
        bar = next((bar for bar in (CELLS, "\n") if text.startswith(bar, start)), "")
        names.append(text[start + len(bar) : end].removesuffix(": "))
        rest, at = rest + text[at:start] + (CELLS if bar else ""), end
    return names, rest + text[at:]


def needs_quotes(cell: str, mark: str) -> bool:
    """Return whether a file has a cell in quotation marks even if it has no other cell so, given its delimiter."""
    return any(char in cell for char in (mark, '"', "\r", "\n"))


def as_in_file(header: str, names: Sequence[str], row: str, quoted: Sequence[int] | None = None) -> tuple[str, str]:
    """Return the first row of a file and one of its rows, given by the names of its columns that are not empty and its cells,
    as the file has them; with bars where the file's own first row is not given, or does not have these columns. The cells of the
    columns ``quoted`` are in quotation marks, by their numbers from 1 on; None: those that need them."""
    mark, columns = _columns(header, names)
    cells = row.split(CELLS)
    if len(cells) != len(names) or not mark:
        return CELLS.join(names), row
    said = dict(zip(names, cells, strict=True))
    in_file = []
    for number, cell in enumerate((said.get(name, "") for name in columns), 1):
        is_quoted = needs_quotes(cell, mark) if quoted is None else number in quoted
        in_file.append(f'"{cell.replace(chr(34), chr(34) * 2)}"' if is_quoted else cell)
    first, last = columns.index(names[0]), columns.index(names[-1])
    return header, mark.join(in_file[first : last + 1])


def as_shown(header: str, names: Sequence[str], row: str) -> tuple[str, str]:
    """Return the same as a reader is shown it: empty cells kept, and bars in place of commas and tabs."""
    mark, columns = _columns(header, names)
    cells = row.split(CELLS)
    if len(cells) != len(names) or mark not in USUAL:
        return as_in_file(header, names, row)
    said = dict(zip(names, cells, strict=True))
    last = columns.index(names[-1])
    return CELLS.join(columns), CELLS.join(said.get(name, "") for name in columns[: last + 1])


def _columns(header: str, names: Sequence[str]) -> tuple[str, list[str]]:
    """Return the delimiter of a file by its first row, and the names of its columns; nothing where it does not have these."""
    for mark in dict.fromkeys(re.findall(r"\t|[^\w\s]", header)):
        columns = [name.strip() for name in header.split(mark)]
        if set(names) <= set(columns):
            return mark, columns
    return "", []
