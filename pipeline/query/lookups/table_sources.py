"""The tables that a question may be asked of: those of the files closest to it, and all that have the same columns."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.base.arrow.build import array, to_numpy
from pipeline.base.arrow.columns import rows_of, whole
from pipeline.base.recent import Recent
from pipeline.base.store import Rows
from pipeline.documents.parsed import readable_name
from pipeline.query.evidence.cited_context import Chunk
from pipeline.query.lookups.cell_rows import CellRow, RowTable, cells_of
from pipeline.query.lookups.row_conditions import Keys
from pipeline.text.answering.row_tables import rows_of_tables
from pipeline.text.dates import DayOrder, in_one_order
from pipeline.text.metadata import CSV_HEADER, TECHNICAL, read_metadata
from pipeline.text.question.rows.row_words import is_total
from pipeline.text.sentences import CELLS

TABLES = 5
"""Files, of those closest to the question, whose tables are looked at."""
SHEETS = 20
"""Sheets of workbooks that are looked at though no chunk of theirs is close to the question."""
MOST = 200_000
"""Records whose cells are looked at; a question waits a second for so many."""
LOOKED_AT = 200
"""Records by which it is seen what columns a file has that has no row of their names: empty cells of a record are left out."""
DAY_FIRST = frozenset({"de", "es", "fr", "it", "nl", "pl", "pt", "ru"})
"""Languages in which 03/04/2024 is a day in April, wherever they are written; English is written in either order."""
SMALL = 1000
"""Records of a file that is looked at though neither its chunks nor its columns are close to the question, at most."""
KEPT = 4
"""Tables of files of records that are kept for the questions that follow."""
SHOWN = 3
"""Titles of tables that are named together, at most."""


class TableSources:
    """Reads tables of one index: of files with one record a row, and of texts."""

    def __init__(self, tables: Mapping[str, Rows], chunks: Sequence[Chunk], keys: Keys, language: str) -> None:
        self._stored, self._chunks, self._keys = tables["documents"], chunks, keys
        self._order: DayOrder | None = "day" if language in DAY_FIRST else None

    @cached_property
    def _documents(self) -> pa.Table:
        return self._stored.table(["id", "title", "source", "metadata", "place_unit"])

    @cached_property
    def _sources(self) -> tuple[list[str], np.ndarray]:
        """The files, and the place there of that of each document."""
        coded = whole(self._documents["source"]).dictionary_encode()
        return coded.dictionary.to_pylist(), to_numpy(coded.indices)

    @cached_property
    def _counts(self) -> dict[str, int]:
        """How many records each file has; one for a text, or a workbook, of which each sheet is a text with tables of its own."""
        names, source_of = self._sources
        counts = dict(zip(names, np.bincount(source_of, minlength=len(names)).tolist(), strict=True))
        of_sheets = self._documents.filter(pc.equal(self._documents["place_unit"], "cells"))
        return counts | dict.fromkeys(of_sheets["source"].to_pylist(), 1)

    def of_rows(self) -> Iterator[RowTable]:
        """Yield the tables of which the closest chunks show rows."""
        shown = list(dict.fromkeys(chunk.document_id for chunk in self._chunks if "|" in chunk.text))
        documents = self._stored.by_id(shown, ["title", "source", "text"])
        yield from self._of({id: documents[id] for id in shown})

    def near(
        self, asked: frozenset[str], counted: frozenset[str] = frozenset(), of_any: bool = False
    ) -> Iterator[RowTable]:
        """Yield the tables of the files of the closest chunks, and of a few files of records, first those that have words of a question in
        their name or columns, then small ones; of any with ``of_any``; of a workbook the other sheets last. Where some are called by
        what is ``counted``, and by nothing else, only these; else those first in whose name, or in that of their first column, it is."""
        ids = dict.fromkeys(chunk.document_id for chunk in self._chunks)
        documents = self._stored.by_id(ids, ["title", "source", "text"])
        near = {id: documents[id] for id in ids}
        sources = list(dict.fromkeys(one["source"] for one in near.values()))[:TABLES]
        others = [one for one in self._counts if self._counts[one] > 1 and one not in sources]
        named = [one for one in others if of_any or not self._chunks or self._heads(one) & asked]
        others = [*named, *(one for one in others if one not in named and self._counts[one] <= SMALL)][:TABLES]
        yield from self._of(near, others, counted)
        workbooks = [one for one in sources if self._counts[one] == 1 and len(self._places(one)) > 1]
        sheets = [self._documents["id"][place].as_py() for one in workbooks for place in self._places(one).tolist()]
        sheets = [id for id in sheets if id not in near][:SHEETS]
        for id, sheet in self._stored.by_id(sheets, ["title", "text"]).items():
            yield from self._of_text(id, sheet["title"], sheet["text"])

    def _of(
        self,
        near: Mapping[str, Mapping[str, str]],
        others: Sequence[str] = (),
        counted: frozenset[str] = frozenset(),
    ) -> Iterator[RowTable]:
        """Yield the tables of the first TABLES files of some documents, and of other files of records."""
        sources = list(dict.fromkeys(one["source"] for one in near.values()))[:TABLES]
        places = [(one["source"], id if self._counts[one["source"]] == 1 else "") for id, one in near.items()]
        found: list[tuple[str, str, str | RowTable]] = []
        for source, id in dict.fromkeys([*places, *((one, "") for one in others)]):
            if source not in sources and source not in others:
                continue
            if id:
                tables = self._of_text(id, near[id]["title"], near[id]["text"])
                found += [(one.title, one.columns[0], one) for one in tables]
            elif self._counts[source] <= MOST:
                found.append((readable_name(source), "", source))
        called = [one for *names, one in found if self._is_called(names[0], counted)]
        first = sorted(found, key=lambda named: not self._keys(f"{named[0]} {named[1]}") & counted)
        for one in called or [one for *_, one in first]:
            yield self._of_records(one) if isinstance(one, str) else one

    def _is_called(self, title: str, counted: frozenset[str]) -> bool:
        """Return whether a title says what is counted, and nothing else but numbers: "Payments 2024"."""
        keys = {key for key in self._keys(title) if not key.isdigit()}
        return bool(keys) and keys <= counted

    def like(self, table: RowTable, asked: frozenset[str]) -> list[RowTable]:
        """Return all tables with the columns of one, that one among them, and those that have a few more or fewer but all that a
        question names, by themselves or by a cell, with the columns of that one alone; where the titles of some hold more of what is
        asked than those of others, only these. None where they have more than MOST records together."""
        first = table.rows[0]
        used = self._used(table, asked)
        if first.end:
            found = [one for one in self._of_texts(table.columns, used) if _are_alike(table.columns, one.columns, used)]
        else:
            own = self._documents["source"][pc.index(self._documents["id"], first.document_id).as_py()].as_py()
            columns = self._columns_of(own)
            files = [one for one in self._counts if self._counts[one] > 1]
            sources = [
                one
                for one in files
                if self._columns_of(one) == columns
                or _are_alike(table.columns, self._names_of(one, table.columns), used)
            ]
            if sum(self._counts[one] for one in sources) > MOST:
                return []
            found = [table if one == own else self._of_records(one) for one in sources]
        shared = [len(self._keys(one.title) & asked) for one in found]
        best = [one for one, n in zip(found, shared, strict=True) if n == max(shared)]
        return [_with_columns(one, table.columns) for one in best] or [table]

    def _used(self, table: RowTable, asked: frozenset[str]) -> frozenset[str]:
        """Return the columns of a table of which a question has a word of the name or of a cell."""
        cells = {name: {*table.column(name)} for name in table.columns if name}
        return frozenset(
            name
            for name, column in cells.items()
            if self._keys(name) & asked or any(self._keys(cell) & asked for cell in column)
        )

    def _names_of(self, source: str, columns: Sequence[str]) -> list[str]:
        """Return the columns of a file of records as its table has them; none where few of its first records' are among those given."""
        records = self._documents["metadata"].take(array(self._places(source)[:LOOKED_AT])).to_pylist()
        own = frozenset().union(*map(read_metadata, records))
        return self._of_records(source, LOOKED_AT).columns if 2 * len(own & {*columns}) >= len(columns) - 2 else []

    def _columns_of(self, source: str) -> str | frozenset[str]:
        """Return the first row of a file of records, where it names the columns, else what the first records have between them."""
        records = self._documents["metadata"].take(array(self._places(source)[:LOOKED_AT])).to_pylist()
        first = read_metadata(records[0])
        return str(first.get(CSV_HEADER, "")) or frozenset().union(*map(read_metadata, records)) - TECHNICAL

    def _places(self, source: str) -> np.ndarray:
        names, source_of = self._sources
        return np.flatnonzero(source_of == names.index(source))

    def _heads(self, source: str) -> frozenset[str]:
        """Return the keys of what a file of records and its columns are called."""
        first = read_metadata(self._documents["metadata"][int(self._places(source)[0])].as_py())
        return self._keys(" ".join([readable_name(source), *first]))

    def _of_records(self, source: str, most: int = MOST) -> RowTable:
        """Return a file with one record a row, or its first rows; what was read for one question serves the next."""
        recent = self._stored.derived(_recent_tables)
        table = recent.get((source, most, self._order))
        if table is None:
            table = self._read_records(source, most)
            recent.put((source, most, self._order), table)
        return table

    def _read_records(self, source: str, most: int) -> RowTable:
        own = array(self._places(source)[:most])
        ids, titles = self._documents["id"].take(own).to_pylist(), self._documents["title"].take(own).to_pylist()
        metadata = self._documents["metadata"].take(own).to_pylist()
        text = self._stored.by_id(ids[:1], ["text"])[ids[0]]["text"]
        first, records, called = (
            read_metadata(metadata[0]),
            zip(ids, titles, metadata, strict=True),
            readable_name(source),
        )
        by_id, by_title = _column_of(text, first.get("record")), _column_of(text, titles[0])
        order = _in_order(str(first.get(CSV_HEADER, "")))
        rows = [CellRow(id, 0, 0, order(_cells(title, one, by_id, by_title)), called) for id, title, one in records]
        return RowTable(called, _dated(_without_totals(rows), self._order))

    def _of_texts(self, columns: Sequence[str], used: Collection[str]) -> Iterator[RowTable]:
        """Yield the tables of all texts that hold the names of columns that are used, and so many others that a table may be alike."""
        for part in self._stored.batches(["id", "title", "text"]):
            for name in [CELLS.strip(), *used]:
                part = part.filter(pc.match_substring(part["text"], name))
            named = np.zeros(len(part), int)
            for name in columns:
                named += to_numpy(whole(pc.match_substring(part["text"], name))).astype(int)
            part = part.filter(array(len(columns) - named <= _most_unlike(named)))
            for id, title, text in rows_of(part, "id", "title", "text"):
                yield from self._of_text(id, title, text)

    def _of_text(self, id: str, title: str, text: str) -> Iterator[RowTable]:
        for found in rows_of_tables(text):
            rows = [CellRow(id, *row, title) for row in found]
            yield RowTable(title, _dated(_without_totals(rows), self._order))


def _recent_tables(documents: Rows) -> Recent[tuple[str, int, DayOrder | None], RowTable]:
    return Recent(KEPT)


def _most_unlike(n_shared: Any) -> Any:
    """Return in how many columns tables may differ that have so many in common."""
    return n_shared // 2


def _are_alike(columns: Sequence[str], others: Sequence[str], used: frozenset[str]) -> bool:
    """Return whether a table with other columns is one more of the same kind: it has all that are used, and few more or fewer."""
    shared = {*columns} & {*others}
    return used <= shared and len({*columns} ^ {*others}) <= _most_unlike(len(shared))


def _with_columns(table: RowTable, columns: Sequence[str]) -> RowTable:
    """Return a table without the columns that it has beside these."""
    if {*table.columns} <= {*columns}:
        return table
    rows = [row._replace(cells={name: row.cells[name] for name in columns if name in row.cells}) for row in table.rows]
    return RowTable(table.title, rows)


def joined(tables: Sequence[RowTable]) -> RowTable:
    """Return the rows of several tables as one, under their titles."""
    titles = list(dict.fromkeys(table.title for table in tables))
    named = ", ".join(titles) if len(titles) <= SHOWN else f"{titles[0]}, {titles[1]}, … {titles[-1]}"
    return RowTable(named, [row for table in tables for row in table.rows])


def _without_totals(rows: Sequence[CellRow]) -> Sequence[CellRow]:
    """Return the rows of a table without what they come to, which its last row may say."""
    while len(rows) > 1 and any(map(is_total, rows[-1].cells.values())):
        rows = rows[:-1]
    return rows


def _dated(rows: Sequence[CellRow], usual: DayOrder | None) -> Sequence[CellRow]:
    """Return rows with their days in ISO form, where they are written as 03/04/2024 and their column, or the language, shows which way
    round."""
    for name in dict.fromkeys(name for row in rows for name in row.cells):
        column = cells_of(rows, name)
        days = in_one_order(column, usual)
        if days != column:
            changed = zip(rows, days, strict=True)
            rows = [row._replace(cells={**row.cells, name: day}) if name in row.cells else row for row, day in changed]
    return rows


def _cells(title: str, stored: str, id_column: str, title_column: str) -> dict[str, str]:
    """Return the cells of a record: its title as that of no column, and as that of its own where it has one."""
    read = read_metadata(stored)
    named = {id_column: str(read.get("record", ""))} if id_column else {}
    cells = named | {name: str(value) for name, value in read.items() if name not in TECHNICAL}
    return {"": title} | cells | ({title_column: title} if title_column and title_column not in cells else {})


def _in_order(header: str) -> Callable[[dict[str, str]], dict[str, str]]:
    """Return what puts the cells of a record into the order of the file's columns, where its first row names them: metadata have theirs."""
    places = {name.strip(' "').casefold(): place for place, name in enumerate(re.split(r"[,;\t|]", header))}
    last = len(places)
    return lambda cells: dict(sorted(cells.items(), key=lambda cell: places.get(cell[0], last if cell[0] else -1)))


def _column_of(text: str, value: object) -> str:
    """Return the name of the column that has a value in a record, as the text of it says; empty where it does not."""
    named = (cell.partition(": ") for cell in text.replace(CELLS, "\n").split("\n"))
    return next((name.lower() for name, _, cell in named if value and cell == value), "")
