"""Scripts: comparison keys of names, tokens, and the language of a text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.text.scripts import fold, language_of, token_spans, tokens_of


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The  Ghost", "ghost"),
        ("Scrooge’s", "Scrooge"),
        ("J. R. R. Tolkien", "J.R.R. Tolkien"),
        ("U.S.", "US"),
        ("Mr. Scrooge", "mr scrooge"),
        ("counting‑house", "counting-house"),
        ("Ｔｏｋｙｏ", "tokyo"),
        ("l'Angleterre", "Angleterre"),
        ("STRASSE", "Straße"),
        ("St. Paul's Churchyard", "St Paul Churchyard"),
    ],
)
def test_spellings_of_one_name_have_one_key(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(
    ("one", "other"), [("Henry V", "Henry VI"), ("Mr. Cratchit", "Mrs. Cratchit"), ("Los Angeles", "Angeles")]
)
def test_different_names_have_different_keys(one: str, other: str) -> None:
    assert fold(one) != fold(other)


@given(st.text(max_size=40))
@settings(deadline=None, max_examples=300)
def test_a_key_is_its_own_key(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Did Joan of Arc lose any battles?", "en"),
        ("Johanna von Orleans war eine Heldin.", "de"),
        ("Jeanne d'Arc était une héroïne.", "fr"),
        ("Juana de Arco nació en Domrémy, en Francia.", "es"),
        ("Giovanna d'Arco era una eroina della Francia.", "it"),
        ("Жанна д'Арк была героиней.", "ru"),
        ("جان دارك كانت بطلة", "ar"),
        ("ジャンヌ・ダルクは英雄です。", "ja"),
        ("贞德是法国英雄。", "zh"),
        ("잔 다르크는 프랑스의 영웅이다.", "ko"),
        ("जोन ऑफ आर्क एक नायिका थी।", "hi"),
        ("Η Ιωάννα ήταν ηρωίδα.", "el"),
        ("Alarm. Call a manager. No panic.", "en"),
        ("# E1: port in use\n\nStop the other program.\n\n# E2: disk full\n\nBuy a key.", "en"),
        ("No hay nada.", "es"),
        ("La casa è grande.", "it"),
        ("Domrémy", "und"),
        ("Tämä on suomenkielinen teksti satamasta, jonka kirjoitti siellä asunut mies.", "fi"),
        ("Ez egy magyar szöveg a kikötőről, amelyet egy ott élő ember írt.", "hu"),
        ("Die Größe der Mühle", "de"),
        ("", "und"),
        ("12345 !?", "und"),
    ],
)
def test_a_language_is_recognised_by_a_sentence(text: str, language: str) -> None:
    assert language_of(text) == language


@given(st.text())
@settings(deadline=None, max_examples=200)
def test_any_text_has_a_language(text: str) -> None:
    assert 2 <= len(language_of(text)) <= 3


@given(st.text(max_size=200))
@settings(deadline=None, max_examples=200)
def test_token_spans_are_ordered_slices_of_the_text(text: str) -> None:
    end = 0
    for token, start, stop in zip(*token_spans(text), strict=True):
        assert end <= start < stop and text[start:stop] == token
        end = stop


@given(st.text(alphabet=st.characters(max_codepoint=127), max_size=80))
@settings(deadline=None, max_examples=300)
def test_ascii_text_has_the_same_tokens_beside_other_letters(text: str) -> None:
    assert [*tokens_of(text), "é"] == tokens_of(text + " é")


def test_words_keep_their_inner_marks_and_elided_articles_come_off() -> None:
    assert tokens_of("Jeanne d'Arc's counting-house, U.S.A. AT&T") == [
        "Jeanne",
        "d'",
        "Arc's",
        "counting-house",
        ",",
        "U.S.A.",
        "AT&T",
    ]
    assert tokens_of("कि ख़ुशी") == ["कि", "ख़ुशी"]
