"""Support of documents: the share of a question that a few sentences meet, and what a second document adds to the best."""

import pytest

from pipeline.text.answering.document_support import ADDS, NAMELESS, document_support, document_supports
from pipeline.text.answering.passage_units import PassageText
from pipeline.text.question.analysis_words import LIGHT, without_analysis
from pipeline.text.question.question import Question
from pipeline.text.question.reading import read_question

MOLE = PassageText("a", "The mole", "Ada Thorne built the west mole in 1871. The storm broke it.")
SHIP = PassageText("b", "Ships", "The ship was built at Leith. Its captain was old.")
ASKED = "Which mole did Ada Thorne build before the storm?"


def asked(text: str) -> Question:
    return read_question(text, (), lambda word: 1.0, "en")


def test_support_is_the_share_that_sentences_meet_together() -> None:
    assert document_support(asked(ASKED), [MOLE]) > 0.9
    assert document_support(asked(ASKED), [PassageText("c", "", "Nothing of this.")]) == 0
    assert document_support(asked(ASKED), []) == 0


def test_what_speaks_of_none_of_the_names_supports_half_as_much() -> None:
    question = asked("Where was Zoltan Kovacs's ship built?")
    plain = question._replace(terms=tuple(term._replace(name=0) for term in question.terms))
    whole = document_support(plain, [SHIP])
    assert document_support(question, [SHIP]) == pytest.approx(NAMELESS * whole, abs=1e-5) and whole > 0


def test_the_second_half_of_an_answer_counts_where_the_best_document_has_the_first() -> None:
    question = asked("Which captain of the mole of Ada Thorne was old?")
    half = PassageText("d", "Crew", "The captain was old.")
    supports = document_supports(question, {"a": MOLE, "d": half, "e": PassageText("e", "", "It rained.")}, 0.5)
    joined = document_support(question, [MOLE, half])
    assert joined - max(document_support(question, [MOLE]), document_support(question, [half])) >= ADDS
    assert supports["a"] >= 0.5 and supports["d"] >= 0.5 > supports["e"]


def test_words_of_analysis_weigh_little_beside_others_and_fully_where_there_are_no_others() -> None:
    question = asked("How did the fortunes of Ada Thorne change after the storm?")
    before = {term.word: term.weight for term in question.terms}
    weights = {term.word: term.weight for term in without_analysis(question).terms}
    shares = {word: weights[word] / before[word] for word in ("fortunes", "change", "storm")}
    assert shares == {"fortunes": LIGHT, "change": LIGHT, "storm": 1}
    alone = asked("What was the reason?")
    assert without_analysis(alone) == alone
