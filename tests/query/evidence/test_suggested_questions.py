"""Suggested questions: on themes, on what they leave open, and after an answer; each can be asked."""

import pytest

from graphstrata import build
from pipeline.base.settings import Settings
from pipeline.query.evidence.suggested_questions import questions_of_themes
from pipeline.query.index import Index
from pipeline.query.messages import suggested
from pipeline.text.lexicon.words import read_json
from tests.query_cases import BATTLES, sample


def entity(title: str, degree: int, type: str = "PERSON") -> dict[str, object]:
    return {"title": title, "type": type, "degree": degree}


def test_themes_give_questions_on_their_best_connected_entities_each_once() -> None:
    themes = [[entity("Ada", 5), entity("Leith", 3, "PLACE")], [entity("Ada", 5), entity("Vane", 2)]]
    questions = questions_of_themes("en", themes, lambda one, other: True, [("Ada", "Loss")], 6)
    assert len(questions) == len(set(questions)) <= 6
    assert any("Ada" in one and "Leith" in one for one in questions) and "Loss" in questions[-1]


def test_the_questions_of_an_index_are_on_its_entities_and_can_be_asked() -> None:
    index = Index.open(sample(), Settings())
    questions = index.questions(8)
    assert 3 <= len(questions) <= 8 and questions == index.questions(8)
    assert any("Joan of Arc" in question for question in questions)
    assert all(index.ask(question, "basic").text for question in questions[:3])


def test_an_answer_is_followed_by_questions_on_what_it_names() -> None:
    index = Index.open(sample(), Settings())
    answer = index.ask(BATTLES, "basic")
    following = index.follow_ups(answer)
    assert 0 < len(following) <= 3 and BATTLES not in following


PUT = {"whole": "global", "person": "entity", "thing": "entity", "pair": "local"}
"""The method that answers each kind of question to begin with."""


@pytest.mark.parametrize("kind", PUT)
def test_in_every_language_a_question_to_begin_with_is_put_to_the_method_that_answers_it(kind: str) -> None:
    index = Index.open(sample(), Settings())
    joined = {"pair": {"ar"}}  # Arabic writes "and" and the second name as one word; these names are of another script
    for language, text in read_json("pipeline.query", "suggested")[kind].items():
        if language not in joined.get(kind, ()):
            answer = index.ask(text.format("Orléans", "Rouen"), "auto")
            assert answer.method.startswith(PUT[kind]) and answer.outcome == "answered", (language, answer.method)


def test_what_nothing_joins_is_not_asked_how_it_is_connected() -> None:
    themes = [[entity("Anna Lind", 5), entity("Erik Lind", 4), entity("Leith", 3, "PLACE")]]
    questions = questions_of_themes("en", themes, lambda one, other: other == "Leith")
    assert questions[1:] == ["Who is Anna Lind?", "How are Anna Lind and Leith connected?"]
    assert questions_of_themes("en", themes, lambda one, other: False)[1:] == ["Who is Anna Lind?"]


def test_every_question_that_an_index_offers_is_one_that_it_answers() -> None:
    texts = {
        "apart": "Anna Lind repairs roofs at Oslo. The roofs of Oslo leak. Erik Lind paints boats. Tom Marsh paints fences.",
        "pair": "Tom Marsh met Ada Thorne at Leith. Ada Thorne built the mole of Leith with Tom Marsh.",
        "heading": "# Helen Marsh and David Marsh\n\nThe clock at Leith is slow.",
    }
    index = build(texts)
    offered = index.questions(12)
    assert any("connected" in question for question in offered)
    answers = [index.ask(question) for question in offered]
    following = [question for answer in answers for question in index.follow_ups(answer)]
    answers += [index.ask(question) for question in dict.fromkeys(following)]
    assert [answer.question for answer in answers if answer.outcome != "answered"] == []


def test_a_common_noun_stands_in_quotation_marks_so_that_it_lacks_no_article() -> None:
    assert suggested("thing", "en", ("clock",)) == "What is said about “clock”?"
    assert suggested("thing", "fr", ("clock",)) == "Que dit-on de « clock » ?"
    assert suggested("pair", "en", ("clock", "Ada")) == "How are “clock” and Ada connected?"
    assert suggested("thing", "de", ("Uhr",)) == "Was ist „Uhr“?"


def test_a_person_whom_an_answer_names_is_asked_for_as_one() -> None:
    index = build({"a": "The mole was built by Ada Thorne. Ada Thorne lived at Leith."})
    assert "Who is Ada Thorne?" in index.follow_ups(index.ask("Who built the mole?"))
