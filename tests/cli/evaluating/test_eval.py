"""The commands eval: questions made, runs measured, kept and compared, as a person meets them."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from pipeline.base.errors import BudgetError, PartialError, QuestionError
from pipeline.base.settings import write_settings
from pipeline.runner.project import Project
from pipeline.runner.run import run_index
from tests.cli.test_query import run, with_model
from tests.corpora import write_texts
from tests.lookalike import LookAlike


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    (folder / "settings.yaml").write_text(write_settings(), encoding="utf-8")
    write_texts(folder / "input")
    run_index(Project.open(folder))
    assert run(folder, "eval", "make", "--count", "12").exit_code == 0
    return folder


def test_questions_are_made_without_a_model_and_not_replaced_unasked(root: Path) -> None:
    lines = (root / "evaluation/questions.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert {"who", "pair"} <= {row["kind"] for row in rows} and any(row["answerable"] is False for row in rows)
    with pytest.raises(QuestionError, match="is there already"):
        run(root, "eval", "make")
    said = json.loads(run(root, "eval", "make", "--count", "12", "--force", "--json").stdout)
    assert said["questions"] == len(rows)
    assert (root / "evaluation/questions.jsonl").read_text(encoding="utf-8").splitlines() == lines


def test_runs_are_kept_shown_and_compared(root: Path, tmp_path: Path) -> None:
    first = run(root, "eval", "run", "--methods", "basic")
    assert "hit@10" in first.stdout and "false answers" in first.stdout and "kept as run 1" in first.stdout
    changed = json.loads(run(root, "eval", "run", "--methods", "basic", "--with", "search.chunks=1", "--json").stdout)
    assert changed["run"] == 2 and [row["settings"] for row in changed["methods"]] == ["", "search.chunks=1"]
    shown = run(root, "eval", "show").stdout
    assert shown.splitlines()[0].startswith("run") and "search.chunks=1" in shown
    one = run(root, "eval", "show", "2").stdout
    assert "Beside run 1 (index, questions, version and settings are the same)" in one and "report.html" in one
    page = (root / "evaluation/runs/0002/report.html").read_text(encoding="utf-8")
    assert "<svg" in page and "search.chunks=1" in page and "http://" not in page.replace("http://www.w3.org", "")
    apart = run(root, "eval", "run", "--methods", "none", "--no-keep", "--output", str(tmp_path / "out"))
    assert "kept as" not in apart.stdout and (tmp_path / "out/retrieval.parquet").exists()
    assert len(json.loads(run(root, "eval", "show", "--json").stdout)) == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("eval", "show", "7"), "no run 7"),
        (("eval", "run", "--with", "chunks.size=100"), "changes no setting that answers depend on"),
        (("eval", "run", "--with", "search"), "changes no setting"),
    ],
)
def test_what_cannot_be_shown_or_compared_is_refused(root: Path, arguments: tuple[str, ...], said: str) -> None:
    with pytest.raises(QuestionError, match=said):
        run(root, *arguments)


def test_without_questions_the_way_to_make_them_is_named(root: Path, tmp_path: Path) -> None:
    shutil.copytree(root / "output", tmp_path / "output")
    shutil.copy(root / "settings.yaml", tmp_path)
    with pytest.raises(QuestionError, match="eval make"):
        run(tmp_path, "eval", "run")


def test_a_file_behind_eval_is_run_and_a_misspelt_command_is_not_taken_for_one(root: Path, tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text('{"question": "Who built the mole?"}', encoding="utf-8")
    assert "basic" in run(root, "eval", str(tmp_path / "q.jsonl"), "--methods", "basic", "--no-keep").stdout
    assert "Did you mean 'show'?" in run(root, "eval", "shwo").stderr


def reply(body: dict[str, Any]) -> Any:
    shown = body["messages"][-1]["content"]
    if "Write the questions." not in shown:
        return {"verdict": "incorrect"}
    quote = shown.partition("<material>\n")[2].splitlines()[1]
    written = {"question": f"What of {quote[:9]}?", "answer": quote[:9], "quote": quote}
    return {"answered": [written], "unanswered": f"Why {quote[:12]}?"}


def test_a_model_writes_questions_after_an_estimate_and_under_a_cap(root: Path, tmp_path: Path) -> None:
    with LookAlike(reply) as server:
        folder = with_model(root, tmp_path, server)
        said = json.loads(run(folder, "eval", "make", "--count", "4", "--estimate", "--json").stdout)
        assert said["calls"] > 3 and said["cost"] > 0 and server.calls == 0
        with pytest.raises(BudgetError):
            run(folder, "eval", "make", "--count", "4", "--max-calls", "0")
        made = run(folder, "eval", "make", "--count", "4", "--unanswerable", "0.25")
        assert "written" in made.stdout and "open 1" in made.stdout
        calls = server.calls
        assert calls <= said["calls"]
        run(folder, "eval", "make", "--count", "4", "--unanswerable", "0.25", "--force")
        assert server.calls == calls


def test_passages_without_a_reply_end_partial_after_the_rest_is_written(root: Path, tmp_path: Path) -> None:
    def refuse(body: dict[str, Any]) -> Any:
        return "no" if "storm" in body["messages"][-1]["content"] else reply(body)

    with LookAlike(refuse) as server:
        folder = with_model(root, tmp_path, server)
        with pytest.raises(PartialError, match="no questions were made of"):
            run(folder, "eval", "make", "--count", "40")
    assert (folder / "evaluation/questions.jsonl").stat().st_size
