"""Runs of an evaluation: what is measured of expected passages and refusals, and what changed between two versions."""

from pathlib import Path

import pytest

from pipeline.base.errors import QuestionError, StoreError
from pipeline.base.settings import Settings
from pipeline.query.evaluation.eval_questions import Example, ExpectedPassage
from pipeline.query.evaluation.eval_runs import (
    changed_answers,
    chosen_run,
    differences,
    earlier,
    keep_run,
    kept_runs,
    run_of,
)
from pipeline.query.evaluation.evaluation import Evaluation, Variant, evaluate
from pipeline.query.evaluation.expected import Span, first_rank
from pipeline.query.index import Index
from pipeline.runner.project import Project
from pipeline.runner.run import run_index
from tests.corpora import TEXTS, project
from tests.query.evaluation.test_evaluation import index, offline
from tests.query_cases import WEATHER

QUOTE = "Ada Thorne built the west mole of Carrow in 1871."
AT = TEXTS["harbour.md"].index(QUOTE)
EXPECTED = ExpectedPassage("harbour.md", AT, AT + len(QUOTE), QUOTE)
QUESTIONS = [
    Example(1, "Who built the west mole of Carrow?", ("Ada Thorne",), ("harbour.md",), (EXPECTED,), True),
    Example(2, "Who insured the mole against hail?", answerable=False),
    Example(3, "Who heard forty witnesses?", ("Harriet Loss",), ("notes/trial.txt",), answerable=True),
]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Project:
    there = project(tmp_path_factory.mktemp("project"))
    run_index(there)
    return there


def measured(made: Project) -> tuple[Evaluation, Index]:
    there = Index.open(made.store.folder, made.settings)
    return evaluate(there, QUESTIONS, ["basic"], offline()), there


def test_an_expected_passage_is_found_by_the_chunk_that_holds_half_of_it() -> None:
    passage = Span("a", 100, 200)
    assert first_rank([Span("b", 0, 900), Span("a", 0, 140), Span("a", 0, 150)], [passage]) == 3
    assert first_rank([Span("a", 151, 900)], [passage]) == 0 == first_rank([], [passage])


def test_expected_passages_support_words_and_false_answers_are_measured(made: Project) -> None:
    found, _ = measured(made)
    first, third = found.retrieval
    assert first["rank"] == 1 and third["rank"] is None and found.recall()["hit@1"] == 1
    answers = {row["number"]: row for row in found.answers}
    assert answers[1]["quoted"] == 1 and answers[1]["support"] == 1 and answers[1]["words"] >= 8
    (summary,) = found.summary()
    assert summary["false_answers"] == float(answers[2]["supported"])
    assert summary["supported"] == (answers[1]["supported"] + answers[3]["supported"]) / 2


def test_settings_are_compared_beside_methods() -> None:
    under = index().with_settings({"search": {"chunks": 1}})
    variant = Variant("search.chunks=1", under, offline())
    found = evaluate(index(), [Example(1, WEATHER, gold=("charles-vii.md",))], ["basic"], offline(), variants=[variant])
    assert [str(one) for one in found.candidates] == ["basic", "basic, search.chunks=1"]
    assert [row["settings"] for row in found.retrieval] == ["", "search.chunks=1"]
    assert {row["settings"] for row in found.summary()} == {"", "search.chunks=1"}


def test_a_run_is_kept_once_for_each_index_questions_settings_and_version(made: Project, tmp_path: Path) -> None:
    found, there = measured(made)
    run = run_of(found, there, QUESTIONS, "q.jsonl")
    first, again = (keep_run(tmp_path, run, found, "<html></html>") for _ in range(2))
    assert first.number == again.number == 1 and kept_runs(tmp_path) == [again]
    newer = keep_run(tmp_path, run.model_copy(update={"graphstrata": "9.0"}), found, "")
    assert newer.number == 2 and earlier(kept_runs(tmp_path), newer) == first
    other = keep_run(tmp_path, run.model_copy(update={"questions": "x"}), found, "")
    assert other.number == 3 and earlier(kept_runs(tmp_path), other) is None
    assert (tmp_path / "runs/0001/report.html").exists() and (tmp_path / "runs/0001/answers.parquet").exists()


def test_what_a_changed_index_changes_is_shown_by_measure_and_by_question(tmp_path: Path) -> None:
    made = project(tmp_path / "project")
    run_index(made)
    runs = []
    for text in (TEXTS["notes/trial.txt"], "The trial was long. It was held at Carrow in the old hall of the town.\n"):
        (made.input / "notes/trial.txt").write_text(text, encoding="utf-8")
        run_index(made)
        found, there = measured(made)
        runs.append(keep_run(tmp_path / "kept", run_of(found, there, QUESTIONS, "q.jsonl"), found, ""))
    before, after = runs
    assert before.index != after.index and earlier(kept_runs(tmp_path / "kept"), after) == before
    assert ("basic", "contains") in {(one.candidate, one.measure) for one in differences(before, after)}
    (changed,) = [row for row in changed_answers(tmp_path / "kept", before, after) if row["measure"] == "contains"]
    assert (changed["number"], changed["before"], changed["after"]) == (3, True, False)


def test_a_run_that_is_not_there_or_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(QuestionError, match="no evaluation is kept"):
        chosen_run(tmp_path, None)
    (tmp_path / "runs/0001").mkdir(parents=True)
    (tmp_path / "runs/0001/run.json").write_text("{}", encoding="utf-8")
    with pytest.raises(StoreError, match="0001"):
        kept_runs(tmp_path)


def test_an_index_without_the_gold_document_says_so() -> None:
    found = evaluate(Index.open(index().generation.folder, Settings()), [QUESTIONS[0]], ["basic"], offline())
    assert found.n_lost() == 1 and found.retrieval[0]["rank"] == 0
