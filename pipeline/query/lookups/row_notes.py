"""What is noted above the rows of a table: how many they are of how many, by which conditions, and what they come to."""

from pipeline.query.lookups.row_conditions import RowCondition
from pipeline.query.lookups.rows import RowsFound
from pipeline.query.messages import Message, message


def rows_note(found: RowsFound, language: str) -> str:
    """Return the note in the language of the question: "51 of 200 rows have status open"."""
    conditions = tuple(_said(one, language) for one in found.conditions)
    unconditional: Message = "all_rows" if found.n_rows == found.n_all else "rows"
    which: Message = "rows_with" if conditions else unconditional
    rows = message(which, language, conditions, found=found.n_rows, total=found.n_all)
    figures = "; ".join(found.figures)
    if found.total:
        kind, column = found.total
        figures = f"{message('rows_sum' if kind == 'sum' else 'rows_mean', language, (column,))}: {figures}"
    return "; ".join(filter(None, (figures, rows)))


def _said(condition: RowCondition, language: str) -> str:
    column, said, is_denied = condition
    if not said:
        return message("rows_empty" if is_denied else "rows_filled", language, (column,))
    return f"{column} {message('rows_other', language, (said,)) if is_denied else said}".strip()
