"""Anthropic's protocol in terms of the other one: its requests read as chat completions, completions written as its messages."""

import json
from typing import Any

Body = dict[str, Any]


def as_chat(body: Body) -> Body:
    """Return a request to ``/messages`` as one to ``/chat/completions``: system text first, tools as functions."""
    system = [{"role": "system", "content": _text(body["system"])}] if body.get("system") else []
    asked = [{**one, "content": _text(one["content"])} for one in body["messages"]]
    tools = [
        {"type": "function", "function": {"name": one["name"], "parameters": one["input_schema"]}}
        for one in body.get("tools", ())
    ]
    return {**body, "messages": [*system, *asked], "tools": tools}


def as_message(completion: Body) -> Body:
    """Return a completion as a message: its text or its call as blocks of content, and what was used."""
    choice = completion["choices"][0]
    calls = choice["message"].get("tool_calls") or []
    content: list[Body] = [
        {"type": "tool_use", "id": one["id"], "name": one["function"]["name"], "input": _read(one)} for one in calls
    ]
    reasons = {"stop": "end_turn", "tool_calls": "tool_use", "length": "max_tokens"}
    used = completion["usage"]
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": completion["model"],
        "content": content or [{"type": "text", "text": choice["message"]["content"]}],
        "stop_reason": reasons[choice["finish_reason"]],
        "stop_sequence": None,
        "usage": {"input_tokens": used["prompt_tokens"], "output_tokens": used["completion_tokens"]},
    }


def _text(content: str | list[Body]) -> str:
    return content if isinstance(content, str) else "".join(block["text"] for block in content)


def _read(call: Body) -> Any:
    return json.loads(call["function"]["arguments"])
