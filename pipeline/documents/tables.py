"""Rows of tables that can be read by themselves: each cell behind the name of its column, where the table gives names."""

import re
from collections.abc import Callable, Iterable, Sequence

from pipeline.documents.places import MappedText
from pipeline.text.sentences import CELLS

_LONGEST_CELL = 200
"""Characters of the cells of a row that is written on one line."""
_MOST_SURE = 3
"""Columns from which on a first row of words is taken for the names of the columns; two may be names and values."""
_DIGIT = re.compile(r"\d")
_PERIOD = re.compile(r"(?:[QH][1-4][ /]?)?(?:1[5-9]|20)\d\d(?:/\d\d)?")
"""A year, which is a name of a column in spite of its digits."""
_VALUE = re.compile(r"\W*\d[\d\W]*[^\W\d_]{0,3}\W*")
"""A cell that is a number or a date, perhaps with a unit: no name of a column but for a year."""
_HEAD_WITHIN = 20
"""Rows among which the one that names the columns is looked for, from the first on."""
_LOOKED_AT = 50
"""Rows below one by which it is seen whether it names their columns."""


def column_names(rows: Sequence[Sequence[str]], marked: bool = False) -> list[str]:
    """What the first row calls the columns, or nothing where it is not sure to do so; ``marked``: the file says it does."""
    names = list(rows[0])
    if len(rows) < 2 or len(names) < 2 or not all(names) or len({*names}) < len(names):
        return []
    return names if marked or (_are_words(names) and len(names) >= _MOST_SURE) else []


def filled(cells: Sequence[str]) -> list[int]:
    """Return the places of the cells that hold anything."""
    return [k for k, cell in enumerate(cells) if cell.strip()]


def head_row(
    rows: Sequence[Sequence[str]],
    behind: Sequence[Sequence[str]] = (),
    typed: bool = False,
    least: int = _MOST_SURE,
) -> int | None:
    """Return which row names the columns of those below it, ``least`` of them, the first that does, whatever titles are above; None
    where none is sure to. Below the last row are those ``behind``. ``typed``: a column must show it, of which all cells below have
    digits and the name none."""
    for place, row in enumerate(rows[:_HEAD_WITHIN]):
        below = rows[place + 1 : place + 1 + _LOOKED_AT] or behind[:_LOOKED_AT]
        if len(filled(row)) >= least and _names(row, below, typed):
            return place
    return None


def _names(row: Sequence[str], below: Sequence[Sequence[str]], typed: bool) -> bool:
    """Return whether a row has names of columns, and all but stray cells below it have one."""
    own = filled(row)
    names = [row[k] for k in own]
    if not below or any(_VALUE.fullmatch(n) and not _PERIOD.fullmatch(n) for n in names):
        return False
    if not follow(own, below):
        return False
    if any(not has_digit(row[k]) for k in of_digits(below) & {*own}):
        return True
    return not typed and _are_words(names) and len({*names}) == len(names)


def _are_words(names: Sequence[str]) -> bool:
    """Return whether none of some names has a digit but for years, which are never the first."""
    return not has_digit(names[0]) and all(_PERIOD.fullmatch(name) or not has_digit(name) for name in names[1:])


def follow(columns: Iterable[int], rows: Sequence[Sequence[str]]) -> bool:
    """Return whether rows have their cells in some columns; in another only few have one, such as a remark beside them."""
    used = [k for cells in rows for k in filled(cells)]
    return all(2 * used.count(k) < len(rows) for k in {*used} - {*columns})


def has_digit(cell: str) -> bool:
    """Return whether a cell has a digit, as numbers and dates do, and few names of columns."""
    return bool(_DIGIT.search(cell))


def of_digits(rows: Sequence[Sequence[str]]) -> set[int]:
    """Return the columns of which all cells that hold anything have digits."""
    used = {k for cells in rows for k in filled(cells)}
    return {k for k in used if all(has_digit(cells[k]) for cells in rows if k < len(cells) and cells[k].strip())}


def names_of(cells: Sequence[str]) -> list[str]:
    """Return what a row of names calls the columns, each by a name of its own; one without a name by its number."""
    return [name or f"(column {k})" for k, name in enumerate(unlike(cells), 1)]


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
