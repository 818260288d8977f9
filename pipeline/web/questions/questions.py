"""The questions that are asked now: so many at once, each with a number by which it is cancelled, none paid beyond the caps."""

import asyncio
import secrets
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing, closing, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import anyio
import anyio.to_thread

from pipeline.base.errors import BudgetError, GraphstrataError
from pipeline.language.service import LanguageService
from pipeline.query.answer import Answer
from pipeline.query.events import Emit, Event, events_async
from pipeline.query.index import Index
from pipeline.web.endpoint import BusyError, NotFoundError
from pipeline.web.projects import OpenIndex, ServedProject
from pipeline.web.questions.answer_events import event_of
from pipeline.web.questions.answer_pool import AnswerPool, Line
from pipeline.web.questions.cost import QuestionCost, asks_models, question_cost
from pipeline.web.questions.question_log import QuestionLog
from pipeline.web.questions.request import QuestionBody
from pipeline.web.replies import error_lines


class CancelledQuestionError(GraphstrataError):
    """Whoever asked a question is gone, or took it back."""


GONE = CancelledQuestionError("the question was cancelled", "no model is asked anything more", "ask it again")


@dataclass
class _QuestionRun:
    """A question under way."""

    id: str
    project: ServedProject
    body: QuestionBody
    loop: asyncio.AbstractEventLoop
    cancelled: asyncio.Event = field(default_factory=asyncio.Event)
    service: LanguageService | None = None
    outcome: str = "cancelled"

    def cancel(self) -> None:
        """Ask no model anything more, and end."""
        self.cancelled.set()
        if self.service is not None:
            self.service.cancel(GONE)


@dataclass
class _Turns:
    """Whose turn it is in one project."""

    places: asyncio.Semaphore
    most: int
    waiting: int = 0

    async def enter(self) -> None:
        """Wait for a place; BusyError where too many wait already."""
        if self.places.locked() and self.waiting >= self.most:
            raise BusyError(f"{self.most} questions are waiting", "no more are taken on", "ask again in a moment")
        self.waiting += 1
        try:
            await self.places.acquire()
        finally:
            self.waiting -= 1


class QuestionRuns:
    """All questions of one server. Those that no model answers are answered by the processes of a pool, where there is one;
    all others in threads of this process."""

    def __init__(self, pool: AnswerPool | None = None) -> None:
        self._pool = pool
        self._loop: asyncio.AbstractEventLoop | None = None
        self._runs: dict[str, _QuestionRun] = {}
        self._turns: dict[str, _Turns] = {}

    async def ask(self, project: ServedProject, body: QuestionBody) -> AsyncIterator[Line]:
        """Yield the events of a question, the last of them its answer or an error. Who stops taking them cancels it."""
        run = _QuestionRun(f"q-{secrets.token_hex(8)}", project, body, asyncio.get_running_loop())
        self._runs[run.id] = run
        try:
            opened = await anyio.to_thread.run_sync(project.open)
            async with aclosing(self._events(run, opened)) as lines:  # type: ignore[type-var]
                async for line in lines:
                    yield line
        except GraphstrataError as error:
            yield {"event": "error", "error": error_lines(error)}
        finally:
            run.cancel()
            del self._runs[run.id]

    def begin(self) -> None:
        """Say that questions are asked in the event loop that runs now."""
        self._loop = asyncio.get_running_loop()

    def expect(self, project: ServedProject) -> None:
        """Prepare for the questions of whoever opens a project, from any thread, which waits for nothing: the loop may be
        busy, or end."""
        if self._pool is not None and self._loop is not None and not asks_models(project.open().index):
            with suppress(RuntimeError):  # the server has stopped meanwhile
                self._loop.call_soon_threadsafe(self._pool.expect, project.root)

    def cancel(self, project: ServedProject, run: str) -> None:
        """Cancel a question, from any thread; NotFoundError where none of that number is under way in the project."""
        found = self._runs.get(run)
        if found is None or found.project is not project:
            raise NotFoundError(
                f"no question {run!r} is under way", "it has ended, or never began", "nothing is to be done"
            )
        found.loop.call_soon_threadsafe(found.cancel)

    async def _events(self, run: _QuestionRun, opened: OpenIndex) -> AsyncIterator[Line]:
        index, limit = opened.index, None
        asks = asks_models(index)
        pool = None if asks else self._pool
        if pool is None:
            await anyio.to_thread.run_sync(opened.prepare)
        if asks:
            if not run.body.accept_cost:
                cost = await anyio.to_thread.run_sync(question_cost, index, run.body)
                if not cost.free:
                    yield {"event": "needs_acceptance", "estimate": plain_cost(cost, index)}
                    return
            limit = await anyio.to_thread.run_sync(_limit, index, run.body)
        yield {"event": "start", "run": run.id, "method": run.body.method, "reason": ""}
        serve = index.settings.serve
        turns = self._turns.setdefault(
            run.project.id, _Turns(asyncio.Semaphore(serve.questions_at_once), serve.questions_waiting)
        )
        await turns.enter()
        release = partial(run.loop.call_soon_threadsafe, turns.places.release)
        if pool is None:
            lines = _lines(opened, events_async(partial(_answer, run, opened, limit, release)))
        else:
            lines = pool.lines(run.project.root, run.body, turns.places.release)
        async with aclosing(_watched(run, lines)) as watched:
            async for line in watched:
                yield line


async def _lines(opened: OpenIndex, events: AsyncGenerator[Event, None]) -> AsyncGenerator[Line, None]:
    """Yield the lines of events."""
    async with aclosing(events):
        async for event in events:
            for line in await anyio.to_thread.run_sync(event_of, opened, event):
                yield line


async def _watched(run: _QuestionRun, lines: AsyncGenerator[Line, None]) -> AsyncGenerator[Line, None]:
    """Yield lines until the answer or an error; the error GONE as soon as the question is cancelled."""
    cancelled = asyncio.ensure_future(run.cancelled.wait())
    coming: asyncio.Future[Line] | None = None
    try:
        while True:
            coming = asyncio.ensure_future(anext(lines))
            await asyncio.wait((coming, cancelled), return_when=asyncio.FIRST_COMPLETED)
            if not coming.done():
                raise GONE
            line = coming.result()
            yield line
            if line["event"] in ("answer", "error"):
                return
    finally:
        run.cancel()
        cancelled.cancel()
        if coming is not None:
            coming.cancel()
            with anyio.CancelScope(shield=True):
                await asyncio.wait((coming,))
                await lines.aclose()


def plain_cost(cost: QuestionCost, index: Index) -> dict[str, Any]:
    """Return what a question to an index would cost as plain values."""
    return {**cost._asdict(), "currency": index.settings.shown_currency}


def _limit(index: Index, body: QuestionBody) -> float | None:
    """Return what the question may cost by the caps of settings; None without a cap. What is free is asked in any case."""
    serve = index.settings.serve
    try:
        return QuestionLog(index.generation.folder).allowance(serve.max_cost_per_question, serve.max_cost_per_day)
    except BudgetError:
        if question_cost(index, body).free:
            return 0.0
        raise


def _answer(
    run: _QuestionRun, opened: OpenIndex, limit: float | None, release: Callable[[], object], emit: Emit
) -> Answer:
    """Answer a question in the thread of its own that a search has; what it took is entered in the log."""
    try:
        body, index = run.body, run.body.index(opened.index, limit)
        if not asks_models(index):
            return index.ask(body.question, body.method, watch=emit, listen=emit, **body.options())
        return _logged(run, index, limit, emit)
    finally:
        with suppress(RuntimeError):  # the server has stopped meanwhile
            release()


def _logged(run: _QuestionRun, index: Index, limit: float | None, emit: Emit) -> Answer:
    body, log, began = run.body, QuestionLog(index.generation.folder), time.monotonic()
    log.begin(run.id, body.method, limit)
    with closing(index.open_service()) as service:
        run.service = service
        if run.cancelled.is_set():
            service.cancel(GONE)
        try:
            answer = index.ask(body.question, body.method, watch=emit, listen=emit, language=service, **body.options())
            run.outcome = answer.outcome
            return answer
        except GraphstrataError as error:
            run.outcome = "cancelled" if error is GONE else f"failed: {error.found}"
            raise
        finally:
            totals = service.ledger.totals()
            cost = service.budget.cost if service.budget else totals["cost"]
            log.end(run.id, run.outcome, cost, int(totals["calls"]), time.monotonic() - began)
