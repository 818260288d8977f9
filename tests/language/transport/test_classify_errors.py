"""Faults are classified by what servers document, whichever client raised them."""

from types import SimpleNamespace
from typing import Any

import pytest

from pipeline.language.transport.classify_errors import diagnose


class Refusal(Exception):
    """As the clients of several providers raise it."""

    def __init__(self, status: int, error: dict[str, Any] | None = None, headers: dict[str, str] | None = None) -> None:
        super().__init__(f"Error code: {status}")
        self.status_code, self.body = status, error
        self.response = SimpleNamespace(headers=headers or {})


@pytest.mark.parametrize(
    ("error", "name", "act"),
    [
        (Refusal(429, {"code": "rate_limit_exceeded"}), "rate_limit", "retry"),
        (Refusal(429, {"type": "insufficient_quota", "code": "project_spend_limit_exceeded"}), "quota", "stop"),
        (Refusal(429, {"error": {"type": "insufficient_quota", "code": None}}), "quota", "stop"),
        (Refusal(429, {"error": {"type": "rate_limit_error", "details": {"error_code": "enforced_spend_limit_reached"}}}), "quota", "stop"),
        (Refusal(402, {"message": "Insufficient Balance"}), "quota", "stop"),
        (Refusal(400, {"error": {"message": "Your credit balance is too low"}}), "quota", "stop"),
        (Refusal(500), "server_error", "retry"),
        (Refusal(529, {"error": {"type": "overloaded_error"}}), "server_error", "retry"),
        (Refusal(408), "server_error", "retry"),
        (Refusal(401, {"message": "no"}), "key_refused", "stop"),
        (Refusal(403, {"message": "Access denied"}), "key_refused", "stop"),
        (Refusal(403, {"message": "Your input was flagged"}), "refused", "fail"),
        (Refusal(404, {"code": "DeploymentNotFound"}), "not_found", "stop"),
        (Refusal(400, {"code": "context_length_exceeded"}), "too_long", "fail"),
        (Refusal(413), "too_long", "fail"),
        (Refusal(400, {"code": "content_filter", "param": "prompt"}), "refused", "fail"),
        (Refusal(400, {"message": "Invalid schema for response_format 'read'"}), "ability", "stop"),
        (Refusal(400, {"message": "registry/x does not support tools"}), "ability", "stop"),
        (Refusal(400, {"message": "Unsupported value: 'temperature' does not support 0.0"}), "ability", "stop"),
        (Refusal(400, {"message": "something else"}), "bad_request", "fail"),
        (Refusal(422), "bad_request", "fail"),
        (TimeoutError(), "timeout", "retry"),
        (ConnectionRefusedError("refused"), "no_connection", "retry"),
        (ValueError("Azure has not provided the response due to a content filter being triggered"), "refused", "fail"),
        (IndexError("list index out of range"), "no_reply", "retry"),
    ],
)  # fmt: skip
def test_each_fault_is_known_by_name_and_by_what_is_to_be_done(error: Exception, name: str, act: str) -> None:
    fault = diagnose(error)
    assert (fault.name, fault.act) == (name, act)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "-3"}, 0.0),
        ({}, None),
    ],
)
def test_the_wish_to_wait_is_read_in_each_of_its_forms(headers: dict[str, str], seconds: float | None) -> None:
    assert diagnose(Refusal(429, {}, headers)).wait == seconds


def test_the_cause_at_the_bottom_of_a_connection_error_is_named() -> None:
    class APIConnectionError(Exception):
        pass

    try:
        try:
            raise OSError("name or service not known")
        except OSError as below:
            raise APIConnectionError("Connection error.") from below
    except APIConnectionError as error:
        assert "name or service not known" in diagnose(error).text


def test_a_long_message_is_shortened_and_kept_to_a_line() -> None:
    text = diagnose(Refusal(500, {"message": "a\n\nb " * 1000})).text
    assert len(text) < 400 and "\n" not in text
