"""The tables of an index as some of its documents alone give them.

A row of a chunk of other documents is left out. Rows that rest on several chunks stay where one of them is left, and name
only those. A finding of a report stays where every row that it cites does; a report without a finding goes. What was merged
from several documents, the description of an entity, stays as it is.
"""

from collections.abc import Callable, Collection, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.base.arrow.build import array, to_numpy
from pipeline.base.arrow.columns import whole
from pipeline.base.store import Rows
from pipeline.query.opened import CachedRows, OpenedTables
from pipeline.retrieval.chunk_search import FINDER_READS, Finder

CITED = ("entities", "relationships", "claims")
"""Tables whose rows the findings of reports cite, besides other reports."""
REFERENCES = {
    "fact_ids": ("facts", "id"),
    "key_element_ids": ("key_elements", "id"),
    "entity_ids": ("entities", "title"),
    "relationship_ids": ("relationships", "id"),
}
"""Columns of lists that refer to rows of other tables, with the column that they hold."""
WHOLE = frozenset(table.name for table in FINDER_READS if table.name.startswith("retrieval_")) | {"embeddings"}
"""Tables that a Finder reads whole: it ranks all chunks and leaves out those of other documents."""


class FilteredRows(CachedRows):
    """Those rows of a table that ``keep`` names, their lists cut by ``cut``; columns are read from ``whole``."""

    def __init__(self, whole: Rows, keep: Callable[[], pa.Array], cut: Callable[[pa.Table], pa.Table] | None) -> None:
        super().__init__(whole.declared, whole.path)
        self._whole, self._keep, self._cut = whole, keep, cut

    @property
    def num_rows(self) -> int:
        """Number of rows that are left."""
        return int(pc.sum(self._kept).as_py() or 0)

    def table(self, columns: Sequence[str] | None = None, coded: Sequence[str] = ()) -> pa.Table:
        """Return the named columns or all of the rows that are left; see ``Rows.table``."""
        table = self._whole.table(columns, coded).filter(self._kept)
        return self._cut(table) if self._cut else table

    @cached_property
    def _kept(self) -> pa.Array:
        return self._keep()


class FilteredReports(CachedRows):
    """The reports that are left, each with the findings and the summary that rest on rows that are left."""

    def __init__(self, whole: Rows, cited: Callable[[], set[str]]) -> None:
        super().__init__(whole.declared, whole.path)
        self._whole, self._cited = whole, cited

    @property
    def num_rows(self) -> int:
        """Number of reports that are left."""
        return int(self._cut.num_rows)

    def table(self, columns: Sequence[str] | None = None, coded: Sequence[str] = ()) -> pa.Table:
        """Return the named columns or all of the reports that are left; see ``Rows.table``."""
        return self._cut if columns is None else self._cut.select(list(columns))

    @cached_property
    def _cut(self) -> pa.Table:
        whole = self._whole.table()
        left, cut = self._cited(), dict[str, dict[str, Any]]()
        # parts before wholes
        for report in sorted(whole.to_pylist(), key=lambda row: (-int(row["level"]), str(row["id"]))):
            findings = [
                finding
                for finding in report["findings"]
                if finding["citations"] and left.issuperset(finding["citations"])
            ]
            if not findings:
                continue
            summary = bool(report["summary_citations"]) and left.issuperset(report["summary_citations"])
            if summary and len(findings) == len(report["findings"]):
                left.add(report["id"])
                cut[report["id"]] = report
                continue
            changed = report | {"findings": findings}
            if not summary:
                changed |= {"summary": "", "summary_citations": []}
            cut[report["id"]] = changed | {"full_content": _markdown(changed)}
        rows = [cut[id] for id in whole.column("id").to_pylist() if id in cut]
        arrays = [array([row[field.name] for row in rows], field.type) for field in whole.schema]
        return pa.Table.from_arrays(arrays, schema=whole.schema)


class FilteredTables(OpenedTables):
    """What an index has opened, seen from some of its documents; see the module."""

    def __init__(self, whole: OpenedTables, documents: Collection[str]) -> None:
        self.whole, self.documents = whole, frozenset(documents)
        self._filtered: dict[str, Rows] = {}

    def rows(self, name: str) -> Rows:
        """Return a table as the chosen documents give it; StoreError when the generation does not have it."""
        if name not in self._filtered:
            self._filtered[name] = self._made(name, self.whole.rows(name))
        return self._filtered[name]

    @cached_property
    def finder(self) -> Finder:
        """What ranks the chunks, sentences and key elements of the chosen documents."""
        return self.whole.finder.among(self._chunks, self.rows("key_elements"))

    @cached_property
    def _chunks(self) -> frozenset[str]:
        pairs = self.whole.rows("chunks").values("id", "document_id")
        return frozenset(id for id, document in pairs if document in self.documents)

    def _made(self, name: str, whole: Rows) -> Rows:
        columns = {column.name for column in whole.declared.columns}
        if name in WHOLE:
            return whole
        if name == "documents":
            return FilteredRows(whole, lambda: _among(whole.column("id"), self.documents), None)
        if name == "chunks":
            return FilteredRows(whole, lambda: _among(whole.column("id"), self._chunks), None)
        if name == "community_reports":
            return FilteredReports(whole, self._cited)
        if "chunk_id" in columns:
            return FilteredRows(whole, lambda: _among(whole.column("chunk_id"), self._chunks), None)
        if "chunk_ids" in columns:
            return FilteredRows(whole, lambda: self._rests(whole), self._cut_lists)
        return whole

    def _cited(self) -> set[str]:
        """Return the ids of the rows that findings may cite."""
        return {id for name in CITED for id in self.rows(name).column("id").to_pylist()}

    def _rests(self, rows: Rows) -> pa.Array:
        """Return for each row whether one of its chunks is left."""
        lists = whole(rows.column("chunk_ids"))
        inside = _among(lists.flatten(), self._chunks)
        found = np.zeros(len(lists), bool)
        found[to_numpy(pc.list_parent_indices(lists).filter(inside))] = True
        return array(found, pa.bool_())

    def _cut_lists(self, table: pa.Table) -> pa.Table:
        """Return the rows with only those chunks and rows of other tables in their lists that are left."""
        for place, name in enumerate(table.column_names):
            if name == "chunk_ids":
                left: Collection[str] = self._chunks
            elif name in REFERENCES:
                other, column = REFERENCES[name]
                left = self._left(other, column)
            else:
                continue
            lists = [[id for id in ids if id in left] for ids in table.column(name).to_pylist()]
            table = table.set_column(place, name, array(lists, table.schema.field(name).type))
        return table

    def _left(self, name: str, column: str) -> frozenset[str]:
        """Return the ids or titles of the rows of a table that are left."""
        rows = self.whole.rows(name)
        return frozenset(rows.column(column).filter(self._rests(rows)).to_pylist())


def _markdown(report: dict[str, Any]) -> str:
    parts = [f"# {report['title']}", report["summary"]]
    parts += [f"## {finding['summary']}\n\n{finding['explanation']}" for finding in report["findings"]]
    return "\n\n".join(part for part in parts if part)


def _among(values: pa.ChunkedArray | pa.Array, left: Collection[Any]) -> pa.Array:
    found = pc.is_in(values, value_set=array(sorted(left), values.type))
    return whole(found)
