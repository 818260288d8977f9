"""Loads the index into a running Neo4j by the official driver, in batches, any number of times with the same result.

Rows are parameters, never text of a query, so nothing in them can be run. The tests put a look-alike of the driver's
session in its place that records and plays the queries; no server takes part in them.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import islice
from typing import Any, Protocol

from pipeline.base.errors import StoreError
from pipeline.base.store import Generation
from pipeline.graph.property_graph import EDGES, NODES, Edge, NodeKind, Row, constraints

BATCH = 1000
"""Rows of one transaction."""


class Transaction(Protocol):
    """What is used of the driver's transaction."""

    def run(self, query: str, **parameters: Any) -> Any:
        """Run one query."""
        ...


class Session(Protocol):
    """What is used of the driver's session."""

    def run(self, query: str, **parameters: Any) -> Any:
        """Run one query in a transaction of its own."""
        ...

    def execute_write(self, work: Callable[[Transaction], None]) -> None:
        """Run ``work`` in a transaction, and again when it can be hoped to succeed then."""
        ...


class Driver(Protocol):
    """What is used of the driver."""

    def session(self, *, database: str | None = None) -> AbstractContextManager[Session]:
        """Open a session."""
        ...


@dataclass(frozen=True)
class Loaded:
    """Rows sent, by label and type."""

    counts: dict[str, int]


def load(generation: Generation, driver: Driver, database: str | None = None, batch: int = BATCH) -> Loaded:
    """Put the whole index into the database: nodes are merged by id and relationships by their ends.

    What is there already and is in the index is set to what the index says; what the index no longer has stays: load
    into an empty database after documents were removed. Errors of the driver come as they are.
    """
    counts: dict[str, int] = {}
    with driver.session(database=database) as session:
        for statement in constraints():
            session.run(statement).consume()
        for node in NODES:
            counts[node.label] = _send(
                session, node_query(node), (_node(node, r) for r in node.rows(generation)), batch
            )
        for edge in EDGES:
            counts[edge.type] = _send(session, edge_query(edge), (_edge(edge, r) for r in edge.rows(generation)), batch)
    return Loaded(counts)


def connect(uri: str, user: str, password: str) -> Any:
    """Return the official driver, connected; StoreError where it is not installed or the server does not answer."""
    try:
        import neo4j
    except ImportError as error:
        raise StoreError(
            "the Neo4j driver is not installed",
            "loading into a server needs it; the CSV files do not",
            'run: pip install "graphstrata[neo4j]"',
        ) from error
    driver = neo4j.GraphDatabase.driver(uri, auth=(user, password))
    try:
        driver.verify_connectivity()
    except (neo4j.exceptions.DriverError, neo4j.exceptions.Neo4jError) as error:
        driver.close()
        raise StoreError(
            f"{uri} cannot be used: {error}", "the index was to go there", "check address, user and password"
        ) from error
    return driver


def node_query(node: NodeKind) -> str:
    """Return the query that merges a batch of nodes."""
    return f"UNWIND $rows AS row MERGE (n:{node.label} {{id: row.id}}) SET n += row.properties"


def edge_query(edge: Edge) -> str:
    """Return the query that merges a batch of relationships."""
    return (
        f"UNWIND $rows AS row MATCH (a:{edge.start} {{id: row.start}}) MATCH (b:{edge.end} {{id: row.end}}) "
        f"MERGE (a)-[r:{edge.type}]->(b) SET r += row.properties"
    )


def _node(node: NodeKind, row: Row) -> dict[str, Any]:
    names = [name for name, _ in node.properties]
    return {"id": row[0], "properties": dict(zip(names[1:], row[1:], strict=True))}


def _edge(edge: Edge, row: Row) -> dict[str, Any]:
    names = [name for name, _ in edge.properties]
    return {"start": row[0], "end": row[1], "properties": dict(zip(names, row[2:], strict=True))}


def _send(session: Session, query: str, rows: Iterable[dict[str, Any]], batch: int) -> int:
    count = 0
    for part in _batches(iter(rows), batch):

        def write(transaction: Transaction, part: list[dict[str, Any]] = part) -> None:
            transaction.run(query, rows=part).consume()

        session.execute_write(write)
        count += len(part)
    return count


def _batches(rows: Iterator[dict[str, Any]], size: int) -> Iterator[list[dict[str, Any]]]:
    while part := list(islice(rows, size)):
        yield part
