"""The index as an output folder of Microsoft GraphRAG, which its own query command opens (looked up in 2.7 and 3.3).

Columns are those of both versions together: text units have document_ids (2) and document_id (3), documents have metadata
(2) and raw_data (3). Communities are called "Community N": the loader of global search groups them by title and would
lose all but one of those that share one. Findings cite rows by the numbers of this folder.
"""

import json
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.base.arrow.columns import rows_of
from pipeline.base.schema import ALIASES
from pipeline.base.store import Generation
from pipeline.base.table import real, text, texts, whole, wholes
from pipeline.exchange.folder import Exported, prepare, writing
from pipeline.exchange.microsoft.citations import bracket
from pipeline.exchange.microsoft.vectors import write_vectors
from pipeline.text.summary.findings import report_markdown

FINDINGS = pa.list_(pa.struct([pa.field("explanation", text), pa.field("summary", text)]))
DOCUMENTS = {
    "id": text, "human_readable_id": whole, "title": text, "text": text, "text_unit_ids": texts,
    "creation_date": text, "metadata": text, "raw_data": text,
}  # fmt: skip
TEXT_UNITS = {
    "id": text, "human_readable_id": whole, "text": text, "n_tokens": whole, "document_ids": texts, "document_id": text,
    "entity_ids": texts, "relationship_ids": texts, "covariate_ids": texts,
}  # fmt: skip
ENTITIES = {
    "id": text, "human_readable_id": whole, "title": text, "type": text, "description": text, "text_unit_ids": texts,
    "frequency": whole, "degree": whole, "x": real, "y": real,
}  # fmt: skip
RELATIONSHIPS = {
    "id": text, "human_readable_id": whole, "source": text, "target": text, "description": text, "weight": real,
    "combined_degree": whole, "text_unit_ids": texts,
}  # fmt: skip
COVARIATES = {
    "id": text, "human_readable_id": whole, "covariate_type": text, "type": text, "description": text,
    "subject_id": text, "object_id": text, "status": text, "start_date": text, "end_date": text, "source_text": text,
    "text_unit_id": text,
}  # fmt: skip
COMMUNITIES = {
    "id": text, "human_readable_id": whole, "community": whole, "level": whole, "parent": whole, "children": wholes,
    "title": text, "entity_ids": texts, "relationship_ids": texts, "text_unit_ids": texts, "period": text, "size": whole,
}  # fmt: skip
REPORTS = {
    "id": text, "human_readable_id": whole, "community": whole, "level": whole, "parent": whole, "children": wholes,
    "title": text, "summary": text, "full_content": text, "rank": real, "rating_explanation": text, "findings": FINDINGS,
    "full_content_json": text, "period": text, "size": whole,
}  # fmt: skip
ALIAS_TYPES = {column.name: column.type for column in ALIASES.columns}
PERIOD = ""
"""Microsoft writes the day of the run; an index of ours holds no clock."""


def export_microsoft(generation: Generation, folder: Path, force: bool = False) -> Exported:
    """Write the seven tables, our table of aliases beside them, and where there are vectors and the package lancedb, the vector store."""
    prepare(folder, force)
    tables = {name: generation.table(name) for name in NAMES}
    exported = Exported(folder)
    for name, columns, rows in (
        ("documents", DOCUMENTS, _documents(tables)),
        ("text_units", TEXT_UNITS, _text_units(tables)),
        ("entities", ENTITIES, _entities(tables["entities"])),
        ("relationships", RELATIONSHIPS, _relationships(tables["relationships"])),
        ("covariates", COVARIATES, _covariates(tables["claims"])),
        ("communities", COMMUNITIES, _communities(tables["communities"])),
        ("community_reports", REPORTS, _reports(tables)),
        ("aliases", ALIAS_TYPES, list(rows_of(tables["aliases"], *ALIAS_TYPES))),
    ):
        exported.counts[name] = _write(folder, name, columns, rows)
    exported.notes += write_vectors(generation, folder)
    where = shlex.quote(str(folder))
    exported.notes.append(f"to ask: graphrag query --root PROJECT --data {where} --method global QUESTION")
    exported.notes.append("(version 2 takes --query QUESTION; PROJECT is a folder made by graphrag init)")
    return exported


NAMES = ("documents", "chunks", "aliases", "entities", "relationships", "claims", "communities", "community_reports")


def _write(folder: Path, name: str, columns: Mapping[str, pa.DataType], rows: list[tuple[Any, ...]]) -> int:
    arrays = [pa.array([row[i] for row in rows], type) for i, type in enumerate(columns.values())]
    with writing(folder, f"{name}.parquet") as path:
        pq.write_table(pa.Table.from_arrays(arrays, list(columns)), path)
    return len(rows)


def _inverted(table: pa.Table, column: str) -> dict[str, list[str]]:
    """Return for each id in a column, of ids or of lists of them, the ids of the rows that name it."""
    found: dict[str, list[str]] = {}
    for id, named in rows_of(table, "id", column):
        for other in (named,) if isinstance(named, str) else named:
            found.setdefault(other, []).append(id)
    return found


def _documents(tables: Mapping[str, pa.Table]) -> list[tuple[Any, ...]]:
    units = _inverted(tables["chunks"], "document_id")
    rows = enumerate(rows_of(tables["documents"], "id", "title", "text"))
    return [(id, i, title, content, units.get(id, []), "", None, None) for i, (id, title, content) in rows]


def _text_units(tables: Mapping[str, pa.Table]) -> list[tuple[Any, ...]]:
    entities, relationships = (_inverted(tables[name], "chunk_ids") for name in ("entities", "relationships"))
    claims = _inverted(tables["claims"], "chunk_id")
    rows = enumerate(rows_of(tables["chunks"], "id", "text", "n_tokens", "document_id"))
    return [
        (id, i, content, n, [document], document, *(of.get(id, []) for of in (entities, relationships, claims)))
        for i, (id, content, n, document) in rows
    ]


def _entities(table: pa.Table) -> list[tuple[Any, ...]]:
    names = ("id", "title", "type", "description", "chunk_ids", "frequency", "degree")
    return [(id, i, *rest, 0.0, 0.0) for i, (id, *rest) in enumerate(rows_of(table, *names))]


def _relationships(table: pa.Table) -> list[tuple[Any, ...]]:
    names = ("id", "source", "target", "description", "weight", "combined_degree", "chunk_ids")
    return [(id, i, *rest) for i, (id, *rest) in enumerate(rows_of(table, *names))]


def _covariates(table: pa.Table) -> list[tuple[Any, ...]]:
    names = ("id", "type", "description", "subject", "object", "status", "start_date", "end_date", "quote", "chunk_id")
    return [
        (id, i, "claim", type, said, subject, object or "NONE", status, start or "NONE", end or "NONE", *rest)
        for i, (id, type, said, subject, object, status, start, end, *rest) in enumerate(rows_of(table, *names))
    ]


def _communities(table: pa.Table) -> list[tuple[Any, ...]]:
    names = ("id", "community", "level", "parent", "children", "entity_ids", "relationship_ids", "chunk_ids", "size")
    return [
        (id, number, number, level, parent, children, f"Community {number}", *lists, PERIOD, size)
        for id, number, level, parent, children, *lists, size in rows_of(table, *names)
    ]


def _reports(tables: Mapping[str, pa.Table]) -> list[tuple[Any, ...]]:
    cite = _Numbers(tables)
    kin = {n: rest for n, *rest in rows_of(tables["communities"], "community", "parent", "children", "size")}
    rows = []
    for report in tables["community_reports"].to_pylist():
        number = report["community"]
        parent, children, size = kin[number]
        findings = [
            {"explanation": cite.after(found["explanation"], found["citations"]), "summary": found["summary"]}
            for found in report["findings"]
        ]
        head = {"title": report["title"], "summary": cite.after(report["summary"], report["summary_citations"])}
        rank = {"rating": report["rank"], "rating_explanation": report["rank_explanation"]}
        rows.append(
            (
                *(report["id"], number, number, report["level"], parent, children, *head.values()),
                report_markdown(
                    head["title"], head["summary"], ((one["summary"], one["explanation"]) for one in findings)
                ),
                *(report["rank"], report["rank_explanation"], findings),
                json.dumps({**head, "findings": findings, **rank}, ensure_ascii=False, indent=4),
                *(PERIOD, size),
            )
        )
    return rows


class _Numbers:
    """The human-readable numbers of rows: what Microsoft's citations are made of."""

    def __init__(self, tables: Mapping[str, pa.Table]) -> None:
        reports = rows_of(tables["community_reports"], "id", "community")
        self._of = {id: ("reports", number) for id, number in reports}
        for kind in ("entities", "relationships", "claims"):
            self._of |= {id: (kind, number) for number, id in enumerate(tables[kind]["id"].to_pylist())}

    def after(self, content: str, ids: list[str]) -> str:
        """Return a text with the bracket behind it that cites these rows."""
        found: dict[str, list[int]] = {"reports": [], "entities": [], "relationships": [], "claims": []}
        for id in ids:
            if id in self._of:
                kind, number = self._of[id]
                found[kind].append(number)
        return f"{content} {bracket(found)}".strip()
