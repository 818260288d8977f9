"""What can go wrong with one call, classified by status, code and class, whichever client library raised it."""

import email.utils
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pipeline.language.transport.api_keys import redact

Act = Literal["retry", "fail", "stop"]
"""Try the call again; give up on this request alone; or stop the run, since every other call would meet the same."""


@dataclass(frozen=True)
class Fault:
    """Why a call brought no reply. ``name`` is what the ledger counts it as; ``wait`` the seconds that the server asks for.

    ``slow`` says that the server wants fewer calls at once; ``billed`` that the server may have charged for it;
    ``answered`` that the server was reached at all.
    """

    name: str
    act: Act
    text: str
    wait: float | None = None
    slow: bool = False
    billed: bool = False
    answered: bool = True
    fix: str = ""


class FaultyCall(Exception):
    """A call of a worker that brought no reply; what it met was classified there, where the client's exception was."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.text)
        self.fault = fault


_OUT_OF_MONEY = {
    "insufficient_quota",
    "credit_balance_exhausted",
    "organization_spend_limit_exceeded",
    "project_spend_limit_exceeded",
    "organization_usage_limit_exceeded",
    "enforced_spend_limit_reached",
    "billing_hard_limit_reached",
    "billing_not_active",
    "billing_error",
}
_TOO_LONG = ("context_length_exceeded", "context length", "context window", "prompt is too long", "too many tokens")
_FILTERED = (
    "content_filter",
    "content_policy",
    "responsibleai",
    "content management policy",
    "content filter",
    "flagged",
)
_ABILITY = re.compile(r"response_format|json_schema|json_object|tool_choice|support tools|structured output|grammar")
_SETTING = re.compile(r"\b(temperature|seed|max_tokens|max_completion_tokens)\b")
_OURS = {"max_tokens": "max_output_tokens", "max_completion_tokens": "max_output_tokens"}


def diagnose(error: BaseException) -> Fault:
    """Return what an exception of a client means. Exceptions without a status count as a connection that failed when
    their class says so, else as an answer that is no reply."""
    if isinstance(error, FaultyCall):
        return error.fault
    status = _status(error)
    text = _text(error)
    if status is None:
        return _without_status(error, text)
    codes = _codes(error)
    words = f"{' '.join(sorted(codes))} {text}".lower()
    if codes & _OUT_OF_MONEY or status == 402 or "credit balance is too low" in words:
        return Fault("quota", "stop", text, fix="add credit or raise the limit at the provider, then run again")
    if status == 429:
        return Fault("rate_limit", "retry", text, _wait(error), slow=True)
    if status in (408, 409, 425) or status >= 500:
        return Fault("server_error", "retry", f"{status}: {text}", _wait(error), slow=status in (503, 529))
    return _refused(status, words, text)


def _refused(status: int, words: str, text: str) -> Fault:
    if any(mark in words for mark in _FILTERED):
        return Fault("refused", "fail", f"the server's filter refused the question: {text}")
    if status in (401, 403):
        fix = "see that the key is valid for this server and model, and that the model is open to it"
        return Fault("key_refused", "stop", f"{status}: {text}", fix=fix)
    if status == 404:
        return Fault("not_found", "stop", f"404: {text}", fix="see models.*.model, base_url and api_version")
    if status == 413 or any(mark in words for mark in _TOO_LONG):
        return Fault("too_long", "fail", f"the question is longer than the model takes: {text}")
    if _ABILITY.search(words):
        fix = "set models.*.structured to json_schema, function_calling or json_mode as the server can; "
        return Fault("ability", "stop", text, fix=fix + "graphstrata doctor --online tries each")
    if setting := _SETTING.search(words):
        fix = f"set models.*.{_OURS.get(setting[1], setting[1])} to null, or to what the server allows"
        return Fault("ability", "stop", text, fix=fix)
    return Fault("bad_request", "fail", f"{status}: {text}")


def _without_status(error: BaseException, text: str) -> Fault:
    names = {kind.__name__ for kind in type(error).__mro__}
    if "BrokenOff" in names:
        return Fault("broken_off", "fail", text, billed=True)
    if "LengthFinishReasonError" in names:
        return Fault("cut", "fail", "the reply was cut at the limit of output tokens", billed=True)
    if "ContentFilterFinishReasonError" in names or any(mark in text.lower() for mark in _FILTERED):
        return Fault("refused", "fail", text, billed=True)
    if isinstance(error, TimeoutError) or any("Timeout" in name for name in names):
        return Fault("timeout", "retry", f"no answer in time ({type(error).__name__})", billed=True, answered=False)
    if isinstance(error, OSError) or names & {"APIConnectionError", "TransportError", "ConnectError"}:
        cause = _root(error)
        shown = f"{type(cause).__name__}: {redact(cause)}".rstrip(": ")
        return Fault("no_connection", "retry", shown, billed=True, answered=False)
    shown = text if len(text) <= 120 else text[:120] + " ..."
    return Fault("no_reply", "retry", f"an answer that is no reply ({type(error).__name__}: {shown})", billed=True)


def _root(error: BaseException) -> BaseException:
    """Return the exception at the bottom: clients wrap the error of the network several times."""
    for _ in range(10):
        below = error.__cause__ or error.__context__
        if below is None:
            break
        error = below
    return error


def _status(error: BaseException) -> int | None:
    status = getattr(error, "status_code", None)
    return status if isinstance(status, int) and status >= 100 else None


def _codes(error: BaseException) -> set[str]:
    """Return the codes and types that the body of the answer names."""
    body = getattr(error, "body", None)
    body = body.get("error", body) if isinstance(body, Mapping) else None
    found = [getattr(error, "code", None), getattr(error, "type", None)]
    if isinstance(body, Mapping):
        found += [body.get("code"), body.get("type")]
        details = body.get("details")
        found += [details.get("error_code")] if isinstance(details, Mapping) else []
    return {str(code).lower() for code in found if code}


def _text(error: BaseException) -> str:
    """Return the server's own words, in a line, without keys."""
    body = getattr(error, "body", None)
    message: Any = getattr(error, "message", None) or str(error)
    if isinstance(body, Mapping):
        inner = body.get("error", body)
        message = inner.get("message", message) if isinstance(inner, Mapping) else message
    line = " ".join(redact(message).split())
    return line if len(line) <= 300 else line[:300] + " ..."


def _wait(error: BaseException) -> float | None:
    """Return the seconds that the answer asks to wait (retry-after-ms, or retry-after in seconds or as a date)."""
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name)
        if value is None:
            continue
        seconds = _seconds(str(value), unit)
        if seconds is not None:
            return max(0.0, seconds)
    return None


def _seconds(value: str, unit: float) -> float | None:
    try:
        seconds = float(value) * unit
    except ValueError:
        moment = email.utils.parsedate_tz(value)
        return None if moment is None else email.utils.mktime_tz(moment) - time.time()
    return seconds if seconds == seconds and seconds < float("inf") else None
