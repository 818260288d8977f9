"""Small indexes for the tests of exchange, and the means to plant faults in them."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.base.schema import TABLES
from pipeline.base.store import Generation, Store, file_hash
from pipeline.exchange.microsoft.write import export_microsoft
from tests.corpora import indexed
from tests.paths import DATA

SAMPLE = DATA / "carol" / "microsoft_index"
"""An index that Microsoft GraphRAG 3 made of a book, where the data folder is there."""

Row = dict[str, Any]
Change = Callable[[list[Row]], list[Row]]


def make_index(folder: Path) -> Path:
    """Return the output folder of a small index with several levels of communities."""
    return indexed(folder, communities={"max_size": 3}).store.folder


def copy_of(index: Path, target: Path) -> Path:
    """Return a copy of an output folder."""
    shutil.copytree(index, target)
    return target


def opened(index: Path) -> Generation:
    """Open an output folder."""
    return Store(index).open()


def change(index: Path, name: str, how: Change) -> None:
    """Change the rows of a table as if they had been published so: manifest and plain name go along."""
    rows = how(opened(index).table(name).to_pylist())
    table = TABLES[name].rows([row[column.name] for column in TABLES[name].columns] for row in rows)
    write(index, name, table)


def write(index: Path, name: str, table: pa.Table) -> None:
    """Put a table in the place of a published one."""
    manifest = json.loads((index / "manifest.json").read_text())
    entry = manifest["tables"].setdefault(name, {"file": f"generations/000001/{name}.parquet", "version": 1})
    path = index / entry["file"]
    path.unlink(missing_ok=True)
    pq.write_table(table, path)
    entry |= {"rows": table.num_rows, "hash": file_hash(path), "size": path.stat().st_size}
    save_manifest(index, manifest)
    plain = index / f"{name}.parquet"
    plain.unlink(missing_ok=True)
    os.link(path, plain)


def save_manifest(index: Path, manifest: Row) -> None:
    """Write the manifest, in both of its places."""
    (index / "manifest.json").write_text(json.dumps(manifest))
    (index / "generations" / "000001" / "manifest.json").write_text(json.dumps(manifest))


def microsoft_folder(index: Path, target: Path) -> Path:
    """Return a folder as Microsoft GraphRAG writes it, made from an index of ours."""
    export_microsoft(opened(index), target)
    return target


def alter(folder: Path, name: str, how: Change, drop: tuple[str, ...] = ()) -> None:
    """Change the rows of one of Microsoft's tables; ``drop`` leaves columns out."""
    path = folder / f"{name}.parquet"
    table = pq.read_table(path)
    changed = pa.Table.from_pylist(how(table.to_pylist()), table.schema)
    pq.write_table(changed.drop_columns(list(drop)), path)


def first(**values: object) -> Change:
    """Set columns of the first row."""
    return lambda rows: [rows[0] | values, *rows[1:]]
