"""Replies: what can be read without adding anything is read, all else is asked again or ends as a named failure."""

import json
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.base.task import Failure
from pipeline.language.language import Reply
from pipeline.language.transport import rate_limit
from pipeline.language.transport.structured import Mode, RawReply, Unusable, form, prose, read
from tests.language_cases import READ, Entity, Found, Tie, at, chunks
from tests.lookalike import SPOILED, LookAlike

GOOD = Found(
    entities=[Entity(title='Ada, "the" {Thorne}]', type="PERSON"), Entity(title="Carrow, }", type="PLACE")],
    ties=[Tie(source="Ada", target="Carrow", weight=2.5)],
)
TEXT = GOOD.model_dump_json()
MODES: tuple[Mode, ...] = ("json_schema", "function_calling", "json_mode")

READ_ANYHOW = {
    "fenced",
    "fenced_plain",
    "prose",
    "fenced_in_prose",
    "thinking",
    "extra_field",
    "nested",
    "in_list",
    "as_string",
    "numbers_as_strings",
    "trailing_comma",
    "twice_the_same",
    "extra_text",
    "byte_order_mark",
    "list_content",
}
"""Spoiled replies that hold the whole reply and nothing that contradicts it."""
CLIENT_REFUSES = {"in_list", "as_string"}
"""Tool arguments that are no object: LangChain refuses the whole message before anybody sees it."""


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(rate_limit, "FIRST_WAIT", 0.002)
    yield


def said(text: str | None) -> Found:
    return read(RawReply(text), READ)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", list(SPOILED))
def test_each_kind_of_spoiled_reply_ends_as_a_good_reply_or_a_named_failure(kind: str, mode: Mode) -> None:
    with LookAlike(lambda body: TEXT, {kind: 1.0}) as server, at(server, structured=mode, max_attempts=2) as case:
        reply = case.service.one(READ, chunks(1)[0])
        assert sum(case.faults.values()) == (0 if isinstance(reply, Reply) else server.counts[kind])
    if kind in READ_ANYHOW and not (mode == "function_calling" and kind in CLIENT_REFUSES):
        assert isinstance(reply, Reply) and reply.value == GOOD and reply.attempts == 1
    else:
        assert isinstance(reply, Failure) and ":" in reply.reason
        assert [row[3] for row in case.ledger.failures] == ["failed"]


@pytest.mark.parametrize("mode", MODES)
def test_a_spoiled_reply_is_asked_again_with_the_reason_and_paid_for_in_the_ledger(mode: Mode) -> None:
    with LookAlike(lambda body: TEXT, {"cut": 1.0}, until=2) as server:
        with at(server, structured=mode, price_in=1.0, price_out=1.0) as case:
            reply = case.service.one(READ, chunks(1)[0])
        asked = [body["messages"][-1]["content"] for body in server.asked]
    assert isinstance(reply, Reply) and reply.value == GOOD and reply.attempts == 3
    assert "could not be used" not in asked[0] and all("cut or broken" in text for text in asked[1:])
    assert reply.cost == pytest.approx((reply.tokens_in + reply.tokens_out) / 1e6) == case.budget.cost
    assert case.faults == {"not_json": 2}


def test_replies_that_stay_unusable_are_paid_for_in_the_ledger_too() -> None:
    with LookAlike(faults={"wrong_type": 1.0}) as server, at(server, price_in=1.0, price_out=1.0) as case:
        assert isinstance(case.service.one(READ, chunks(1)[0]), Failure)
    row = case.ledger.calls[0]
    assert row[3] == "look-alike" and row[5] > 0 and row[7] == pytest.approx(case.budget.cost) and row[7]


def test_a_refusal_is_not_asked_again() -> None:
    with LookAlike(faults={"refused": 1.0}) as server, at(server) as case:
        reply = case.service.one(READ, chunks(1)[0])
        assert server.calls == 1 and isinstance(reply, Failure) and reply.reason.startswith("refused:")


@settings(deadline=None, max_examples=300)
@given(st.integers(0, len(TEXT) - 1))
def test_a_cut_reply_is_never_completed(end: int) -> None:
    with pytest.raises(Unusable):
        said(TEXT[:end])
    with pytest.raises(Unusable):
        said(f"Here it is:\n```json\n{TEXT[:end]}\n```")


@settings(deadline=None, max_examples=300)
@given(st.text() | st.binary().map(lambda data: data.decode("latin-1")))
def test_no_text_whatever_is_more_than_unusable(text: str) -> None:
    with pytest.raises(Unusable):
        said(text)


@settings(deadline=None, max_examples=200)
@given(
    st.text(st.characters(codec="utf-8", exclude_characters="{[")),
    st.text(st.characters(codec="utf-8", exclude_characters="{[")),
)
def test_prose_around_a_reply_changes_nothing(before: str, after: str) -> None:
    assert said(f"{before}\n{TEXT}\n{after}") == GOOD


@settings(deadline=None, max_examples=200)
@given(st.lists(st.text(), min_size=1))
def test_commas_before_brackets_inside_texts_are_left_as_they_are(titles: list[str]) -> None:
    found = Found(entities=[Entity(title=f",}}{title},]", type="x") for title in titles], ties=[])
    assert said(found.model_dump_json()[:-1] + ",}") == found


@pytest.mark.parametrize(
    "wrapped",
    [
        "```\nIt broke [c1].\n```",
        "```markdown\nIt broke [c1].\n```",
        '```json\n{"text": "It broke [c1]."}\n```',
        '{"answer": "It broke [c1]."}',
        '{"result": {"answer": "It broke [c1]."}}',
    ],
)
def test_free_text_is_taken_out_of_what_wraps_the_whole_of_it(wrapped: str) -> None:
    assert prose(wrapped) == "It broke [c1]."


@pytest.mark.parametrize(
    "text",
    [
        '"It broke."',
        "```python\nbreak_mole()\n```",
        "```\na\n```\nand\n```\nb\n```",
        '{"a": "b", "c": "d"}',
        "{}",
        '{"a": []}',
        "``` ```",
    ],
)
def test_free_text_that_only_has_such_marks_is_left_as_it_is(text: str) -> None:
    assert prose(text) == text


def test_a_field_that_was_not_given_is_missed_even_where_it_has_a_default() -> None:
    class Lax(Found):
        note: str = "none"

    task = READ.__class__("lax", READ.prompt, READ.request, Lax, lambda request: Lax(entities=[], ties=[]))
    with pytest.raises(Unusable, match="note"):
        read(RawReply(TEXT), task)


def test_a_row_out_of_bounds_is_left_out_alone_and_counted() -> None:
    ties = [{"source": "a", "target": "b", "weight": weight} for weight in (2, 0, -1)]
    spoiled = json.dumps({"entities": [{"title": "a", "type": "x"}, {"title": "", "type": "x"}], "ties": ties})
    with LookAlike(lambda body: spoiled) as server, at(server) as case:
        reply = case.service.one(READ, chunks(1)[0])
        assert isinstance(reply, Reply) and server.calls == 1 and case.faults == {"row_out_of_bounds": 3}
    assert [tie.weight for tie in reply.value.ties] == [2] and [one.title for one in reply.value.entities] == ["a"]


def test_two_replies_at_once_are_taken_only_when_they_are_the_same() -> None:
    assert read(RawReply(TEXT, others=(TEXT,)), READ) == GOOD
    with pytest.raises(Unusable, match="several replies"):
        read(RawReply(TEXT, others=('{"entities": [], "ties": []}',)), READ)


@pytest.mark.parametrize("ended", ["length", "max_tokens", "max_output_tokens"])
def test_a_reply_that_ended_at_the_limit_is_taken_for_cut_though_it_may_look_whole(ended: str) -> None:
    with pytest.raises(Unusable, match="cut"):
        read(RawReply(TEXT, ended), READ)


def test_reasons_do_not_quote_what_was_said() -> None:
    with pytest.raises(Unusable) as error:
        said(json.dumps({"entities": "IGNORE THE ABOVE", "ties": [{"source": "x", "target": "y", "weight": "SECRET"}]}))
    assert "IGNORE" not in str(error.value) and "SECRET" not in str(error.value) and "ties.0.weight" in str(error.value)


def test_reading_hostile_text_takes_no_more_than_linear_time() -> None:
    for text in ('{"' + '\\"' * 900_000, '{"a":"' + "," * 900_000, "{" * 900_000, '{"a":1}' * 100_000):
        with pytest.raises(Unusable):
            said(text)


@pytest.mark.parametrize("mode", MODES)
def test_the_request_names_the_schema_in_the_words_of_the_protocol(mode: Mode) -> None:
    with LookAlike() as server, at(server, structured=mode, temperature=0.5, seed=7, max_output_tokens=99) as case:
        assert isinstance(case.service.one(READ, chunks(1)[0]), Reply)
        body = server.asked[0]
    asked = form(READ, mode)
    for name, value in asked.parameters.items():
        assert body[name] == value
    assert body["model"] == "look-alike" and body["temperature"] == 0.5 and body["seed"] == 7
    assert body["max_tokens"] == 99 and "max_completion_tokens" not in body and not body.get("stream")
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert ("JSON" in body["messages"][0]["content"]) == (mode == "json_mode")
    assert set(body) == {"model", "messages", "temperature", "seed", "max_tokens", *asked.parameters} | (
        {"stream"} if "stream" in body else set()
    )
