"""Cypher over HTTP, on a real graph database: it answers as the library does, and nothing but the graph is read."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pipeline.query.index import Index
from tests.query_cases import sample
from tests.web.server_cases import Reply, Running, running, write_settings

pytest.importorskip("ladybug", reason="the extra cypher is not installed")

AT = "/api/v1/projects/graph/cypher"
HEAVY = "UNWIND range(1, 30000) AS a UNWIND range(1, 30000) AS b WITH a * b AS c WHERE c % 7 = 1 RETURN count(*)"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cypher") / "graph"
    shutil.copytree(sample().parent, folder)
    return write_settings(folder)


@pytest.fixture(scope="module")
def graph(root: Path) -> Iterator[Running]:
    with running([root]) as found:
        yield found


def query(server: Running, text: str, **more: Any) -> Reply:
    return server.ask(AT, "POST", {"query": text, **more})


def test_a_query_answers_as_the_library_does(graph: Running, root: Path) -> None:
    text = "MATCH (e:Entity)-[r:RELATED]-(o) WHERE e.title = $title RETURN o.title, r.weight ORDER BY r.weight DESC, o.title"
    expected = Index.open(root).cypher(text, {"title": "Joan of Arc"})
    found = query(graph, text, parameters={"title": "Joan of Arc"})
    assert found.status == 200 and expected.rows
    rows = [list(row) for row in expected.rows]
    assert found.json == {"columns": list(expected.columns), "rows": rows, "more": False}


def test_a_path_names_labels_and_joins_its_ends(graph: Running) -> None:
    [[path]] = query(graph, "MATCH p = (:Chunk)-[:PART_OF]->(:Document) RETURN p LIMIT 1").json["rows"]
    assert [node["_LABEL"] for node in path["_NODES"]] == ["Chunk", "Document"]
    assert [path["_RELS"][0][end] for end in ("_SRC", "_DST")] == [node["_ID"] for node in path["_NODES"]]


def test_rows_beyond_the_limit_are_left_out_and_that_is_said(graph: Running) -> None:
    found = query(graph, "MATCH (e:Entity) RETURN e.title ORDER BY e.title", limit=3).json
    assert len(found["rows"]) == 3 and found["more"]


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (e:Entity) DELETE e",
        "CREATE (:Entity {id: 'x'})",
        "LOAD FROM '/etc/passwd' (HEADER=false) RETURN *",
        "MATCH (e:Entity) RETURN e.title; MATCH (e) RETURN e",
        "CALL db_version() RETURN *",
        "MATCH (e:Nothing) RETURN e",
        "no query at all",
    ],
)
def test_what_is_no_query_that_reads_is_refused_with_what_to_do(graph: Running, text: str) -> None:
    refused = query(graph, text)
    assert refused.status == 400 and refused.json["error"]["fix"]


def test_a_query_ends_when_its_seconds_are_over(graph: Running) -> None:
    slow = query(graph, HEAVY, seconds=0.05)
    assert slow.status == 400 and "longer than 0.05 seconds" in slow.json["error"]["cause"]


def test_more_than_is_allowed_is_refused(graph: Running) -> None:
    for more in ({"limit": 100_000}, {"seconds": 3600}, {"unknown": 1}):
        assert query(graph, "RETURN 1", **more).status == 400
    large = query(graph, "UNWIND range(1, 900000) AS n RETURN collect('a word of it')")
    assert large.status == 400 and "larger than" in large.json["error"]["cause"]


def test_what_no_json_holds_is_null(graph: Running) -> None:
    found = query(graph, "RETURN 0.0 / 0.0 AS unknown, [1.5, null] AS list, date('2024-02-03') AS day").json
    assert found["rows"] == [[None, [1.5, None], "2024-02-03"]]


def test_the_description_of_the_api_has_the_schema(graph: Running) -> None:
    described = graph.ask("/api/v1/openapi.json").json
    operation = described["paths"]["/api/v1/projects/{project}/cypher"]["post"]
    assert operation["operationId"] == "query_graph"
    shown = json.dumps(operation["requestBody"])
    assert "(:Entity {id STRING" in shown and "-[:RELATED" in shown
