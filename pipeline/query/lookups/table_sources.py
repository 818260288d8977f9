"""The tables that a question may be asked of: those of the files closest to it, and all that have the same columns."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.base.arrow.build import array, to_numpy
from pipeline.base.store import Rows
from pipeline.documents.parsed import readable_name
from pipeline.query.evidence.cited_context import Chunk
from pipeline.query.lookups.row_conditions import CellRow, Keys, RowTable
from pipeline.text.answering.row_tables import rows_of_tables
from pipeline.text.dates import in_one_order
from pipeline.text.metadata import CSV_HEADER, TECHNICAL, read_metadata
from pipeline.text.question.row_questions import is_total
from pipeline.text.sentences import CELLS

TABLES = 5
"""Files, of those closest to the question, whose tables are looked at."""
MOST = 200_000
"""Records whose cells are looked at; a question waits a second for so many."""
LOOKED_AT = 200
"""Records by which it is seen what columns a file has that has no row of their names: empty cells of a record are left out."""
SHOWN = 3
"""Titles of tables that are named together, at most."""


class TableSources:
    """Reads tables of one index: of files with one record a row, and of texts."""

    def __init__(self, tables: Mapping[str, Rows], chunks: Sequence[Chunk], keys: Keys) -> None:
        self._stored, self._chunks, self._keys = tables["documents"], chunks, keys

    @cached_property
    def _documents(self) -> pa.Table:
        return self._stored.table(["id", "title", "source", "metadata"])

    @cached_property
    def _sources(self) -> tuple[list[str], np.ndarray]:
        """The files, and the place there of that of each document."""
        coded = self._documents["source"].combine_chunks().dictionary_encode()
        return coded.dictionary.to_pylist(), to_numpy(coded.indices)

    @cached_property
    def _counts(self) -> dict[str, int]:
        """How many documents each file has."""
        names, source_of = self._sources
        return dict(zip(names, np.bincount(source_of, minlength=len(names)).tolist(), strict=True))

    def of_rows(self) -> Iterator[RowTable]:
        """Yield the tables of which the closest chunks show rows."""
        shown = list(dict.fromkeys(chunk.document_id for chunk in self._chunks if "|" in chunk.text))
        documents = self._stored.by_id(shown, ["title", "source", "text"])
        yield from self._of({id: documents[id] for id in shown})

    def near(self, asked: frozenset[str]) -> Iterator[RowTable]:
        """Yield the tables of the files of the closest chunks, and of a few files of records that have words of a question in their
        name or columns."""
        ids = dict.fromkeys(chunk.document_id for chunk in self._chunks)
        documents = self._stored.by_id(ids, ["title", "source", "text"])
        near = {id: documents[id] for id in ids}
        sources = list(dict.fromkeys(one["source"] for one in near.values()))[:TABLES]
        others = [one for one in self._counts if self._counts[one] > 1 and one not in sources]
        sources += [one for one in others if not self._chunks or self._heads(one) & asked][:TABLES]
        yield from self._of(near, sources)

    def _of(self, near: Mapping[str, Mapping[str, str]], sources: Sequence[str] = ()) -> Iterator[RowTable]:
        """Yield the tables of some files, of the first TABLES of those of some documents where none are given."""
        for source in sources or list(dict.fromkeys(one["source"] for one in near.values()))[:TABLES]:
            if self._counts[source] > MOST:
                continue
            if self._counts[source] > 1:
                yield self._of_records(source)
                continue
            id, document = next((id, one) for id, one in near.items() if one["source"] == source)
            yield from _of_text(id, document["title"], document["text"])

    def like(self, table: RowTable, asked: frozenset[str]) -> list[RowTable]:
        """Return all tables with the columns of one, that one among them; where the titles of some hold more of what is asked than
        those of others, only these. None where they have more than MOST records together."""
        first = table.rows[0]
        if first.end:
            found = [one for one in self._of_texts(table.columns) if one.columns == table.columns]
        else:
            own = self._documents["source"][pc.index(self._documents["id"], first.document_id).as_py()].as_py()
            columns = self._columns_of(own)
            sources = [one for one in self._counts if self._counts[one] > 1 and self._columns_of(one) == columns]
            if sum(self._counts[one] for one in sources) > MOST:
                return []
            found = [table if one == own else self._of_records(one) for one in sources]
        held = [len(self._keys(one.title) & asked) for one in found]
        return [one for one, n in zip(found, held, strict=True) if n == max(held)] or [table]

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

    def _of_records(self, source: str) -> RowTable:
        """Return a file with one record a row."""
        own = array(self._places(source))
        ids, titles = self._documents["id"].take(own).to_pylist(), self._documents["title"].take(own).to_pylist()
        metadata = self._documents["metadata"].take(own).to_pylist()
        text = self._stored.by_id(ids[:1], ["text"])[ids[0]]["text"]
        named, records = _id_column(text, metadata[0]), zip(ids, titles, metadata, strict=True)
        called = readable_name(source)
        rows = [CellRow(id, 0, 0, {"": title} | _cells(one, named), called) for id, title, one in records]
        return RowTable(called, _dated(_without_totals(rows)))

    def _of_texts(self, columns: Sequence[str]) -> Iterator[RowTable]:
        """Yield the tables of all texts that hold the names of some columns."""
        for part in self._stored.batches(["id", "title", "text"]):
            for name in columns:
                part = part.filter(pc.match_substring(part["text"], name))
            for id, title, text in zip(*(part[name].to_pylist() for name in ("id", "title", "text")), strict=True):
                yield from _of_text(id, title, text)


def joined(tables: Sequence[RowTable]) -> RowTable:
    """Return the rows of several tables as one, under their titles."""
    titles = list(dict.fromkeys(table.title for table in tables))
    named = ", ".join(titles) if len(titles) <= SHOWN else f"{titles[0]}, {titles[1]}, … {titles[-1]}"
    return RowTable(named, [row for table in tables for row in table.rows])


def _of_text(id: str, title: str, text: str) -> Iterator[RowTable]:
    for found in rows_of_tables(text):
        yield RowTable(title, _dated(_without_totals([CellRow(id, *row, title) for row in found])))


def _without_totals(rows: Sequence[CellRow]) -> Sequence[CellRow]:
    """Return the rows of a table without what they come to, which its last row may say."""
    while len(rows) > 1 and any(map(is_total, rows[-1].cells.values())):
        rows = rows[:-1]
    return rows


def _dated(rows: Sequence[CellRow]) -> Sequence[CellRow]:
    """Return rows with their days in ISO form, where they are written as 03/04/2024 and their column shows which way round."""
    for name in dict.fromkeys(name for row in rows for name in row.cells):
        column = [row.cells.get(name, "") for row in rows]
        days = in_one_order(column)
        if days != column:
            changed = zip(rows, days, strict=True)
            rows = [row._replace(cells={**row.cells, name: day}) if name in row.cells else row for row, day in changed]
    return rows


def _cells(stored: str, id_column: str) -> dict[str, str]:
    read = read_metadata(stored)
    named = {id_column: str(read.get("record", ""))} if id_column else {}
    return named | {name: str(value) for name, value in read.items() if name not in TECHNICAL}


def _id_column(text: str, stored: str) -> str:
    """Return the name of the column that names the records of a file, as the text of one says it; empty where it does not."""
    key = read_metadata(stored).get("record")
    named = (cell.partition(": ") for cell in text.replace(CELLS, "\n").split("\n"))
    return next((name.lower() for name, _, value in named if key and value == key), "")
