"""Who may ask, how much and for how long: checks of every request before anything else sees it, and headers of every reply."""

import asyncio
import hmac
import re
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import urlsplit

import anyio
from starlette.datastructures import Headers, QueryParams
from starlette.requests import cookie_parser
from starlette.responses import HTMLResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pipeline.web.endpoint import BusyError, RefusedError, RequestError
from pipeline.web.replies import error_response, known_error
from pipeline.web.reports_page import error_page, opening_page

COOKIE = "graphstrata_reports"
"""Lets a browser without a script open pages of reports by their addresses, and nothing else."""
LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})
OPEN = ("/", "/assets/", "/p/")
"""What a page is loaded from before it can send a token; nothing of any corpus is in it. Reports need the token."""
REPORTS = re.compile(r"/p/[^/]+/reports")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
]


class UnauthorizedError(RequestError):
    """The token is missing or is not the server's."""

    status = HTTPStatus.UNAUTHORIZED


class TooLargeError(RequestError):
    """The request's body is larger than any that is needed."""

    status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE


class TooSlowError(RequestError):
    """The request's body did not arrive in time."""

    status = HTTPStatus.REQUEST_TIMEOUT


@dataclass(frozen=True)
class Access:
    """Who may ask: ``hosts`` are the names by which the server may be called, None for any; ``token`` is what must come
    with every request for data, None where nobody needs one."""

    hosts: frozenset[str] | None = LOCAL
    token: str | None = None

    def is_token(self, given: str) -> bool:
        """Return whether a text is the token, in a time that does not tell how much of it is right."""
        return hmac.compare_digest(given.strip().encode(), str(self.token).encode())

    @property
    def cookie(self) -> str:
        """What the cookie for reports holds: made from the token, which cannot be had back from it."""
        return hmac.new(str(self.token).encode(), COOKIE.encode(), "sha256").hexdigest()


@dataclass(frozen=True)
class Bounds:
    """How much: bytes and seconds of a request's body, seconds in which a reader takes each part of the reply, and requests
    that are answered at once."""

    body_bytes: int = 1_000_000
    body_seconds: float = 20
    send_seconds: float = 60
    at_once: int = 512


class Guard:
    """An ASGI application around another one."""

    def __init__(self, app: ASGIApp, access: Access, bounds: Bounds) -> None:
        self._app, self._access, self._bounds = app, access, bounds
        self._running = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1008})

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        started = False

        async def dressed(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                own = {name.lower() for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(pair for pair in HEADERS if pair[0] not in own)]
                if b"cache-control" not in own:
                    message["headers"].append((b"cache-control", b"no-store"))
            async with asyncio.timeout(self._bounds.send_seconds):
                await send(message)

        self._running += 1
        try:
            self._check(scope, headers)
            app = self._entering(scope) or self._app
            await app(scope, self._bounded(receive), dressed)
        except TimeoutError:
            return  # nobody takes the reply: the server closes the connection
        except Exception as error:
            if started:
                raise
            reply = error_response(error, headers)
            if REPORTS.fullmatch(scope["path"]):  # a browser shows it to a person
                known, kept = known_error(error), {"WWW-Authenticate": "Bearer"}
                reply = HTMLResponse(error_page(known), reply.status_code, kept if reply.status_code == 401 else None)
            await reply(scope, receive, dressed)
        finally:
            self._running -= 1

    def _check(self, scope: Scope, headers: Headers) -> None:
        if self._running > self._bounds.at_once:
            raise BusyError(
                f"{self._bounds.at_once} requests are being answered", "no more are taken on", "ask again in a moment"
            )
        self._check_host(headers)
        self._check_origin(scope, headers)
        path = scope["path"]
        page = path == "/" or any(path.startswith(start) for start in OPEN[1:])
        reports = REPORTS.fullmatch(path) is not None
        needed = self._access.token is not None and (reports or not page)
        if needed and not (reports and scope["method"] == "GET" and self._may_read_reports(scope, headers)):
            self._check_token(headers)
        if int(headers.get("content-length") or 0) > self._bounds.body_bytes:
            raise self._too_large()

    def _check_host(self, headers: Headers) -> None:
        """Refuse names that are not the server's: a page of another site may have had its own name point here."""
        given = headers.getlist("host")
        host = _hostname(given[0]) if len(given) == 1 else None
        if host is None or (self._access.hosts is not None and host not in self._access.hosts):
            raise RefusedError(
                f"this server is not called {host or 'so'}",
                "a page of another site may be asking in a reader's name",
                "use the address that graphstrata serve printed",
            )

    def _check_origin(self, scope: Scope, headers: Headers) -> None:
        """Refuse what a page of another site sends."""
        origin = headers.get("origin")
        foreign = origin is not None and urlsplit(origin).netloc != headers.get("host")
        site = headers.get("sec-fetch-site", "same-origin")
        opens = scope["method"] == "GET" and headers.get("sec-fetch-mode") == "navigate"
        if foreign or (site not in ("same-origin", "none") and not opens):
            raise RefusedError(
                "the request comes from a page of another site",
                "only the server's own page may ask in a reader's name",
                "open the address that graphstrata serve printed",
            )

    def _check_token(self, headers: Headers) -> None:
        kind, _, given = headers.get("authorization", "").partition(" ")
        if kind.casefold() != "bearer" or not self._access.is_token(given):
            raise UnauthorizedError(
                "the token is missing or wrong",
                "this server answers only who has it",
                "send the header Authorization: Bearer TOKEN, or open the address with #token= that the server printed; "
                "reports without a script open at .../reports?token=TOKEN",
            )

    def _may_read_reports(self, scope: Scope, headers: Headers) -> bool:
        """Return whether a browser that opens a page of reports has the cookie, or the token in the address."""
        given = cookie_parser(headers.get("cookie", "")).get(COOKIE, "")
        return hmac.compare_digest(given.encode(), self._access.cookie.encode()) or self._entering(scope) is not None

    def _entering(self, scope: Scope) -> ASGIApp | None:
        """Return the reply to the address of reports with the token in it: a cookie, and the way to the address without.

        The page is opened from that reply and not by a redirect, since browsers keep a strict cookie from those that
        another site's link began.
        """
        given = QueryParams(scope["query_string"]).get("token")
        if self._access.token is None or given is None or not REPORTS.fullmatch(scope["path"]):
            return None
        if not self._access.is_token(given):
            return None
        reply = HTMLResponse(opening_page(scope["path"]))
        reply.set_cookie(COOKIE, self._access.cookie, path="/p/", httponly=True, samesite="strict")
        return reply

    def _bounded(self, receive: Receive) -> Receive:
        """Return ``receive`` for a body of bounded size and time."""
        received = 0
        whole = False
        deadline = anyio.current_time() + self._bounds.body_seconds

        async def bounded() -> Message:
            nonlocal received, whole
            if whole:
                return await receive()
            with anyio.move_on_at(deadline):
                message = await receive()
                received += len(message.get("body", b""))
                whole = not message.get("more_body", False)
                if received > self._bounds.body_bytes:
                    raise self._too_large()
                return message
            raise TooSlowError(
                f"the body did not arrive within {self._bounds.body_seconds:g} seconds",
                "it was not read to its end",
                "send it at once",
            )

        return bounded

    def _too_large(self) -> TooLargeError:
        return TooLargeError(
            f"the body is larger than {self._bounds.body_bytes:,} bytes",
            "it was not read",
            "send less; a question is a few lines",
        )


def _hostname(host: str) -> str | None:
    try:
        parts = urlsplit(f"//{host}")
        return parts.hostname if parts.hostname and not parts.path and not parts.username and parts.port != 0 else None
    except ValueError:
        return None
