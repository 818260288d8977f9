"""pipeline/text/stems.py: what the forms of a word share, in the language of each."""

from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.text.stems import _ALGORITHMS, _stemmer, stem


@pytest.mark.parametrize(
    ("language", "forms"),
    [
        ("en", ("directed", "directing", "Directs")),
        ("en", ("city", "Cities")),
        ("de", ("Haus", "Hauses", "Häuser")),
        ("fr", ("continuer", "continuait", "continué")),
        ("es", ("barco", "barcos")),
        ("ru", ("новый", "новая", "новым")),
        ("ru", ("музей", "музея", "музею", "музеем")),
        ("ru", ("Пелагея", "Пелагеи", "Пелагее")),
        ("el", ("δρόμος", "δρόμου")),
    ],
)
def test_forms_of_a_word_share_a_stem(language: str, forms: tuple[str, ...]) -> None:
    assert len({stem(form, language) for form in forms}) == 1


def test_the_script_decides_before_the_language() -> None:
    assert stem("города", "en") == stem("город", "ru")


@pytest.mark.parametrize("word", ["東京", "1944", "X9", "is", "ö", ""])
def test_figures_short_words_and_scripts_without_an_algorithm_are_their_own_stems(word: str) -> None:
    assert stem(word) in (word.lower(), "o")


def test_a_language_without_an_algorithm_is_read_as_english() -> None:
    assert stem("houses", "und") == stem("house")


@pytest.mark.parametrize("language", ["en", "de", "ru", "tr"])
@given(data=st.data())
def test_stems_in_c_are_those_in_python(language: str, data: st.DataObject) -> None:
    name = _ALGORITHMS[language]
    in_python = getattr(import_module(f"snowballstemmer.{name}_stemmer"), f"{name.capitalize()}Stemmer")()
    letters = "абвгдежийклмнопрстуфхцчшщыьэюя" if language == "ru" else "abcdefghiklmnorstuyzäöüığşçß'"
    word = data.draw(st.text(letters, min_size=1, max_size=14))
    assert _stemmer(language)(word) == in_python.stemWord(word)
