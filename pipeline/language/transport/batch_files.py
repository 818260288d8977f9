"""Batches of a provider (OpenAI's batch API and servers that have it too): requests by file, replies by file, within a day.

What was submitted is noted in a folder beside the index, so that a batch is found again by whichever run comes next.
"""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.base.ids import content_id
from pipeline.base.settings import ModelSettings
from pipeline.base.storage.disk import disk_errors, write_whole
from pipeline.language.transport.providers import Client, own_server
from pipeline.language.transport.structured import Form, RawReply

MOST_REQUESTS, MOST_BYTES = 20_000, 150_000_000
"""Of one file: OpenAI takes 50,000 requests and 200 MB; half of that leaves other batches room in an account's queue."""
FIRST_POLL, LONGEST_POLL = 5.0, 120.0
"""Seconds between two looks at a batch: the first, and the most that they grow to."""
_URL = "/v1/chat/completions"
_ENDED = {"completed", "failed", "expired", "cancelled"}


@dataclass(frozen=True)
class Submitted:
    """A batch at the provider: the tags of its requests, the file that was sent, and its id once that is known."""

    tags: tuple[str, ...]
    file: str
    id: str = ""


class BatchRecords:
    """The batches under way, one small file each in ``folder``."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._name = folder, name

    def all(self) -> list[Submitted]:
        """Return the batches of this model that were submitted and not yet collected."""
        found = []
        for path in sorted(self._folder.glob(f"{self._name}-*.json")):
            with disk_errors(path):
                row = json.loads(path.read_text(encoding="utf-8"))
            found.append(Submitted(tuple(row["tags"]), row["file"], row["id"]))
        return found

    def note(self, batch: Submitted) -> None:
        """Write down a batch."""
        with disk_errors(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True)
            write_whole(
                self._path(batch), json.dumps({"id": batch.id, "file": batch.file, "tags": batch.tags}).encode()
            )

    def forget(self, batch: Submitted) -> None:
        """Remove the note on a batch whose replies are in the cache."""
        with disk_errors(self._folder):
            self._path(batch).unlink(missing_ok=True)

    def _path(self, batch: Submitted) -> Path:
        return self._folder / f"{self._name}-{content_id(batch.file)}.json"


def request_line(tag: str, model: ModelSettings, form: Form[Any], system: str, user: str) -> bytes:
    """Return the line of a batch file that makes a request; ``tag`` names its reply."""
    messages = [{"role": "system", "content": system}] if system.strip() else []
    body: dict[str, Any] = {"model": model.model, "messages": [*messages, {"role": "user", "content": user}]}
    body |= {name: value for name in ("temperature", "seed") if (value := getattr(model, name)) is not None}
    if model.max_output_tokens is not None:
        body["max_tokens" if own_server(model) else "max_completion_tokens"] = model.max_output_tokens
    line = {"custom_id": tag, "method": "POST", "url": _URL, "body": {**body, **form.parameters}}
    return json.dumps(line, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def reply_of(line: Mapping[str, Any]) -> RawReply | None:
    """Return the reply that a line of an output file holds; None where the request met an error."""
    answer = line.get("response") or {}
    body = answer.get("body") or {}
    if answer.get("status_code") != 200 or not body.get("choices"):
        return None
    choice, used = body["choices"][0], body.get("usage") or {}
    message = choice.get("message") or {}
    calls = [call["function"]["arguments"] for call in message.get("tool_calls") or ()]
    return RawReply(
        calls[0] if calls else message.get("content"),
        str(choice.get("finish_reason") or "").lower(),
        str(message.get("refusal") or ""),
        tuple(calls[1:]),
        used.get("prompt_tokens"),
        used.get("completion_tokens"),
    )


async def submit(client: Client, lines: Sequence[tuple[str, bytes]], note: Callable[[Submitted], None]) -> Submitted:
    """Send a file of requests and begin its batch. It is noted before it begins, so that no kill can hide it."""
    api = client.chat.root_async_client
    file = await api.files.create(file=("requests.jsonl", b"".join(line for _, line in lines)), purpose="batch")
    sent = Submitted(tuple(tag for tag, _ in lines), file.id)
    note(sent)
    begun = await api.batches.create(input_file_id=file.id, endpoint=_URL, completion_window="24h")
    known = Submitted(sent.tags, sent.file, begun.id)
    note(known)
    return known


async def found_again(client: Client, batch: Submitted) -> Submitted:
    """Return a noted batch with its id: the provider's list has it where a kill came before it was written down.
    Without an id where the batch never began."""
    if batch.id:
        return batch
    async for listed in client.chat.root_async_client.batches.list(limit=100):
        if listed.input_file_id == batch.file:
            return Submitted(batch.tags, batch.file, listed.id)
    return batch


async def collected(
    client: Client, batch: Submitted, watch: Callable[[str, int, int], None], first_poll: float = FIRST_POLL
) -> tuple[str, list[dict[str, Any]]]:
    """Wait until a batch ends; return its last status and the lines of its output. ``watch`` is called with the status, and how
    many requests of how many are done, whenever these change."""
    api, wait, before = client.chat.root_async_client, first_poll, ("", -1, 0)
    while True:
        state = await api.batches.retrieve(batch.id)
        counts = state.request_counts
        now = (state.status, counts.completed + counts.failed if counts else 0, len(batch.tags))
        if now != before:
            watch(*now)
            before = now
        if state.status in _ENDED:
            break
        await asyncio.sleep(wait)
        wait = min(LONGEST_POLL, wait * 1.5)
    lines = []
    for file in (state.output_file_id, state.error_file_id):
        if file:
            content = await api.files.content(file)
            lines += [json.loads(line) for line in content.text.splitlines() if line.strip()]
    return state.status, lines
