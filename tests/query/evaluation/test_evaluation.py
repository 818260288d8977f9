"""Evaluation: examples are read or refused by line, gold is found, measures are of what was answered, a judge sees both orders."""

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from pipeline.base.errors import InputError
from pipeline.base.store import write_apart
from pipeline.base.task import Failure, Prose
from pipeline.language.backends.offline import OfflineBackend
from pipeline.language.ledger import Ledger
from pipeline.language.service import LanguageService
from pipeline.language.tasks.search.judge_answers import CRITERIA, AnswersToJudge, Verdict
from pipeline.query.evaluation.eval_questions import Example, read_examples
from pipeline.query.evaluation.eval_tables import ANSWERS, JUDGEMENTS, RETRIEVAL
from pipeline.query.evaluation.evaluation import evaluate
from pipeline.query.evaluation.expected import GoldDocuments
from pipeline.query.evaluation.judging import Judgement, judge, n_calls, win_rates
from pipeline.query.index import Index
from pipeline.runner.run import run_index
from tests.corpora import project
from tests.lookalike import LookAlike
from tests.query.test_streaming import at
from tests.query_cases import BATTLES, WEATHER, opened
from tests.scripted_backend import ScriptedBackend

EXAMPLES = [
    Example(1, BATTLES, ("Paris", "La Charité-sur-Loire"), ("joan-of-arc.md", "siege-of-paris-1429.md")),
    Example(2, "Who was captured at Compiègne?", ("Joan of Arc",), ("capture-at-compiegne.md", "nowhere.md")),
    Example(3, WEATHER),
]


def index() -> Index:
    return opened()


def offline() -> LanguageService:
    return LanguageService(OfflineBackend(), Ledger())


def written(folder: Path, *lines: object) -> Path:
    path = folder / "questions.jsonl"
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines), encoding="utf-8")
    return path


def test_examples_are_read_with_what_they_have(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        {"question": "Who?", "answer": "Ada", "gold": [4, "harbour.md"], "type": "x"},
        "",
        {"question": " Why? ", "answer": ["a", "b"], "gold": "t"},
        {"question": "What?"},
    )
    assert read_examples(path) == [
        Example(1, "Who?", ("Ada",), ("4", "harbour.md")),
        Example(3, "Why?", ("a", "b"), ("t",)),
        Example(4, "What?"),
    ]
    assert len(read_examples(path, 2)) == 2


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "line 2: not valid JSON"),
        ("[1]", 'line 2: no "question"'),
        ('{"question": ""}', 'line 2: no "question"'),
        ('{"question": "a", "gold": [{}]}', "neither a text nor a list"),
        ('{"question": "a", "answer": true}', "neither a text nor a list"),
    ],
)
def test_a_line_that_cannot_be_used_is_named(tmp_path: Path, line: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_examples(written(tmp_path, {"question": "ok"}, line))


def test_a_missing_or_empty_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_examples(tmp_path / "none.jsonl")
    with pytest.raises(InputError, match="holds no question"):
        read_examples(written(tmp_path, "", " "))


def test_gold_is_found_by_id_file_record_key_and_title(tmp_path: Path) -> None:
    rows = [
        {"id": 7, "title": "The mole", "text": "Ada Thorne built it."},
        {"id": 8, "title": "The mole", "text": "It fell in 1874."},
    ]
    made = project(tmp_path, {"all.jsonl": "\n".join(map(json.dumps, rows)), "a.txt": "The storm of 1874 was long."})
    run_index(made)
    generation = made.store.open()
    documents = {json.loads(d["metadata"]).get("record"): d["id"] for d in generation.table("documents").to_pylist()}
    gold = GoldDocuments(generation)
    found, lost = gold.find(("7", documents["8"], "the mole", "a.txt", "ALL.jsonl", "9"))
    assert found == [
        {documents["7"]},
        {documents["8"]},
        {documents["7"], documents["8"]},
        {documents[None]},
        {documents["7"], documents["8"]},
    ]
    assert lost == ["9"]


def test_retrieval_is_measured_where_gold_is_given_and_lost_gold_counts_as_not_found() -> None:
    found = evaluate(index(), EXAMPLES, ["basic"], offline())
    assert [row["number"] for row in found.retrieval] == [1, 2]
    second = found.retrieval[1]
    assert second["n_gold"] == 1 and second["lost"] == ["nowhere.md"]
    assert second["recall_2"] <= second["recall_5"] <= second["recall_10"] == 0.5
    assert len(second["found"]) == len(set(second["found"])) == 10
    assert set(found.recall()) == {"recall@2", "recall@5", "recall@10"}


def test_answers_are_measured_where_answers_are_given() -> None:
    found = evaluate(index(), EXAMPLES, ["basic", "global"], offline())
    rows = {(row["number"], row["method"]): row for row in found.answers}
    assert len(rows) == 6
    assert rows[1, "basic"]["contains"] == 1 and 0 < rows[1, "basic"]["f1"] < 1 and rows[1, "basic"]["exact"] == 0
    assert rows[3, "basic"]["exact"] is None and not rows[3, "basic"]["supported"] and rows[3, "basic"]["claims"] == 0
    assert rows[2, "basic"]["cited"] == 0.5
    assert rows[1, "basic"]["claims"] >= rows[1, "basic"]["unique_claims"] >= max(rows[1, "basic"]["clusters"])
    summary = {row["method"]: row for row in found.summary()}
    assert summary["basic"]["questions"] == 3 and summary["basic"]["contains"] == 1
    assert summary["basic"]["unique_claims"] > 0


def test_a_question_on_the_whole_gets_more_claims_from_global_search() -> None:
    found = evaluate(index(), [Example(1, "What are the main themes?")], ["basic", "global"], offline())
    basic, whole = found.summary()
    assert whole["unique_claims"] >= basic["unique_claims"] and whole["unique_claims"] > 3


def test_the_same_evaluation_gives_the_same_tables() -> None:
    one, other = (evaluate(index(), EXAMPLES, ["basic"], offline()).tables() for _ in range(2))
    assert all(one[table].equals(other[table]) for table in one) and set(one) == {RETRIEVAL, ANSWERS}


def first_shown(request: AnswersToJudge) -> Verdict:
    return Verdict(reason="it is first", winner="1")


def longest(request: AnswersToJudge) -> Verdict:
    return Verdict(reason="it is longer", winner="1" if len(request.first) > len(request.second) else "2")


def service(script: Any) -> LanguageService:
    return LanguageService(OfflineBackend(), Ledger(), ScriptedBackend({"judge_answers": script}))


def test_a_judge_who_prefers_what_comes_first_finds_no_winner() -> None:
    found = evaluate(index(), EXAMPLES[:2], ["basic", "global"], service(first_shown), judged=True)
    assert len(found.judgements) == n_calls(2, 2) == 2 * 4 * 2
    for rate in found.win_rates():
        assert (rate.rate, rate.agreed, rate.questions) == (0.5, 0.0, 2)


def test_a_judge_with_a_reason_finds_the_same_in_both_orders() -> None:
    found = evaluate(index(), EXAMPLES[:1], ["basic", "fusion"], service(longest), judged=True)
    assert {rate.criterion for rate in found.win_rates()} == set(CRITERIA)
    texts = {row["method"]: row["text"] for row in found.answers}
    assert len(texts["fusion"]) > len(texts["basic"])
    assert all((rate.rate, rate.agreed) == (0.0, 1.0) for rate in found.win_rates())
    assert found.tables()[JUDGEMENTS].num_rows == 8


def test_the_judge_sees_no_numbers_of_sources_and_each_criterion_with_its_meaning() -> None:
    requests: list[AnswersToJudge] = []

    def note(request: AnswersToJudge) -> Verdict:
        requests.append(request)
        return Verdict(reason="", winner="tie")

    judge({1: (BATTLES, {"a": "It fell. [1] So.", "b": "It rose."})}, ["a", "b"], service(note))
    assert {(request.first, request.second) for request in requests} == {
        ("It fell. So.", "It rose."),
        ("It rose.", "It fell. So."),
    }
    assert all(CRITERIA[request.criterion] == request.meaning for request in requests)


def test_judgements_that_fail_are_counted_and_left_out_of_pairs() -> None:
    def fail_swapped(request: AnswersToJudge) -> Any:
        return (
            Failure("away")
            if request.item.endswith("swapped") and request.criterion == "diversity"
            else longest(request)
        )

    found, failed = judge({1: (BATTLES, {"a": "long enough", "b": "short"})}, ["a", "b"], service(fail_swapped))
    assert failed == 1 and len(found) == 7
    assert {rate.criterion for rate in win_rates(found)} == set(CRITERIA) - {"diversity"}


def test_a_method_that_did_not_answer_is_compared_with_nobody() -> None:
    found, failed = judge({1: (BATTLES, {"a": "It fell."})}, ["a", "b"], service(longest))
    assert (found, failed) == ([], 0)


def test_win_rates_weigh_ties_by_half() -> None:
    pair = [Judgement(1, "diversity", "a", "b", swapped, score, "") for swapped, score in ((False, 1.0), (True, 0.5))]
    (rate,) = win_rates(pair)
    assert (rate.rate, rate.agreed) == (0.75, 0.0)


def test_a_cap_ends_the_evaluation_and_what_was_measured_is_kept(tmp_path: Path) -> None:
    with LookAlike(lambda body: "It is so. [c1]") as server:
        there = at(server, tmp_path, limits={"max_calls": 2})
        own = there.open_service()
        found = evaluate(there, EXAMPLES, ["basic"], own)
        own.close()
    assert found.stopped is not None and len(found.answers) == 2 and len(found.retrieval) == 2


def test_tables_are_written_as_declared(tmp_path: Path) -> None:
    found = evaluate(index(), EXAMPLES, ["basic"], offline())
    for declared, table in found.tables().items():
        write_apart(declared, table, tmp_path / "new" / f"{declared.name}.parquet")
    read = pq.read_table(tmp_path / "new" / "answers.parquet")
    assert read.column_names == [column.name for column in ANSWERS.columns] and read.num_rows == 3


def test_answers_of_a_model_count_calls_and_tokens() -> None:
    backend = ScriptedBackend({"answer_from_passages": lambda request: Prose(text="Joan of Arc [c1]")})
    found = evaluate(index(), EXAMPLES[1:2], ["basic"], LanguageService(OfflineBackend(), Ledger(), backend))
    (row,) = found.answers
    assert row["exact"] == 1 and row["calls"] == 1 and row["tokens"] == 2 and row["cost"] is None
    assert found.summary()[0]["cost"] is None
