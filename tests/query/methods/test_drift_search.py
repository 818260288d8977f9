"""DRIFT: a primer over folds of reports, ranked follow-ups in bounded rounds, one reduction; every id checked on the way."""

import pyarrow as pa
import pytest

from pipeline.base.schema import COMMUNITIES
from pipeline.base.storage.parquet import MemoryRows
from pipeline.base.task import Failure, Prose, Request
from pipeline.language.tasks.drift.answer_follow_up import FollowUpToAnswer
from pipeline.language.tasks.drift.prime_question import Intermediate, ReportsToPrime
from pipeline.query.answer import Place
from pipeline.query.evidence.cited_context import Chunk, Offered, show_chunks
from pipeline.query.index import Index
from pipeline.query.methods.drift_search import closest_reports
from pipeline.retrieval.chunk_search import Hit
from tests.query_cases import BATTLES, WEATHER, ask, check_answer, check_unanswered, faults, plainly, sample
from tests.scripted_backend import Script

CHANGE = "How did the fortunes of Joan of Arc change after the coronation?"


def planned(answer_steps: tuple[object, ...]) -> int:
    return next(int(step.data["calls"]) for step in answer_steps if step.name == "plan")  # type: ignore[attr-defined]


def test_a_broad_question_on_something_named_is_answered_with_sources() -> None:
    for question in (CHANGE, BATTLES):
        answer = plainly(question, "drift")
        check_answer(answer)
        assert answer.supported and not answer.unsupported_sentences and answer.sources
    assert plainly(CHANGE, "drift") == plainly(CHANGE, "drift")


def test_what_the_corpus_does_not_hold_is_not_answered() -> None:
    answer = plainly(WEATHER, "drift")
    check_unanswered(answer)


def test_calls_are_counted_beforehand_and_never_exceeded() -> None:
    def greedy(request: Request) -> Intermediate:
        return Intermediate(
            answer="More. [p1]", score=100, follow_ups=[f"What of {request.item} {i}?" for i in range(50)]
        )

    scripts = {"prime_question": greedy, "answer_follow_up": greedy}
    answer, backend = ask(CHANGE, "drift", scripts, rounds=3, follow_ups=2, primer_folds=4)
    assert len(backend.asked) <= planned(answer.steps) == 1 + 4 + 3 * 2 + 1
    assert sum(name == "answer_follow_up" for name, _ in backend.asked) == 6


def test_reports_are_shared_out_to_folds_each_once() -> None:
    _, backend = ask(CHANGE, "drift", primer_reports=7, primer_folds=3)
    folds = [asked.reports for _, asked in backend.asked if isinstance(asked, ReportsToPrime)]
    ids = [report.id for fold in folds for report in fold]
    assert len(folds) == 3 and len(ids) == len(set(ids)) == 7


def test_the_first_follow_ups_of_the_best_answers_go_first_before_all_of_one_and_none_is_asked_twice() -> None:
    def primed(request: ReportsToPrime) -> Intermediate:
        number = int(request.item.split()[1])
        return Intermediate(answer="", score=number * 10, follow_ups=[f"From fold {number}?", "Common to all?"])

    def silent(request: FollowUpToAnswer) -> Intermediate:
        return Intermediate(answer="", score=0, follow_ups=["common to ALL", CHANGE])

    scripts: dict[str, Script] = {"prime_question": primed, "answer_follow_up": silent}
    _, backend = ask(CHANGE, "drift", scripts, follow_ups=3, similar_questions=0)
    asked = [asked.follow_up for _, asked in backend.asked if isinstance(asked, FollowUpToAnswer)]
    assert sorted(asked[:3]) == ["From fold 3?", "From fold 4?", "From fold 5?"]
    assert "Common to all?" in asked[3:] and len(asked) == len(set(asked)) == 6


def test_invented_ids_are_removed_on_the_way_and_counted() -> None:
    def invent(request: Request) -> Intermediate:
        return Intermediate(answer="She lost at Paris. [p1][p99]", score=80, follow_ups=[])

    seen: list[str] = []

    def reduce(request: object) -> Prose:
        seen.extend(one.text for one in request.answers)  # type: ignore[attr-defined]
        return Prose(text="She lost at Paris. [p1] She flew. [x1]")

    scripts = {"prime_question": invent, "answer_follow_up": invent, "reduce_answers": reduce}
    answer, backend = ask(CHANGE, "drift", scripts, similar_questions=1)
    readings = sum(name in ("prime_question", "answer_follow_up") for name, _ in backend.asked)
    assert seen and all(text == "She lost at Paris. [p1]" for text in seen)
    assert answer.removed_citations == readings + 1
    assert answer.unsupported_sentences == ("She flew.",)
    check_answer(answer)


def test_without_a_primer_the_similar_questions_are_read_and_the_loss_is_reported() -> None:
    answer, backend = ask(BATTLES, "drift", {"prime_question": lambda request: Failure("away")})
    assert any(name == "answer_follow_up" for name, _ in backend.asked)
    assert answer.supported and answer.coverage.share < 1 and answer.coverage.description.startswith("partial: ")
    check_answer(answer)


@pytest.mark.parametrize("salt", "abcd")
def test_a_fifth_of_faults_still_gives_an_answer_that_states_its_coverage(salt: str) -> None:
    answer, backend = ask(CHANGE, "drift", faults(salt))
    check_answer(answer)
    assert answer.text and len(backend.asked) <= planned(answer.steps)
    failed = sum(bool(step.data.get("failed")) for step in answer.steps)
    assert (answer.coverage.share < 1) == bool(failed)


def test_the_closest_reports_are_those_whose_chunks_were_found_not_the_largest() -> None:
    generation = Index.open(sample()).generation
    reports = {row["community"]: row for row in generation.table("community_reports").to_pylist()}
    chunk = generation.table("chunks")["id"][0].as_py()
    found = closest_reports([Hit(chunk, 1.0)], generation.rows("communities"), reports, 5)
    rows = {row["community"]: row["chunk_ids"] for row in generation.table("communities").to_pylist()}
    assert found and all(chunk in rows[report["community"]] for report in found)
    assert closest_reports([], generation.rows("communities"), reports, 5) == []


def test_of_reports_on_one_thing_at_several_levels_those_that_tell_the_same_again_are_left_out() -> None:
    lines = [(0, -1, "abcd"), (1, 0, "ab"), (2, 0, "cd"), (3, 1, "a"), (4, -1, "ab")]
    rows = [
        {"community": one, "parent": parent, "chunk_ids": list(ids), "entity_ids": [f"of {one}"]}
        for one, parent, ids in lines
    ]
    communities = MemoryRows(COMMUNITIES, pa.Table.from_pylist(rows))
    every, hits = {n: {"community": n} for n in range(5)}, [Hit(id, 1.0) for id in "abcd"]
    found = closest_reports(hits, communities, every, 5)
    assert [one["community"] for one in found] == [0, 4], (
        "2 of 4 chunks of what is inside 0 are no news; 4 is not inside it"
    )
    found = closest_reports([Hit("a", 1.0), Hit("c", 1.0)], communities, {n: {"community": n} for n in (0, 2, 3)}, 5)
    assert [one["community"] for one in found] == [3, 0], (
        "half of what is in 0 is news beside 3; nothing of 2 is beside 0"
    )
    found = closest_reports(hits, communities, every, 5, named={"of 3"})
    assert found[0]["community"] == 3, "what the question names comes before what its words are in"


def test_what_two_chunks_share_is_shown_to_a_model_once_and_each_keeps_its_id() -> None:
    def chunk(id: str, start: int, text: str) -> Chunk:
        return Chunk(id, "Log", "Log", text, 9, "d", start, start + len(text))

    offered = Offered()
    later, earlier = chunk("b", 6, "Two. Three."), chunk("a", 0, "One.  Two.")
    shown = show_chunks([later, earlier], offered)
    assert [(one.id, one.text) for one in shown] == [("c1", " Three."), ("c2", "One.  Two.")]
    assert offered.resolve("c1", "Two.") == Place("b", 0, 4), (
        "a sentence that cites it is looked for in the whole chunk"
    )
