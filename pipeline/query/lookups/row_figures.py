"""What rows come to: those with the most or the least, the rows of each cell of a column, and sums and means as they are written."""

import math
from collections.abc import Iterable, Sequence
from typing import TypeVar

from pipeline.query.lookups.cell_rows import CellRow, folded
from pipeline.text.numbers import decimal_mark
from pipeline.text.question.rows.row_questions import RowQuestion
from pipeline.text.question.rows.row_words import Wanted

T = TypeVar("T")
PARTED_BY_SPACE = frozenset({"fr", "pl", "ru", "sv"})
"""Languages that have a narrow space between thousands."""


def best_of(asked: RowQuestion, known: Iterable[tuple[float, T]]) -> list[T]:
    """Return as many as are asked for of those with the greatest values, or the smallest, and all that are as the last of them; of a
    rank only these."""
    ranked = sorted(known, key=lambda one: one[0], reverse=asked.wanted == "most")
    if asked.rank > 1:
        of_rank = [value for value, _ in ranked][asked.rank - 1 : asked.rank]
        return [one for value, one in ranked if value in of_rank]
    last = ranked[: asked.rows][-1:]
    return [one for place, (value, one) in enumerate(ranked) if place < asked.rows or value == last[0][0]]


def rows_by_cell(rows: Iterable[CellRow], name: str) -> dict[str, list[CellRow]]:
    """Return the rows of each cell of a column that holds something; cells that differ by capitals or blanks are one, as the first is
    written."""
    found: dict[str, list[CellRow]] = {}
    written: dict[str, str] = {}
    for row in rows:
        if cell := row.cells.get(name, "").strip():
            found.setdefault(written.setdefault(folded(cell), cell), []).append(row)
    return found


def total_of(kind: Wanted, values: Sequence[float]) -> float:
    """Return the sum of some values, or their mean."""
    return math.fsum(values) / (len(values) if kind == "mean" else 1)


def written_total(total: float, values: Sequence[float], language: str) -> str:
    """Return what values come to as a language writes it, its thousands parted, with as many decimals as they have; two at least,
    unless these are zeros."""
    places = max(2, *(len(f"{value:.9f}".rstrip("0").partition(".")[2]) for value in values))
    plain = f"{total:,.{places}f}".removesuffix("." + "0" * places)
    thousands = "\u202f" if language in PARTED_BY_SPACE else "."
    return plain if decimal_mark(language) == "." else plain.translate(str.maketrans(",.", f"{thousands},"))
