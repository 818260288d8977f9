"""What people ask for in their own words: trailing question words, clefts, inversion, terse forms and the verbs of everyday speech."""

from itertools import groupby
from pathlib import Path

import pytest

from pipeline.text.question.kinds import kinds_of

LINES = Path(__file__).with_name("everyday_questions.txt").read_text(encoding="utf-8").splitlines()


def questions_by_head() -> dict[str, list[str]]:
    """Return the questions of the file beside this module by the heads that they are below."""
    found: dict[str, list[str]] = {}
    for is_head, lines in groupby(
        filter(None, (line for line in LINES if not line.startswith("#"))), lambda line: line[0] == "["
    ):
        if is_head:
            head = list(lines)[-1].strip("[]")
        else:
            found[head] = list(lines)
    return found


@pytest.mark.parametrize(("head", "questions"), questions_by_head().items())
def test_a_question_asks_for_the_kind_of_thing_that_it_means(head: str, questions: list[str]) -> None:
    language, _, kind = head.partition(" ")
    other = kind.removeprefix("not ")
    for question in questions:
        kinds = kinds_of(question, language)
        if kind == "none":
            assert kinds == (), question
        elif kind == "definition":  # who that is asks for a person as well
            assert kind in kinds, question
        elif other != kind:
            assert other not in kinds[:1], question
        else:
            assert kinds[:1] == (kind,), question
