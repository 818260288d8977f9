"""Cypher over the index as a graph: one query that only reads, capped in time, rows and size."""

import math
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from pipeline.graph.cypher.database import schema
from pipeline.graph.cypher.query import run_cypher
from pipeline.web.endpoint import Registry, RequestError, RequestModel, endpoint
from pipeline.web.projects import ServedProject
from pipeline.web.replies import to_json

ENDPOINTS: Registry = []

ROWS, MOST_ROWS = 100, 1000
"""Rows of a reply unless asked otherwise, and at most."""
SECONDS, MOST_SECONDS = 10.0, 30.0
"""Seconds that a query may take unless asked otherwise, and at most."""
LARGEST = 4_000_000
"""Bytes of a reply: a single value may be a list of all there is."""
AT_ONCE = 2
"""Queries that are worked on at once: each takes up to two threads and a buffer of its own."""

SCHEMA = f"Nodes with their properties, and relationships:\n{schema()}"

Query = Annotated[str, Field(min_length=1, max_length=20_000, description="a query in Cypher")]
Rows = Annotated[int, Field(ge=1, le=MOST_ROWS, description="most rows of the reply")]


class CypherBody(RequestModel):
    """A query, and how much it may take."""

    query: Query = Field(description=f"a query in Cypher. {SCHEMA}")
    parameters: Annotated[dict[str, Any], Field(max_length=100)] = Field(
        default_factory=dict, description="values of the query's $names"
    )
    limit: Rows = ROWS
    seconds: Annotated[float, Field(gt=0, le=MOST_SECONDS, description="how long it may take")] = SECONDS


class CypherReply(TypedDict):
    """Rows of a query, each a value for every column; a node or relationship is an object with its label under ``_LABEL``.
    ``more`` says that there were more rows than asked for."""

    columns: list[str]
    rows: list[list[Any]]
    more: bool


@endpoint(ENDPOINTS, "POST", "/projects/{project}/cypher", at_once=AT_ONCE)
def query_graph(project: ServedProject, body: CypherBody) -> CypherReply:
    """Rows of a query in Cypher over the index as a graph (extra cypher). Only queries that read the graph are run; the first
    one builds its database."""
    generation = project.open().index.generation
    found = run_cypher(generation, body.query, body.parameters, body.limit, body.seconds)
    rows = [[_plain(value) for value in row] for row in found.rows]
    size = 0
    for row in rows:
        size += len(to_json(row))
        if size > LARGEST:
            raise RequestError(
                f"the rows are larger than {LARGEST:,} bytes", "they were not sent", "return less, or count"
            )
    return {"columns": list(found.columns), "rows": rows, "more": found.more}


def _plain(value: Any) -> Any:
    """Return a value as JSON has it: what is no finite number is null, keys are texts."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value if value is None or isinstance(value, str | int | bool) else str(value)
