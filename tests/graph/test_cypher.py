"""Cypher over the index, on a real graph database: it says what the tables say, and reads nothing but the graph."""

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pipeline.base.errors import QuestionError
from pipeline.cli.app import app
from pipeline.query.index import Index
from tests.query_cases import sample

pytest.importorskip("ladybug", reason="the extra cypher is not installed")
from pipeline.graph.cypher.database import FILE, schema
from pipeline.graph.cypher.query import check_query


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    folder = tmp_path_factory.mktemp("cypher") / "project"
    shutil.copytree(sample().parent, folder)
    (folder / "settings.yaml").write_text("", encoding="utf-8")
    return Index.open(folder)


def test_every_label_and_relationship_holds_as_many_as_the_tables(index: Index) -> None:
    tables = {"Document": "documents", "Chunk": "chunks", "AtomicFact": "facts", "KeyElement": "key_elements"}
    tables |= {"Entity": "entities", "Claim": "claims", "Community": "communities", "Report": "community_reports"}
    for label, table in tables.items():
        assert index.cypher(f"MATCH (n:{label}) RETURN count(*)").rows == ((index.count(table),),), label
    assert index.cypher("MATCH ()-[r:RELATED]->() RETURN count(r)").rows == ((index.count("relationships"),),)
    chunks = index.chunks.groupby("document_id").size()
    assert index.cypher("MATCH (:Chunk)-[r:NEXT]->(:Chunk) RETURN count(r)").rows == (((chunks - 1).sum(),),)


def test_the_queries_of_a_reading_agent_run_on_it(index: Index) -> None:
    most = index.cypher(
        "MATCH (a:KeyElement) RETURN a.id AS key, count { MATCH (a)<-[:HAS_KEY_ELEMENT]-() } AS connections"
        " ORDER BY connections DESC, key LIMIT 5"
    ).to_pandas()
    elements = index.key_elements
    counts = dict(zip(elements["title"], elements["fact_ids"].map(len), strict=True))
    assert most["connections"].tolist() == sorted(counts.values(), reverse=True)[:5]
    key = most["key"][0]
    facts = index.cypher(
        "MATCH (k:KeyElement)<-[:HAS_KEY_ELEMENT]-(fact:AtomicFact)<-[:HAS_ATOMIC_FACT]-(chunk:Chunk)"
        " WHERE k.id IN $key_elements RETURN DISTINCT chunk.id AS chunk_id, fact.text AS text",
        {"key_elements": [key]},
    )
    assert facts.columns == ("chunk_id", "text")
    assert len(facts.rows) >= counts[key]
    neighbours = index.cypher(
        "MATCH (k:KeyElement)<-[:HAS_KEY_ELEMENT]-()-[:HAS_KEY_ELEMENT]->(neighbor:KeyElement) WHERE k.id = $key"
        " AND NOT neighbor.id = $key WITH neighbor, count(*) AS count ORDER BY count DESC, neighbor.id LIMIT 50"
        " RETURN collect(neighbor.id) AS possible_candidates",
        {"key": key},
    )
    assert neighbours.rows[0][0]
    first = index.chunks[index.chunks["position"] == 0].iloc[0]
    following = index.cypher(
        "MATCH (c:Chunk)-[:NEXT]->(next:Chunk) WHERE c.id = $id RETURN next.id AS next", {"id": first["id"]}
    )
    same = index.chunks[(index.chunks["document_id"] == first["document_id"]) & (index.chunks["position"] == 1)]
    assert [row[0] for row in following.rows] == same["id"].tolist()


def test_nodes_and_paths_become_a_graph_of_networkx(index: Index) -> None:
    found = index.cypher("MATCH p = (a:Entity)-[:RELATED]-(b:Entity) WHERE a.title = 'Joan of Arc' RETURN p")
    graph = found.to_networkx()
    edges = index.relationships
    near = edges[(edges["source"] == "Joan of Arc") | (edges["target"] == "Joan of Arc")]
    assert graph.number_of_edges() == len(near)
    assert {data["title"] for _, data in graph.nodes(data=True)} == {*near["source"], *near["target"]}


@pytest.mark.parametrize(
    "query",
    [
        "CREATE (:Entity {id: 'x'})",
        "MATCH (n:Entity) SET n.title = 'x'",
        "MATCH (n:Entity) DETACH DELETE n",
        "LOAD FROM '/etc/passwd' (file_format='csv') RETURN *",
        "MATCH (n) RETURN n.id; MATCH (n) RETURN n.id",
        "COPY (MATCH (n:Entity) RETURN n.id) TO 'out.csv'",
        "WITH 1 AS x LOAD FROM 'a.csv' RETURN *",
        "MATCH (n:Entity) WITH n /* quiet */ LOAD /* more */ FROM 'a.csv' RETURN *",
        "ATTACH 'other.lbug' AS other",
        "INSTALL httpfs",
        "CALL threads = 99",
        "EXPORT DATABASE 'folder'",
        "",
    ],
)
def test_whatever_writes_or_reaches_beyond_the_graph_is_refused(index: Index, query: str) -> None:
    with pytest.raises(QuestionError):
        index.cypher(query)


def test_words_of_statements_in_quotation_marks_and_property_names_are_no_statements() -> None:
    check_query(
        "MATCH (n:Entity) WHERE n.title = 'LOAD \\' the COPY' AND n.description CONTAINS \"SET\" RETURN n.set, `load`"
    )
    check_query("CALL show_tables() RETURN *;")


def test_rows_and_time_are_capped(index: Index) -> None:
    some = index.cypher("MATCH (n:Entity) RETURN n.id", limit=3)
    assert len(some.rows) == 3
    assert some.more
    with pytest.raises(QuestionError, match="longer than"):
        index.cypher("UNWIND range(1, 100000) AS x UNWIND range(1, 100000) AS y RETURN sum(x * y)", seconds=0.2)


def test_a_fault_in_a_query_is_named_with_a_way_to_the_schema(index: Index) -> None:
    with pytest.raises(QuestionError) as caught:
        index.cypher("MATCH (n:Nothing) RETURN n")
    assert "Nothing" in caught.value.found
    assert "--schema" in caught.value.fix


def test_the_command_prints_a_table_json_and_the_schema(index: Index) -> None:
    root = ["--root", str(index.root)]
    shown = CliRunner().invoke(app, ["cypher", "MATCH (n:Document) RETURN n.title ORDER BY n.title LIMIT 2", *root])
    assert shown.exit_code == 0, shown.output
    assert shown.stdout.splitlines()[0].split() == ["n.title"]
    lines = CliRunner().invoke(app, ["cypher", "MATCH (n:Document) RETURN count(*) AS n", "--json", *root])
    assert json.loads(lines.stdout) == {"columns": ["n"], "rows": [[index.count("documents")]], "more": False}
    assert "(:Entity)-[:RELATED {" in CliRunner().invoke(app, ["cypher", "--schema", *root]).stdout
    assert "(:Chunk)-[:PART_OF]->(:Document)" in schema()


def test_the_database_goes_with_its_generation(index: Index) -> None:
    index.cypher("RETURN 1")
    root = Path(index.root)
    assert len([*root.rglob(FILE)]) == 1
    for number in range(3):
        (root / "input" / f"more-{number}.md").write_text(
            f"# More\n\nRuth Vale built mill number {number}.\n", encoding="utf-8"
        )
        assert CliRunner().invoke(app, ["index", "--root", str(root)]).exit_code == 0
    assert [*root.rglob(FILE)] == []
