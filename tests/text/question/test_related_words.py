"""Words and phrases for the same thing: which may stand for each other, in the question and in the text."""

from pathlib import Path

import pytest

from pipeline.query.index import Index
from pipeline.text.keys import key_of
from pipeline.text.lexicon.words import sections
from pipeline.text.question.question import RELATED, Question
from pipeline.text.question.reading import read_question
from pipeline.text.question.related_words import related_words
from tests.corpora import indexed

LANGUAGES = ("en", "it", "ru", "ar")


def met(question: Question, word: str, text: str) -> float:
    """Return how far a text meets one word of a question."""
    place = [term.word for term in question.terms].index(word)
    return question.met_by(text)[place]


@pytest.mark.parametrize(
    ("question", "word", "text"),
    [
        ("What did the bus cost?", "bus", "The coach was booked in May."),
        ("Where did the nuns live?", "nuns", "The convent stood by the river."),
        ("Wer hat die Treppe repariert?", "repariert", "Herr Lohse hat die Stufen ausgebessert."),
    ],
)
def test_another_word_for_the_same_thing_meets_a_word_of_a_question_almost_as_well(
    question: str, word: str, text: str
) -> None:
    assert met(read_question(question), word, text) == RELATED


def test_a_phrase_of_the_question_is_met_by_a_word_for_it_and_a_word_by_a_phrase() -> None:
    assert met(read_question("Why was the trip put off?"), "put", "The journey was postponed by a week.") == RELATED
    assert met(read_question("Why was the trip postponed?"), "postponed", "They put the trip off by a week.") == RELATED
    assert met(read_question("Why was the trip postponed?"), "postponed", "They put the lamp down.") == 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_related_is_so_both_ways_and_every_listed_word_is_found(language: str) -> None:
    every = related_words(language)
    for line in sections("related_words")[language].splitlines()[::7]:
        first, *others = (key_of(word, language) for word in line.split())
        for other in others:
            assert other == first or (other in every.of(first) and first in every.of(other)), line


def test_a_word_that_no_passage_has_finds_those_with_another_for_the_same(tmp_path: Path) -> None:
    filler = {
        f"{n}.txt": f"Parish notes, part {n}: the choir sang number {n} and the bells were rung." for n in range(30)
    }
    texts = filler | {"trip.txt": "The coach to Voe leaves the square at seven."}
    found = Index.open(indexed(tmp_path, texts).store.folder).ask("Where is the bus?", "basic")
    shown = [one.quote for one in (*found.sources, *found.closest)]
    assert "coach" in shown[0]
