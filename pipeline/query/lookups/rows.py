"""The rows of a table that a question asks for: those with the most or the least, how many there are, what they come to.

Only a table that explains every word of the question is taken: as its title, a column, a cell, or what is wanted.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from pipeline.base.arrow.build import array, to_numpy
from pipeline.base.store import Rows
from pipeline.documents.parsed import readable_name
from pipeline.query.evidence.cited_context import Chunk, read_chunks
from pipeline.text.answering.row_tables import days_of, figures_of, rows_of_tables
from pipeline.text.metadata import TECHNICAL, read_metadata
from pipeline.text.numbers import decimal_mark
from pipeline.text.question.row_questions import SEVERAL, RowQuestion, is_column_of, row_keys

TABLES = 5
"""Files, of those closest to the question, whose tables are looked at."""
MOST = 200_000
"""Records of a file whose cells are looked at; a question waits a second for so many."""
NUMBERING = re.compile("#|№|id|no[.]?|nr[.]?|number|nummer|numéro|número|numero|record|номер|编号|番号|序号")
"""Heads of columns whose numbers are names."""


class CellRow(NamedTuple):
    """A row by the names of its columns, and its span in the text of its document; a record is the whole of its own, from 0 to 0."""

    document_id: str
    start: int
    end: int
    cells: Mapping[str, str]


class RowTable(NamedTuple):
    """A table of a text, or of a file with one record a row; ``title`` is what it is of."""

    title: str
    rows: Sequence[CellRow]


class RowsFound(NamedTuple):
    """The rows that were asked for, of how many in all; ``figure`` is what they come to, in words. Where they are the answer
    themselves, ``is_count`` is false."""

    title: str
    rows: Sequence[CellRow]
    total: int
    is_count: bool = False
    figure: str = ""


def find_rows(
    asked: RowQuestion, language: str, chunks: Sequence[Chunk], tables: Mapping[str, Rows]
) -> RowsFound | None:
    """Return the rows that a question asks for, of the first table that explains all its words: of the files of the closest
    chunks, or of a file of records that it names."""

    def keys(text: str) -> frozenset[str]:
        return row_keys(text, language)

    found = (_found(asked, language, table, keys) for table in _tables(asked, chunks, tables, keys))
    return next(filter(None, found), None)


def _tables(
    asked: RowQuestion, chunks: Sequence[Chunk], tables: Mapping[str, Rows], keys: Callable[[str], frozenset[str]]
) -> Iterator[RowTable]:
    documents = tables["documents"].table(["id", "title", "source"])
    near = tables["documents"].by_id([chunk.document_id for chunk in chunks], ["title", "source", "text"])
    coded = documents["source"].combine_chunks().dictionary_encode()
    names, rows_of = coded.dictionary.to_pylist(), to_numpy(coded.indices)
    counts = dict(zip(names, np.bincount(rows_of).tolist(), strict=True))
    sources = list(dict.fromkeys(near[chunk.document_id]["source"] for chunk in chunks))[:TABLES]
    sources += [
        one
        for one in names
        if counts[one] > 1 and one not in sources and (not chunks or keys(readable_name(one)) & asked.keys)
    ][:TABLES]
    for source in sources:
        if counts[source] > MOST:
            continue
        if counts[source] > 1:
            own = array(np.flatnonzero(rows_of == names.index(source)))
            ids, titles = documents["id"].take(own).to_pylist(), documents["title"].take(own).to_pylist()
            stored = tables["documents"].column("metadata").take(own).to_pylist()
            records = zip(ids, titles, stored, strict=True)
            yield RowTable(
                readable_name(source), [CellRow(id, 0, 0, {"": title} | _cells(one)) for id, title, one in records]
            )
            continue
        id, document = next((id, one) for id, one in near.items() if one["source"] == source)
        for found in rows_of_tables(document["text"]):
            yield RowTable(document["title"], [CellRow(id, *row) for row in found])


def _cells(stored: str) -> dict[str, str]:
    return {name: str(value) for name, value in read_metadata(stored).items() if name not in TECHNICAL}


def _found(
    asked: RowQuestion, language: str, table: RowTable, keys: Callable[[str], frozenset[str]]
) -> RowsFound | None:
    columns = list(dict.fromkeys(name for row in table.rows for name in row.cells))
    heads = {name: keys(name) for name in columns}
    named = frozenset[str]().union(keys(table.title), *heads.values())
    rows, left, cells = _filtered(table.rows, columns, asked.keys, asked.keys - named, keys)
    if left or not rows:
        return None
    wanted = [name for name in columns if heads[name] & asked.keys - cells]
    measured = [name for name in columns if not _numbers_rows(name, table.rows)]

    def values(name: str) -> Sequence[float] | None:
        cells = [row.cells.get(name, "") for row in rows]
        if asked.column == "date":
            return days_of(cells)
        return figures_of(cells, [row.cells.get(name, "") for row in table.rows], language)

    figures = {name: found for name in measured if (found := values(name)) is not None}
    if asked.wanted == "count":
        of_row = any(name in figures for name in wanted)  # how many a row has in that column
        if of_row and len(rows) == len(table.rows):
            return None
        repeated = [name for name in wanted if 1 < len({row.cells.get(name, "") for row in rows}) < len(rows)]
        if repeated and not of_row:
            return _different(asked, table, rows, repeated, heads, keys)
        return RowsFound(table.title, rows, len(table.rows), is_count=not of_row)
    chosen = _chosen(asked, figures, wanted)
    if chosen is None:
        return _most_frequent(asked, table, rows, {name: heads[name] for name in wanted}, cells)
    name, numbers = chosen
    known = [(value, row) for value, row in zip(numbers, rows, strict=True) if not math.isnan(value)]
    if not known:
        return None
    if asked.wanted in ("sum", "mean"):
        total = math.fsum(value for value, _ in known) / (1 if asked.wanted == "sum" else len(known))
        figure = f"{name}: {_written(total, [value for value, _ in known], language)}"
        return RowsFound(table.title, [row for _, row in known], len(table.rows), True, figure)
    best = (max if asked.wanted == "most" else min)(value for value, _ in known)
    return RowsFound(table.title, [row for value, row in known if value == best], len(table.rows))


def _filtered(
    rows: Sequence[CellRow],
    columns: Sequence[str],
    asked: frozenset[str],
    left: frozenset[str],
    keys: Callable[[str], frozenset[str]],
) -> tuple[Sequence[CellRow], frozenset[str], frozenset[str]]:
    """Return the rows with the cells that a question names, those of the keys ``left`` that name none, and those of all keys that
    name one: whole cells first, then parts of one column's."""
    used = frozenset[str]()
    for name in columns:
        held = {cell: own for row in rows if (own := keys(cell := row.cells.get(name, "")))}
        whole = {cell for cell, own in held.items() if own <= asked}
        if whole:
            rows = [row for row in rows if row.cells.get(name, "") in whole]
            used |= frozenset[str]().union(*(held[cell] for cell in whole))
    left -= used
    for name in columns if left else ():
        part = [row for row in rows if left <= keys(row.cells.get(name, ""))]
        if part:
            return part, frozenset(), used | left
    return rows, left, used


def _chosen(
    asked: RowQuestion, known: Mapping[str, Sequence[float]], wanted: Sequence[str]
) -> tuple[str, Sequence[float]] | None:
    """Return the column that is asked for and its values: one of the kind that the question says, one that it names, or the
    only one of numbers; None where none is, or several are."""
    fit = [name for name in known if name in wanted] if asked.column in ("", *SEVERAL) else []
    if asked.column and not fit:
        fit = [name for name in known if is_column_of(name, asked.column)]
    if not fit and (asked.column == "date" or (not asked.column and asked.wanted in ("sum", "mean"))):
        fit = list(known)
    return (fit[0], known[fit[0]]) if len({tuple(known[name]) for name in fit}) == 1 else None


def _different(
    asked: RowQuestion,
    table: RowTable,
    rows: Sequence[CellRow],
    repeated: Sequence[str],
    heads: Mapping[str, frozenset[str]],
    keys: Callable[[str], frozenset[str]],
) -> RowsFound | None:
    """Return the first row of each different cell of the one column that is to be counted; None where the question names the
    table or another column as well, so that its rows may be meant."""
    name, *others = repeated
    named = frozenset[str]().union(keys(table.title), *(own for head, own in heads.items() if head != name))
    if others or asked.keys & named:
        return None
    first = {cell: row for row in reversed(rows) if (cell := row.cells.get(name, ""))}
    found = [row for row in rows if first.get(row.cells.get(name, "")) is row]
    return RowsFound(table.title, found, len(table.rows), True, f"{name}: {len(found)}")


def _most_frequent(
    asked: RowQuestion,
    table: RowTable,
    rows: Sequence[CellRow],
    wanted: Mapping[str, frozenset[str]],
    cells: frozenset[str],
) -> RowsFound | None:
    """Return the rows of the cell that is there most or least often, of the column that a question names beside what is counted."""
    counted = {name: Counter(cell for row in rows if (cell := row.cells.get(name, ""))) for name in wanted}
    fit = [
        name for name, counts in counted.items() if 1 < len(counts) < len(rows) and asked.keys - wanted[name] - cells
    ]
    if asked.column or asked.wanted not in ("most", "least") or len(fit) != 1:
        return None
    (name,) = fit
    best = (max if asked.wanted == "most" else min)(counted[name].values())
    of_cell = {
        cell: [row for row in rows if row.cells.get(name) == cell] for cell, n in counted[name].items() if n == best
    }
    figure = "; ".join(f"{cell}: {best}" for cell in of_cell)
    return RowsFound(table.title, [row for some in of_cell.values() for row in some], len(table.rows), True, figure)


def _written(total: float, values: Sequence[float], language: str) -> str:
    """Return what values come to as a language writes it, its thousands parted, with as many decimals as they have; two at least,
    unless these are zeros."""
    places = max(2, *(len(f"{value:.9f}".rstrip("0").partition(".")[2]) for value in values))
    plain = f"{total:,.{places}f}".removesuffix("." + "0" * places)
    return plain if decimal_mark(language) == "." else plain.translate(str.maketrans(",.", ".,"))


def _numbers_rows(name: str, rows: Sequence[CellRow]) -> bool:
    """Return whether the numbers of a column are names of the rows: by its head, or since they count them."""
    counted = all(row.cells.get(name) == str(place) for place, row in enumerate(rows, 1))
    return counted or NUMBERING.fullmatch(name.lower().strip()) is not None


def chunk_spans(documents: Iterable[str], tables: Mapping[str, Rows]) -> dict[str, list[tuple[str, int, int]]]:
    """Return the chunks of documents with their spans, in the order of the text; a document without a text has none."""
    wanted = set(documents)
    chunks = tables["chunks"].table(["id", "document_id", "start", "end"])
    found: dict[str, list[tuple[str, int, int]]] = {}
    for id, document, start, end in zip(*(chunks[name].to_pylist() for name in chunks.column_names), strict=True):
        if document in wanted:
            found.setdefault(document, []).append((id, start, end))
    return found


def chunks_of(rows: Sequence[CellRow], tables: Mapping[str, Rows]) -> list[tuple[Chunk, int, int]]:
    """Return for each row the chunk that holds it and its span there; the whole of its first chunk for a record. A record without
    a text has none, and is left out."""
    of = chunk_spans([row.document_id for row in rows], tables)
    places = []
    for row in (row for row in rows if row.document_id in of):
        holding = (one for one in of[row.document_id] if one[1] <= row.start and row.end <= one[2])
        id, start, _ = next(holding, of[row.document_id][0])
        places.append((id, row.start - start, row.end - start))
    read = {chunk.id: chunk for chunk in read_chunks([id for id, _, _ in places], tables)}
    return [
        (read[id], max(start, 0), end if 0 <= start < end <= len(read[id].text) else len(read[id].text))
        for id, start, end in places
    ]
