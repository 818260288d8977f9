"""Whether a sentence can stand alone."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.text.extraction.self_contained import stands_alone

ALONE = [
    "Joan of Arc was captured at Compiègne in 1430.",
    "In 1429 the English gave up the siege of Orléans.",
    "The siege of Orléans lasted from 1428 to 1429.",
    "Joan of Arc said that she had heard a voice.",
    "Charles VII met Joan of Arc and trusted her.",
    "Otto I was crowned in Rome in 962.",
    "KEVIN SCOTT: Judy Estrin helped to build the Internet.",
    "贞德于1412年出生在栋雷米村。",
    "Johanna von Orléans wurde in Domrémy geboren.",
    "Diesel patented the engine in Augsburg in 1893.",
]
LEANING = [
    "She was captured at Compiègne in 1430.",
    "This was the end of the war.",
    "And Joan of Arc went home again.",
    "The town surrendered in October.",
    "Diese Motoren wurden 1893 in Augsburg erfunden.",
    "After the siege she went to Reims.",
    "Pope Benedict canonised her in 1920.",
    "Did Joan of Arc lose any battles?",
    "The Siege of Orléans",
    "I met Joan of Arc at Chinon.",
    "When I met Joan of Arc, the war was over.",
    "'Humbug!' said Scrooge to his nephew.",
    "Joan of Arc was captured in that battle.",
    "KEVIN SCOTT: Yeah, that is really great.",
    "1.F.1. Volunteers spend considerable effort.",
    "Pimentel died in Madrid (b. In the north.",
    "",
]


@pytest.mark.parametrize("sentence", ALONE)
def test_a_whole_sentence_about_a_name_stands_alone(sentence: str) -> None:
    assert stands_alone(sentence)


@pytest.mark.parametrize("sentence", LEANING)
def test_what_leans_on_other_words_does_not(sentence: str) -> None:
    assert not stands_alone(sentence)


@settings(deadline=None, max_examples=100)
@given(st.text(max_size=80))
def test_any_text_has_an_answer(text: str) -> None:
    assert stands_alone(text) in (True, False)
