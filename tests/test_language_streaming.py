"""Streamed answers: pieces in order, counted once at the end, never passed off as whole when they are not."""

from collections.abc import Iterator

import pytest

from pipeline.base.errors import BudgetError, ModelError
from pipeline.language import lanes
from tests.language_cases import TELL, at, chunks
from tests.lookalike import LookAlike


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(lanes, "FIRST_WAIT", 0.002)
    yield


def test_pieces_come_in_order_and_the_tokens_are_counted_by_the_server() -> None:
    with LookAlike(lambda body: "The  ships lay at Carrow.\nNone left.") as server:
        with at(server, price_in=1.0, price_out=1.0) as case:
            pieces = list(case.backend.stream(TELL, chunks(1)[0]))
        body = server.asked[0]
    assert len(pieces) > 3 and "".join(pieces) == "The  ships lay at Carrow.\nNone left."
    assert (
        body["stream"] is True and body["stream_options"] == {"include_usage": True} and "response_format" not in body
    )
    ((_, task, item, model, cached, tokens_in, tokens_out, cost, _),) = case.ledger.calls
    assert (task, item, model, cached) == ("tell", "chunk 000", "look-alike", False)
    assert tokens_out == 1 + 36 // 4 and cost == pytest.approx((tokens_in + tokens_out) / 1e6)


@pytest.mark.parametrize("fault", ["429", "500", "drop"])
def test_troubles_before_the_first_piece_are_tried_again(fault: str) -> None:
    with LookAlike(faults={fault: 1.0}, until=2) as server, at(server) as case:
        assert "".join(case.backend.stream(TELL, chunks(1)[0]))
        assert server.calls == 3 and sum(case.faults.values()) == 2


@pytest.mark.parametrize("fault", ["stream_drop", "stream_end"])
def test_an_answer_that_breaks_off_is_told_and_not_begun_again(fault: str) -> None:
    with LookAlike(faults={fault: 1.0}) as server, at(server) as case:
        pieces = []
        with pytest.raises(ModelError, match="broke off"):
            for piece in case.backend.stream(TELL, chunks(1)[0]):
                pieces.append(piece)  # noqa: PERF402 - what came before the error counts
        assert pieces and server.calls == 1
        assert len(case.ledger.failures) == 1


def test_an_empty_answer_is_an_error() -> None:
    with LookAlike(lambda body: "") as server, at(server) as case, pytest.raises(ModelError, match="empty"):
        list(case.backend.stream(TELL, chunks(1)[0]))


def test_an_exhausted_server_and_a_cap_are_told() -> None:
    with (
        LookAlike(faults={"503": 1.0}) as server,
        at(server, max_attempts=2) as case,
        pytest.raises(ModelError, match="Overloaded"),
    ):
        list(case.backend.stream(TELL, chunks(1)[0]))
    with LookAlike() as server, at(server, limits={"max_calls": 0}) as case, pytest.raises(BudgetError):
        list(case.backend.stream(TELL, chunks(1)[0]))


def test_a_reader_who_leaves_ends_the_call() -> None:
    with LookAlike() as server, at(server) as case:
        stream = case.backend.stream(TELL, chunks(1)[0])
        next(stream)
        stream.close()
        assert "".join(case.backend.stream(TELL, chunks(1)[0]))
