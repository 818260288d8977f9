"""Streamed answers: pieces in order, counted once at the end, never passed off as whole when they are not; at the service,
paid for once, kept, and asked for again when they break off."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.base.errors import BudgetError
from pipeline.base.task import Failure
from pipeline.language.backends.offline import OfflineBackend
from pipeline.language.language import Reply
from pipeline.language.ledger import Ledger
from pipeline.language.service import LanguageService, pieces
from pipeline.language.transport import rate_limit
from tests.language_cases import DESCRIBE, at, chunks
from tests.lookalike import LookAlike


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(rate_limit, "FIRST_WAIT", 0.002)
    yield


class Shown:
    """What somebody who watches has before them, and how often it began anew."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.begun = 0

    def __call__(self, piece: str, begins: bool) -> None:
        if begins:
            self.begun += 1
            self.pieces = []
        self.pieces.append(piece)

    @property
    def text(self) -> str:
        return "".join(self.pieces)


def test_pieces_come_in_order_and_the_tokens_are_counted_by_the_server() -> None:
    with LookAlike(lambda body: "The  ships lay at Carrow.\nNone left.") as server:
        with at(server, price_in=1.0, price_out=1.0) as case:
            shown = Shown()
            case.service.write(DESCRIBE, chunks(1)[0], shown)
        body = server.asked[0]
    assert len(shown.pieces) > 3 and shown.text == "The  ships lay at Carrow.\nNone left."
    assert (
        body["stream"] is True and body["stream_options"] == {"include_usage": True} and "response_format" not in body
    )
    ((_, task, item, model, cached, tokens_in, tokens_out, cost, _),) = case.ledger.calls
    assert (task, item, model, cached) == ("describe", "chunk 000", "look-alike", False)
    assert tokens_out == 1 + 36 // 4 and cost == pytest.approx((tokens_in + tokens_out) / 1e6)


@pytest.mark.parametrize("used", [[12, 3], "15 tokens", 7, {"prompt_tokens": "many"}])
def test_a_stream_is_kept_whole_where_the_servers_count_of_tokens_is_malformed(
    used: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LookAlike, "_used", lambda *_: used)
    with LookAlike(lambda body: "The ships lay at Carrow.") as server, at(server, price_in=1.0) as case:
        shown = Shown()
        case.service.write(DESCRIBE, chunks(1)[0], shown)
        assert (shown.text, shown.begun, server.calls) == ("The ships lay at Carrow.", 1, 1)
        ((*_, tokens_in, tokens_out, _, _),) = case.ledger.calls
        assert tokens_in > 0 and tokens_out > 0


@pytest.mark.parametrize("fault", ["429", "500", "drop"])
def test_faults_before_the_first_piece_are_tried_again(fault: str) -> None:
    with LookAlike(faults={fault: 1.0}, until=2) as server, at(server) as case:
        shown = Shown()
        case.service.write(DESCRIBE, chunks(1)[0], shown)
        assert shown.text and shown.begun == 1
        assert server.calls == 3 and sum(case.faults.values()) == 2


def test_an_empty_answer_is_a_failure() -> None:
    with LookAlike(lambda body: "") as server, at(server) as case:
        shown = Shown()
        reply = case.service.write(DESCRIBE, chunks(1)[0], shown)
        assert isinstance(reply, Failure) and "empty" in reply.reason and not shown.pieces


def test_an_exhausted_server_is_a_failure_and_a_cap_an_error() -> None:
    with LookAlike(faults={"503": 1.0}) as server, at(server, max_attempts=2) as case:
        reply = case.service.write(DESCRIBE, chunks(1)[0], Shown())
        assert isinstance(reply, Failure) and "Overloaded" in reply.reason
    with LookAlike() as server, at(server, limits={"max_calls": 0}) as case, pytest.raises(BudgetError):
        case.service.write(DESCRIBE, chunks(1)[0], Shown())


def test_a_reader_who_leaves_ends_the_call() -> None:
    def leave(piece: str, begins: bool) -> None:
        raise KeyboardInterrupt

    with LookAlike() as server, at(server) as case:
        with pytest.raises(KeyboardInterrupt):
            case.service.write(DESCRIBE, chunks(1)[0], leave)
        assert isinstance(case.service.write(DESCRIBE, chunks(2)[1], Shown()), Reply)


SAID = "The ships lay at Carrow. None was left by noon."


def test_a_streamed_reply_is_paid_for_once_and_shown_from_the_cache_after(tmp_path: Path) -> None:
    with LookAlike(lambda body: SAID) as server, at(server, tmp_path) as case:
        first, second, third = Shown(), Shown(), Shown()
        reply = case.service.write(DESCRIBE, chunks(1)[0], first)
        assert isinstance(reply, Reply) and reply.value.text == first.text == SAID and len(first.pieces) > 5
        again = case.service.write(DESCRIBE, chunks(1)[0], second)
        assert isinstance(again, Reply) and again.cached and second.text == SAID and len(second.pieces) == 2
        assert case.service.one(DESCRIBE, chunks(1)[0]) == again and not third.pieces
        assert server.calls == 1
        assert [row[4] for row in case.ledger.calls] == [False, True, True]
        assert case.ledger.answered["test"] == 3 and case.ledger.answered["test/cached"] == 2


def test_a_reply_that_was_had_whole_is_not_streamed_again(tmp_path: Path) -> None:
    with LookAlike(lambda body: SAID) as server, at(server, tmp_path) as case:
        shown = Shown()
        case.service.write(DESCRIBE, chunks(1)[0])
        case.service.write(DESCRIBE, chunks(1)[0], shown)
        assert shown.text == SAID and server.calls == 1
        assert not any(body.get("stream") for body in server.asked)
        assert "response_format" not in server.asked[0]  # free text is asked for as it is


@pytest.mark.parametrize("fault", ["stream_drop", "stream_end"])
def test_a_stream_that_breaks_off_is_asked_for_whole_and_shown_anew(fault: str) -> None:
    with LookAlike(lambda body: SAID, faults={fault: 1.0}, until=1) as server, at(server) as case:
        shown = Shown()
        reply = case.service.write(DESCRIBE, chunks(1)[0], shown)
        assert isinstance(reply, Reply) and reply.value.text == shown.text == SAID
        assert shown.begun == 2 and server.calls == 2
        assert not case.ledger.failures


def test_a_refusal_is_a_failure_entered_once_and_not_asked_again() -> None:
    with LookAlike(faults={"filtered": 1.0}) as server, at(server) as case:
        shown = Shown()
        reply = case.service.write(DESCRIBE, chunks(1)[0], shown)
        assert isinstance(reply, Failure) and "filter" in reply.reason
        assert not shown.pieces and server.calls == 1 and len(case.ledger.failures) == 1


def test_what_a_model_thinks_before_it_speaks_is_not_shown() -> None:
    thought = "<think>Perhaps the ships? [c1] No.</think>\n\nNone was left by noon."
    with LookAlike(lambda body: thought) as server, at(server) as case:
        shown = Shown()
        reply = case.service.write(DESCRIBE, chunks(1)[0], shown)
        assert isinstance(reply, Reply) and reply.value.text == shown.text.strip() == "None was left by noon."
        whole = case.service.one(DESCRIBE, chunks(1)[0])
        assert isinstance(whole, Reply) and whole.value.text == "None was left by noon."


def test_a_text_that_opens_like_a_thought_and_is_none_is_shown() -> None:
    with LookAlike(lambda body: "<thin ice> was the cause.") as server, at(server) as case:
        shown = Shown()
        case.service.write(DESCRIBE, chunks(1)[0], shown)
        assert shown.text == "<thin ice> was the cause."


def test_prose_that_a_server_wraps_in_its_field_is_unwrapped() -> None:
    with LookAlike(lambda body: {"text": SAID}) as server, at(server) as case:
        reply = case.service.one(DESCRIBE, chunks(1)[0])
        assert isinstance(reply, Reply) and reply.value.text == SAID


def test_without_a_model_a_text_is_shown_in_sentences() -> None:
    shown = Shown()
    service = LanguageService(OfflineBackend(), Ledger())
    service.write(DESCRIBE, chunks(1)[0], shown)
    assert shown.begun == 1 and shown.text == chunks(1)[0].text


@given(st.text("ab .!?。\n[1]", max_size=80))
def test_the_pieces_of_a_text_are_the_text(text: str) -> None:
    assert "".join(pieces(text)) == text
