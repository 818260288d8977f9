"""The columns by which documents can be filtered, each with its most frequent values."""

from collections import Counter
from typing import TYPE_CHECKING

from typing_extensions import TypedDict

from pipeline.query.filters.documents import record_of
from pipeline.text.metadata import TECHNICAL

if TYPE_CHECKING:
    from pipeline.web.projects import OpenIndex

COLUMNS, VALUES = 20, 20
"""Columns and values of a column that are offered, the most frequent first."""
LONGEST = 80
"""Characters of a value that is offered: longer ones are texts."""
OWN = TECHNICAL | {"id", "title", "source"}
"""What every document has, and nobody filters by from a list."""


class MetadataColumn(TypedDict):
    """A column of the documents' metadata, in how many of them it is, and its most frequent values."""

    column: str
    documents: int
    values: list[str]


def metadata_columns(opened: "OpenIndex") -> list[MetadataColumn]:
    """Return the columns that a condition ``where`` may name, those that most documents have first."""
    counts: dict[str, Counter[str]] = {}
    for record in opened.columns.rows(
        "documents", ["id", "title", "source", "metadata"], range(opened.count("documents"))
    ):
        for column, value in record_of(record).items():
            if column not in OWN and value is not None and len(str(value)) <= LONGEST:
                counts.setdefault(column, Counter())[str(value)] += 1
    best = sorted(counts, key=lambda column: (-counts[column].total(), column))[:COLUMNS]
    return [
        {"column": column, "documents": counts[column].total(), "values": _first(counts[column])} for column in best
    ]


def _first(values: Counter[str]) -> list[str]:
    return sorted(values, key=lambda value: (-values[value], value))[:VALUES]
