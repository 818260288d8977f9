"""Suggested questions: on themes, on what they leave open, and after an answer; each can be asked."""

import pytest

from pipeline.base.settings import Settings
from pipeline.query.evidence.suggested_questions import questions_of_themes
from pipeline.query.index import Index
from pipeline.text.lexicon.words import read_json
from tests.query_cases import BATTLES, sample


def entity(title: str, degree: int, type: str = "PERSON") -> dict[str, object]:
    return {"title": title, "type": type, "degree": degree}


def test_themes_give_questions_on_their_best_connected_entities_each_once() -> None:
    themes = [[entity("Ada", 5), entity("Leith", 3, "PLACE")], [entity("Ada", 5), entity("Vane", 2)]]
    questions = questions_of_themes("en", themes, [("Ada", "Loss")], 6)
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
