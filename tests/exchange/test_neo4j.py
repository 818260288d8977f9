"""The Neo4j export: files that the importer reads back to the same values, and a load that may be done any number of times.

No server takes part: the importer's reading of CSV, the Cypher script and the driver's session are played here.
"""

import csv
import io
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.base.errors import SettingsError, StoreError
from pipeline.base.store import Generation
from pipeline.cli.commands.exchange_commands import load_neo4j
from pipeline.exchange.neo4j.csv_files import (
    BETWEEN,
    BUFFER,
    FORMULA,
    _Cells,
    command,
    edge_file,
    export_neo4j,
    node_file,
)
from pipeline.exchange.neo4j.load import connect, load
from pipeline.graph.property_graph import EDGES, NODES, constraints
from tests.exchange.test_export import with_nasty_values
from tests.exchange_cases import Row, copy_of, make_index, opened

csv.field_size_limit(100_000_000)


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_index(tmp_path_factory.mktemp("good"))


@pytest.fixture(scope="module")
def nasty(good: Path, tmp_path_factory: pytest.TempPathFactory) -> Generation:
    return opened(with_nasty_values(copy_of(good, tmp_path_factory.mktemp("nasty") / "output")))


def imported(path: Path) -> tuple[list[str], list[list[Any]]]:
    """Read a file as neo4j-admin does: a quoted cell is text, one that is not there at all is null."""
    lines = list(_records(path.read_bytes().decode("utf-8")))
    return [cell or "" for cell in lines[0]], lines[1:]


def _records(content: str) -> Iterator[list[str | None]]:
    """Yield records by the rules of RFC 4180, distinguishing an empty quoted cell from none."""
    at, record = 0, []
    cell = re.compile(r'"((?:[^"]|"")*)"|([^,"\n]*)')
    while at < len(content):
        found = cell.match(content, at)
        assert found is not None
        quoted, bare = found.groups()
        record.append(quoted.replace('""', '"') if quoted is not None else bare or None)
        at = found.end()
        if content[at] == "\n":
            yield record
            record = []
        else:
            assert content[at] == ",", content[at - 20 : at + 20]
        at += 1


def typed(header: list[str], record: list[Any]) -> Row:
    """Return properties in their types, guards taken away as after_import.cypher does."""
    row: Row = {}
    guarded: list[str] = []
    for head, value in zip(header, record, strict=True):
        name, _, type = head.partition(":")
        if name == "guarded":
            guarded = value.split(BETWEEN) if value else []
        elif value is None:
            row[name or type] = None
        elif type == "string[]":
            row[name] = value.split(BETWEEN)
        else:
            row[name or type] = {"long": int, "double": float}.get(type, str)(value)
    for name in guarded:
        value = row[name]
        row[name] = [value[0][1:], *value[1:]] if isinstance(value, list) else value[1:]
    return row


def replaced(value: Any) -> Any:
    if isinstance(value, list):
        return [replaced(part) for part in value] or None
    return value.replace("\0", "\ufffd").replace(BETWEEN, "\ufffd") if isinstance(value, str) else value


def test_every_node_is_imported_with_the_values_of_its_row(nasty: Generation, tmp_path: Path) -> None:
    exported = export_neo4j(nasty, tmp_path / "out")
    for node in NODES:
        header, records = imported(tmp_path / "out" / node_file(node))
        names = [name for name, _ in node.properties]
        expected = [dict(zip(names, map(replaced, row), strict=True)) for row in node.rows(nasty)]
        found = [typed(header, record) for record in records]
        assert [{name: row[name] for name in names} for row in found] == expected
        assert {row["LABEL"] for row in found} == {node.label}
        assert exported.counts[node.label] == len(records)


def test_every_relationship_joins_nodes_that_are_imported(nasty: Generation, tmp_path: Path) -> None:
    exported = export_neo4j(nasty, tmp_path / "out")
    ids = {node.label: {r[0] for r in imported(tmp_path / "out" / node_file(node))[1]} for node in NODES}
    for edge in EDGES:
        header, records = imported(tmp_path / "out" / edge_file(edge))
        assert header[:2] == [f":START_ID({edge.start})", f":END_ID({edge.end})"] and header[-1] == ":TYPE"
        assert exported.counts[edge.type] == len(records)
        assert {record[0] for record in records} <= ids[edge.start]
        assert {record[1] for record in records} <= ids[edge.end]
        assert {record[-1] for record in records} <= {edge.type}


def test_the_counts_are_those_of_the_tables(good: Path, tmp_path: Path) -> None:
    generation = opened(good)
    counts = export_neo4j(generation, tmp_path / "out").counts
    of = {name: generation.rows(name).num_rows for name in generation.manifest.tables}
    assert counts["Document"] == of["documents"] and counts["Chunk"] == counts["PART_OF"] == of["chunks"]
    assert counts["NEXT"] == of["chunks"] - of["documents"]
    assert counts["AtomicFact"] == of["facts"] and counts["KeyElement"] == of["key_elements"]
    assert counts["Entity"] == of["entities"] and counts["RELATED"] == of["relationships"]
    assert counts["Claim"] == counts["SUBJECT"] == counts["HAS_CLAIM"] == of["claims"]
    assert (
        counts["Community"] == of["communities"] and counts["Report"] == counts["REPORTS_ON"] == of["community_reports"]
    )
    facts = generation.table("facts").to_pylist()
    assert counts["HAS_ATOMIC_FACT"] == sum(len(fact["chunk_ids"]) for fact in facts)
    assert counts["HAS_KEY_ELEMENT"] == sum(len(fact["key_element_ids"]) for fact in facts)


def test_chunks_follow_each_other_in_reading_order(good: Path) -> None:
    generation = opened(good)
    place = {row["id"]: (row["document_id"], row["position"]) for row in generation.table("chunks").to_pylist()}
    edge = next(edge for edge in EDGES if edge.type == "NEXT")
    for first, second in edge.rows(generation):
        assert place[second] == (place[first][0], place[first][1] + 1)


def test_no_cell_begins_as_a_formula(nasty: Generation, tmp_path: Path) -> None:
    export_neo4j(nasty, tmp_path / "out")
    for path in sorted((tmp_path / "out").glob("*.csv")):
        for record in csv.reader(io.StringIO(path.read_bytes().decode("utf-8"), newline="")):
            assert not [cell[:20] for cell in record if cell.startswith(FORMULA) and not _number(cell)], path.name


def _number(cell: str) -> bool:
    return re.fullmatch(r"-?\d+(\.\d+)?(e-?\d+)?", cell) is not None


def test_the_script_makes_ids_unique_and_takes_away_each_guard_once(nasty: Generation, tmp_path: Path) -> None:
    export_neo4j(nasty, tmp_path / "out")
    script = (tmp_path / "out" / "after_import.cypher").read_text()
    assert script.count("CREATE CONSTRAINT") == len(NODES) and "IF NOT EXISTS" in script
    assert "LOAD CSV" not in script
    assert "MATCH (n:Entity) WHERE 'description' IN n.guarded SET n.description = substring(n.description, 1)" in script
    assert "MATCH (n:KeyElement) WHERE 'id' IN n.guarded" in script
    assert "MATCH ()-[n:RELATED]->() WHERE 'description' IN n.guarded" in script
    assert script.rstrip().endswith("REMOVE n.guarded;")


def test_the_command_names_every_file_and_reads_the_longest_cell(nasty: Generation, tmp_path: Path) -> None:
    export_neo4j(nasty, tmp_path / "out")
    text = (tmp_path / "out" / "import.sh").read_text()
    for path in (tmp_path / "out").glob("*.csv"):
        assert path.name in text
    assert "--array-delimiter=U+001F" in text and "--multiline-fields=true" in text
    assert "--read-buffer-size" not in command(BUFFER)
    assert f"--read-buffer-size={2 * BUFFER + 1}" in command(BUFFER + 1)


@given(st.lists(st.text(), min_size=1, max_size=4), st.text())
@settings(deadline=None, max_examples=150)
def test_a_row_of_any_texts_is_read_as_it_was(values: list[str], id: str) -> None:
    properties = (("id", "string"), ("text", "string"), ("aliases", "string[]"), ("n", "long"))
    header = ["id:ID(X)", "text:string", "aliases:string[]", "n:long", "guarded:string[]"]
    cells = _Cells().row("X", properties, (id, values[0], values, -7))
    (record,) = _records(cells + "\n")
    row = typed(header, record)
    assert row == {"id": replaced(id), "text": replaced(values[0]), "aliases": replaced(values), "n": -7}


def test_ids_that_differ_by_an_apostrophe_stay_apart() -> None:
    cells = _Cells()
    assert cells.ends(["=a", "'=a"]) == '"\'=a","\'\'=a"'


# The driver's session, played. It knows the four forms of queries that a load sends, and nothing else.
MERGE_NODE = re.compile(r"UNWIND \$rows AS row MERGE \(n:(\w+) \{id: row\.id\}\) SET n \+= row\.properties")
MERGE_EDGE = re.compile(
    r"UNWIND \$rows AS row MATCH \(a:(\w+) \{id: row\.start\}\) MATCH \(b:(\w+) \{id: row\.end\}\) "
    r"MERGE \(a\)-\[r:(\w+)\]->\(b\) SET r \+= row\.properties"
)


class Result:
    def consume(self) -> None:
        return None


class Server:
    """Holds nodes and relationships as a database does that plays the queries."""

    def __init__(self, fail: int = 0) -> None:
        self.nodes: dict[str, dict[str, Row]] = defaultdict(dict)
        self.edges: dict[str, dict[tuple[str, str], Row]] = defaultdict(dict)
        self.queries: list[tuple[str, int]] = []
        self.database: str | None = None
        self._fail = fail

    @contextmanager
    def session(self, *, database: str | None = None) -> Iterator["Server"]:
        self.database = database
        yield self

    def execute_write(self, work: Callable[["Server"], None]) -> None:
        if self._fail:
            self._fail -= 1
            work(self)  # a transaction that the server took and whose answer was lost: the driver does it again
        work(self)

    def run(self, query: str, **parameters: Any) -> Result:
        rows = parameters.get("rows", [])
        self.queries.append((query, len(rows)))
        node, edge = MERGE_NODE.fullmatch(query), MERGE_EDGE.fullmatch(query)
        assert node or edge or query in constraints(), query
        for row in rows:
            if node:
                self.nodes[node.group(1)].setdefault(row["id"], {}).update(row["properties"])
            elif edge and row["start"] in self.nodes[edge.group(1)] and row["end"] in self.nodes[edge.group(2)]:
                self.edges[edge.group(3)].setdefault((row["start"], row["end"]), {}).update(row["properties"])
        return Result()


def test_a_load_sends_everything_and_a_second_one_changes_nothing(nasty: Generation) -> None:
    server = Server()
    loaded = load(nasty, server, "books", batch=7)
    assert server.database == "books"
    for node in NODES:
        names = [name for name, _ in node.properties]
        rows = {row[0]: dict(zip(names[1:], row[1:], strict=True)) for row in node.rows(nasty)}
        assert server.nodes[node.label] == rows and loaded.counts[node.label] == len(rows)
    for edge in EDGES:
        assert len(server.edges[edge.type]) == loaded.counts[edge.type]
    before = (dict(server.nodes), dict(server.edges))
    load(nasty, server)
    assert (dict(server.nodes), dict(server.edges)) == before


def test_rows_travel_in_batches_and_only_as_parameters(nasty: Generation) -> None:
    server = Server()
    load(nasty, server, batch=5)
    assert max(count for _, count in server.queries) == 5
    assert [query for query, _ in server.queries[: len(NODES) + 1]] == constraints()
    assert len({query for query, _ in server.queries}) <= len(constraints()) + len(NODES) + len(EDGES)


def test_a_transaction_that_is_done_twice_changes_nothing(good: Path) -> None:
    once, twice = Server(), Server(fail=3)
    load(opened(good), once)
    load(opened(good), twice)
    assert once.nodes == twice.nodes and once.edges == twice.edges


def test_without_the_driver_or_a_password_the_error_says_what_to_do(
    good: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "neo4j", None)
    with pytest.raises(StoreError, match="driver is not installed"):
        connect("bolt://localhost:7687", "neo4j", "secret")
    monkeypatch.delenv("NEO4J_PASSWORD", raising=False)
    with pytest.raises(SettingsError, match="NEO4J_PASSWORD is not set"):
        load_neo4j(good.parent, "bolt://localhost:7687", "neo4j", "NEO4J_PASSWORD", None)
