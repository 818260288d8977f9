"""Rows of tables that can be read by themselves: each cell behind the name of its column, where the table gives names."""

import re
from collections.abc import Callable, Sequence

from pipeline.documents.places import MappedText
from pipeline.text.sentences import CELLS

_LONGEST_CELL = 200
"""Characters of the cells of a row that is written on one line."""
_MOST_SURE = 3
"""Columns from which on a first row of words is taken for the names of the columns; two may be names and values."""
_NO_NAME = re.compile(r"\d")
_PERIOD = re.compile(r"(?:[QH][1-4][ /]?)?(?:1[5-9]|20)\d\d(?:/\d\d)?")
"""A year, which is a name of a column in spite of its digits."""


def column_names(rows: Sequence[Sequence[str]], marked: bool = False) -> list[str]:
    """What the first row calls the columns, or nothing where it is not sure to do so; ``marked``: the file says it does."""
    names = list(rows[0])
    if len(rows) < 2 or len(names) < 2 or not all(names) or len({*names}) < len(names):
        return []
    plain = not _NO_NAME.search(names[0]) and all(_PERIOD.fullmatch(n) or not _NO_NAME.search(n) for n in names[1:])
    return names if marked or (plain and len(names) >= _MOST_SURE) else []


def unlike(names: Sequence[str]) -> list[str]:
    """Names of columns, each that was there before with the number of its column, so that no cell takes another's place."""
    seen: set[str] = set()
    found = []
    for k, name in enumerate(names, 1):
        found.append(f"{name} (column {k})".lstrip() if name in seen else name)
        seen.add(name)
    return found


def between(cells: Sequence[str]) -> str:
    """What separates the cells of a row that is a text of its own: a bar where all are short, else a line's end."""
    short = all(len(cell) <= _LONGEST_CELL and "\n" not in cell for cell in cells)
    return CELLS if short else "\n"


def write_row(
    text: MappedText, names: Sequence[str], cells: Sequence[str], write: Callable[[int], None], separator: str = CELLS
) -> None:
    """Write the cells that hold anything, each behind its name if there are as many names; ``write(k)`` writes cell k."""
    labels = names if len(names) == len(cells) else [""] * len(cells)
    before = ""
    for k, (name, cell) in enumerate(zip(labels, cells, strict=True)):
        if cell.strip():
            text.insert(before + (f"{name}: " if name else ""))
            write(k)
            before = separator


def row_text(names: Sequence[str], cells: Sequence[str]) -> str:
    """Return a row as ``write_row`` writes it, of a file whose characters nobody reads."""
    text = MappedText()
    write_row(text, names, cells, lambda k: text.insert(cells[k]))
    return text.text()
