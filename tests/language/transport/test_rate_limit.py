"""Limits: paces and places are kept, faults are counted exactly and tried again, hopeless ones stop the run at once."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.base.errors import BudgetError, ModelError
from pipeline.base.task import Failure
from pipeline.language.language import Reply
from pipeline.language.transport import rate_limit
from pipeline.language.transport.rate_limit import ConcurrencyLimit, MinuteLimit
from tests.language_cases import READ, TEN_MORE, at, chunks, waiting_clock
from tests.lookalike import HTTP_FAULTS, LookAlike

NAMES = {
    "429": "rate_limit",
    "429_after_ms": "rate_limit",
    "429_date": "rate_limit",
    "500": "server_error",
    "502": "server_error",
    "503": "server_error",
    "529": "server_error",
    "drop": "no_connection",
    "drop_midway": "no_connection",
    "html": "no_reply",
    "no_body": "no_reply",
    "error_in_body": "no_reply",
    "no_choices": "no_reply",
    "null_choices": "no_reply",
}
"""What the ledger calls each fault of the server that is tried again."""


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(rate_limit, "FIRST_WAIT", 0.002)
    yield


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 2000), st.lists(st.floats(0, 20), max_size=60))
def test_no_minute_ever_holds_more_requests_than_the_limit(limit: int, pauses: list[float]) -> None:
    bucket, now, taken = MinuteLimit(limit), 0.0, []
    for pause in [*pauses, *[0.0] * min(limit, 200)]:
        now += pause
        while (wait := bucket.wait(now, 1)) > 0:
            now += wait
        taken.append(now)
    for position, start in enumerate(taken):
        assert sum(1 for moment in taken[position:] if moment < start + 60 - 1e-6) <= limit


def test_an_amount_above_the_burst_passes_when_the_level_is_highest_and_leaves_a_debt() -> None:
    bucket = MinuteLimit(1200)
    assert bucket.wait(0, 1000) == 0
    wait = bucket.wait(0, 1)
    assert 40 < wait < 60
    bucket.give_back(900)
    assert bucket.wait(0, 1) < wait


def test_places_are_hardly_lowered_where_one_call_of_a_hundred_meets_a_limit() -> None:
    places = ConcurrencyLimit(100)
    for moment in range(1, 20):
        for _ in range(99):
            places.faster()
        places.slower(started=moment + 0.5, now=moment + 1.0)
    assert places.open > 98


def test_places_are_halved_once_for_a_burst_and_regained_as_calls_succeed() -> None:
    places = ConcurrencyLimit(16)
    for _ in range(16):
        places.slower(started=1.0, now=2.0)
    assert places.open == 8
    places.slower(started=3.0, now=4.0)
    assert places.open == 4
    for _ in range(200):
        places.faster()
    assert places.open == 16
    for moment in range(10, 40, 2):
        places.slower(started=moment, now=moment + 1)
    assert places.open == 1


async def _use(places: ConcurrencyLimit, number: int, order: list[int], most: list[int], wait: bool) -> None:
    async with places:
        order.append(number)
        most.append(places.busy)
        await asyncio.sleep(0.001)
        if wait:
            async with places.lent():
                await asyncio.sleep(0.003)
            most.append(places.busy)
            await asyncio.sleep(0.001)


def test_places_are_given_in_order_and_never_to_more_than_there_are_though_some_are_lent() -> None:
    async def many() -> tuple[list[int], list[int], int]:
        places, order, most = ConcurrencyLimit(20), list[int](), list[int]()
        await asyncio.gather(*(_use(places, number, order, most, number % 3 == 0) for number in range(200)))
        return order, most, places.busy

    order, most, left = asyncio.run(many())
    assert order == list(range(200)) and max(most) == 20 and left == 0


def test_a_lent_place_lets_another_request_begin_and_of_ten_places_one_is_lent() -> None:
    async def begun(at_once: int) -> int:
        places, order = ConcurrencyLimit(at_once), list[int]()
        resting = [asyncio.ensure_future(_rest(places)) for _ in range(at_once)]
        await asyncio.sleep(0)
        others = [asyncio.ensure_future(_use(places, number, order, [], False)) for number in range(at_once)]
        await asyncio.sleep(0.2)
        found = len(order)
        for each in (*resting, *others):
            each.cancel()
        await asyncio.gather(*resting, *others, return_exceptions=True)
        assert places.busy == 0
        return found

    async def _rest(places: ConcurrencyLimit) -> None:
        async with places, places.lent():
            await asyncio.sleep(5)

    assert asyncio.run(begun(9)) == 0
    assert asyncio.run(begun(10)) == 10


def test_whoever_is_cancelled_while_waiting_takes_no_place_along() -> None:
    async def left() -> int:
        places = ConcurrencyLimit(1)
        order: list[int] = []
        waiting = [asyncio.ensure_future(_use(places, number, order, [], False)) for number in range(6)]
        await asyncio.sleep(0)
        for number in (1, 3, 5):
            waiting[number].cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        assert order == [0, 2, 4]
        return places.busy

    assert asyncio.run(left()) == 0


@pytest.mark.parametrize("rate", [0.05, 0.3])
def test_every_injected_fault_is_counted_and_every_request_still_answered(rate: float) -> None:
    faults = {name: rate / len(NAMES) for name in NAMES}
    with LookAlike(faults=faults) as server, at(server, max_attempts=8) as case:
        replies = [reply for _, reply in case.service.map(READ, chunks(60))]
        injected: dict[str, int] = {}
        for name, count in server.injected().items():
            injected[NAMES[name]] = injected.get(NAMES[name], 0) + count
        assert injected and case.faults == injected
        assert server.calls == 60 + sum(injected.values()) == sum(reply.attempts for reply in replies)
    assert all(isinstance(reply, Reply) for reply in replies)
    assert len(case.ledger.calls) == 60 and not case.ledger.failures


@pytest.mark.parametrize("name", ["429", "500", "503", "html", "no_choices"])
def test_where_every_call_fails_every_request_is_a_named_failure(name: str) -> None:
    with LookAlike(faults={name: 1.0}) as server, at(server, max_attempts=3) as case:
        replies = [reply for _, reply in case.service.map(READ, chunks(12))]
        assert all(isinstance(reply, Failure) and reply.attempts == 3 for reply in replies)
        assert server.injected() == {name: 36} and case.faults == {NAMES[name]: 36}
    assert len(case.ledger.failures) == 12 and case.budget.calls == 36
    assert all(row[4].startswith(NAMES[name]) for row in case.ledger.failures)


def test_a_server_that_asks_to_wait_is_given_that_time_by_all_calls() -> None:
    with LookAlike(faults={"429_after": 1.0}, until=1) as server, at(server) as case:
        assert len(list(case.service.map(READ, chunks(6)))) == 6
        arrived = sorted(server.when)
    assert arrived[-1] - arrived[0] >= 1.0
    assert case.backend.limiter.places.open < case.backend.limiter.places.most


@pytest.mark.parametrize("name", ["quota", "credit", "payment", "auth", "forbidden", "no_model", "429_days"])
def test_what_no_other_call_would_survive_stops_the_run_at_once(name: str) -> None:
    with LookAlike(faults={name: 1.0}) as server, at(server, concurrency=3) as case:
        with pytest.raises(ModelError) as error:
            list(case.service.map(READ, chunks(40)))
        assert server.calls <= 3
    assert all((error.value.found, error.value.why, error.value.fix))


def test_what_was_answered_before_the_run_stopped_is_saved(tmp_path: Path) -> None:
    requests = chunks(30)
    with LookAlike() as server:
        with at(server, tmp_path, limits={"max_calls": 11}, concurrency=4) as case:
            with pytest.raises(BudgetError):
                list(case.service.map(READ, requests))
            assert server.calls == 11 and len(case.ledger.calls) == 11
        with at(server, tmp_path) as case:
            replies = [reply for _, reply in case.service.map(READ, requests)]
        assert server.calls == 30
    assert sum(reply.cached for reply in replies if isinstance(reply, Reply)) == 11


def test_a_server_that_cannot_be_reached_is_reported_in_one_message() -> None:
    with at("http://127.0.0.1:9/v1", max_attempts=2) as case, pytest.raises(ModelError, match="cannot be reached"):
        list(case.service.map(READ, chunks(5)))


def test_a_server_that_dies_in_the_middle_of_a_run_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limit, "DEAD_AFTER", 5)
    with LookAlike(faults={"500": 1.0}) as server, at(server, max_attempts=1, concurrency=2) as case:
        with pytest.raises(ModelError, match="has not answered 5 requests in a row"):
            list(case.service.map(READ, chunks(40)))
        assert server.calls <= 7


def test_a_call_that_takes_too_long_is_given_up_and_tried_again() -> None:
    with LookAlike(faults={"slow": 1.0}, until=1) as server, at(server, timeout_seconds=0.3) as case:
        assert isinstance(case.service.one(READ, chunks(1)[0]), Reply)
        assert server.injected() == {"slow": 1} and case.faults == {"timeout": 1}


@pytest.mark.parametrize("name", ["too_long", "filtered"])
def test_a_question_that_is_refused_for_itself_fails_alone_and_is_not_asked_again(name: str) -> None:
    with LookAlike(faults={name: 1.0}, until=2) as server, at(server, concurrency=1) as case:
        replies = [reply for _, reply in case.service.map(READ, chunks(5))]
        assert server.calls == 5
    assert sum(isinstance(reply, Failure) for reply in replies) == 2


@pytest.mark.parametrize("name", ["no_schema", "no_temperature"])
def test_an_ability_that_the_server_lacks_is_reported_with_the_setting_to_change(name: str) -> None:
    with LookAlike(faults={name: 1.0}) as server, at(server) as case, pytest.raises(ModelError) as error:
        list(case.service.map(READ, chunks(5)))
    assert "models.m." in error.value.fix


def test_never_more_calls_are_under_way_than_settings_allow() -> None:
    with LookAlike(latency=0.02) as server, at(server, concurrency=3) as case:
        list(case.service.map(READ, chunks(20)))
        assert server.most_busy == 3


def test_the_pace_per_minute_holds_calls_back(monkeypatch: pytest.MonkeyPatch) -> None:
    waited = waiting_clock(monkeypatch)
    with LookAlike() as server, at(server, requests_per_minute=1200) as case:
        list(case.service.map(READ, chunks(110)))
        assert server.calls == 110
    assert waited() >= TEN_MORE


def test_every_fault_of_the_look_alike_ends_in_a_reply_a_failure_or_a_clear_error() -> None:
    for name in HTTP_FAULTS:
        if name == "slow":
            continue
        with LookAlike(faults={name: 1.0}) as server, at(server, max_attempts=2) as case:
            try:
                reply = case.service.one(READ, chunks(1)[0])
            except ModelError as error:
                assert all((error.found, error.why, error.fix)), name
            else:
                assert isinstance(reply, Failure) and reply.reason, name
