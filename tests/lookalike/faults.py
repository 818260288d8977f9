"""What the server does wrong when told: answers of the protocol that are no replies, and replies that are spoiled."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Answer:
    """An HTTP answer other than a reply. ``body`` None drops the connection, ``cut`` drops it in mid-body."""

    status: int
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    cut: bool = False
    seconds: float = 0.0


def _error(message: str, kind: str, code: str | None = None, param: str | None = None) -> dict[str, Any]:
    return {"error": {"message": message, "type": kind, "param": param, "code": code}}


_LIMIT = _error("Rate limit reached for requests", "requests", "rate_limit_exceeded")

HTTP_FAULTS: dict[str, Answer] = {
    "429": Answer(429, _LIMIT),
    "429_after": Answer(429, _LIMIT, {"retry-after": "1"}),
    "429_after_ms": Answer(429, _LIMIT, {"retry-after-ms": "40"}),
    "429_date": Answer(429, _LIMIT, {"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}),
    "429_days": Answer(429, _LIMIT, {"retry-after": "172800"}),
    "500": Answer(500, _error("The server had an error", "server_error")),
    "502": Answer(502, "<html><body>Bad Gateway</body></html>", {"content-type": "text/html"}),
    "503": Answer(503, _error("Overloaded", "server_error"), {"retry-after": "0"}),
    "529": Answer(529, _error("Overloaded", "overloaded_error")),
    "drop": Answer(0),
    "drop_midway": Answer(200, {"choices": [{"message": {"content": "half of a re"}}]}, cut=True),
    "slow": Answer(200, {"choices": []}, seconds=30.0),
    "html": Answer(200, "<html>Sign in to the network</html>", {"content-type": "text/html"}),
    "no_body": Answer(200, ""),
    "error_in_body": Answer(200, _error("upstream provider failed", "server_error")),
    "quota": Answer(429, _error("You exceeded your current quota", "insufficient_quota", "insufficient_quota")),
    "credit": Answer(429, _error("No credits", "insufficient_quota", "credit_balance_exhausted")),
    "payment": Answer(402, _error("Insufficient balance", "payment_required")),
    "auth": Answer(401, _error("Incorrect API key provided: {key}", "invalid_request_error", "invalid_api_key")),
    "forbidden": Answer(403, _error("Your region is not supported", "request_forbidden")),
    "no_model": Answer(404, _error("The model does not exist", "invalid_request_error", "model_not_found")),
    "too_long": Answer(
        400, _error("maximum context length is 8 tokens", "invalid_request_error", "context_length_exceeded")
    ),
    "filtered": Answer(400, _error("The response was filtered", "content_filter", "content_filter", "prompt")),
    "no_schema": Answer(
        400, _error("response_format json_schema is not supported", "invalid_request_error", None, "response_format")
    ),
    "no_temperature": Answer(
        400, _error("Unsupported value: 'temperature'", "invalid_request_error", "unsupported_value", "temperature")
    ),
}
"""Answers by name. ``{key}`` in a message is filled with the key that the request carried, as some servers do."""

Message = dict[str, Any]
Spoil = Callable[[str], Message]
"""Makes of the text of a good reply a spoiled choice: content, and optionally refusal or finish_reason."""


def _said(change: Callable[[str], str | None], **more: Any) -> Spoil:
    return lambda text: {"content": change(text), **more}


def _each_text(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _each_text(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_each_text(item) for item in value]
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _numbers(text: str, number: str) -> str:
    """Put ``number`` in place of the first number of the reply, or of the whole reply when it holds none."""

    done: list[bool] = []

    def walk(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: walk(item) for key, item in value.items()}
        if isinstance(value, list):
            return [walk(item) for item in value]
        if isinstance(value, int | float) and not isinstance(value, bool) and not done:
            done.append(True)
            return "\x00put\x00"
        return value

    put = json.dumps(walk(json.loads(text))).replace(json.dumps("\x00put\x00"), number)
    return put if done else number


def _without_first(text: str) -> str:
    value = json.loads(text)
    return json.dumps(dict(list(value.items())[1:]))


def _trailing(text: str) -> str:
    return text[:-1] + ",}"


def _other(text: str) -> str:
    return json.dumps({key: _changed(item) for key, item in json.loads(text).items()})


def _changed(value: Any) -> Any:
    if isinstance(value, str):
        return value + " otherwise"
    if isinstance(value, list):
        return [_changed(item) for item in value]
    if isinstance(value, dict):
        return {key: _changed(item) for key, item in value.items()}
    return value


def _surrogates(text: str) -> str:
    text = json.dumps(json.loads(text))
    first = text.index(': "') + 3
    return text[:first] + "\\ud800" + text[first:]


SPOILED: dict[str, Spoil] = {
    "none": _said(lambda text: None),
    "empty": _said(lambda text: ""),
    "blank": _said(lambda text: " \n\t "),
    "cut": _said(lambda text: text[: len(text) * 2 // 3]),
    "cut_early": _said(lambda text: text[:2]),
    "cut_by_length": _said(lambda text: text[: len(text) // 2], finish_reason="length"),
    "whole_but_length": _said(lambda text: text, finish_reason="length"),
    "cut_fence": _said(lambda text: "```json\n" + text[: len(text) * 2 // 3]),
    "fenced": _said(lambda text: f"```json\n{text}\n```"),
    "fenced_plain": _said(lambda text: f"```\n{text}\n```"),
    "prose": _said(lambda text: f"Here is what I found {{as you asked}}:\n\n{text}\n\nLet me know if you need more!"),
    "fenced_in_prose": _said(lambda text: f"Sure. The JSON:\n```json\n{text}\n```\nHope it helps."),
    "thinking": _said(lambda text: f'<think>perhaps {{"a": 1}}? or {text}</think>\n{text}'),
    "wrong_type": _said(lambda text: json.dumps({key: {"x": ["y"]} for key in json.loads(text)})),
    "null_fields": _said(lambda text: json.dumps(dict.fromkeys(json.loads(text)))),
    "missing_field": _said(_without_first),
    "empty_object": _said(lambda text: "{}"),
    "empty_list": _said(lambda text: "[]"),
    "extra_field": _said(lambda text: text[:-1] + ', "confidence": 0.9}'),
    "nested": _said(lambda text: json.dumps({"result": json.loads(text)})),
    "in_list": _said(lambda text: f"[{text}]"),
    "as_string": _said(lambda text: json.dumps(text)),
    "schema_echo": _said(lambda text: json.dumps({"type": "object", "properties": json.loads(text)})),
    "nan": _said(lambda text: _numbers(text, "NaN")),
    "infinity": _said(lambda text: _numbers(text, "1e999")),
    "endless_number": _said(lambda text: _numbers(text, "9" * 5000)),
    "numbers_as_strings": _said(lambda text: json.dumps(_each_text(json.loads(text)))),
    "trailing_comma": _said(_trailing),
    "twice_the_same": _said(lambda text: f"{text}\n{text}"),
    "two_that_differ": _said(lambda text: f"{text}\n{_other(text)}"),
    "extra_text": _said(lambda text: text + " // done"),
    "single_quotes": _said(lambda text: repr(json.loads(text))),
    "byte_order_mark": _said(lambda text: "\ufeff" + text),
    "lone_surrogate": _said(_surrogates),
    "deep": _said(lambda text: '{"a":' * 100_000),
    "deep_lists": _said(lambda text: "[" * 100_000),
    "braces": _said(lambda text: "{" * 200_000),
    "quoted_braces": _said(lambda text: '{"' * 200_000),
    "huge": _said(lambda text: text[:-1] + ', "padding": "' + "x" * 5_000_000 + '"}'),
    "prose_only": _said(lambda text: "I looked at the text but there is nothing to report."),
    "refused": _said(lambda text: None, refusal="I cannot help with that."),
    "filtered_reply": _said(lambda text: "", finish_reason="content_filter"),
    "no_choices": lambda text: {"choices": []},
    "null_choices": lambda text: {"choices": None},
    "null_message": lambda text: {"choices": [{"index": 0, "message": None, "finish_reason": "stop"}]},
    "list_content": lambda text: {
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": [{"type": "text", "text": text}]},
            }
        ]
    },
}
"""Spoiled replies by name, each made from the text of a good one."""
