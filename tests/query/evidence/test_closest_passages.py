"""Passages in place of an answer: each says which of its sentences is closest to the question."""

from pathlib import Path

from graphstrata import Index
from pipeline.runner.run import run_index
from tests.corpora import project

TALE = (
    "The lamp was lit at dusk, and nobody on the island spoke of it. Abel and Fenwick had played draughts every night for nine years. "
    "The hens slept in the crate. Nora read the letter by the window."
)


def test_the_sentence_closest_to_the_question_is_shown_above_a_passage_that_stands_for_an_answer(
    tmp_path: Path,
) -> None:
    made = project(tmp_path, {"tale.txt": TALE})
    run_index(made)
    answer = Index.open(made.store.folder).ask("How much did Fenwick pay Abel for the draughts?", "basic")
    assert answer.outcome == "closest"
    (passage,) = answer.closest
    assert passage.nearest == "Abel and Fenwick had played draughts every night for nine years."
    assert f"\u2192 {passage.nearest}\n\n{passage.quote}" in str(answer) and passage.nearest in answer.to_markdown()
    assert answer.to_dict()["closest"][0]["nearest"] == passage.nearest


def test_passages_beside_an_answer_mark_nothing(tmp_path: Path) -> None:
    made = project(tmp_path, {"tale.txt": TALE})
    run_index(made)
    answer = Index.open(made.store.folder).ask("What did Abel and Fenwick play?", "basic")
    assert answer.outcome == "answered"
    assert not any(one.nearest for one in (*answer.sources, *answer.closest))
