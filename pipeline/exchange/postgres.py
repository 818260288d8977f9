"""All tables for PostgreSQL: a schema with keys and a vector column (pgvector), one CSV file a table, and what loads them.

The files are read by ``psql -f load.sql`` from their folder, in one transaction; nothing is connected to here.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from pipeline.base.arrow.columns import rows_of
from pipeline.base.schema import DOCUMENTS, EMBEDDINGS, TABLES
from pipeline.base.store import Generation
from pipeline.base.table import Column, Table
from pipeline.exchange.folder import Exported, prepare, write_text, writing

MOST_INDEXED = 2000
"""Dimensions up to which pgvector's index takes a vector."""

_TYPES: list[tuple[Callable[[pa.DataType], bool], str]] = [
    (pa.types.is_boolean, "boolean"),
    (pa.types.is_integer, "bigint"),
    (pa.types.is_floating, "double precision"),
    (pa.types.is_string, "text"),
]


def export_postgres(generation: Generation, folder: Path, force: bool = False) -> Exported:
    """Write schema.sql, load.sql and TABLE.csv for every table of the index."""
    prepare(folder, force)
    exported = Exported(folder)
    size = _vector_size(generation)
    tables = [TABLES[name] for name in generation.manifest.tables if name in TABLES]
    replaced = 0
    for table in tables:
        rows = 0
        with writing(folder, f"{table.name}.csv") as path, path.open("w", encoding="utf-8", newline="") as file:
            file.write(",".join(column.name for column in table.columns) + "\n")
            for row in _rows(generation, table):
                line = [
                    _field(value, _is_vector(table, column)) for column, value in zip(table.columns, row, strict=True)
                ]
                replaced += sum("\0" in field for field in line)
                file.write(",".join(field.replace("\0", "\ufffd") for field in line) + "\n")
                rows += 1
        exported.counts[table.name] = rows
    write_text(folder, "schema.sql", schema(tables, size))
    write_text(folder, "load.sql", _load(tables, size))
    exported.notes.append("load them: createdb graphstrata; cd into the folder; psql -d graphstrata -f load.sql")
    if size:
        exported.notes.append("vectors need the extension pgvector in that database's server")
    if replaced:
        exported.notes.append(f"{replaced:,} texts with NUL characters, which PostgreSQL refuses: each is U+FFFD there")
    return exported


def schema(tables: list[Table], size: int) -> str:
    """Return the statements that make the tables; ``size`` is that of the vectors, 0 where there are none.

    Columns that refer to other tables are indexed; their references were checked when the tables were written.
    """
    made = {table.name for table in tables}
    parts = ["CREATE EXTENSION IF NOT EXISTS vector;"] if size else []
    for table in tables:
        lines = [f"    {_quoted(column.name)} {_type(table, column, size)}" for column in table.columns]
        if table.key:
            null = any(column.null for column in table.columns if column.name in table.key)
            lines.append(f"    {'UNIQUE' if null else 'PRIMARY KEY'} ({', '.join(map(_quoted, table.key))})")
        parts.append(f"CREATE TABLE {_quoted(table.name)} (\n" + ",\n".join(lines) + "\n);")
        parts += [
            f"COMMENT ON COLUMN {_quoted(table.name)}.{_quoted(column.name)} IS {_literal(column.help)};"
            for column in table.columns
        ]
        for column in table.references:
            name = (column.refers or "").partition(".")[0]
            if name in made:
                by = "USING gin " if pa.types.is_list(column.type) else ""
                parts.append(f"CREATE INDEX ON {_quoted(table.name)} {by}({_quoted(column.name)});")
    return "\n".join(parts) + "\n"


def _load(tables: list[Table], size: int) -> str:
    lines = ["\\set ON_ERROR_STOP on", "BEGIN;", "\\ir schema.sql"]
    lines += [
        f"\\copy {_quoted(table.name)} FROM '{table.name}.csv' WITH (FORMAT csv, HEADER true)" for table in tables
    ]
    if 0 < size <= MOST_INDEXED:
        lines.append("CREATE INDEX ON embeddings USING hnsw (vector vector_cosine_ops);")
    return "\n".join([*lines, "COMMIT;"]) + "\n"


def _rows(generation: Generation, table: Table) -> Iterator[tuple[Any, ...]]:
    for batch in generation.rows(table.name).batches():
        yield from rows_of(batch, *(column.name for column in table.columns))


def _vector_size(generation: Generation) -> int:
    if EMBEDDINGS.name not in generation.manifest.tables:
        return 0
    for batch in generation.rows(EMBEDDINGS.name).batches(["vector"], 1):
        return len(batch.column("vector")[0])
    return 0


def _is_vector(table: Table, column: Column) -> bool:
    return table.name == EMBEDDINGS.name and column.name == "vector"


def _type(table: Table, column: Column, size: int) -> str:
    if _is_vector(table, column):
        return f"vector({size})" if size else "real[]"
    if (table.name, column.name) == (DOCUMENTS.name, "metadata"):
        return "jsonb"
    if pa.types.is_list(column.type):
        inner = column.type.value_type
        return "jsonb" if pa.types.is_nested(inner) else f"{_scalar(inner)}[]"
    return _scalar(column.type)


def _scalar(type: pa.DataType) -> str:
    return next((name for fits, name in _TYPES if fits(type)), "jsonb")


def _field(value: Any, vector: bool) -> str:
    """Return a value as a field of PostgreSQL's CSV: NULL is empty, an empty text is quoted."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list):
        value = f"[{','.join(map(repr, value))}]" if vector else _array(value)
    return '"' + str(value).replace('"', '""') + '"'


def _array(values: list[Any]) -> str:
    if any(isinstance(value, dict | list) for value in values):
        return json.dumps(values, ensure_ascii=False)
    return "{" + ",".join(_element(value) for value in values) + "}"


def _element(value: Any) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return repr(value)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
