"""Structured replies: how each kind of server is asked for one, and how what comes back is read."""

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, Literal

from pydantic import ValidationError

from pipeline.base.ids import dump
from pipeline.base.task import Prose, ReplyT, Task
from pipeline.language.transport.schema import strict_schema

Mode = Literal["json_schema", "function_calling", "json_mode"]

LONGEST = 2_000_000
"""Characters of the longest reply that is read at all; the longest that models write is a tenth of it."""

_CUT = {"length", "max_tokens", "model_length", "max_output_tokens"}
_FILTERED = {"content_filter", "refusal", "safety", "blocklist", "prohibited_content"}
_THOUGHT = re.compile(r"\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)
_FENCED = re.compile(r"```(?:markdown|md|text|txt|json)?[ \t]*\n((?:(?!```).)*)```", re.DOTALL | re.IGNORECASE)
# A string that is never closed runs to the end: otherwise each quote in it would be tried as an opening one.
_STRING_OR_COMMA = re.compile(r'("(?:[^"\\]|\\.)*+(?:"|\\?\Z))|,(?=\s*[}\]])', re.DOTALL)
_OPENS = re.compile(r'\{\s*["}]')


CountFault = Callable[[str], None]
_BOUNDS = {"greater_than", "greater_than_equal", "less_than", "less_than_equal", "string_too_short", "string_too_long"}


class Unusable(ValueError):
    """A reply that cannot be used: ``name`` is what the ledger counts it as, the text is the reason."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(reason)
        self.name = name


@dataclass(frozen=True)
class RawReply:
    """What a model replied, before validation: its text (None when there was none), how many replies it gave at
    once, why it ended, its refusal, and the tokens that the server says it counted."""

    text: str | None
    ended: str = ""
    refusal: str = ""
    others: tuple[str, ...] = ()
    tokens_in: object = None
    tokens_out: object = None

    def tokens(self, n_bytes: int) -> tuple[int, int]:
        """Return the tokens in and out; estimated where the server does not count, or gives what can be no count."""
        out = sum(len(text.encode("utf-8", "replace")) for text in (self.text or "", *self.others))
        return counted(self.tokens_in, n_bytes), counted(self.tokens_out, out)


_MOST_TOKENS = 100_000_000
"""Tokens of one call beyond which no server's count is believed."""


def counted(figure: object, n_bytes: int) -> int:
    """Return a server's count of the tokens of a text; estimated, at three bytes each, where it is none: missing, negative, no
    whole number, or 0 for a text. What is free or less would undo every cap on cost."""
    least = 1 if n_bytes else 0
    return figure if type(figure) is int and least <= figure <= _MOST_TOKENS else n_bytes // 3 + 1


@dataclass(frozen=True)
class Form(Generic[ReplyT]):
    """How one task's reply is requested: parameters of the request, and what is added to the system text."""

    task: Task[Any, ReplyT]
    schema: dict[str, Any]
    parameters: dict[str, Any] = field(default_factory=dict)
    suffix: str = ""

    @cached_property
    def n_bytes(self) -> int:
        """Bytes that the parameters add to a question, since servers count them: half, as JSON has no denser tokens."""
        return len(dump(self.parameters).encode()) // 2


def form(task: Task[Any, ReplyT], mode: Mode) -> Form[ReplyT]:
    """Return the form of ``task`` in the words of the standard protocol; free text has none."""
    schema = strict_schema(task.reply)
    if task.reply is Prose:
        return Form(task, schema)
    if mode == "json_schema":
        shape = {"name": task.name, "strict": True, "schema": schema}
        return Form(task, schema, {"response_format": {"type": "json_schema", "json_schema": shape}})
    if mode == "function_calling":
        described = (task.reply.__doc__ or task.name).strip()
        function = {"name": task.name, "description": described, "strict": True, "parameters": schema}
        chosen = {"type": "function", "function": {"name": task.name}}
        tools = [{"type": "function", "function": function}]
        return Form(task, schema, {"tools": tools, "tool_choice": chosen, "parallel_tool_calls": False})
    # Servers refuse json_object unless the prompt names JSON.
    suffix = "\n\nReply with one JSON object that fits this JSON schema, and with nothing else:\n" + dump(schema)
    return Form(task, schema, {"response_format": {"type": "json_object"}}, suffix)


def raw_reply(message: Any) -> RawReply:
    """Return what a LangChain message holds."""
    about: Mapping[str, Any] = message.response_metadata or {}
    details = about.get("incomplete_details")
    ended = about.get("finish_reason") or about.get("stop_reason") or about.get("done_reason") or ""
    if isinstance(details, Mapping):
        ended = details.get("reason") or ended
    calls = [json.dumps(call["args"]) for call in message.tool_calls]
    calls += [call["args"] or "" for call in message.invalid_tool_calls]
    content = _content(message.content)
    usage = message.usage_metadata or {}
    return RawReply(
        calls[0] if calls else content,
        str(ended).lower(),
        str(message.additional_kwargs.get("refusal") or _refusal(message.content)),
        tuple(calls[1:]),
        usage.get("input_tokens"),
        usage.get("output_tokens"),
    )


def read(reply: RawReply, task: Task[Any, ReplyT], count: CountFault = lambda name: None) -> ReplyT:
    """Return the validated reply, or raise Unusable with the reason; ``count`` is called for each row left out.

    A reply is unpacked from a fence, from prose around it, from a single wrapping key or list, and from a string; a
    comma before a closing bracket is dropped. Nothing is added to what the model replied: a cut reply is never
    completed, two replies that differ are never chosen from, and every field of the reply must have been given.
    A row of a list with a number or text out of bounds (a weight of 0) is left out alone.
    """
    if reply.refusal or reply.ended in _FILTERED:
        raise Unusable("refused", f"the model refused: {reply.refusal or reply.ended}"[:300])
    if reply.ended in _CUT:
        raise Unusable("cut", "the reply was cut at the limit of output tokens; say the same in fewer words")
    if task.reply is Prose:
        return _validated({"text": prose(reply.text)}, task, count)
    found = [_read(text, task, count) for text in (reply.text, *reply.others)]
    if any(other != found[0] for other in found):
        raise Unusable("ambiguous", "several replies that differ came at once; give exactly one")
    return found[0]


def _read(text: str | None, task: Task[Any, ReplyT], count: CountFault) -> ReplyT:
    if text is None or not text.strip("\ufeff \t\r\n"):
        raise Unusable("empty", "the reply was empty")
    if len(text) > LONGEST:
        raise Unusable("too_long", f"the reply has {len(text)} characters, more than {LONGEST}")
    text = _THOUGHT.sub("", text.strip("\ufeff \t\r\n"), count=1).strip()
    whole = _parsed(text)
    if whole is not None:
        return _validated(whole, task, count)
    return _only([_validated(value, task, count) for value in _objects(text)])


def prose(text: str | None) -> str:
    """Return a reply in free text, without what a model thought before it; Unusable when nothing is left of it."""
    written = spoken(text or "").strip("\ufeff \t\r\n")
    if not written:
        raise Unusable("empty", "the reply was empty")
    if len(written) > LONGEST:
        raise Unusable("too_long", f"the reply has {len(written)} characters, more than {LONGEST}")
    fenced = _FENCED.fullmatch(written)
    written = fenced[1].strip() if fenced and fenced[1].strip() else written
    # Servers set to reply in JSON whatever the request wrap the text in one field.
    whole = _parsed(written) if written.startswith("{") else None
    while isinstance(whole, dict) and len(whole) == 1:
        whole = next(iter(whole.values()))
    return whole.strip() if isinstance(whole, str) and whole.strip() else written


def spoken(text: str) -> str:
    """Return what follows a thought at the start; nothing while the thought may still go on."""
    head = text.lstrip("\ufeff \t\r\n")[:6]
    if not head or not ("<think".startswith(head) or head == "<think"):
        return text
    thought = _THOUGHT.match(text.lstrip("\ufeff"))
    return text.lstrip("\ufeff")[thought.end() :] if thought else ""


def _only(found: list[ReplyT]) -> ReplyT:
    if not found:
        raise Unusable("not_json", "the reply holds no JSON object")
    if any(other != found[0] for other in found):
        raise Unusable("ambiguous", "the reply holds several JSON objects that differ; give exactly one")
    return found[0]


def _parsed(text: str) -> Any:
    """Return the value of a text that is JSON from end to end, else None."""
    if text[:1] not in ("{", "[", '"'):
        return None
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError):
        return None


def _objects(text: str) -> Iterator[Any]:
    """Yield the JSON objects in a text, outermost only; Unusable when one opens that is not whole."""
    position, broken = 0, False
    while match := _OPENS.search(text, position):
        try:
            value, position = _DECODER.raw_decode(text, match.start())
        except RecursionError:
            raise Unusable("not_json", "the reply is nested too deeply") from None
        except ValueError as error:
            if broken:
                raise Unusable("not_json", f"the reply holds JSON that is cut or broken ({error})") from None
            # Once: a comma before a closing bracket means nothing and is the commonest slip.
            text, position, broken = _without_commas(text[match.start() :]), 0, True
            continue
        yield value


def _without_commas(text: str) -> str:
    """Return JSON without commas before a closing bracket; strings are left as they are."""
    return _STRING_OR_COMMA.sub(lambda match: match[1] or "", text)


def _validated(value: Any, task: Task[Any, ReplyT], count: CountFault) -> ReplyT:
    value = _unwrapped(value, task)
    try:
        reply = _within_bounds(value, task, count)
    except ValidationError as error:
        raise Unusable("misfit", _reasons(error)) from None
    except RecursionError:
        raise Unusable("not_json", "the reply is nested too deeply") from None
    lacking = sorted(set(task.reply.model_fields) - reply.model_fields_set)
    if lacking:
        raise Unusable("misfit", f"fields are missing: {', '.join(lacking)}")
    return reply


def _within_bounds(value: Any, task: Task[Any, ReplyT], count: CountFault) -> ReplyT:
    """Return the reply without rows of its lists that are at fault only in their bounds."""
    try:
        return task.reply.model_validate(value)
    except ValidationError as error:
        faults = error.errors(include_input=False, include_url=False, include_context=False)
        rows = {item["loc"][:2] for item in faults}
        if not all(item["type"] in _BOUNDS and len(item["loc"]) > 2 and type(item["loc"][1]) is int for item in faults):
            raise
        rest = {
            name: [row for place, row in enumerate(field) if (name, place) not in rows]
            if isinstance(field, list)
            else field
            for name, field in value.items()
        }
        reply = task.reply.model_validate(rest)
        for _ in rows:
            count("row_out_of_bounds")
        return reply


def _unwrapped(value: Any, task: Task[Any, ReplyT]) -> Any:
    """Return the object inside a JSON string, a list of one, or a single key that is no field of the reply."""
    for _ in range(3):
        if isinstance(value, str):
            value = _parsed(value.strip())
        elif isinstance(value, list) and len(value) == 1:
            value = value[0]
        elif isinstance(value, dict) and len(value) == 1 and not set(value) & set(task.reply.model_fields):
            inner = next(iter(value.values()))
            if not isinstance(inner, dict | list | str):
                break
            value = inner
        else:
            break
    if not isinstance(value, dict):
        raise Unusable("misfit", "the reply must be one JSON object")
    return value


def _reasons(error: ValidationError) -> str:
    """Return which fields do not fit and why, without quoting the reply."""
    faults = [
        f"{'.'.join(str(part) for part in item['loc']) or 'the reply'}: {item['msg']}"
        for item in error.errors(include_input=False, include_url=False, include_context=False)
    ]
    return "; ".join(line[:160] for line in faults[:5]) + (f"; and {len(faults) - 5} more" if len(faults) > 5 else "")


def _content(content: Any) -> str | None:
    """Return the text of a message whose content is a text or a list of blocks."""
    if isinstance(content, list):
        return "".join(
            block if isinstance(block, str) else str(block.get("text", ""))
            for block in content
            if isinstance(block, str) or block.get("type") in ("text", "output_text")
        )
    return content if isinstance(content, str) else None


def _refusal(content: Any) -> str:
    blocks = content if isinstance(content, list) else []
    return next((str(b.get("refusal")) for b in blocks if isinstance(b, dict) and b.get("type") == "refusal"), "")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text[:20]} is not a number that JSON can hold")
    return number


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(parse_float=_finite, parse_constant=_no_constant)
