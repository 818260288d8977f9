"""Names can be recognised by a model of one's own, with spaCy or GLiNER; the rest of the index is made as always."""

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from pipeline.base.errors import ModelError, SettingsError
from pipeline.base.settings import parse_settings
from pipeline.language.recogniser import open_recogniser
from pipeline.runner.run import run_index
from tests.corpora import project

KNOWN = {"Ada Thorne": ("PERSON", "person"), "Carrow": ("GPE", "location"), "1874": ("DATE", "date")}


def spans(text: str) -> Iterator[tuple[str, tuple[str, str]]]:
    yield from ((name, labels) for name, labels in KNOWN.items() if name in text)


class Pipeline:
    pipe_names = ("tok2vec", "tagger", "ner")

    def pipe(self, texts: list[str], disable: list[str]) -> Iterator[Any]:
        assert disable == ["tagger"]
        for text in texts:
            yield SimpleNamespace(
                ents=[SimpleNamespace(text=f"{name}'s", label_=label) for name, (label, _) in spans(text)]
            )


class Model:
    @staticmethod
    def from_pretrained(name: str) -> "Model":
        if name != "good":
            raise OSError("no such model")
        return Model()

    def predict_entities(self, text: str, labels: list[str], threshold: float) -> list[dict[str, Any]]:
        assert len(text) < 5000 and "person" in labels and threshold == 0.5
        return [{"text": name, "label": label} for name, (_, label) in spans(text)]


def load(name: str) -> Pipeline:
    if name != "good":
        raise OSError("no such model")
    return Pipeline()


@pytest.fixture
def packages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand-ins for both packages, with what is used of them."""
    for name, value in {"spacy": {"load": load}, "gliner": {"GLiNER": Model}}.items():
        module = ModuleType(name)
        vars(module).update(value)
        monkeypatch.setitem(sys.modules, name, module)


@pytest.mark.usefixtures("packages")
@pytest.mark.parametrize("kind", ["spacy", "gliner"])
def test_names_and_types_are_those_of_the_recogniser(kind: str, tmp_path: Path) -> None:
    made = project(tmp_path, names={"recogniser": f"{kind}:good"})
    run_index(made)
    names = {row["title"]: row for row in made.store.open().table("vocabulary").to_pylist() if row["kind"] == "name"}
    assert {name: row["type"] for name, row in names.items()} == {"Ada Thorne": "PERSON", "Carrow": "PLACE"}
    entities = {row["title"]: row["type"] for row in made.store.open().table("entities").to_pylist()}
    assert entities["Ada Thorne"] == "PERSON" and "Northern Dock Company" not in entities


@pytest.mark.usefixtures("packages")
@pytest.mark.parametrize("kind", ["spacy", "gliner"])
def test_a_model_that_is_not_there_is_an_error_with_a_way_out(kind: str) -> None:
    with pytest.raises(ModelError, match="cannot be loaded") as error:
        open_recogniser(f"{kind}:other")
    assert "names.recogniser to rules" in error.value.fix


@pytest.mark.parametrize("kind", ["spacy", "gliner"])
def test_a_missing_package_is_named_with_its_extra(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, kind, None)
    with pytest.raises(ModelError, match="is not installed") as error:
        open_recogniser(f"{kind}:good")
    assert f"graphstrata[{kind}]" in error.value.fix


def test_long_texts_are_read_in_pieces_that_miss_nothing(packages: None) -> None:
    recogniser = open_recogniser("gliner:good")
    assert recogniser is not None
    text = "It rained all day. " * 200 + "Ada Thorne came to Carrow. " + "The mole held. " * 200
    assert [name.text for name in next(recogniser.find([text]))] == ["Ada Thorne", "Carrow"]


def test_the_rules_are_the_default_and_other_words_are_refused() -> None:
    assert open_recogniser(parse_settings({}).names.recogniser) is None
    with pytest.raises(SettingsError, match="names.recogniser"):
        parse_settings({"names": {"recogniser": "magic"}})
