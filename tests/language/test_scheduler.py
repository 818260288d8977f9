"""Dialogues: each goes on as soon as its own reply is there; cache, ledger and order are as with a map."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.base.errors import BudgetError
from pipeline.base.task import Failure
from pipeline.language.backends.offline import OfflineBackend
from pipeline.language.language import Dialogue, Reply
from pipeline.language.ledger import Ledger
from pipeline.language.service import LanguageService
from tests.language_cases import AGAIN, READ, Chunk, Found, at, chunks
from tests.lookalike import LookAlike
from tests.scripted_backend import ScriptedBackend


def reading(chunk: Chunk) -> Dialogue[list[str]]:
    first = yield READ, chunk
    if isinstance(first, Failure):
        return ["failed"]
    second = yield AGAIN, Chunk(chunk.item, f"{chunk.text} {first.value.entities[0].title}")
    return [chunk.item, "more" if isinstance(second, Reply) else "failed"]


def test_results_come_in_order_and_nothing_is_asked_twice(tmp_path: Path) -> None:
    with LookAlike(latency=0.002) as server:
        for _ in range(2):
            with at(server, tmp_path) as case:
                results = list(case.service.dialogues([reading(chunk) for chunk in chunks(50)]))
            assert server.calls == 100
            assert case.ledger.answered["test"] == 100
    assert results == [[chunk.item, "more"] for chunk in chunks(50)]
    assert case.ledger.totals()["cached"] == 100 and case.ledger.totals()["calls"] == 0


def test_the_same_question_of_two_dialogues_is_put_once() -> None:
    with LookAlike(latency=0.01) as server, at(server) as case:
        same = [reading(Chunk("x", "the same")) for _ in range(5)]
        assert list(case.service.dialogues(same)) == [["x", "more"]] * 5
        assert server.calls == 2


def test_no_dialogue_waits_for_the_slowest_of_the_others() -> None:
    with LookAlike(faults={"429_after": 1.0}, until=0) as server, at(server, concurrency=2) as case:
        list(case.service.dialogues([reading(chunk) for chunk in chunks(6)]))
        asked = ["again" if "read again" in body["messages"][0]["content"] else "read" for body in server.asked]
    assert asked.count("read") == asked.count("again") == 6


def test_failures_reach_their_dialogue_and_the_ledger() -> None:
    with LookAlike(faults={"prose_only": 1.0}) as server, at(server) as case:
        assert list(case.service.dialogues([reading(chunk) for chunk in chunks(3)])) == [["failed"]] * 3
    assert len(case.ledger.failures) == 3


def test_a_cap_stops_all_dialogues_and_what_was_answered_is_kept(tmp_path: Path) -> None:
    with LookAlike() as server:
        with at(server, tmp_path, limits={"max_calls": 9}) as case, pytest.raises(BudgetError):
            list(case.service.dialogues([reading(chunk) for chunk in chunks(20)]))
        with at(server, tmp_path) as case:
            list(case.service.dialogues([reading(chunk) for chunk in chunks(20)]))
        assert server.calls == 40


@pytest.mark.parametrize("paid", [True, False])
def test_backends_that_are_no_models_give_the_same_results(paid: bool) -> None:
    found = Found.model_validate({"entities": [{"title": "t", "type": "x"}], "ties": []})
    scripted = ScriptedBackend({"read": lambda request: found}, paid)
    service = LanguageService(OfflineBackend(), Ledger(), scripted)
    assert list(service.dialogues(reading(chunk) for chunk in chunks(4))) == [
        [chunk.item, "more"] for chunk in chunks(4)
    ]
    assert [name for name, _ in scripted.asked] == ["read"] * 4 + ["again"] * 4


def test_a_slow_call_holds_up_no_others_and_results_keep_their_order() -> None:
    with LookAlike(latency=0.01, faults={"500": 0.05}) as server, at(server, concurrency=20) as case:
        found = list(case.service.map(READ, chunks(200)))
    assert [request.item for request, _ in found] == [one.item for one in chunks(200)]
    assert all(isinstance(reply, Reply) for _, reply in found)
    assert server.most_busy <= 20


def test_dialogues_begin_as_others_end_and_only_so_many_beyond_the_one_that_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from pipeline.language import scheduler

    monkeypatch.setattr(scheduler, "OPEN", 8)
    monkeypatch.setattr(scheduler, "REFILL", 2)
    monkeypatch.setattr(scheduler, "UNTAKEN", 16)
    begun: list[str] = []

    def requests() -> Iterator[Chunk]:
        for chunk in chunks(100):
            begun.append(chunk.item)
            yield chunk

    backend = ScriptedBackend({"read": lambda request: Found(entities=[], ties=[])})
    service = LanguageService(OfflineBackend(), Ledger(), backend)
    taken = 0
    for _ in service.map(READ, requests()):
        taken += 1
        assert len(begun) <= taken + 16
    assert taken == 100
