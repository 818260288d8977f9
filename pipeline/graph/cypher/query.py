"""Answers Cypher over an index: read-only, one statement, capped in time and rows, and nothing but the graph is read."""

import re
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pipeline.base.errors import QuestionError
from pipeline.base.store import Generation
from pipeline.graph.cypher.database import opened

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

ROWS, SECONDS = 1_000, 30.0
"""Most rows and seconds of a query, unless asked otherwise."""
_QUOTED = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`|//[^\n]*|/\*.*?\*/""", re.S)
_OPENING = re.compile(r"\s*(?:EXPLAIN\s+|PROFILE\s+)?(?:MATCH|OPTIONAL|WITH|UNWIND|RETURN|CALL)\b", re.I)
_REFUSED = re.compile(
    r"(?<![.$:\w])(LOAD|COPY|ATTACH|INSTALL|UNINSTALL|EXPORT|IMPORT|CREATE|MERGE|SET|DELETE|DETACH|REMOVE|DROP|ALTER|USE|CHECKPOINT"
    r"|BEGIN|COMMIT|MACRO|PROJECT_GRAPH|PROJECT_GRAPH_CYPHER)\b(?!\s*[:.])",
    re.I,
)
"""Words of statements that write, or that reach beyond the graph: LOAD and COPY would read and write files."""
_CALLED = re.compile(r"(?<![.$:\w])CALL\s+(?!(?:show_tables|table_info|show_connection)\s*\()", re.I)


@dataclass(frozen=True)
class CypherResult:
    """Rows of a query under the names of its columns; ``more`` says that there were more than the cap allows.

    A node is a mapping with its label under ``_LABEL``; so is a relationship.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    more: bool = False

    def to_pandas(self) -> "pd.DataFrame":
        """Return a DataFrame."""
        import pandas as pd

        return pd.DataFrame(list(self.rows), columns=list(self.columns))

    def to_networkx(self) -> "nx.MultiDiGraph[Any]":
        """Return the nodes and relationships among the values as a graph; nodes are known by (label, id)."""
        import networkx as nx

        graph: nx.MultiDiGraph[Any] = nx.MultiDiGraph()
        name_of: dict[tuple[int, int], tuple[str, str]] = {}
        found = [value for row in self.rows for cell in row for value in _elements(cell)]
        for value in found:
            if "_SRC" not in value:
                name = name_of[_place(value["_ID"])] = (value["_LABEL"], value["id"])
                graph.add_node(name, **_properties(value))
        for value in found:
            if "_SRC" in value:
                ends = [
                    name_of.get(_place(value[end]), (value["_LABEL"], str(_place(value[end]))))
                    for end in ("_SRC", "_DST")
                ]
                graph.add_edge(*ends, type=value["_LABEL"], **_properties(value))
        return graph


def run_cypher(
    generation: Generation,
    query: str,
    parameters: Mapping[str, Any] | None = None,
    limit: int = ROWS,
    seconds: float = SECONDS,
) -> CypherResult:
    """Answer one read-only query; ``parameters`` are the values of its ``$names``.

    QuestionError for a statement that writes or reads anything but the graph, that the engine refuses, or that takes
    longer than ``seconds``; StoreError where the engine or the graph is not to be had.
    """
    check_query(query)
    database = opened(generation)
    with closing(database), closing(_connection(database)) as connection:
        connection.set_query_timeout(max(int(seconds * 1000), 1))
        try:
            result = connection.execute(query, dict(parameters or {}))
        except (RuntimeError, ValueError) as error:
            raise _refused(query, str(error), seconds) from error
        rows: list[tuple[Any, ...]] = []
        while result.has_next() and len(rows) < limit:
            rows.append(tuple(result.get_next()))
        return CypherResult(tuple(result.get_column_names()), tuple(rows), result.has_next())


def check_query(query: str) -> None:
    """Raise QuestionError for what is not one query that reads the graph and nothing else."""
    plain = _QUOTED.sub(" '' ", query)
    statements = [part for part in plain.split(";") if part.strip()]
    if len(statements) != 1:
        raise QuestionError(
            f"{len(statements)} statements where one is expected",
            "nothing was run",
            "write one query, without semicolons",
        )
    word = _REFUSED.search(plain)
    if word or _CALLED.search(plain) or not _OPENING.match(plain):
        what = (
            f"it holds {word[1].upper()}"
            if word
            else "it calls a procedure"
            if _OPENING.match(plain)
            else "it begins otherwise"
        )
        raise QuestionError(
            f"this is not a query that only reads: {what}",
            "the graph is made from the tables, and nothing else is read or written",
            "begin with MATCH, and end with RETURN; a name that is a word of Cypher is written in `backticks`",
        )


def _connection(database: Any) -> Any:
    import ladybug

    return ladybug.Connection(database, num_threads=2)


def _refused(query: str, reason: str, seconds: float) -> QuestionError:
    if "nterrupted" in reason:
        return QuestionError(
            f"the query took longer than {seconds:g} seconds",
            "it was stopped",
            "narrow it, or allow more with --seconds",
        )
    return QuestionError(
        f"the query cannot be run: {' '.join(reason.split())}",
        f"it reads: {' '.join(query.split())}",
        "graphstrata cypher --schema shows labels, properties and relationships",
    )


def _elements(cell: Any) -> Iterator[dict[str, Any]]:
    """Yield the nodes and relationships in a value: itself, or those of a list or a path."""
    if isinstance(cell, dict) and "_LABEL" in cell:
        yield cell
    elif isinstance(cell, dict):
        for key in ("_NODES", "_RELS"):
            yield from (value for value in cell.get(key) or () if isinstance(value, dict))
    elif isinstance(cell, list):
        for value in cell:
            yield from _elements(value)


def _properties(value: Mapping[str, Any]) -> dict[str, Any]:
    return {key: item for key, item in value.items() if not key.startswith("_") and item is not None}


def _place(internal: Mapping[str, int]) -> tuple[int, int]:
    return internal["table"], internal["offset"]
