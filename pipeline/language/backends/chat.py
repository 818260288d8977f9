"""Models as a backend: questions are rendered, sent within their model's limits, and come back as validated replies."""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from pipeline.base.engine.engine import Call, Engine
from pipeline.base.errors import PlanError
from pipeline.base.ids import content_id, dump
from pipeline.base.settings import ModelSettings, Settings
from pipeline.base.task import Failure, Prompt, Request, Task
from pipeline.language.backends.backend import Answers, PaidFailure, Requests, accept
from pipeline.language.backends.given_model import GIVEN, GivenModel
from pipeline.language.backends.streaming import stream
from pipeline.language.budget import Budget
from pipeline.language.language import Reply
from pipeline.language.ledger import Ledger
from pipeline.language.tasks.registry import TASKS
from pipeline.language.transport import event_loop
from pipeline.language.transport.api_keys import read_key, redact
from pipeline.language.transport.calls import BuildSender, CallToModel, Sender
from pipeline.language.transport.classify_errors import Fault, FaultyCall
from pipeline.language.transport.custom_prompts import common, own_prompts
from pipeline.language.transport.providers import Client, chat_client, messages_of
from pipeline.language.transport.rate_limit import Called, RateLimiter, Unanswered
from pipeline.language.transport.schema import strict_schema
from pipeline.language.transport.structured import Form, RawReply, Unusable, form, read
from pipeline.language.transport.task_pool import Stop

_AGAIN = "\n\n(Your last reply could not be used: {reason}. Reply again in full, in the form asked for.)"
_FINAL = {"refused", "too_long"}
"""Faults of a reply that another try does not fix."""


@dataclass
class _Usage:
    """What the calls for one request took so far."""

    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0
    attempts: int = 0
    cost: float | None = 0.0

    def add(self, called: Called[Any]) -> None:
        self.tokens_in += called.tokens_in
        self.tokens_out += called.tokens_out
        self.attempts += called.attempts
        self.seconds += called.seconds
        self.cost = None if self.cost is None or called.cost is None else self.cost + called.cost


@dataclass
class ModelBackend:
    """Answers tasks by one chat model. The client is built at the first request, so that a run whose replies are all in
    the cache imports no client library.

    ``prompts`` holds own prompts by task, ``common`` the fillings of the placeholders that settings fill; ``count`` is
    called with each fault of a reply (task, name). ``given`` is the model itself where a program hands one over.
    """

    name: str
    model: ModelSettings
    limiter: RateLimiter
    count: Callable[[str, str], None] = lambda task, name: None
    prompts: Mapping[str, Prompt] = field(default_factory=dict)
    common: Mapping[str, str] = field(default_factory=dict)
    max_repairs: int = 2
    given: GivenModel | None = None
    paid: bool = True
    engine: Engine | None = None
    """Whose workers make the calls, where it has any for that; this process decides when each is made."""
    _shapes: dict[str, dict[str, str]] = field(default_factory=dict, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)
    _client: Client | None = field(default=None, repr=False)
    _calls: Callable[[CallToModel], Awaitable[RawReply]] | None = field(default=None, repr=False)
    _forms: dict[str, Form[Any]] = field(default_factory=dict, repr=False)

    def parts(self, task: Task[Any, Any], request: Request) -> dict[str, str]:
        """The model and its parameters, the prompt, the rendered request, and the reply's schema."""
        return {**self._shaping(task), "request": content_id(*self.render(task, request))}

    def signature(self, task: Task[Any, Any]) -> str:
        """The model and its parameters, the prompt with what settings put in it, and the reply's schema."""
        prompt = self._prompt(task)
        filled = {name: text for name, text in self.common.items() if name in prompt.fields}
        return dump({**self._shaping(task), **filled, "max_repairs": str(self.max_repairs)})

    def _shaping(self, task: Task[Any, Any]) -> dict[str, str]:
        """Return what shapes all replies to a task; made once, since a schema takes longer than a request.

        The server's address is left out: the same model elsewhere gives the same replies, and an address may hold a secret.
        """
        if task.name not in self._shapes:
            model, prompt = self.model, self._prompt(task)
            names = ("provider", "model", "temperature", "seed", "structured", "max_output_tokens")
            given = {name: str(getattr(model, name)) for name in names if getattr(model, name) is not None}
            if self.given is not None:
                given = {**self.given.shaping(), "structured": model.structured}
            schema = content_id(dump(strict_schema(task.reply)))
            self._shapes[task.name] = {**given, "prompt": content_id(prompt.system, prompt.user), "schema": schema}
        return self._shapes[task.name]

    def _prompt(self, task: Task[Any, Any]) -> Prompt:
        prompt = self.prompts.get(task.name, task.prompt)
        if prompt is None:
            raise PlanError(f"task {task.name} has no prompt; it is answered without a model")
        return prompt

    def begin(self, task: Task[Any, Any], requests: Requests, answers: Answers, stream: bool = False) -> None:
        """Begin a call for each request. May be called from several threads at once, and where an event loop is running.

        The client is built here, in the caller's thread. ModelError or BudgetError end the answers once no further call
        makes sense.
        """
        self.form(task)
        self._made()
        answers.begin((tag, partial(self.answer, task, request, answers, tag, stream)) for tag, request in requests)

    def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            event_loop.run(self._client.close())
        self._client = self._calls = None

    def client(self) -> Client:
        """Return the client, built when it is first needed."""
        with self._lock:
            if self._client is None:
                self._client = self.given.client() if self.given else chat_client(self.name, self.model)
            return self._client

    def render(self, task: Task[Any, Any], request: Request) -> tuple[str, str]:
        """Return the system and user text of a request, by the own prompt where there is one."""
        return task.render(request, self.prompts.get(task.name), self.common)

    async def answer(
        self, task: Task[Any, Any], request: Request, answers: Answers, tag: str, stream: bool, stop: Stop
    ) -> Reply[Any] | Failure:
        """Answer within the model's limit of requests at once; a reply that cannot be used is requested again.

        The reply is kept by ``answers`` before another request takes its place. A text that is shown while it is written
        (``stream``) and breaks off is requested once more, whole.
        """
        show = partial(answers.note, tag) if stream else None
        usage, reason = _Usage(), ""
        repairs = self.max_repairs
        async with self.limiter.places:
            while True:
                here, show = show, None  # only the first try is shown while it is written
                try:
                    reply = await self._call(task, request, reason, here, usage, stop)
                    value = accept(task, request, read(reply, task, partial(self.count, task.name)))
                except Unanswered as error:
                    usage.attempts, usage.seconds = usage.attempts + error.attempts, usage.seconds + error.seconds
                    if here and error.fault.name == "broken_off":
                        continue
                    return self._failure(usage, f"{error.fault.name}: {error.fault.text}")
                except ValueError as error:
                    name = error.name if isinstance(error, Unusable) else "misfit"
                    self.count(task.name, name)
                    await asyncio.to_thread(self.limiter.budget.spending.write)
                    reason = " ".join(redact(error).split())[:500]
                    if name in _FINAL or not (here or repairs):
                        return self._failure(usage, f"{name}: {reason}")
                    repairs -= here is None
                    continue
                took = (usage.tokens_in, usage.tokens_out, usage.cost, usage.seconds, usage.attempts)
                whole = Reply(value, self.model.model, *took, streamed=here is not None)
                await answers.keep(tag, whole)
                return whole

    async def _call(
        self,
        task: Task[Any, Any],
        request: Request,
        reason: str,
        show: Callable[[str], None] | None,
        usage: _Usage,
        stop: Stop,
    ) -> RawReply:
        form = self.form(task)
        system, user = self.render(task, request)
        user += _AGAIN.format(reason=reason) if reason else ""
        system += form.suffix
        n_bytes = sum(len(text.encode("utf-8", "replace")) for text in (system, user)) + form.n_bytes

        async def call() -> tuple[RawReply, int, int]:
            if show:
                reply = await stream(self.client(), messages_of(system, user), show)
            else:
                reply = await self._made()(CallToModel(task, system, user))
            return reply, *reply.tokens(n_bytes)

        called = await self.limiter.call(task.name, n_bytes, call, stop)
        usage.add(called)
        return called.value

    def form(self, task: Task[Any, Any]) -> Form[Any]:
        """Return how the reply to ``task`` is requested."""
        if task.name not in self._forms:
            self._forms[task.name] = form(task, self.model.structured)
        return self._forms[task.name]

    def _made(self) -> Callable[[CallToModel], Awaitable[RawReply]]:
        """Return what makes calls: the engine's workers, or this process."""
        if self._calls is None:
            remote = self.engine if self.given is None else None  # an object of this process stays in it
            elsewhere = remote.calls(BuildSender(self.name, self.model)) if remote else None
            self._calls = partial(_elsewhere, elsewhere) if elsewhere else Sender(self.client(), self.model)
        return self._calls

    def _failure(self, usage: _Usage, reason: str) -> Failure:
        took = (usage.tokens_in, usage.tokens_out, usage.cost, usage.seconds)
        return PaidFailure(reason, usage.attempts, self.model.model, *took)


async def _elsewhere(calls: Call, one: CallToModel) -> RawReply:
    """Have a worker make a call; FaultyCall with what it met where it brought no reply."""
    reply = await calls(one)
    if isinstance(reply, Fault):
        raise FaultyCall(reply)
    found: RawReply = reply
    return found


def chat_backends(
    settings: Settings,
    ledger: Ledger,
    budget: Budget | None = None,
    root: Path = Path(),
    tasks: Mapping[str, Task[Any, Any]] = TASKS,
    log: Callable[[str], None] = lambda line: None,
    need_key: bool = True,
    given: GivenModel | None = None,
    engine: Engine | None = None,
) -> tuple[ModelBackend | None, dict[str, ModelBackend]]:
    """Return the backend of ``language.default`` (None where no model is set) and those of tasks that name another model.

    All share ``budget``, by default one of ``settings.limits``; tasks that name the same model share its rate limiter.
    ``root`` is the folder that files of own prompts are relative to, ``tasks`` all tasks by name; ``log`` is called with
    a line when a server asks to wait; the workers of ``engine`` make the calls where it has any for that.
    No call is made and no client library imported, yet a missing key (ModelError,
    unless ``need_key`` is off), a missing price under a cap on cost, an unknown task and an unfit prompt (SettingsError)
    are reported here. ``given`` takes the place of ``language.default``: what settings say of limits and prices there
    still holds.
    """
    budget = budget or Budget(settings.limits)
    prompts, filled = own_prompts(settings, root, tasks), common(settings)
    made: dict[str, ModelBackend] = {}
    default = settings.language.default or (GIVEN if given else None)

    def backend(name: str) -> ModelBackend:
        if name not in made:
            own = given if name == default else None
            model = own.settings(settings.models.get(name)) if own else settings.models[name]
            if need_key and own is None:
                read_key(name, model)
            if warning := budget.check_model(name, model):
                log(warning)
            limiter = RateLimiter(name, model, budget, ledger.fault, log)
            made[name] = ModelBackend(
                name, model, limiter, ledger.fault, prompts, filled, settings.language.max_repairs, own, engine=engine
            )
        return made[name]

    by_task = {task: backend(own.model) for task, own in settings.tasks.items() if own.model not in (None, default)}
    return backend(default) if default else None, by_task
