"""What answers and their steps say of themselves: plain words, in the right number."""

import re

import pytest

from pipeline.query.answer import Answer
from pipeline.query.index import Index
from pipeline.query.method_names import Method
from pipeline.runner.run import run_index
from tests.corpora import project
from tests.query_cases import BATTLES, WEATHER, ask, opened

ASKING = "We met at noon. What do they want? Why? From whom? When? I can do bread from Leeds.\n"


@pytest.fixture(scope="module")
def asking(tmp_path_factory: pytest.TempPathFactory) -> Index:
    made = project(tmp_path_factory.mktemp("asking"), {"a.txt": ASKING})
    run_index(made)
    return Index.open(made.store.folder)


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


@pytest.mark.parametrize("method", ["local", "basic", "auto"])
def test_what_is_no_answer_rests_on_nothing(method: Method) -> None:
    answer = opened().ask("Who repaired the zeppelin of Quimper?", method)
    assert answer.outcome in ("nothing", "closest") and "rests on" not in answer.coverage.description


@pytest.mark.parametrize("method", ["local", "fusion", "drift", "basic", "entity", "auto"])
@pytest.mark.parametrize("question", ["Why?", "From whom?", "when", "who else", "?"])
def test_a_question_without_a_word_that_says_something_finds_nothing_and_ends_nothing(
    method: Method, question: str, asking: Index
) -> None:
    assert asking.ask(question, method).outcome in ("nothing", "closest")
