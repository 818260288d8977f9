"""What is noted above the rows of a table: how many they are of how many, by which conditions, and what they come to; above a row
what it has in the columns that are asked for."""

from pipeline.query.lookups.cell_rows import CellRow
from pipeline.query.lookups.row_conditions import RowCondition
from pipeline.query.lookups.rows import RowsFound
from pipeline.query.messages import Message, listed, message

_BEST: dict[tuple[bool, bool], Message] = {
    (True, False): "rows_most",
    (False, False): "rows_least",
    (True, True): "rows_latest",
    (False, True): "rows_earliest",
}
"""What rows have, by whether it is the most and whether that is a day."""


def rows_note(found: RowsFound, n_printed: int, language: str) -> str:
    """Return the note in the language of the question, of which so many rows are printed: "51 of 200 rows have status open; the first
    5 are shown"."""
    conditions = tuple(_said(one, language) for one in found.conditions)
    unconditional: Message = "all_rows" if found.n_rows == found.n_all else "rows"
    which: Message = "rows_with" if conditions else unconditional
    rows = message(which, language, conditions, found=found.n_rows, total=found.n_all)
    figures = "; ".join(found.figures)
    if found.best:
        figures = message(
            _BEST[found.best.is_most, found.best.has_days], language, (found.best.column,), found=found.best.of
        )
        if found.best.rank > 1:
            figures = f"{figures}, {message('rows_rank', language, found=found.best.rank)}"
        rows = rows if conditions else ""
    if found.total:
        kind, column = found.total
        figures = f"{message('rows_sum' if kind == 'sum' else 'rows_mean', language, (column,))}: {figures}"
    different = (
        message("rows_different", language, (found.different[0],), found=found.different[1]) if found.different else ""
    )
    shown = message("rows_shown", language, found=n_printed) if n_printed < len(found.rows) else ""
    return "; ".join(filter(None, (figures, rows, different, shown)))


def row_note(row: CellRow, found: RowsFound, language: str) -> str:
    """Return the note above a record that is printed as its text, which its other columns are not in: "opened: 2024-02-10"."""
    cells = ((name, row.cells.get(name, "").strip()) for name in found.columns)
    return listed((f"{name}: {cell}" for name, cell in cells if cell), language)


def _said(condition: RowCondition, language: str) -> str:
    column, said, is_denied = condition
    if not said:
        return message("rows_empty" if is_denied else "rows_filled", language, (column,))
    return f"{column} {message('rows_other', language, (said,)) if is_denied else said}".strip()
