"""Words that are auxiliaries or small words of names, and nouns where they stand as such."""

import pytest

from pipeline.text.question.asking_words import content_flags
from pipeline.text.question.nouns_too import nouns_among
from pipeline.text.question.reading import read_question
from pipeline.text.question.scope.whole import asks_for_whole


@pytest.mark.parametrize(
    ("question", "noun"),
    [
        ("who keeps the will", "will"),
        ("who keeps a van", "van"),
        ("where is the white van", "van"),
        ("where is Ruth's bin", "bin"),
        ("when was her last will signed", "will"),
        ("whose will was read", "will"),
        ("Qui avait le pouvoir ?", "pouvoir"),
        ("Comment fut l'été ?", "été"),
        ("¿Quién tenía el poder?", "poder"),
        ("Wer baute den Stand?", "stand"),
    ],
)
def test_a_function_word_behind_an_article_or_a_possessive_is_a_noun_of_the_question(question: str, noun: str) -> None:
    assert noun in {term.word.casefold() for term in read_question(question).terms}


@pytest.mark.parametrize(
    "question",
    [
        "what will the council pay",
        "what good will the pump do",
        "how many can come",
        "where did Vincent van Gogh paint",
    ],
)
def test_it_stays_a_function_word_elsewhere(question: str) -> None:
    assert {term.word for term in read_question(question).terms}.isdisjoint({"will", "can", "van"})


def test_a_question_of_which_nothing_else_is_left_asks_for_it() -> None:
    assert [term.word for term in read_question("what is due").terms] == ["due"]
    assert read_question("what can I do").terms == ()


def test_a_statement_holds_it_where_it_is_a_noun() -> None:
    asked = read_question("who keeps the will")
    places = [place for place, term in enumerate(asked.terms) if term.word == "will"]
    (place,) = places
    assert asked.met_by("The will is in the bank.")[place] == 1 == asked.met_by("Both wills are lost.")[place]
    assert asked.met_by("Ruth will go to the bank.")[place] == 0
    assert nouns_among("will: Ruth Penn", "en") == {"will"}


def test_retrieval_looks_for_it_and_the_question_is_none_on_the_whole() -> None:
    assert content_flags("who has the will")[-1] and not content_flags("who will come")[1]
    assert not asks_for_whole("what does the will say", "en")
