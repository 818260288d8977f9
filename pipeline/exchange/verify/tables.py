"""Checks of the tables as such: files and their hashes, schemas, keys, references, vectors."""

import os
from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pipeline.base.arrow.columns import BoolArray, IntArray, numbers, whole
from pipeline.base.arrow.lists import lengths
from pipeline.base.errors import StoreError, TableError
from pipeline.base.schema import TABLES
from pipeline.base.storage.disk import disk_errors
from pipeline.base.store import Generation, file_hash
from pipeline.base.table import dangling
from pipeline.exchange.verify.check import Check, checked, listed

Tables = dict[str, pa.Table]
"""The tables that can be read and fit their declaration, by name."""

UNIT = 1e-3
"""By how much the length of a vector may differ from 1."""


def read_tables(generation: Generation) -> tuple[Tables, list[Check]]:
    """Read every table of a generation, and say which files, versions and schemas are not as published.

    A table that cannot be read, or does not fit its declaration, is left out: the checks that need it say so.
    """
    tables: Tables = {}
    files: list[str] = []
    versions: list[str] = []
    misfits: list[str] = []
    for name, entry in generation.manifest.tables.items():
        if name not in TABLES:
            misfits.append(f"{name}: no such table is declared")
            continue
        try:
            path = generation.path(name)
            files += _as_published(generation, name)
            with disk_errors(path), pq.ParquetFile(path, page_checksum_verification=True) as file:
                found = file.read()
        except StoreError as error:
            files.append(f"{name}: {error.found}")
            continue
        versions += _versions(name, entry.version, found)
        try:
            tables[name] = TABLES[name].check(found)
        except TableError as error:
            misfits.append(error.found)
    n = len(generation.manifest.tables)
    return tables, [
        checked("files as published", n, files, len({said.partition(":")[0] for said in files})),
        listed("schema versions", n, versions),
        listed("tables fit their declaration", n, misfits),
    ]


def _as_published(generation: Generation, name: str) -> Iterator[str]:
    """Yield what differs between the manifest and the files of a table, the one under its plain name among them."""
    entry = generation.manifest.tables[name]
    path = generation.path(name)
    if not path.exists():
        yield f"{name}: {entry.file} is gone"
        return
    try:
        if file_hash(path) != entry.hash:
            yield f"{name}: the content of {entry.file} is not what the manifest says"
        plain = (generation.tables_folder or generation.folder) / f"{name}.parquet"
        if not plain.exists():
            yield f"{name}: {plain.name} is gone; the table itself is {entry.file}"
        elif not os.path.samefile(plain, path) and file_hash(plain) != entry.hash:
            yield f"{name}: {plain.name} is not the published table"
    except OSError as error:
        raise StoreError(f"{entry.file} cannot be read: {error.strerror}") from error
    with disk_errors(path):
        rows = pq.read_metadata(path).num_rows
    if rows != entry.rows:
        yield f"{name}: {entry.file} does not hold the {entry.rows} rows that the manifest says"


def _versions(name: str, published: int, found: pa.Table) -> Iterator[str]:
    declared = TABLES[name].version
    written = (found.schema.metadata or {}).get(b"graphstrata.version", b"none").decode("utf-8", "replace")
    if published != declared or written != str(declared):
        yield f"{name}: version {published} in the manifest, {written} in the file, {declared} in this program"


def check_keys(tables: Tables) -> Check:
    """No two rows of a table have the same key; titles of entities and numbers of communities are keys, too."""
    wrong: list[str] = []
    looked_at = faults = 0
    keyed = [(name, TABLES[name].key) for name in tables]
    also = [("entities", ("title",)), ("communities", ("community",)), ("key_elements", ("title",))]
    for name, key in [*keyed, *((name, key) for name, key in also if name in tables)]:
        if not key:
            continue
        rows = tables[name].select(list(key))
        counted = rows.group_by(list(key)).aggregate([([], "count_all")])
        twice = counted.filter(pc.greater(counted["count_all"], 1))
        looked_at += rows.num_rows
        faults += rows.num_rows - counted.num_rows
        wrong += [f"{name}: {row}" for row in twice.select(list(key)).slice(0, 3).to_pylist()]
    return checked("no key twice", looked_at, wrong, faults)


def check_references(tables: Tables) -> Check:
    """Every value of a ``refers=`` column names a row that is there."""
    wrong: list[str] = []
    looked_at = faults = 0
    for name, table in tables.items():
        for column in TABLES[name].references:
            target, at = str(column.refers).split(".")
            values = whole(table[column.name])
            flat = pc.list_flatten(values) if pa.types.is_list(values.type) else values
            looked_at += len(flat) - flat.null_count
            if target not in tables:
                continue
            lost = dangling(flat, tables[target][at])
            if len(lost):
                faults += int(pc.sum(pc.is_in(flat, value_set=lost)).as_py())
                wrong += [f"{name}.{column.name} names {value!r}" for value in lost.slice(0, 3).to_pylist()]
    return checked("references", looked_at, wrong, faults)


def check_embeddings(tables: Tables) -> Check:
    """Every vector is that of a row that is there, finite, of unit length, and as long as the others of its table."""
    embeddings = tables["embeddings"]
    wrong: list[str] = []
    missing = 0
    bad = np.zeros(embeddings.num_rows, bool)
    of_table = whole(embeddings["table"]).dictionary_encode()
    codes = of_table.indices.to_numpy(zero_copy_only=False)
    for code, name in enumerate(of_table.dictionary.to_pylist()):
        rows = np.flatnonzero(codes == code)
        part = embeddings.take(pa.array(rows))
        if name not in tables or "id" not in tables[name].column_names:
            bad[rows] = True
            wrong.append(f"{len(rows)} vectors of {name!r}, a table without rows to embed")
            continue
        lost = numbers(part["row_id"], tables[name]["id"]) < 0
        size = lengths(part["vector"])
        odd = (size != np.bincount(size).argmax()) | (size == 0) | ~_unit(part, size)
        bad[rows] = lost | odd
        wrong += [f"{name}: vector of {id}, a row that is not there" for id in _some(part, lost)]
        wrong += [f"{name}: vector of {id} is not of unit length, or of another size" for id in _some(part, odd)]
        without = _without_vector(tables, name, part)
        missing += len(without)
        wrong += [f"{name}: {id} has no vector, and no failure says why" for id in without[:3]]
    return checked("vectors match rows", embeddings.num_rows, wrong, int(bad.sum()) + missing)


def _without_vector(tables: Tables, name: str, part: pa.Table) -> list[str]:
    """Return the rows of a table that have no vector though others have, and that no failure names."""
    ids = whole(tables[name]["id"])
    lacking: list[str] = ids.filter(pa.array(numbers(ids, part["row_id"]) < 0)).to_pylist()
    failed = set(tables["failures"]["item"].to_pylist()) if "failures" in tables else set()
    return [id for id in lacking if f"{name} {id}" not in failed]


def _unit(part: pa.Table, size: IntArray) -> BoolArray:
    flat = pc.list_flatten(whole(part["vector"])).to_numpy(zero_copy_only=False).astype(np.float64)
    owner = np.repeat(np.arange(len(size)), size)
    squares = np.bincount(owner, flat * flat, minlength=len(size))
    unit: BoolArray = np.isfinite(squares) & (np.abs(np.sqrt(squares) - 1) < UNIT)
    return unit


def _some(part: pa.Table, mask: BoolArray) -> list[str]:
    ids: list[str] = whole(part["row_id"]).take(pa.array(np.flatnonzero(mask)[:3])).to_pylist()
    return ids
