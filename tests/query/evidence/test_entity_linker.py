"""Entities that a question names, as people type them."""

from pathlib import Path

from graphstrata import Index
from pipeline.query.evidence.entity_linker import link
from pipeline.runner.run import run_index
from tests.corpora import project

NOTES = "Inés Lafuente abrió la barca. Inés Lafuente vive en Cádiz. El señor Núñez habló con Inés Lafuente en Cádiz."


def test_a_proper_name_is_known_without_its_accents(tmp_path: Path) -> None:
    made = project(tmp_path, {"notas.txt": NOTES})
    run_index(made)
    entities = Index.open(made.store.folder).generation.rows("entities")
    assert [one.title for one in link("que une a Ines Lafuente con cadiz", entities)] == ["Inés Lafuente", "Cádiz"]
    assert [one.written for one in link("quién es INES LAFUENTE", entities)] == ["INES LAFUENTE"]
