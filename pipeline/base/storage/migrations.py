"""Tables of earlier versions in the form that the schema has now: one pure function for each version of a table that ended."""

from collections.abc import Callable, Mapping

import pyarrow as pa

from pipeline.base.arrow.build import array
from pipeline.base.errors import TableError
from pipeline.base.schema import ALIASES, DOCUMENTS, EMBEDDINGS, ENTITIES, FACTS
from pipeline.base.table import Table


def _with_nulls(table: Table, names: tuple[str, ...]) -> Callable[[pa.Table], pa.Table]:
    """Return the step by which columns are added that are null where nothing was recorded."""

    def step(rows: pa.Table) -> pa.Table:
        for name in names:
            if name not in rows.column_names:
                rows = rows.append_column(name, pa.nulls(rows.num_rows, table.schema.field(name).type))
        return rows

    return step


def _without_places(rows: pa.Table) -> pa.Table:
    """Documents whose places in their files are not known: text is cited by its characters alone."""
    n = rows.num_rows
    unknown = {"place_unit": "", "place_first": 0}
    for name in (column.name for column in DOCUMENTS.columns if column.name.startswith("place_")):
        values = array([unknown.get(name, [])] * n, DOCUMENTS.schema.field(name).type)
        rows = rows.append_column(name, values)
    return rows


def _half_precision(rows: pa.Table) -> pa.Table:
    place = rows.column_names.index("vector")
    return rows.set_column(place, "vector", rows["vector"].cast(EMBEDDINGS.schema.field("vector").type))


def _of_whole_texts(rows: pa.Table) -> pa.Table:
    """Vectors each of which is that of its row's whole text."""
    return rows.append_column("part", array([0] * rows.num_rows, EMBEDDINGS.schema.field("part").type))


def _one_entity_a_name(rows: pa.Table) -> pa.Table:
    """Entities none of whose other names is the title or another name of a more frequent one."""
    titles, others = rows["title"].to_pylist(), rows["aliases"].to_pylist()
    taken = set(titles)
    kept: list[list[str]] = [[]] * len(titles)
    for _, _, row in sorted((-n, titles[i], i) for i, n in enumerate(rows["frequency"].to_pylist())):
        kept[row] = [name for name in dict.fromkeys(others[row]) if name not in taken]
        taken.update(kept[row])
    place = rows.column_names.index("aliases")
    return rows.set_column(place, "aliases", array(kept, ENTITIES.schema.field("aliases").type))


MIGRATIONS: Mapping[tuple[str, int], Callable[[pa.Table], pa.Table]] = {
    (DOCUMENTS.name, 1): _without_places,
    (ENTITIES.name, 1): _one_entity_a_name,
    (FACTS.name, 1): _with_nulls(FACTS, ("quote", "start", "end")),
    (EMBEDDINGS.name, 1): _half_precision,
    (EMBEDDINGS.name, 2): _of_whole_texts,
}
"""By table and version: the step to the next version. A version without a step cannot be had from the table alone."""


def migrated(table: Table, version: int, rows: pa.Table) -> pa.Table | None:
    """Return rows of an earlier version of ``table`` as the schema declares it now; None where no function leads there."""
    for step in range(version, table.version):
        function = MIGRATIONS.get((table.name, step))
        if function is None:
            return None
        rows = function(rows)
    try:
        return table.check(rows.select([column.name for column in table.columns]))
    except (TableError, KeyError):
        return None


def aliases_of(entities: pa.Table) -> pa.Table:
    """Return the table aliases of an index that has none: the other names that its entities list, in today's form."""
    names = sorted(
        (name, title)
        for title, others in zip(entities["title"].to_pylist(), entities["aliases"].to_pylist(), strict=True)
        for name in others
        if name != title
    )
    reason = "listed with the entity by an earlier version, which kept no reasons"
    return ALIASES.rows((name, title, True, "spelling", 1.0, "rule", reason, None) for name, title in names)
