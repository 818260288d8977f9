"""A vault of notes links every entity and theme; the Turtle file is RDF that holds what the tables hold."""

import re
from pathlib import Path

import pytest

from pipeline.exchange.obsidian import export_obsidian
from pipeline.exchange.rdf import export_json_ld, export_turtle
from pipeline.query.index import Index
from tests.query_cases import sample


@pytest.fixture(scope="module")
def index() -> Index:
    return Index.open(sample())


def test_every_entity_and_report_has_a_note_and_every_link_leads_to_one(index: Index, tmp_path: Path) -> None:
    exported = export_obsidian(index.generation, tmp_path / "vault")
    notes = {path.stem: path.read_text(encoding="utf-8") for path in (tmp_path / "vault").rglob("*.md")}
    assert exported.counts == {"entities": index.count("entities"), "themes": index.count("community_reports")}
    assert len(notes) == sum(exported.counts.values()) + 1
    assert len({name.casefold() for name in notes}) == len(notes)
    linked = {link for text in notes.values() for link in re.findall(r"\[\[([^\]|]+)", text)}
    assert linked <= notes.keys()
    assert len(linked) > index.count("entities") / 2
    assert "## Relationships" in notes["Joan of Arc"]
    assert "## Sources" in notes["Joan of Arc"]


def test_a_vault_is_the_same_bytes_when_it_is_written_again(index: Index, tmp_path: Path) -> None:
    contents = []
    for name in ("one", "two"):
        export_obsidian(index.generation, tmp_path / name)
        files = sorted((tmp_path / name).rglob("*.md"))
        contents.append([(path.relative_to(tmp_path / name), path.read_bytes()) for path in files])
    assert contents[0] == contents[1]


def test_the_turtle_file_parses_and_holds_every_row_with_its_words(index: Index, tmp_path: Path) -> None:
    rdflib = pytest.importorskip("rdflib")
    export_turtle(index.generation, tmp_path / "rdf")
    graph = rdflib.Graph().parse(tmp_path / "rdf" / "graph.ttl", format="turtle")
    schema, own = rdflib.Namespace("https://schema.org/"), rdflib.Namespace("urn:graphstrata:")
    entities = {str(name): node for node, name in graph.subject_objects(schema.name) if ":entity:" in str(node)}
    assert entities.keys() == set(index.entities["title"])
    assert (entities["Joan of Arc"], rdflib.RDF.type, schema.Person) in graph
    assert len(list(graph.subjects(rdflib.RDF.type, own.Relationship))) == index.count("relationships")
    texts = {
        str(text) for chunk in graph.subjects(rdflib.RDF.type, own.Chunk) for text in graph.objects(chunk, schema.text)
    }
    assert texts == set(index.chunks["text"])
    asked = """select ?name where { ?joan schema:name "Joan of Arc" . { ?joan g:relatedTo ?other } union { ?other g:relatedTo ?joan }
        ?other schema:name ?name }"""
    near = {str(row[0]) for row in graph.query(asked, initNs={"schema": schema, "g": own})}
    edges = index.relationships
    expected = set(edges[edges["source"] == "Joan of Arc"]["target"]) | set(
        edges[edges["target"] == "Joan of Arc"]["source"]
    )
    assert near == expected


def test_json_ld_says_the_same_as_turtle(index: Index, tmp_path: Path) -> None:
    rdflib = pytest.importorskip("rdflib")
    compare = pytest.importorskip("rdflib.compare")
    written = export_turtle(index.generation, tmp_path / "one"), export_json_ld(index.generation, tmp_path / "two")
    assert written[0].counts == written[1].counts and written[0].counts["entities"] == index.count("entities")
    one = rdflib.Graph().parse(tmp_path / "one" / "graph.ttl", format="turtle")
    two = rdflib.Graph().parse(tmp_path / "two" / "graph.jsonld", format="json-ld")
    assert len(one) == len(two) > 1000
    assert compare.to_isomorphic(one) == compare.to_isomorphic(two)
