"""What answers and their steps say of themselves: plain words, in the right number."""

import re

import pytest

from pipeline.query.answer import Answer
from pipeline.query.method_names import Method
from tests.query_cases import BATTLES, WEATHER, ask, opened

_IDIOM = re.compile(r"give_up|by offline|; neighbours next|\b0 (?:notes|ambiguous|incorrect)|starting point")
_WRONG_NUMBER = re.compile(
    r"(?<![\d,.] of )\b1 (?:notes|chunks|documents|pages|strips|reports|questions|entities|passages)\b"
)


def told(answer: Answer) -> list[str]:
    return [answer.coverage.description, *(f"{step.name}: {step.detail}" for step in answer.steps)]


@pytest.mark.parametrize("method", ["local", "fusion", "drift", "basic", "entity"])
@pytest.mark.parametrize("question", [BATTLES, WEATHER])
def test_what_an_answer_rests_on_and_how_it_was_found_is_said_in_plain_words(method: Method, question: str) -> None:
    said = told(opened().ask(question, method))
    assert [one for one in said if _IDIOM.search(one)] == []
    assert [one for one in said if _WRONG_NUMBER.search(one)] == []


def test_where_readers_found_nowhere_to_begin_that_is_said_and_not_that_they_took_no_notes() -> None:
    answer, _ = ask(WEATHER, "local", {})
    assert answer.coverage.description == "nothing to start reading from was found"


def test_passages_that_do_not_help_are_not_called_incorrect_under_an_answer() -> None:
    said = opened().ask(BATTLES, "fusion").coverage.description
    assert re.fullmatch(r"rests on \d+ excerpts? from \d+ passages?: (?:\d+ (?:perhaps |not )?helpful(?:, )?)+", said)
