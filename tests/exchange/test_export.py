"""Every export is read again: the same counts, the same values, whatever characters they are made of."""

import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from pipeline.base.errors import StoreError
from pipeline.base.schema import TABLES
from pipeline.base.store import Generation
from pipeline.cli.app import app
from pipeline.cli.commands.exchange_commands import export_index
from pipeline.exchange.folder import Exported, prepare, writing
from pipeline.exchange.graphml import EDGE, ILLEGAL, NODE, export_graphml
from pipeline.exchange.json_lines import export_json, line
from pipeline.exchange.microsoft.citations import cited
from pipeline.exchange.microsoft.folder import read_microsoft
from pipeline.exchange.microsoft.write import export_microsoft
from pipeline.exchange.neo4j.csv_files import export_neo4j
from pipeline.exchange.verify.verify import verify
from tests.exchange_cases import Row, change, copy_of, make_index, opened

NASTY = (
    "controls \x00\x01\x08\x0b\x1f\x7f\x85\ufffe\uffff\u2028\u2029",
    "=cmd|' /C calc'!A0",
    "+1+1",
    "-2-3",
    "@SUM(A1)",
    "\ttab first",
    "\rreturn first",
    "\nline first",
    "two\r\nlines\rand a return",
    'quotes " and "" and \' and \\" and a \\',
    "</data></node><!-- & ]]> &amp; <script>alert(1)</script>",
    "'an apostrophe first",
    "}) DETACH DELETE n //",
    "\U0001f600 \u05d0\u202e\u0627 e\u0301",
    "",
    "long " * 300_000,
)
EXPORTS: dict[str, Callable[[Generation, Path, bool], Exported]] = {
    "graphml": export_graphml,
    "json": export_json,
    "microsoft": export_microsoft,
    "neo4j": export_neo4j,
}


def with_nasty_values(index: Path) -> Path:
    """Put values that programs stumble over into descriptions, aliases and texts that no key rests on."""

    def described(rows: list[Row]) -> list[Row]:
        for i, row in enumerate(rows):
            row["description"] = NASTY[i % len(NASTY)]
            if "aliases" in row:
                row["aliases"] = [NASTY[(i + 1) % len(NASTY)], "; ", NASTY[(i + 2) % len(NASTY)]] if i % 2 else []
        return rows

    def titled(rows: list[Row]) -> list[Row]:
        for i, row in enumerate(rows):
            row["title"] = NASTY[i] or row["title"]
        return rows

    for table in ("entities", "relationships", "claims"):
        change(index, table, described)
    change(index, "key_elements", titled)
    change(index, "facts", lambda rows: [row | {"text": NASTY[i % len(NASTY)]} for i, row in enumerate(rows)])
    return index


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_index(tmp_path_factory.mktemp("good"))


@pytest.fixture(scope="module")
def nasty(good: Path, tmp_path_factory: pytest.TempPathFactory) -> Generation:
    return opened(with_nasty_values(copy_of(good, tmp_path_factory.mktemp("nasty") / "output")))


def rows(generation: Generation, table: str) -> list[Row]:
    found: list[Row] = generation.table(table).to_pylist()
    return found


def test_graphml_holds_every_entity_and_relationship_with_its_values(nasty: Generation, tmp_path: Path) -> None:
    exported = export_graphml(nasty, tmp_path / "out")
    graph = nx.read_graphml(tmp_path / "out" / "graph.graphml")
    assert exported.counts == {"nodes": graph.number_of_nodes(), "edges": graph.number_of_edges()}
    for row in rows(nasty, "entities"):
        node = graph.nodes[row["id"]]
        assert node["label"] == row["title"] and node["degree"] == row["degree"]
        assert node.get("description", "") == ILLEGAL.sub("\ufffd", row["description"])
        assert json.loads(node["chunk_ids"]) == row["chunk_ids"]
    for row in rows(nasty, "layout"):
        if row["entity"] is not None:
            assert (graph.nodes[row["entity"]]["x"], graph.nodes[row["entity"]]["y"]) == (row["x"], row["y"])
    ids = {row["title"]: row["id"] for row in rows(nasty, "entities")}
    for row in rows(nasty, "relationships"):
        assert graph.edges[ids[row["source"]], ids[row["target"]]]["weight"] == row["weight"]
    assert exported.notes == [line for line in exported.notes if "U+FFFD" in line] and len(exported.notes) == 1


def test_graphml_names_the_communities_of_a_node_from_the_largest_to_the_smallest(good: Path, tmp_path: Path) -> None:
    export_graphml(opened(good), tmp_path / "out")
    graph = nx.read_graphml(tmp_path / "out" / "graph.graphml")
    for community in rows(opened(good), "communities"):
        for id in community["entity_ids"]:
            assert json.loads(graph.nodes[id]["communities"])[community["level"]] == community["community"]
            assert community["level"] or graph.nodes[id]["community"] == community["community"]


def test_graphml_is_valid_for_a_strict_parser_and_declares_every_attribute(nasty: Generation, tmp_path: Path) -> None:
    export_graphml(nasty, tmp_path / "out")
    root = ET.parse(tmp_path / "out" / "graph.graphml").getroot()
    space = "{http://graphml.graphdrawing.org/xmlns}"
    keys = {key.get("id") for key in root.iter(f"{space}key")}
    assert len(keys) == len(NODE) + len(EDGE)
    assert {data.get("key") for data in root.iter(f"{space}data")} <= keys


def test_json_lines_are_the_tables(nasty: Generation, tmp_path: Path) -> None:
    exported = export_json(nasty, tmp_path / "out")
    assert set(exported.counts) == set(nasty.manifest.tables)
    for name in nasty.manifest.tables:
        text = (tmp_path / "out" / f"{name}.jsonl").read_text(encoding="utf-8")
        assert [json.loads(row) for row in text.split("\n")[:-1]] == rows(nasty, name)
        assert "<" not in text and "\u2028" not in text


def test_json_s_graph_is_one_that_networkx_reads(nasty: Generation, tmp_path: Path) -> None:
    export_json(nasty, tmp_path / "out")
    content = json.loads((tmp_path / "out" / "graph.json").read_text(encoding="utf-8"))
    graph = nx.node_link_graph(content, edges="links")
    assert graph.number_of_nodes() == nasty.rows("entities").num_rows
    assert graph.number_of_edges() == nasty.rows("relationships").num_rows


@given(st.recursive(st.text() | st.integers(-(2**53), 2**53) | st.none(), lambda inner: st.lists(inner), max_leaves=5))
@settings(deadline=None, max_examples=100)
def test_a_line_of_json_is_one_line_that_reads_as_what_it_was(value: Any) -> None:
    written = line(value)
    assert json.loads(written) == value
    assert len(written.splitlines()) == 1 and "<" not in written


def test_a_number_that_json_does_not_have_is_an_error() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        line(float("nan"))


def test_microsoft_s_folder_has_the_same_rows_and_values(nasty: Generation, tmp_path: Path) -> None:
    exported = export_microsoft(nasty, tmp_path / "out")
    index = read_microsoft(tmp_path / "out", ("documents", "text_units", "community_reports", "covariates"))
    ours = {"text_units": "chunks", "covariates": "claims"}
    for name, table in index.tables.items():
        assert table.num_rows == exported.counts[name] == nasty.rows(ours.get(name, name)).num_rows
    for name in ("id", "title", "description", "frequency", "degree"):
        assert index["entities"][name].to_pylist() == nasty.table("entities")[name].to_pylist()
    assert index["covariates"]["subject_id"].to_pylist() == nasty.table("claims")["subject"].to_pylist()


def test_every_citation_in_microsoft_s_folder_leads_to_a_row_of_its_community(good: Path, tmp_path: Path) -> None:
    export_microsoft(opened(good), tmp_path / "out")
    kind, checks = verify(tmp_path / "out")
    found = {check.name: check for check in checks}
    assert kind == "microsoft" and found["citations that do not fit"].faults == 0
    assert found["citations that do not fit"].looked_at == sum(
        len(finding["citations"]) for row in rows(opened(good), "community_reports") for finding in row["findings"]
    ) + sum(len(row["summary_citations"]) for row in rows(opened(good), "community_reports"))
    assert not any(check.faults for name, check in found.items() if "names nothing" in name or "community" in name[:20])


def test_microsoft_s_communities_have_titles_of_their_own_so_that_no_report_is_lost(good: Path, tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    export_microsoft(opened(good), tmp_path / "out")
    titles = pq.read_table(tmp_path / "out" / "communities.parquet")["title"].to_pylist()
    assert len(set(titles)) == len(titles)
    reports = pq.read_table(tmp_path / "out" / "community_reports.parquet").to_pylist()
    for report in reports:
        content = json.loads(report["full_content_json"])
        assert content["findings"] == report["findings"] and content["title"] == report["title"]
        assert all(citation.number >= 0 for citation in cited(report["full_content"]))


def test_microsoft_s_own_readers_open_the_folder(good: Path, tmp_path: Path) -> None:
    adapters = pytest.importorskip("graphrag.query.indexer_adapters", reason="Microsoft GraphRAG is not installed")
    import pandas as pd

    export_microsoft(opened(good), tmp_path / "out")
    read = {name: pd.read_parquet(tmp_path / "out" / f"{name}.parquet") for name in ("entities", "communities")}
    reports = pd.read_parquet(tmp_path / "out" / "community_reports.parquet")
    entities = adapters.read_indexer_entities(read["entities"], read["communities"], None)
    assert len(entities) == opened(good).rows("entities").num_rows
    found = adapters.read_indexer_reports(reports, read["communities"].copy(), None)
    assert len(found) == opened(good).rows("community_reports").num_rows


@pytest.mark.parametrize("kind", EXPORTS)
def test_the_same_index_gives_the_same_files(kind: str, good: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        EXPORTS[kind](opened(good), tmp_path / name, False)
    files = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert files == sorted(path.name for path in (tmp_path / "two").iterdir())
    assert all((tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes() for name in files)


@pytest.mark.parametrize("kind", EXPORTS)
def test_a_folder_that_holds_something_is_left_alone_unless_forced(kind: str, good: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(StoreError, match="is not an empty folder"):
        EXPORTS[kind](opened(good), tmp_path, False)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
    EXPORTS[kind](opened(good), tmp_path, True)
    assert (tmp_path / "mine.txt").read_text() == "mine"


@pytest.mark.parametrize("kind", EXPORTS)
def test_an_index_is_never_overwritten_by_an_export(kind: str, good: Path) -> None:
    with pytest.raises(StoreError, match="holds an index"):
        EXPORTS[kind](opened(good), good, True)


def test_nothing_is_written_through_a_link_that_leads_out(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "victim").write_text("as it was")
    (tmp_path / "out" / "graph.graphml").symlink_to(tmp_path / "victim")
    with (
        pytest.raises(StoreError, match="leads out of its folder"),
        writing(tmp_path / "out", "graph.graphml") as path,
    ):
        path.write_text("no longer")
    assert (tmp_path / "victim").read_text() == "as it was"


def test_a_file_that_fails_half_way_leaves_no_trace(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="half way"), writing(tmp_path, "some.txt") as path:
        path.write_text("half")
        raise ValueError("half way")
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_the_place_of_the_folder_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file")
    with pytest.raises(StoreError, match="is not an empty folder"):
        prepare(tmp_path / "out", force=True)


def test_the_command_exports_each_kind_and_refuses_others(
    good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = good.parent
    (root / "settings.yaml").write_text("chunks: {size: 60, overlap: 10}\n")
    for kind in EXPORTS:
        export_index(root, kind, tmp_path / kind, force=False)
        assert f"written to {tmp_path / kind}" in capsys.readouterr().out
    refused = CliRunner().invoke(app, ["export", "pickle", str(tmp_path / "pickle"), "--root", str(root)])
    assert refused.exit_code == 2 and "no 'pickle'. The choices are graphml, html," in refused.output


def test_every_table_is_exported_by_json(good: Path) -> None:
    assert set(opened(good).manifest.tables) == set(TABLES)
