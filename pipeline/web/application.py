"""The application: the API, the page and its files behind one guard."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, nullcontext
from functools import partial
from typing import Any

import anyio
import anyio.to_thread
from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from pipeline.base.errors import GraphstrataError
from pipeline.web.api import (
    communities,
    corrections,
    cypher,
    documents,
    entities,
    health,
    map,
    members,
    overview,
    questions,
    recurring,
    tables,
)
from pipeline.web.assets import Assets
from pipeline.web.endpoint import LINES, BusyError, Endpoint, NotFoundError, RequestError, misfit
from pipeline.web.guard import Access, Bounds, Guard
from pipeline.web.mcp.serving import McpOverHttp, installed, missing
from pipeline.web.openapi import openapi
from pipeline.web.projects import Projects
from pipeline.web.questions.answer_pool import AnswerPool
from pipeline.web.questions.questions import QuestionRuns
from pipeline.web.replies import LinesResponse, encode, error_response, status_of
from pipeline.web.reports_page import error_page, projects_page, reports_page
from pipeline.web.warming import warm

PREFIX = "/api/v1"
ENDPOINTS: tuple[Endpoint, ...] = (
    *overview.ENDPOINTS,
    *recurring.ENDPOINTS,
    *map.ENDPOINTS,
    *members.ENDPOINTS,
    *entities.ENDPOINTS,
    *communities.ENDPOINTS,
    *documents.ENDPOINTS,
    *tables.ENDPOINTS,
    *cypher.ENDPOINTS,
    *questions.ENDPOINTS,
    *health.ENDPOINTS,
    *corrections.ENDPOINTS,
)
THREADS = 2
"""Requests for rows that are worked on at once; the others wait their turn. More would take the interpreter from each other and
from the loop that reads and writes: ten readers at once then wait longer, the unluckiest most."""
SECONDS = 60
"""How long a request for rows may take."""


def application(projects: Projects, access: Access = Access(), bounds: Bounds = Bounds()) -> ASGIApp:  # noqa: B008 -- frozen
    """Return the ASGI application that serves ``projects``."""
    server = _Server(projects)
    routes = [Route(f"{PREFIX}/openapi.json", server.description)]
    routes += [
        Route(PREFIX + one.path, partial(server.call, one), methods=[one.method], name=one.name) for one in ENDPOINTS
    ]
    routes += [
        Route("/", server.home),
        Route("/p/{project}/", server.page),
        Route("/p/{project}", server.page),
        Route("/p/{project}/reports", server.reports),
        Route("/assets/{name:path}", server.asset),
    ]
    mcp = McpOverHttp(projects, server.questions) if installed() else None
    routes.append(Route("/mcp", mcp.app if mcp else _NoMcp()))

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        server.questions.begin()
        warming = asyncio.create_task(warm(projects, server.questions))
        try:
            async with mcp.running() if mcp else nullcontext():
                yield
        finally:
            warming.cancel()
            server.pool.close()

    handlers = {404: _not_found, 405: _not_allowed}
    return Guard(Starlette(routes=routes, exception_handlers=handlers, lifespan=lifespan), access, bounds)


class _NoMcp:
    """Answers at /mcp where the SDK is not installed."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Say what to install."""
        await error_response(missing(), Headers(scope=scope))(scope, receive, send)


class _Server:
    """What the routes lead to."""

    def __init__(self, projects: Projects) -> None:
        self._projects, self._assets = projects, Assets()
        self.pool = AnswerPool()
        self.questions = QuestionRuns(self.pool)
        self._threads = anyio.CapacityLimiter(THREADS)
        self._threads_of = {one: anyio.CapacityLimiter(one.at_once) for one in ENDPOINTS if one.at_once}
        self._description = encode(openapi(ENDPOINTS, PREFIX))

    async def call(self, one: Endpoint, request: Request) -> ASGIApp:
        """Carry out an endpoint in a thread and return what it says; one that writes line by line begins when it is read."""
        try:
            given = await self._given(one, request)
            if one.media == LINES:
                return LinesResponse(one.run(**given), one.media)
            with anyio.move_on_after(SECONDS):
                threads = self._threads_of.get(one, self._threads)
                return await self._in_thread(lambda: encode(one.run(**given)).response(request.headers), threads)
            raise BusyError(f"this took more than {SECONDS} seconds", "it was given up", "ask for less, or later")
        except GraphstrataError as error:
            return error_response(error, request.headers)

    async def _given(self, one: Endpoint, request: Request) -> dict[str, Any]:
        found: dict[str, Any] = {name: value for name, value in request.path_params.items() if name != "project"}
        for name in dict.fromkeys(request.query_params):
            values = request.query_params.getlist(name)
            if len(values) > 1 and name not in one.lists:
                raise RequestError(f"{name} is given {len(values)} times", "only one can hold", "give it once")
            found[name] = values if name in one.lists else values[0]
        given = one.check(found)
        if "projects" in one.takes:
            given["projects"] = self._projects
        if "project" in one.takes:
            given["project"] = self._projects.get(request.path_params["project"])
        if "questions" in one.takes:
            given["questions"] = self.questions
        if one.body is not None:
            given["body"] = body_of(one, await request.body())
        return given

    async def _in_thread(self, work: Callable[[], Response], threads: anyio.CapacityLimiter | None = None) -> Response:
        return await anyio.to_thread.run_sync(work, limiter=threads or self._threads, abandon_on_cancel=True)

    async def description(self, request: Request) -> Response:
        """The OpenAPI document."""
        return self._description.response(request.headers)

    async def home(self, request: Request) -> Response:
        """The only project's page, or the list of projects."""
        if len(self._projects) == 1:
            return RedirectResponse(f"/p/{next(iter(self._projects)).id}/")
        return await self._html(lambda: projects_page(self._projects))

    async def page(self, request: Request) -> Response:
        """The page of a project; where it has none to show, what to do."""
        try:
            project = self._projects.get(request.path_params["project"])
            if not request.url.path.endswith("/"):
                return RedirectResponse(f"/p/{project.id}/")
            if "index.html" in self._assets:
                return self._assets.response(request, "index.html")
        except GraphstrataError as error:
            return HTMLResponse(error_page(error), status_of(error))
        return await self.reports(request)

    async def reports(self, request: Request) -> Response:
        """All reports of a project as one page without a script."""
        return await self._html(lambda: reports_page(self._projects.get(request.path_params["project"])))

    async def _html(self, make: Callable[[], str]) -> Response:
        def work() -> Response:
            try:
                return HTMLResponse(make())
            except GraphstrataError as error:
                return HTMLResponse(error_page(error), status_of(error))

        return await self._in_thread(work)

    async def asset(self, request: Request) -> Response:
        """A file of the page."""
        try:
            return self._assets.response(request, request.path_params["name"])
        except GraphstrataError as error:
            return error_response(error, request.headers)


def body_of(one: Endpoint, content: bytes) -> Any:
    """Return the body of a request as the endpoint takes it; RequestError for what is no JSON, or does not fit."""
    if one.body is None:
        return None
    try:
        return one.body.model_validate(json.loads(content or b"{}"))
    except ValidationError as error:
        raise misfit(error, "body") from error
    except (ValueError, RecursionError) as error:
        raise RequestError("the body is no JSON", "the request was not carried out", "send a JSON object") from error


async def _not_found(request: Request, _: Exception) -> Response:
    error = NotFoundError(f"nothing is at {request.url.path}", "no reply", f"see {PREFIX}/openapi.json, or open /")
    return error_response(error, request.headers)


async def _not_allowed(request: Request, _: Exception) -> Response:
    error = _MethodError(f"{request.method} is not for {request.url.path}", "no reply", f"see {PREFIX}/openapi.json")
    return error_response(error, request.headers)


class _MethodError(RequestError):
    """A path is asked by a method that it does not have."""

    status = 405  # type: ignore[assignment]
