"""What people ask for in everyday Japanese: short forms, particles at the end, and words that look like asking ones."""

from pathlib import Path

import pytest

from pipeline.text.question.kinds import kinds_of

BLOCKS = Path(__file__).with_name("japanese_questions.txt").read_text(encoding="utf-8").split("\n\n")
BY_KIND = [
    (kind, question)
    for block in BLOCKS
    if not block.startswith("#")
    for kind, questions in [block.strip("[\n").split("]\n")]
    for question in questions.split("\n")
]


@pytest.mark.parametrize(("kind", "question"), BY_KIND)
def test_a_question_in_japanese_asks_for_the_kind_of_thing_that_it_means(kind: str, question: str) -> None:
    kinds = kinds_of(question, "ja")
    if kind.startswith("not "):
        assert kind.removeprefix("not ") not in kinds
    elif kind == "definition":
        assert kind in kinds  # who that is asks for a person as well
    else:
        assert kinds[:1] == (kind,)
