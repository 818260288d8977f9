"""Finds tables in the text of a PDF page by where its pieces are on the page; a PDF itself knows letters and places alone.

A table is a run of lines whose pieces, far apart, begin at the same distances from the left.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")

_LONGEST_CELL = 60
"""Characters; what is longer is a line of a page in columns."""
_SAME_LINE = 2.0
_SAME_COLUMN = 3.0
_SAME_FIGURES = 30.0
"""Points by which pieces of one line differ in height, cells of one column in their left, and figures, set to the right."""
_LETTER = 0.5
"""Width of a letter, and the least gap between cells, as shares of the size of the type."""
_LIST_SIGN = re.compile(r"\W+|\(?\w{1,3}[.)]")
"""What is at the left of an item of a list, which is no cell."""
_BOLD = re.compile(r"bold|black|heavy|demi|medi\b|(?:cm|sf)bx", re.IGNORECASE)
_ONE_WIDTH = re.compile(r"mono|courier|consol|typewriter|code|(?:cm|lm)(?:sl)?tt", re.IGNORECASE)
"""Names of types that are bold, and of those whose letters have one width."""


class PageCell(NamedTuple):
    """A piece of a page: ``text[start:end]``, its left and its height in points, its size of type, whether it is bold, and whether
    all letters of its type have one width."""

    start: int
    end: int
    left: float
    height: float
    size: float
    bold: bool = False
    code: bool = False


Table = list[list[PageCell]]


class PagePieces:
    """Takes the pieces of a page as pypdf hands them out, and finds the tables among them."""

    def __init__(self) -> None:
        self.length = 0
        self.cells: list[PageCell] = []

    def take(self, text: str, place: Any, matrix: Any, font: Any, size: float) -> None:
        """Take a piece: ``place`` and ``matrix`` are affine maps of six numbers, from text to page."""
        words = text.strip()
        if words:
            start = self.length + text.index(words)
            left = matrix[4] * place[0] + matrix[5] * place[2] + place[4]
            height = matrix[4] * place[1] + matrix[5] * place[3] + place[5]
            size = abs(size * (matrix[0] or matrix[1]) * (place[0] or place[1])) or 1.0
            name = str((font or {}).get("/BaseFont", ""))
            bold, code = bool(_BOLD.search(name)), bool(_ONE_WIDTH.search(name))
            self.cells.append(PageCell(start, start + len(words), left, height, size, bold, code))
        self.length += len(text)

    def tables(self, text: str) -> list[Table]:
        """The tables of the page, whose text is ``text``, in their order."""
        found: list[Table] = []
        run: Table = []
        for line in runs_of(self.cells, lambda one, other: abs(one.height - other.height) > _SAME_LINE):
            sign = len(line) == 2 and _LIST_SIGN.fullmatch(text[line[0].start : line[0].end])
            if (
                len(line) < 2
                or sign
                or not all(_is_cell(text[cell.start : cell.end]) for cell in line)
                or not _apart(line)
            ):
                run = []
            elif run and _aligned(run[0], line, text):
                run.append(line)
                if len(run) == 2:
                    found.append(run)
            else:
                run = [line]
        return found


def runs_of(items: Iterable[T], apart: Callable[[T, T], bool]) -> Iterator[list[T]]:
    """Yield items in runs; another begins where ``apart`` says of two neighbours that they are."""
    run: list[T] = []
    for item in items:
        if run and apart(run[-1], item):
            yield run
            run = []
        run.append(item)
    if run:
        yield run


def _is_cell(text: str) -> bool:
    return len(text) <= _LONGEST_CELL and "\n" not in text


def _apart(line: list[PageCell]) -> bool:
    """Whether there is room between the pieces, as there is not between the words of a sentence in two types."""
    ends = (cell.left + (cell.end - cell.start) * cell.size * _LETTER for cell in line)
    return all(after.left - end > _LETTER * after.size for end, (_, after) in zip(ends, pairwise(line), strict=False))


def _aligned(first: list[PageCell], line: list[PageCell], text: str) -> bool:
    """Whether the pieces of a line are below those of the first one; figures may be set to the right."""
    if len(first) != len(line) or abs(first[0].left - line[0].left) > _SAME_COLUMN:
        return False
    for above, cell in zip(first[1:], line[1:], strict=True):
        figures = re.search(r"\d", text[cell.start : cell.end])
        if abs(above.left - cell.left) > (_SAME_FIGURES if figures else _SAME_COLUMN):
            return False
    return True
