"""A working folder of LightRAG, and graphs of one's own, become an index that answers and has no fault."""

import csv
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pipeline.base.errors import InputError
from pipeline.cli.app import app
from pipeline.cli.commands.exchange_commands import import_index, verify_index
from pipeline.exchange.graphs.lightrag import read_lightrag
from pipeline.exchange.graphs.own_graph import read_graph
from pipeline.query.index import Index

TEXT = "Ruth Vale built the Old Mill in 1871. Omar Bell ran the Old Mill. Ruth Vale taught Omar Bell to cut stone."
GRAPHML = """<?xml version="1.0"?><graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="d0" for="node" attr.name="entity_id" attr.type="string"/>
<key id="d1" for="node" attr.name="entity_type" attr.type="string"/>
<key id="d2" for="node" attr.name="description" attr.type="string"/>
<key id="d3" for="node" attr.name="source_id" attr.type="string"/>
<key id="d4" for="edge" attr.name="weight" attr.type="double"/>
<key id="d5" for="edge" attr.name="description" attr.type="string"/>
<key id="d6" for="edge" attr.name="source_id" attr.type="string"/>
<key id="d7" for="edge" attr.name="keywords" attr.type="string"/>
<graph edgedefault="undirected">
<node id="Ruth Vale"><data key="d0">Ruth Vale</data><data key="d1">person</data>
<data key="d2">Ruth Vale built mills.&lt;SEP&gt;She taught.</data><data key="d3">chunk-1&lt;SEP&gt;chunk-gone</data></node>
<node id="Old Mill"><data key="d0">Old Mill</data><data key="d1">location</data><data key="d2">A mill.</data><data key="d3">chunk-1</data></node>
<node id="Omar Bell"><data key="d0">Omar Bell</data><data key="d1">person</data><data key="d2">Miller.</data><data key="d3">chunk-1</data></node>
<edge source="Ruth Vale" target="Old Mill"><data key="d4">9.0</data><data key="d5">Ruth Vale built the Old Mill.</data><data key="d6">chunk-1</data></edge>
<edge source="Old Mill" target="Omar Bell"><data key="d4">2.0</data><data key="d5">Omar Bell ran it&lt;SEP&gt;He mended it</data>
<data key="d6">chunk-1</data><data key="d7">trade,repair&lt;SEP&gt;trade</data></edge>
</graph></graphml>"""


def lightrag(folder: Path) -> Path:
    folder.mkdir()
    (folder / "graph_chunk_entity_relation.graphml").write_text(GRAPHML, encoding="utf-8")
    chunk = {"content": TEXT, "tokens": 30, "chunk_order_index": 0, "full_doc_id": "doc-1", "file_path": "mill.txt"}
    (folder / "kv_store_text_chunks.json").write_text(json.dumps({"chunk-1": chunk}), encoding="utf-8")
    (folder / "kv_store_full_docs.json").write_text(json.dumps({"doc-1": {"content": TEXT}}), encoding="utf-8")
    return folder


def imported(tmp_path: Path, kind: str, source: Path) -> Index:
    root = tmp_path / "project"
    root.mkdir()
    (root / "settings.yaml").write_text("", encoding="utf-8")
    for arguments in (["import", kind, str(source)], ["verify", str(root / "output")]):
        result = CliRunner().invoke(app, [*arguments, "--root", str(root)])
        assert result.exit_code == 0, result.output
    return Index.open(root / "output")


def test_a_folder_of_lightrag_keeps_its_texts_descriptions_and_weights(tmp_path: Path) -> None:
    index = imported(tmp_path, "lightrag", lightrag(tmp_path / "lightrag"))
    assert index.documents["title"].tolist() == ["mill.txt"]
    described = dict(zip(index.entities["title"], index.entities["description"], strict=True))
    assert described["Ruth Vale"] == "Ruth Vale built mills. She taught."
    edges = {(row.source, row.target): row.weight for row in index.relationships.itertuples()}
    assert edges[("Old Mill", "Ruth Vale")] == 9.0
    said = set(index.relationships["description"])
    assert said == {"Ruth Vale built the Old Mill.", "Omar Bell ran it. He mended it (trade, repair)"}
    assert len(index.community_reports)
    assert "Ruth Vale built the Old Mill in 1871." in index.ask("Who built the Old Mill?", "basic").text


def test_a_run_over_an_imported_index_says_beforehand_that_it_replaces_it_and_how_it_comes_back(tmp_path: Path) -> None:
    imported(tmp_path, "lightrag", lightrag(tmp_path / "lightrag"))
    root = tmp_path / "project"
    (root / "input").mkdir()
    (root / "input" / "new.txt").write_text("Tom Pike mended the Old Mill.", encoding="utf-8")
    said = CliRunner().invoke(app, ["index", "--root", str(root)]).output
    assert 0 < said.index("generation 1 was imported") < said.index("load documents")
    assert Index.open(root / "output").documents["source"].tolist() == ["new.txt"]
    assert "was imported" not in CliRunner().invoke(app, ["index", "--root", str(root)]).output
    CliRunner().invoke(app, ["rollback", "--root", str(root)])
    assert Index.open(root / "output").documents["title"].tolist() == ["mill.txt"]


@pytest.mark.parametrize("kind", ["microsoft", "lightrag", "graph"])
def test_an_import_from_a_path_where_nothing_is_says_so(kind: str, tmp_path: Path) -> None:
    (tmp_path / "settings.yaml").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="no file or folder at"):
        import_index(tmp_path, kind, tmp_path / "nowhere")


def test_a_folder_that_lacks_a_file_of_lightrag_is_refused_with_its_name(tmp_path: Path) -> None:
    folder = lightrag(tmp_path / "lightrag")
    (folder / "kv_store_full_docs.json").unlink()
    with pytest.raises(InputError, match="kv_store_full_docs"):
        read_lightrag(folder)
    (folder / "kv_store_full_docs.json").write_text("[]", encoding="utf-8")
    with pytest.raises(InputError, match="no object of objects"):
        read_lightrag(folder)


def imported_csv(tmp_path: Path, entities: str, relationships: str) -> Index:
    folder = tmp_path / "graph"
    folder.mkdir()
    (folder / "entities.csv").write_text(entities, encoding="utf-8")
    (folder / "relationships.csv").write_text(relationships, encoding="utf-8")
    return imported(tmp_path, "graph", folder)


def test_a_graph_of_two_csv_files_becomes_an_index_whose_answers_cite_what_it_says(tmp_path: Path) -> None:
    index = imported_csv(
        tmp_path,
        "Name,Type,Description\nRuth Vale,PERSON,Ruth Vale is a mason of Carrow.\nOld Mill,PLACE,\n",
        "From,To,Description,Weight\nRuth Vale,Old Mill,Ruth Vale built the Old Mill in 1871.,3\nRuth Vale,Omar Bell,,x\n",
    )
    assert sorted(index.entities["title"]) == ["Old Mill", "Omar Bell", "Ruth Vale"]
    noted = index.failures["item"][index.failures["reason"].str.contains("weight is no number")].tolist()
    assert noted == ["Ruth Vale - Omar Bell"]
    assert "Ruth Vale built the Old Mill in 1871." in index.ask("Who built the Old Mill?", "basic").text


def test_relations_are_sentences_and_what_else_a_row_says_is_kept(tmp_path: Path) -> None:
    index = imported_csv(
        tmp_path,
        "id;name;labels;founded\nn1;Ruth Vale;:Person;\nn2;Old Mill;:Place;1871\n",
        "source;target;relation;since\nn1;n2;BUILT;1871\nn1;n2;LEFT_TO_NOBODY;\nn1;n1;taught;\n",
    )
    titles = index.entities.set_index("title")
    assert titles.loc["Ruth Vale", "type"].upper() == "PERSON"
    assert titles.loc["Old Mill", "description"] == "founded: 1871"
    (edge,) = index.relationships.to_dict("records")
    assert edge["weight"] == 2
    for said in ("Ruth Vale built Old Mill.", "since: 1871", "Ruth Vale left to nobody Old Mill."):
        assert said in edge["description"]
    assert "Ruth Vale taught Ruth Vale." in " ".join(index.chunks["text"])
    assert "built" in index.ask("Who built the Old Mill?", "basic").text


def test_nothing_that_rows_of_a_graph_say_is_lost(tmp_path: Path) -> None:
    index = imported_csv(
        tmp_path,
        "\nname;description;founded\nOld Mill;A mill.;1871\nOld Mill;It burnt down.;\nRuth Vale;;\n",
        "source;target;relation;description\nRuth Vale;Old Mill;BUILT;In two summers.\n",
    )
    said = index.entities.set_index("title")["description"]
    assert " ".join(said["Old Mill"].split()) == "A mill. founded: 1871 It burnt down."
    assert " ".join(index.relationships["description"][0].split()) == "Ruth Vale built Old Mill. In two summers."


def test_a_field_that_is_too_long_is_named_by_its_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "entities.csv").write_text("name\n" + "x" * 2000, encoding="utf-8")
    before = csv.field_size_limit(1000)
    try:
        with pytest.raises(InputError, match=r"entities\.csv, line 2"):
            read_graph(tmp_path)
    finally:
        csv.field_size_limit(before)


def test_an_imported_index_is_verified_without_files_of_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mill.graphml"
    path.write_text(GRAPHML, encoding="utf-8")
    imported(tmp_path, "graph", path)
    (tmp_path / "project" / "input").mkdir(parents=True, exist_ok=True)
    verify_index(tmp_path / "project", None, False)
    assert "no file to read" in capsys.readouterr().out


def test_a_graphml_file_is_a_graph_too(tmp_path: Path) -> None:
    path = tmp_path / "mill.graphml"
    path.write_text(GRAPHML, encoding="utf-8")
    index = imported(tmp_path, "graph", path)
    assert index.count("relationships") == 2


def test_what_is_no_graph_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no"):
        read_graph(tmp_path / "nowhere.graphml")
    with pytest.raises(InputError, match="0 GraphML files"):
        read_graph(tmp_path)
    (tmp_path / "a.graphml").write_text('<!DOCTYPE x [<!ENTITY a "b">]><graphml/>', encoding="utf-8")
    with pytest.raises(InputError, match="document type"):
        read_graph(tmp_path)
    (tmp_path / "entities.csv").write_text("title\nA\n", encoding="utf-8")
    (tmp_path / "relationships.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    with pytest.raises(InputError, match="columns source and target"):
        read_graph(tmp_path)
