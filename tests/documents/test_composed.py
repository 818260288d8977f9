"""A text whose accents are characters of their own is read as everybody types it, and every place leads to the file's own characters."""

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.documents.composed import Composition
from pipeline.documents.formats import parse
from pipeline.documents.parsed import Parsed
from pipeline.documents.places import PLACE_COLUMNS, file_place
from pipeline.query.index import Index
from pipeline.runner.run import run_index
from tests.corpora import project

LETTER = "Mme Élodie Vasseur est bibliothécaire depuis 2012.\r\nElle habite à Évreux.\n"
FILES = {
    "a.txt": LETTER,
    "a.md": "---\nville: Évreux\n---\n# Été\n\n- naïve coöperation\n- é\n",
    "a.csv": "nom,âge\nÉlodie,29\nAnaïs,31\n",
    "a.html": "<html><body><h1>Été</h1><p>Élodie &eacute;tait naïve.</p></body></html>",
}


def spread(text: str) -> str:
    return unicodedata.normalize("NFD", text)


def parsed(name: str, text: str) -> list[Parsed]:
    return [one for one in parse(name, text.encode()) if isinstance(one, Parsed)]


@pytest.mark.parametrize("name", FILES)
def test_it_is_the_text_of_the_file_with_composed_letters_and_its_places_lead_to_the_same_words(name: str) -> None:
    whole, apart = FILES[name], spread(FILES[name])
    assert whole != apart
    for one, other in zip(parsed(name, whole), parsed(name, apart), strict=True):
        assert (one.title, one.text) == (other.title, other.text)
        before, after = (dict(zip(PLACE_COLUMNS, places, strict=True)) for places in (one.places, other.places))
        for start in range(len(one.text)):
            for end in range(start + 1, len(one.text) + 1):
                expected, found = file_place(before, start, end), file_place(after, start, end)
                assert expected.label == found.label
                assert (
                    unicodedata.normalize("NFC", apart[found.start : found.end]) == whole[expected.start : expected.end]
                )


@pytest.mark.parametrize("before", ["", "Plain\n", "Évreux\r\n\n", "\u2028", "e"])
def test_letters_are_composed_in_whichever_line_they_are(before: str) -> None:
    assert Composition(f"{before}{spread('Évreux')}\nPlain\n").text == f"{before}Évreux\nPlain\n"


@given(st.text("aeéñ\u0301\u0303 \n한ᄒ", max_size=40))
def test_any_text_leads_back_to_the_characters_that_it_was_composed_from(text: str) -> None:
    for one in parsed("a.txt", text):
        map_of = dict(zip(PLACE_COLUMNS, one.places, strict=True))
        for at, char in enumerate(one.text):
            place = file_place(map_of, at, at + 1)
            assert char.isspace() or unicodedata.normalize(
                "NFC", text[place.start : place.end]
            ) == unicodedata.normalize("NFC", char)


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_question_finds_a_name_in_whatever_form_both_are(tmp_path: Path, form: str) -> None:
    made = project(tmp_path, {"a.txt": spread(LETTER)})
    run_index(made)
    answer = Index.open(made.store.folder).ask(unicodedata.normalize(form, "Qui est Élodie Vasseur ?"), "basic")
    assert answer.outcome == "answered" and "Élodie Vasseur est bibliothécaire" in answer.text
    (source, *_) = answer.sources
    content = (tmp_path / "input" / "a.txt").read_bytes().decode()
    assert unicodedata.normalize("NFC", content[source.start : source.end]) == source.quote
