"""Check of tables that follow from others alone: they are made again, and must be what is published."""

import pyarrow as pa

from pipeline.base.schema import TABLES
from pipeline.base.storage.parquet import MemoryRows
from pipeline.base.table import Table
from pipeline.base.workflow import Workflow
from pipeline.exchange.verify.check import Check, listed, unchecked
from pipeline.exchange.verify.tables import Tables

NAME = "retrieval tables are made of the texts"


def check_remade(tables: Tables, stage: Workflow) -> Check:
    """The tables that ``stage`` writes are those that it makes of the tables that it reads; it asks nothing of language."""
    missing = [read.name for read in (*stage.reads, *stage.writes) if read.name not in tables]
    if missing:
        return unchecked(NAME, missing)
    given = {read.name: MemoryRows(read, tables[read.name]) for read in stage.reads if isinstance(read, Table)}
    made: dict[str, list[pa.Table]] = {}
    for table, part in stage.run(**given):
        made.setdefault(table.name, []).append(part)
    wrong = [
        found
        for table in stage.writes
        if (found := _difference(tables[table.name], TABLES[table.name].check(pa.concat_tables(made[table.name]))))
    ]
    return listed(NAME, sum(tables[table.name].num_rows for table in stage.writes), wrong)


def _difference(published: pa.Table, made: pa.Table) -> str:
    """Return where two tables differ first, "" where they are equal."""
    if published.num_rows != made.num_rows:
        return f"{published.num_rows:,} rows, not {made.num_rows:,}"
    for name in made.column_names:
        if not published[name].equals(made[name]):
            pairs = zip(published[name].to_pylist(), made[name].to_pylist(), strict=True)
            row = next((row for row, (one, other) in enumerate(pairs) if one != other), 0)
            return f"column {name} differs, first in row {row}"
    return ""
