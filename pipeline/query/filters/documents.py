"""Which documents meet a condition on their metadata."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pipeline.base.errors import QuestionError, meant
from pipeline.base.store import Rows
from pipeline.query.filters.condition import ANY, EXAMPLE, Comparison, Condition, parse_condition
from pipeline.text.dates import days_in, in_one_order
from pipeline.text.metadata import TECHNICAL, read_metadata
from pipeline.text.sentences import CELLS

CALLED = {"sender": "from", "author": "from"} | dict.fromkeys(("file", "filename", "path", "folder"), "source")
"""What people call columns that every document, or every mail, has."""
SHOWN = 8
"""Columns or values that an error names, the most frequent first."""

_ORDERED = frozenset({"<", "<=", ">", ">="})


class Matching(NamedTuple):
    """The ids of the documents that meet a condition, and for each column that some lack a sentence on how many are left out for it."""

    ids: tuple[str, ...]
    left_out: tuple[str, ...]


def matching_documents(where: str, documents: Rows) -> Matching:
    """Return the documents that meet a condition, in the order of the table.

    Columns are those of the metadata, in any case (``author.name`` for a value inside another), besides id, title and
    source, and those of a table's file that became the id or the title of its rows. QuestionError where no document has such a column,
    where days are compared with what is no date, or where none meets the condition.
    """
    condition = parse_condition(where)
    rows = documents.table(["id", "title", "source", "metadata"]).to_pylist()
    records = [record_of(row) for row in rows]
    unknown = {column for column in condition.columns if not any(column in record for record in records)}
    if unknown:
        _add_cells(unknown, records, documents)
    _check_columns(condition, records)
    for column in condition.columns:
        _date(column, records)
    _check_days((one for one in condition.comparisons if one.sign in _ORDERED), records)
    found = tuple(row["id"] for row, record in zip(rows, records, strict=True) if condition.holds(record))
    if not found:
        _check_days((one for one in condition.comparisons if one.sign == "="), records)
        raise QuestionError(
            f"no document meets the filter {where!r}",
            "there is nothing to answer from",
            "change it; " + "; ".join(_values(column, records) for column in condition.columns),
        )
    return Matching(found, tuple(_left_out(condition, records)))


def record_of(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return what can be compared of a document: its metadata by column in lower case, its title, source and id.

    The id is the record's own where the metadata have one.
    """
    own = read_metadata(row["metadata"])
    own.setdefault("id", own.get("record") or row["id"])
    return {"title": row["title"], "source": row["source"], **own}


def _left_out(condition: Condition, records: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Say of each column of a condition how many records are left out because they have none."""
    n_out: Counter[str] = Counter()
    for record in records:
        missing = [column for column in condition.columns if record.get(column) in (None, "")]
        if missing and not condition.holds(record) and condition.holds({**record, **dict.fromkeys(missing, ANY)}):
            n_out.update(missing)
    for column, n in n_out.items():
        have, are = ("has", "is") if n == 1 else ("have", "are")
        yield f"{n:,} of {len(records):,} documents {have} no {column} and {are} left out"


def _check_days(comparisons: Iterable[Comparison], records: list[dict[str, Any]]) -> None:
    """Raise QuestionError for a value that is no date, where most values of its column are."""
    for column, sign, value in comparisons:
        cells = [str(record[column]) for record in records if record.get(column) not in (None, "")]
        n_days = sum(days_in(cell, alone=True) is not None for cell in cells)
        if 2 * n_days > len(cells) and days_in(value, alone=True) is None:
            raise QuestionError(
                f"{value!r} is no date, and {column} is compared with dates",
                "the filter cannot be applied",
                f"write a day, a month or a year: {column} {sign} 2025-03-05, {column} {sign} 2025-03 or {column} {sign} 2025",
            )


def _columns(records: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the columns that some documents have, last those that reading adds."""
    counts = Counter(name for record in records for name in record)
    return sorted(counts, key=lambda name: (name in TECHNICAL, -counts[name], name))


def _check_columns(condition: Condition, records: list[dict[str, Any]]) -> None:
    known = _columns(records)
    for column in condition.columns:
        if column not in known:
            near = (
                f"did you mean {CALLED[column]}?"
                if CALLED.get(column) in known
                else meant(column, [name for name in known if name not in TECHNICAL], before="")
            )
            more = f" and {len(known) - SHOWN} more" if len(known) > SHOWN else ""
            raise QuestionError(
                f"no document has a column {column!r}",
                "the filter cannot be applied",
                f"{near}{' ' * bool(near)}Columns are {', '.join(known[:SHOWN])}{more}; a filter is written so: {EXAMPLE}",
            )


def _add_cells(columns: Collection[str], records: list[dict[str, Any]], documents: Rows) -> None:
    """Add what the texts of rows of tables say in some columns: "order_id: O-1 | name: Ann Lee"."""
    for record, text in zip(records, documents.column("text").to_pylist(), strict=True):
        cells = (cell.partition(": ") for cell in text.split(CELLS)) if "record" in record else ()
        record.update((name.lower(), value) for name, _, value in cells if name.lower() in columns)


def _date(column: str, records: list[dict[str, Any]]) -> None:
    """Bring days that are written as 03/04/2024 into ISO form where the column of their file shows which way round."""
    files: dict[str, list[dict[str, Any]]] = {}
    for record in records:
        if isinstance(record.get(column), str):
            files.setdefault(record["source"], []).append(record)
    for having in files.values():
        for record, day in zip(having, in_one_order([record[column] for record in having]), strict=True):
            record[column] = day


def _values(column: str, records: list[dict[str, Any]]) -> str:
    cells = [record[column] for record in records if record.get(column) not in (None, "")]
    flat = [one for cell in cells for one in (cell if isinstance(cell, list) else [cell])]
    counts = Counter(str(one) for one in flat)
    most = [value for value, _ in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))]
    more = f" and {len(most) - SHOWN} more" if len(most) > SHOWN else ""
    return f"values of {column} are {', '.join(most[:SHOWN])}{more}"
