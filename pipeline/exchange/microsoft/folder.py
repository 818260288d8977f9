"""Reads an output folder of Microsoft GraphRAG 2 or 3: Parquet files whose columns vary a little from version to version."""

from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.base.arrow.columns import whole as in_one_array
from pipeline.base.errors import InputError
from pipeline.base.files import jail
from pipeline.base.table import flag, real, text, texts, whole, wholes

FINDINGS = pa.list_(pa.struct([pa.field("summary", text), pa.field("explanation", text)]))
MAX_BYTES = 8 << 30
"""Bytes of a table, unpacked, beyond which a file is refused: a few packed kilobytes can ask for any amount of memory."""


@dataclass(frozen=True)
class Expected:
    """Columns of a Microsoft table: those without which it says nothing, and those that a version may lack."""

    needed: dict[str, pa.DataType]
    optional: dict[str, pa.DataType]


# The table aliases is ours: other programs leave it unread, and an import takes it back.
NUMBER = {"human_readable_id": whole}
TABLES: dict[str, Expected] = {
    "documents": Expected(
        {"id": text, "text": text},
        {**NUMBER, "title": text, "text_unit_ids": texts, "creation_date": text},
    ),
    "text_units": Expected(
        {"id": text, "text": text},
        {**NUMBER, "document_id": text, "document_ids": texts}
        | {"entity_ids": texts, "relationship_ids": texts, "covariate_ids": texts},
    ),
    "entities": Expected(
        {"id": text, "title": text},
        {**NUMBER, "type": text, "description": text, "text_unit_ids": texts, "frequency": whole, "degree": whole},
    ),
    "relationships": Expected(
        {"id": text, "source": text, "target": text},
        {**NUMBER, "description": text, "weight": real, "combined_degree": whole, "text_unit_ids": texts},
    ),
    "communities": Expected(
        {"community": whole, "level": whole, "entity_ids": texts},
        {**NUMBER, "id": text, "parent": whole, "children": wholes, "relationship_ids": texts, "text_unit_ids": texts}
        | {"size": whole},
    ),
    "community_reports": Expected(
        {"community": whole, "full_content": text},
        {**NUMBER, "id": text, "level": whole, "title": text, "summary": text, "rank": real}
        | {"rating_explanation": text, "rank_explanation": text, "findings": FINDINGS},
    ),
    "covariates": Expected(
        {"id": text, "subject_id": text},
        {**NUMBER, "object_id": text, "type": text, "status": text, "description": text, "start_date": text}
        | {"end_date": text, "source_text": text, "text_unit_id": text},
    ),
    "aliases": Expected(
        {"name": text, "entity": text},
        {"joined": flag, "evidence": text, "score": real, "by": text, "reason": text, "type": text},
    ),
}
NEEDED = ("entities", "relationships", "communities")
"""Files without which a folder is no index."""
OLD = "create_final_entities.parquet"
"""A file that versions before 1.0 wrote."""


@dataclass(frozen=True)
class MicrosoftIndex:
    """The tables of one folder, each with all columns of TABLES; what the folder lacks is null. ``missing`` names the
    files that are not there: their tables have no rows."""

    folder: Path
    tables: dict[str, pa.Table]
    missing: tuple[str, ...]

    def __getitem__(self, name: str) -> pa.Table:
        return self.tables[name]


def is_microsoft(folder: Path) -> bool:
    """Whether a folder looks like an output folder of Microsoft GraphRAG."""
    return all((folder / f"{name}.parquet").is_file() for name in NEEDED) or (folder / OLD).is_file()


def read_microsoft(folder: Path, needed: tuple[str, ...] = NEEDED) -> MicrosoftIndex:
    """Read the folder; InputError where a needed file or column is missing or cannot be read as what it should be."""
    if (folder / OLD).is_file() and not (folder / "entities.parquet").is_file():
        raise InputError(
            f"{folder} was written by Microsoft GraphRAG before version 1",
            "versions 2 and 3 are read, whose files are called entities.parquet and so on",
            "bring it up to date with Microsoft's own migration notebook first",
        )
    tables: dict[str, pa.Table] = {}
    missing = []
    for name, expected in TABLES.items():
        path = jail(folder, f"{name}.parquet", InputError)
        if not path.is_file():
            missing.append(name)
        tables[name] = _read(path, expected) if path.is_file() else _shaped(path, expected, None)
    lost = [f"{name}.parquet" for name in needed if name in missing]
    if lost:
        raise InputError(
            f"{folder} has no {', '.join(lost)}",
            "an index of Microsoft GraphRAG 2 or 3 holds it",
            "name the folder that its indexer calls output",
        )
    return MicrosoftIndex(folder, tables, tuple(missing))


def index_of(folder: Path, **rows: list[dict[str, object]]) -> MicrosoftIndex:
    """Return rows of TABLES, by the tables' names, as an index that was read from ``folder``; what a row lacks is null."""
    tables = {name: _shaped(folder / name, expected, None) for name, expected in TABLES.items()}
    for name, some in rows.items():
        columns = TABLES[name].needed | TABLES[name].optional
        tables[name] = pa.table({key: pa.array([row.get(key) for row in some], type) for key, type in columns.items()})
    return MicrosoftIndex(folder, tables, tuple(name for name in TABLES if name not in rows))


def weight_of(text: str) -> float | None:
    """Return a weight as a file of a graph writes it; None where it is no number above 0, which the import reports."""
    try:
        weight = float(text)
    except ValueError:
        return None
    return weight if weight > 0 else None


def _read(path: Path, expected: Expected) -> pa.Table:
    try:
        file = pq.ParquetFile(path)
        groups = (file.metadata.row_group(i).total_byte_size for i in range(file.metadata.num_row_groups))
        size = sum(groups)
        if size > MAX_BYTES:
            raise InputError(
                f"{path.name} unpacks to {size / 1e9:.1f} GB", f"at most {MAX_BYTES / 1e9:.1f} GB are read", "split it"
            )
        columns = [name for name in (*expected.needed, *expected.optional) if name in file.schema_arrow.names]
        found = file.read(columns=columns)
    except (OSError, pa.ArrowException) as error:
        raise InputError(
            f"{path.name} cannot be read: {error}", "it should be a Parquet file", "copy it again from its index"
        ) from error
    return _shaped(path, expected, found)


def _shaped(path: Path, expected: Expected, found: pa.Table | None) -> pa.Table:
    """Return the table with every expected column in its type; nulls where an optional one is absent."""
    present = set(found.column_names) if found is not None else set()
    lost = sorted(set(expected.needed) - present) if found is not None else []
    if lost:
        raise InputError(
            f"{path.name} has no column {', '.join(lost)}",
            "Microsoft GraphRAG 2 and 3 write it",
            "index again with one of these versions",
        )
    n = found.num_rows if found is not None else 0
    columns = {
        name: _column(path, name, found, type) if name in present else pa.nulls(n, type)
        for name, type in (expected.needed | expected.optional).items()
    }
    for name, type in expected.needed.items():
        if pa.types.is_integer(type) and columns[name].null_count:
            raise InputError(
                f"{path.name}: column {name} holds {columns[name].null_count} nulls",
                "a community is known by its number and its level",
                "index again with Microsoft GraphRAG 2 or 3",
            )
    return pa.table(columns)


def _column(path: Path, name: str, found: pa.Table, type: pa.DataType) -> pa.Array:
    values = in_one_array(found.column(name))
    try:
        return _findings(values) if type == FINDINGS else values.cast(type)
    except pa.ArrowException as error:
        raise InputError(
            f"{path.name}: column {name} is {values.type} and cannot be read as {type}: {error}",
            "Microsoft GraphRAG 2 and 3 write it so",
            "index again with one of these versions",
        ) from error


def _findings(values: pa.Array) -> pa.Array:
    """Return findings as summary and explanation, whatever else is with them and in whatever order."""
    if not pa.types.is_null(values.type) and not pa.types.is_struct(getattr(values.type, "value_type", values.type)):
        raise pa.ArrowInvalid("findings are records of summary and explanation")
    rows = [
        None
        if row is None
        else [{key: str(found.get(key) or "") for key in ("summary", "explanation")} for found in row]
        for row in values.to_pylist()
    ]
    return pa.array(rows, FINDINGS)
