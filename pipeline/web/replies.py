"""Replies as bytes: JSON, compressed where that is worth it, and errors as JSON with a fitting status."""

import json
import sys
import traceback
import zlib
from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from http import HTTPStatus
from typing import Any, TypeVar, cast

import anyio
import pydantic_core
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from typing_extensions import TypedDict

from pipeline.base.errors import (
    BudgetError,
    GraphstrataError,
    LockError,
    ModelError,
    QuestionError,
    SettingsError,
    StoreError,
)
from pipeline.language.transport.api_keys import redact
from pipeline.web.endpoint import RequestError
from pipeline.web.projects import OpenIndex

WORTH = 1400
"""Bytes from which a reply is compressed: below, it is one packet either way."""

STATUS: tuple[tuple[type[GraphstrataError], HTTPStatus], ...] = (
    (LockError, HTTPStatus.CONFLICT),
    (QuestionError, HTTPStatus.BAD_REQUEST),
    (BudgetError, HTTPStatus.PAYMENT_REQUIRED),
    (ModelError, HTTPStatus.BAD_GATEWAY),
    (StoreError, HTTPStatus.SERVICE_UNAVAILABLE),
    (SettingsError, HTTPStatus.SERVICE_UNAVAILABLE),
)
T = TypeVar("T")


@dataclass(frozen=True)
class Encoded:
    """A reply as it is sent, plain or compressed."""

    plain: bytes
    media: str = "application/json"
    level: int = 5

    @cached_property
    def compressed(self) -> bytes:
        """The reply compressed, made when it is first asked for; empty where it would be no shorter."""
        if len(self.plain) < WORTH:
            return b""
        packer = zlib.compressobj(self.level, zlib.DEFLATED, 31)
        packed = packer.compress(self.plain) + packer.flush()
        return packed if len(packed) < len(self.plain) else b""

    def response(self, headers: Headers, extra: Mapping[str, str] | None = None, status: int = 200) -> Response:
        """Return the response to a request with these headers."""
        if accepts_gzip(headers) and self.compressed:
            added = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding", **(extra or {})}
            return Response(self.compressed, status, added, self.media)
        return Response(self.plain, status, {"Vary": "Accept-Encoding", **(extra or {})}, self.media)


def accepts_gzip(headers: Headers) -> bool:
    """Return whether whoever asks can read gzip."""
    return any(part.split(";")[0].strip() == "gzip" for part in headers.get("accept-encoding", "").split(","))


def encode(value: Any) -> Encoded:
    """Return a value as JSON; what is encoded already stays as it is."""
    if isinstance(value, Encoded):
        return value
    return Encoded(to_json(value))


def to_json(value: Any) -> bytes:
    """Return a value as JSON on one line. Half of a surrogate pair, which has no bytes, becomes a question mark."""
    try:
        return pydantic_core.to_json(value, fallback=str, inf_nan_mode="null")
    except pydantic_core.PydanticSerializationError:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str).encode("utf-8", "replace")


def encoded_once(opened: OpenIndex, key: str, make: Callable[[], T]) -> T:
    """Return the reply that ``make`` makes, made and encoded once for all readers of a generation."""
    return cast(T, opened.once(key, lambda: encode(make())))


class LinesResponse:
    """A reply that is written line by line, an object each, as they come. Whoever leaves ends what makes them."""

    def __init__(self, lines: AsyncGenerator[Any, None], media: str) -> None:
        self._lines, self._media = lines, media

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Write the lines until there are no more, or nobody reads them."""
        headers = [(b"content-type", self._media.encode()), (b"cache-control", b"no-store")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        async with anyio.create_task_group() as group:
            group.start_soon(self._until_left, receive, group.cancel_scope)
            try:
                async for line in self._lines:
                    await send({"type": "http.response.body", "body": _line(line), "more_body": True})
                await send({"type": "http.response.body", "body": b""})
            finally:
                with anyio.CancelScope(shield=True):
                    await self._lines.aclose()
            group.cancel_scope.cancel()

    async def _until_left(self, receive: Receive, scope: anyio.CancelScope) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        scope.cancel()


def _line(value: Any) -> bytes:
    return to_json(value) + b"\n"


def known_error(error: Exception) -> GraphstrataError:
    """Return an error in three lines; an unexpected one is shown to whoever runs the server, in full."""
    if isinstance(error, GraphstrataError):
        return error
    traceback.print_exception(error, file=sys.stderr)
    return GraphstrataError(
        f"unexpected {type(error).__name__}",
        "this is a fault of graphstrata; the request was not carried out",
        "the server's own output says more",
    )


def error_response(error: Exception, headers: Headers) -> Response:
    """Return an error as a reply."""
    known = known_error(error)
    status = status_of(known)
    extra = {"WWW-Authenticate": "Bearer"} if status == HTTPStatus.UNAUTHORIZED else None
    return encode({"error": error_lines(known)}).response(headers, extra, status)


class ErrorLines(TypedDict):
    """An error: its cause, what follows from it, what to do."""

    cause: str
    consequence: str
    fix: str


def error_lines(error: GraphstrataError) -> ErrorLines:
    """Return the three lines of an error by name; what looks like a key is masked."""
    return {"cause": redact(error.found), "consequence": redact(error.why), "fix": redact(error.fix)}


def status_of(error: GraphstrataError) -> int:
    """Return the status of HTTP that fits an error."""
    if isinstance(error, RequestError):
        return int(error.status)
    return int(next((status for kind, status in STATUS if isinstance(error, kind)), HTTPStatus.INTERNAL_SERVER_ERROR))
