"""The corpora of benchmarks/questions.py hold what their questions accept, and the figures count what they say."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.answers import corpora_here, holds
from benchmarks.questions import Asked, figures
from pipeline.documents.formats import Parsed, parse
from pipeline.query.answer import Answer, Coverage


def questions(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()]


def text_of(path: Path) -> str:
    parsed = [one for one in parse(path.name, path.read_bytes()) if isinstance(one, Parsed)]
    return "\n".join(one.text for one in parsed)


@pytest.mark.parametrize("folder", corpora_here(), ids=lambda folder: folder.name)
def test_what_is_accepted_stands_in_the_files_that_are_named(folder: Path) -> None:
    texts = {path.name: text_of(path) for path in folder.iterdir() if path.suffix != ".jsonl"}
    for one in questions(folder):
        named = one["file"].split(",") if one["answers"] else []
        said = "\n".join(texts[name.strip()] for name in named)
        assert not one["answers"] or holds(said, one["answers"], one.get("need", 1)), one["question"]
        assert bool(one["answers"]) is (one["kind"] != "unanswerable")


def asked(text: str, outcome: Any, *accepted: str) -> Asked:
    answer = Answer("q", "basic", text, (), (), Coverage(1.0, ""), outcome)
    return Asked({"question": "q", "answers": [*accepted], "need": 1}, answer)


def test_right_wrong_and_false_answers_are_told_apart() -> None:
    every = [
        asked("The pier cost 11 pounds.", "answered", "11"),
        asked("Built in 1911.", "answered", "11"),
        asked("The pier cost 11 pounds.", "closest", "11"),
        asked("Nobody knows.", "answered"),
        asked("Nothing.", "nothing"),
    ]
    found = figures(every)
    assert (found["right"], found["precision"], found["false"]) == (0.333, 0.333, 0.5)
    assert (found["closest"], found["shown"]) == (0.333, 0.333)
