"""Pronouns: who is meant where that is clear, and silence where it is not."""

import re
from collections.abc import Mapping

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.text.extraction.pronouns import in_words, resolve, written_out
from pipeline.text.spans import Match

NAMES = {
    "Joan of Arc": "PERSON",
    "Hugh of Arles": "PERSON",
    "Guy of Lucca": "PERSON",
    "Rouen": "PLACE",
    "Google": "ORGANIZATION",
}


def matches_in(text: str, names: Mapping[str, str] = NAMES) -> list[Match]:
    return sorted(
        Match(found.start(), found.end(), name, type_)
        for name, type_ in names.items()
        for found in re.finditer(re.escape(name), text)
    )


def resolved(text: str, anchor: str = "", names: Mapping[str, str] = NAMES) -> list[tuple[str, str]]:
    return [(text[p.start : p.end], in_words(p, "en")) for p in resolve(text, matches_in(text, names), anchor)]


def test_a_pronoun_stands_for_the_subject_of_the_sentence_before() -> None:
    assert resolved("Joan of Arc went to Rouen. She was burned there.") == [("She", "Joan of Arc")]


def test_a_possessive_keeps_its_ending() -> None:
    assert resolved("Joan of Arc was young. Her voices spoke.") == [("Her", "Joan of Arc's")]
    names = {"Thomas Hobbes": "PERSON"}
    assert resolved("Thomas Hobbes wrote. His book sold.", names=names) == [("His", "Thomas Hobbes'")]


def test_her_before_a_noun_is_a_possessive_and_else_an_object() -> None:
    words = "Joan of Arc was a girl. The judges asked her why her banner was there."
    assert resolved(words) == [("her", "Joan of Arc"), ("her", "Joan of Arc's")]


def test_two_names_that_fit_alike_leave_the_pronoun_alone() -> None:
    assert resolved("Hugh of Arles and Guy of Lucca met. He won.") == []


def test_nothing_is_resolved_inside_speech_nor_across_it() -> None:
    assert resolved('Hugh of Arles came. "He is dead," said Joan of Arc.') == []
    assert resolved("Hugh of Arles was a king. 'Old Guy is dead as a nail,' they said. He wept.") == []


def test_a_noun_for_a_person_competes_and_so_does_a_name_of_unknown_kind() -> None:
    assert resolved("Hugh of Arles was a king. He met an old stranger. He wept.") == [("He", "Hugh of Arles")]
    names = {"Hugh of Arles": "PERSON", "Scratch": "CONCEPT"}
    assert resolved("Hugh of Arles was a king. Scratch met Hugh of Arles. He wept.", names=names) == []


def test_a_gender_that_the_text_shows_excludes_the_other() -> None:
    text = "Joan of Arc was a girl. Hugh of Arles, a king, met Joan of Arc. She was glad."
    assert resolved(text)[-1] == ("She", "Joan of Arc")


def test_a_noun_that_is_no_name_may_be_meant_too() -> None:
    assert resolved("Joan of Arc came to Rouen. The bishop refused. He was angry.") == []


def test_things_are_it_and_persons_are_not() -> None:
    assert resolved("Google was founded in 1998. It grew quickly.") == [("It", "Google")]
    assert resolved("Joan of Arc went home. It was late.") == []


def test_an_impersonal_it_stands_for_nothing() -> None:
    assert resolved("Rouen is a city in France. It is said that it rains there.") == []


def test_nothing_older_than_two_sentences_is_meant() -> None:
    text = "Joan of Arc spoke. Rain fell all day long. Nobody was there at night. She slept."
    assert resolved(text) == []


def test_the_title_above_the_text_counts_as_spoken_of() -> None:
    text = "She was born in 1412. Later Joan of Arc went to Rouen."
    assert ("She", "Joan of Arc") in resolved(text, "Joan of Arc > Youth")


def test_who_speaks_is_not_who_is_spoken_of() -> None:
    names = {"Ada Stone": "PERSON"}
    assert resolved("Ada Stone: She was my friend.", names=names) == []


def test_a_name_in_quotation_marks_is_a_work_and_nobody() -> None:
    names = {"Jane Eyre": "PERSON", "Charlotte Brontë": "PERSON"}
    assert resolved('Charlotte Brontë wrote "Jane Eyre". She died in 1855.', names=names) == [
        ("She", "Charlotte Brontë")
    ]


def test_other_languages_resolve_the_pronoun_that_opens_a_sentence() -> None:
    german = "Johanna war die Tochter eines Bauern und wurde in Domrémy geboren. Sie starb in Rouen. Sie waren Feinde."
    assert resolved(german, names={"Johanna": "PERSON"}) == [("Sie", "Johanna")]
    french = "Jeanne est née à Domrémy et elle est morte à Rouen. Elle était la fille de Jacques. Il faut le dire."
    assert resolved(french, names={"Jeanne": "PERSON"}) == [("Elle", "Jeanne")]
    russian = "Анна родилась в городе на реке. Она жила там и была счастлива."
    assert resolved(russian, names={"Анна": "PERSON"}) == [("Она", "Анна")]
    assert resolved("贞德生于1412年。她死于鲁昂。她们走了。", names={"贞德": "PERSON"}) == [("她", "贞德")]
    assert resolved("ジャンヌは村で生まれた。彼女は鲁昂で死んだ。", names={"ジャンヌ": "PERSON"}) == [
        ("彼女", "ジャンヌ")
    ]


def test_a_name_is_written_out_once_and_not_beside_itself() -> None:
    text = "She said that she was Joan."
    twice = [Match(0, 3, "Joan of Arc", "PERSON", "subject"), Match(14, 17, "Joan of Arc", "PERSON", "subject")]
    assert written_out(text, 0, len(text), twice, "en") == "Joan of Arc said that she was Joan."


@settings(deadline=None, max_examples=100)
@given(
    st.lists(
        st.sampled_from(
            [*NAMES, "he", "She", "his", "her", "it", "They", ". ", ", ", " and ", "was", "\n", "—", "é", "他"]
        ),
        max_size=40,
    )
)
def test_replacements_are_pronouns_in_order_and_name_a_match(words: list[str]) -> None:
    text = " ".join(words)
    names = matches_in(text)
    at = 0
    for item in resolve(text, names):
        assert at <= item.start < item.end <= len(text)
        assert item.title in {match.title for match in names}
        assert item.role and in_words(item, "en").startswith(item.title)
        at = item.end


@settings(deadline=None, max_examples=100)
@given(st.text(max_size=120), st.text(max_size=20))
def test_any_text_is_read(text: str, anchor: str) -> None:
    assert resolve(text, [], anchor) == []
