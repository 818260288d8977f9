"""The server itself: standard library only, one thread with its own loop, counts of everything it was asked."""

import asyncio
import contextlib
import email.utils
import json
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import Any

from tests.lookalike.batches import Batches
from tests.lookalike.faults import HTTP_FAULTS, SPOILED, Answer
from tests.lookalike.messages import as_chat, as_message
from tests.lookalike.replies import schema_of, tokens, valid, vector

Body = dict[str, Any]
Reply = Callable[[Body], Any]
"""Returns the reply to a chat request: an object, or the text itself."""

_REASONS = {200: "OK", 400: "Bad Request", 401: "Unauthorized", 404: "Not Found", 429: "Too Many Requests"}


STREAM_FAULTS = {"stream_drop", "stream_end"}
"""The connection of a streamed reply is lost in its middle; the stream closes there without a finish_reason."""


class LookAlike:
    """A server on 127.0.0.1 for as long as the ``with`` block lasts; ``url`` is its base address.

    ``faults`` gives the share of requests that meet each fault of HTTP_FAULTS, SPOILED and STREAM_FAULTS. Which ones is decided by a
    hash of the request and of how often it came, so counts do not depend on the order in which requests arrive.
    ``until`` stops a fault after that many of its kind. ``counts`` holds requests by path and faults by name.
    """

    def __init__(
        self,
        reply: Reply | None = None,
        faults: Mapping[str, float] | None = None,
        latency: float = 0.0,
        size: int = 8,
        models: tuple[str, ...] = ("look-alike", "look-alike-embedding"),
        key: str | None = None,
        modes: tuple[str, ...] = ("json_schema", "function_calling", "json_mode"),
        longest: int | None = None,
        until: int | None = None,
        usage: bool = True,
    ) -> None:
        if unknown := set(faults or ()) - HTTP_FAULTS.keys() - SPOILED.keys() - STREAM_FAULTS:
            raise ValueError(f"no faults: {', '.join(sorted(unknown))}")
        self.reply, self.faults, self.latency, self.size = reply, dict(faults or {}), latency, size
        self.models, self.key, self.modes, self.longest, self.until = models, key, modes, longest, until
        self.usage = usage
        self.counts: Counter[str] = Counter()
        self.asked: list[Body] = []
        self.headers: list[dict[str, str]] = []
        self.when: list[float] = []
        self.busy = self.most_busy = 0
        self.url = ""
        self.batches = Batches(lambda body: self._completion(body, {"content": self._text(body)}, _mode(body)))
        self._seen: Counter[bytes] = Counter()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._ready = threading.Event()
        self._port = 0

    def __enter__(self) -> "LookAlike":
        # A proxy of the environment is not for this machine's own loopback.
        os.environ["NO_PROXY"] = f"127.0.0.1,{os.environ.get('NO_PROXY', '')}".rstrip(",")
        self._thread.start()
        self._ready.wait(10)
        self.url = f"http://127.0.0.1:{self._port}/v1"
        return self

    def __exit__(self, *exc: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    @property
    def calls(self) -> int:
        """How many chat requests came."""
        return self.counts["/chat/completions"]

    def injected(self) -> dict[str, int]:
        """Return how often each fault was injected."""
        return {name: self.counts[name] for name in self.faults if self.counts[name]}

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", 0, limit=2**24))
        self._port = server.sockets[0].getsockname()[1]
        self._ready.set()
        self._loop.run_forever()
        server.close()
        pending = asyncio.all_tasks(self._loop)
        for task in pending:
            task.cancel()
        self._loop.run_until_complete(asyncio.gather(*pending, return_exceptions=True))
        self._loop.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            while head := await reader.readuntil(b"\r\n\r\n"):
                path, headers = _head(head)
                content = await reader.readexactly(int(headers.get("content-length", 0)))
                if not await self._answer(path, headers, content, writer):
                    break
        writer.close()

    async def _answer(self, path: str, headers: dict[str, str], content: bytes, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; False when the connection is to be dropped."""
        self.busy += 1
        self.most_busy = max(self.most_busy, self.busy)
        try:
            form = headers.get("content-type", "").startswith("multipart/")
            body: Body = json.loads(content) if content and not form else {}
            route = path.partition("?")[0].removeprefix("/v1")
            if "/deployments/" in route:  # as Azure writes its addresses, the model among them
                *_, name, route = route.split("/", 4)
                body, route = {**body, "model": name}, f"/{route}"
            if route == "/messages":  # as Anthropic's clients ask
                body, route = as_chat(body), "/chat/completions"
            self.counts[route] += 1
            self.asked.append(body)
            self.headers.append(headers)
            self.when.append(time.monotonic())
            if self.latency:
                await asyncio.sleep(self.latency)
            return await self._route(route, headers, body, content, writer)
        finally:
            self.busy -= 1

    async def _route(
        self, route: str, headers: dict[str, str], body: Body, content: bytes, writer: asyncio.StreamWriter
    ) -> bool:
        names = ("authorization", "api-key", "x-api-key")  # the second is Azure's, the third Anthropic's
        given = next((headers[name] for name in names if name in headers), "").removeprefix("Bearer ")
        if self.key is not None and given != self.key:
            return await self._fault(HTTP_FAULTS["auth"], headers, writer)
        if route == "/models":
            listed = [{"id": name, "object": "model", "created": 0, "owned_by": "test"} for name in self.models]
            if self.longest:
                listed = [{**model, "max_model_len": self.longest} for model in listed]
            return await _send(writer, 200, {"object": "list", "data": listed})
        if route == "/counts":
            return await _send(writer, 200, dict(self.counts))
        if (batched := self._batched(route, headers, body, content)) is not None:
            return await _send(writer, 200, batched)
        if body.get("model") not in self.models:
            return await self._fault(HTTP_FAULTS["no_model"], headers, writer)
        name = self._chosen(content)
        if name in HTTP_FAULTS:
            return await self._fault(HTTP_FAULTS[name], headers, writer)
        if route == "/embeddings":
            return await _send(writer, 200, self._embeddings(body))
        if route == "/chat/completions":
            return await self._chat(body, name, headers, writer)
        return await _send(writer, 404, {"error": {"message": f"no route {route}", "type": "invalid_request_error"}})

    def _batched(self, route: str, headers: dict[str, str], body: Body, content: bytes) -> Body | str | None:
        """Return the answer to a route of files or batches; None for any other."""
        if route == "/files":
            return self.batches.send(content, headers["content-type"])
        if route.startswith("/files/"):
            return self.batches.files[route.split("/")[2]]
        if route == "/batches":
            return self.batches.begin(body) if content else self.batches.listed()
        return self.batches.look(route.split("/")[2]) if route.startswith("/batches/") else None

    def _chosen(self, content: bytes) -> str:
        """Return the fault that this request meets, or an empty text."""
        digest = blake2b(content, digest_size=8).digest()
        self._seen[digest] += 1
        share = int.from_bytes(blake2b(digest + bytes([self._seen[digest] % 256]), digest_size=8).digest(), "big")
        share_of_one = share / 2**64
        for name, rate in self.faults.items():
            share_of_one -= rate
            if share_of_one < 0:
                if self.until is not None and self.counts[name] >= self.until:
                    return ""
                self.counts[name] += 1
                return name
        return ""

    async def _fault(self, answer: Answer, headers: dict[str, str], writer: asyncio.StreamWriter) -> bool:
        if answer.seconds:
            await asyncio.sleep(answer.seconds)
        if answer.body is None:
            return False
        key = headers.get("authorization", headers.get("api-key", "")).removeprefix("Bearer ")
        written = answer.body if isinstance(answer.body, str) else json.dumps(answer.body)
        return await _send(writer, answer.status, written.replace("{key}", key), answer.headers, answer.cut)

    def _embeddings(self, body: Body) -> Body:
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        self.counts["texts"] += len(texts)
        data = [{"object": "embedding", "index": i, "embedding": vector(t, self.size)} for i, t in enumerate(texts)]
        count = sum(tokens(text) for text in texts)
        usage = {"prompt_tokens": count, "total_tokens": count}
        return {"object": "list", "model": body["model"], "data": data, "usage": usage}

    async def _chat(self, body: Body, name: str, headers: dict[str, str], writer: asyncio.StreamWriter) -> bool:
        mode = _mode(body)
        if mode != "text" and mode not in self.modes:
            return await self._fault(HTTP_FAULTS["no_schema"], headers, writer)
        text = self._text(body)
        choice: Body = SPOILED[name](text) if name in SPOILED else {"content": text}
        if body.get("stream"):
            return await self._stream(body, text, name, writer)
        completion = self._completion(body, choice, mode)
        return await _send(writer, 200, as_message(completion) if "anthropic-version" in headers else completion)

    def _text(self, body: Body) -> str:
        schema = schema_of(body)
        said: Any
        if self.reply is not None:
            said = self.reply(body)
        elif schema is not None:
            said = valid(schema, body["messages"][-1]["content"][-40:])
        else:
            said = "It is so, as the sources say."
        return said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)

    def _completion(self, body: Body, choice: Body, mode: str) -> Body:
        answer: Body = {"id": "chatcmpl-1", "object": "chat.completion", "created": 0, "model": body["model"]}
        written = choice.get("content") or ""
        if self.usage:
            answer["usage"] = self._used(body, written)
        if "choices" in choice:
            return {**answer, **choice}
        message: Body = {"role": "assistant", "content": choice["content"], "refusal": choice.get("refusal")}
        reason = choice.get("finish_reason", "stop")
        if mode == "function_calling" and choice["content"] is not None:
            function = {"name": body["tools"][0]["function"]["name"], "arguments": choice["content"]}
            message |= {"content": None, "tool_calls": [{"id": "call_1", "type": "function", "function": function}]}
            reason = "tool_calls" if reason == "stop" else reason
        answer["choices"] = [{"index": 0, "message": message, "finish_reason": reason, "logprobs": None}]
        return answer

    def _used(self, body: Body, written: str) -> Body:
        schema = schema_of(body)  # servers that structure replies count the schema as part of the question
        asked = tokens("".join(message["content"] or "" for message in body["messages"])) + (
            tokens(schema) if schema else 0
        )
        asked = min(asked, self.longest) if self.longest else asked
        said = tokens(written)
        return {"prompt_tokens": asked, "completion_tokens": said, "total_tokens": asked + said}

    async def _stream(self, body: Body, text: str, fault: str, writer: asyncio.StreamWriter) -> bool:
        """Stream the words; STREAM_FAULTS end them in their middle."""
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n")
        words = text.split(" ")
        for number, word in enumerate(words):
            if fault in STREAM_FAULTS and number == len(words) // 2:
                return fault == "stream_end" and await _chunk(writer, b"")
            delta = {"content": word if number == len(words) - 1 else word + " "}
            await self._event(body, writer, [{"index": 0, "delta": delta, "finish_reason": None}])
        await self._event(body, writer, [{"index": 0, "delta": {}, "finish_reason": "stop"}])
        if (body.get("stream_options") or {}).get("include_usage"):
            await self._event(body, writer, [], self._used(body, text))
        await _chunk(writer, b"data: [DONE]\n\n")
        return await _chunk(writer, b"")

    async def _event(
        self, body: Body, writer: asyncio.StreamWriter, choices: list[Body], usage: Body | None = None
    ) -> None:
        event = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 0, "model": body["model"]}
        written = json.dumps({**event, "choices": choices, "usage": usage})
        await _chunk(writer, b"data: " + written.encode() + b"\n\n")


async def _chunk(writer: asyncio.StreamWriter, data: bytes) -> bool:
    writer.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
    await writer.drain()
    return True


def _mode(body: Body) -> str:
    if body.get("tools"):
        return "function_calling"
    kind = (body.get("response_format") or {}).get("type")
    return {"json_schema": "json_schema", "json_object": "json_mode"}.get(str(kind), "text")


def _head(head: bytes) -> tuple[str, dict[str, str]]:
    first, *rest = head.decode("latin-1").split("\r\n")
    headers = {}
    for line in rest:
        name, _, value = line.partition(":")
        if name:
            headers[name.lower()] = value.strip()
    return first.split(" ")[1], headers


async def _send(
    writer: asyncio.StreamWriter, status: int, body: Any, headers: dict[str, str] | None = None, cut: bool = False
) -> bool:
    content = (body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)).encode("utf-8", "replace")
    lines = {"content-type": "application/json", "date": email.utils.formatdate(usegmt=True), **(headers or {})}
    head = f"HTTP/1.1 {status} {_REASONS.get(status, 'Status')}\r\n"
    head += "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    writer.write(
        f"{head}content-length: {len(content)}\r\n\r\n".encode() + (content[: len(content) // 2] if cut else content)
    )
    await writer.drain()
    return not cut
