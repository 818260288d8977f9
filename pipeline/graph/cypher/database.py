"""Builds the graph database of a generation with LadybugDB (extra "cypher"), once, and opens it for reading."""

import os
import tempfile
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa

from pipeline.base.errors import StoreError
from pipeline.base.lock import only_writer
from pipeline.base.store import Generation, write_apart
from pipeline.base.table import Table, column
from pipeline.graph.property_graph import EDGES, NODES, TEXT, TEXTS, Edge, NodeKind

FILE = "graph.lbug"
"""The database, in the folder of its generation: it goes when that goes."""
TYPES = {
    TEXT: ("STRING", pa.string()),
    TEXTS: ("STRING[]", pa.list_(pa.string())),
    "long": ("INT64", pa.int64()),
    "double": ("DOUBLE", pa.float64()),
}
"""Types of properties in Cypher and in Arrow."""
AT_ONCE = 50_000
"""Rows of a file that is loaded."""
BUFFER, LARGEST = 256 << 20, 1 << 40
"""Bytes of memory for pages, and the largest database: the default of eight terabytes of addresses is refused on some systems."""


def opened(generation: Generation, threads: int = 2) -> Any:
    """Return the database of a generation, opened for reading; it is built first where it is not there.

    StoreError where the extra is not installed, or the database can neither be read nor built.
    """
    library = _library()
    path = generation.folder / "generations" / f"{generation.manifest.generation:06d}" / FILE
    if not path.exists():
        with only_writer(generation.folder):
            if not path.exists():
                _build(generation, path, library)
    try:
        return library.Database(str(path), read_only=True, max_num_threads=threads, **_sizes())
    except RuntimeError as error:
        raise StoreError(
            f"{path} cannot be opened: {error}", "it is the graph that queries read", "delete it; it is built again"
        ) from error


def schema() -> str:
    """Return the schema as Cypher patterns, a line each: labels with their properties, then relationships."""
    nodes = [
        f"(:{node.label} {{{', '.join(f'{name} {TYPES[type][0]}' for name, type in node.properties)}}})"
        for node in NODES
    ]
    edges = [f"(:{edge.start})-[:{edge.type}{_listed(edge)}]->(:{edge.end})" for edge in EDGES]
    return "\n".join([*nodes, *edges])


def _listed(edge: Edge) -> str:
    named = ", ".join(f"{name} {TYPES[type][0]}" for name, type in edge.properties)
    return f" {{{named}}}" if named else ""


def _library() -> Any:
    try:
        import ladybug
    except ImportError as error:
        raise StoreError(
            "the graph database LadybugDB is not installed",
            "it answers Cypher",
            "install the extra: pip install 'graphstrata[cypher]'",
        ) from error
    return ladybug


def _sizes() -> dict[str, int]:
    return {"buffer_pool_size": BUFFER, "max_db_size": LARGEST}


def _build(generation: Generation, path: Path, library: Any) -> None:
    """Write the database beside its place, and put it there when it is whole."""
    with tempfile.TemporaryDirectory(prefix=".graph-", dir=path.parent) as folder:
        draft = Path(folder) / FILE
        database = library.Database(str(draft), **_sizes())
        connection = library.Connection(database)
        for node in NODES:
            columns = ", ".join(f"`{name}` {TYPES[type][0]}" for name, type in node.properties)
            connection.execute(f"CREATE NODE TABLE {node.label}({columns}, PRIMARY KEY(id))")
            _load(connection, node.label, [*node.properties], node.rows(generation), folder)
        for edge in EDGES:
            columns = "".join(f", `{name}` {TYPES[type][0]}" for name, type in edge.properties)
            connection.execute(f"CREATE REL TABLE {edge.type}(FROM {edge.start} TO {edge.end}{columns})")
            ends = [("from", TEXT), ("to", TEXT)]
            _load(connection, edge.type, [*ends, *edge.properties], _known(edge, generation), folder)
        connection.close()
        database.close()
        os.replace(draft, path)


def _known(edge: Edge, generation: Generation) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of an edge whose ends are both there: a claim may be about what is no entity."""
    ends = {label: {row[0] for row in _node(label).rows(generation)} for label in {edge.start, edge.end}}
    return (row for row in edge.rows(generation) if row[0] in ends[edge.start] and row[1] in ends[edge.end])


def _node(label: str) -> NodeKind:
    return next(node for node in NODES if node.label == label)


def _load(
    connection: Any, table: str, columns: list[tuple[str, str]], rows: Iterable[tuple[Any, ...]], folder: str
) -> None:
    listed = tuple(column(name, TYPES[type][1], "", null=True) for name, type in columns)
    key = ("id",) if columns[0][0] == "id" else tuple(name for name, _ in columns)
    declared = Table("loaded", f"Rows of {table}.", listed, key)
    following = iter(rows)
    while some := list(islice(following, AT_ONCE)):
        file = Path(folder) / "loaded.parquet"
        write_apart(declared, declared.rows(some), file)
        connection.execute(f"COPY {table} FROM '{_escaped(file)}'")
        file.unlink()


def _escaped(path: Path) -> str:
    """Return a path as it is written between quotation marks."""
    return str(path).replace("\\", "\\\\").replace("'", "\\'")
