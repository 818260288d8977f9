"""Models as a backend: questions are rendered, sent down their model's lane, and come back as validated replies."""

import threading
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from pipeline.base.errors import PlanError
from pipeline.base.ids import content_id, dump
from pipeline.base.settings import ModelSettings, Settings
from pipeline.base.task import Failure, Prompt, ReplyT, Request, RequestT, Task
from pipeline.language.backends.backend import PaidFailure, accept
from pipeline.language.budget import Budget
from pipeline.language.language import Reply
from pipeline.language.ledger import Ledger
from pipeline.language.transport import event_loop
from pipeline.language.transport.api_keys import plain_address, read_key, redact
from pipeline.language.transport.custom_prompts import common, own_prompts
from pipeline.language.transport.providers import Client, chat_client
from pipeline.language.transport.rate_limit import Lane, Unanswered
from pipeline.language.transport.schema import strict_schema
from pipeline.language.transport.structured import Form, Raw, Unusable, form, raw, read
from pipeline.language.transport.task_pool import Stop, Work, as_finished

_AGAIN = "\n\n(Your last reply could not be used: {reason}. Reply again in full, in the form asked for.)"
_FINAL = {"refused", "too_long"}
"""Troubles with a reply that asking again does not mend."""


@dataclass
class _Spent:
    """What the calls for one request took so far."""

    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0
    attempts: int = 0
    cost: float | None = 0.0

    def add(self, said: Raw, cost: float | None, attempts: int, seconds: float) -> None:
        self.tokens_in += said.tokens_in or 0
        self.tokens_out += said.tokens_out or 0
        self.attempts += attempts
        self.seconds += seconds
        self.cost = None if self.cost is None or cost is None else self.cost + cost


@dataclass
class ModelBackend:
    """Answers tasks by one chat model. The client is built at the first request, so that a run whose replies are all in
    the cache imports no client library.

    ``prompts`` holds own prompts by task, ``common`` the fillings of the placeholders that settings fill.
    """

    name: str
    model: ModelSettings
    lane: Lane
    ledger: Ledger
    prompts: Mapping[str, Prompt] = field(default_factory=dict)
    common: Mapping[str, str] = field(default_factory=dict)
    max_repairs: int = 2
    paid: bool = True
    window: int = 1024
    """Requests looked up and sent off together: many times the concurrency, so that lanes stay full between windows."""
    _shapes: dict[str, dict[str, str]] = field(default_factory=dict, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)
    _client: Client | None = field(default=None, repr=False)
    _forms: dict[str, tuple[Form[Any], Callable[[list[Any]], Any]]] = field(default_factory=dict, repr=False)

    def parts(self, task: Task[Any, Any], request: Request) -> dict[str, str]:
        """The model and its parameters, the prompt, the rendered request, and the reply's schema."""
        return {**self._shaping(task), "request": content_id(*self.render(task, request))}

    def signature(self, task: Task[Any, Any]) -> str:
        """The model and its parameters, the prompt with what settings put in it, and the reply's schema."""
        prompt = self._prompt(task)
        filled = {name: text for name, text in self.common.items() if name in prompt.fields}
        return dump({**self._shaping(task), **filled, "max_repairs": str(self.max_repairs)})

    def _shaping(self, task: Task[Any, Any]) -> dict[str, str]:
        """Return what shapes all replies to a task; made once, since a schema takes longer than a request."""
        if task.name not in self._shapes:
            self._shapes[task.name] = self._shape(task)
        return self._shapes[task.name]

    def _shape(self, task: Task[Any, Any]) -> dict[str, str]:
        model, prompt = self.model, self._prompt(task)
        shaping = {
            "provider": model.provider,
            "model": model.model,
            "address": plain_address(model.base_url),
            "temperature": model.temperature,
            "seed": model.seed,
            "structured": model.structured,
            "max_output_tokens": model.max_output_tokens,
        }
        given = {name: str(value) for name, value in shaping.items() if value is not None}
        schema = content_id(dump(strict_schema(task.reply)))
        return {**given, "prompt": content_id(prompt.system, prompt.user), "schema": schema}

    def _prompt(self, task: Task[Any, Any]) -> Prompt:
        prompt = self.prompts.get(task.name, task.prompt)
        if prompt is None:
            raise PlanError(f"task {task.name} has no prompt; it goes to the offline backend")
        return prompt

    def answer(
        self, task: Task[RequestT, ReplyT], requests: Sequence[RequestT]
    ) -> Iterator[tuple[int, Reply[ReplyT] | Failure]]:
        """Yield replies and failures as they finish. May be called from several threads at once, and where an event
        loop is running.

        Raises ModelError or BudgetError once no further call makes sense, after all replies to calls then under way
        were yielded.
        """
        yield from as_finished([self.work(task, request) for request in requests], self.model.concurrency)

    def work(self, task: Task[RequestT, ReplyT], request: RequestT) -> Work[Reply[ReplyT] | Failure]:
        """Return what answers one request on the loop. The client is built here, in the caller's thread."""
        self._form(task)
        return partial(self._answer, task, request)

    def stream(self, task: Task[RequestT, ReplyT], request: RequestT) -> Generator[str, None, Reply[ReplyT]]:
        """Yield the pieces of a free-text reply as the model writes them; see pipeline.language.backends.streaming."""
        from pipeline.language.backends.streaming import stream

        return stream(self, task, request)

    def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            event_loop.run(self._client.close())
            self._client, self._forms = None, {}

    def client(self) -> Client:
        """Return the client, built when it is first needed."""
        with self._lock:
            if self._client is None:
                self._client = chat_client(self.name, self.model)
            return self._client

    def messages(self, system: str, user: str) -> list[Any]:
        """Return the messages of a question."""
        from langchain_core.messages import HumanMessage, SystemMessage

        return [*([SystemMessage(system)] if system.strip() else []), HumanMessage(user)]

    def render(self, task: Task[Any, Any], request: Request) -> tuple[str, str]:
        """Return the system and user text of a request, by the own prompt where there is one."""
        return task.render(request, self.prompts.get(task.name), self.common)

    def used(self, n_bytes: int, said: Raw) -> tuple[int, int]:
        """Return the tokens in and out of a reply; reckoned, at three bytes each, where the server does not count."""
        out = sum(len(text.encode("utf-8", "replace")) for text in (said.text or "", *said.others))
        return (
            n_bytes // 3 + 1 if said.tokens_in is None else said.tokens_in,
            out // 3 + 1 if said.tokens_out is None else said.tokens_out,
        )

    async def _answer(self, task: Task[RequestT, ReplyT], request: RequestT, stop: Stop) -> Reply[ReplyT] | Failure:
        form, send = self._form(task)
        system, user = self.render(task, request)
        spent, reason = _Spent(), ""
        for _ in range(self.max_repairs + 1):
            again = _AGAIN.format(reason=reason) if reason else ""
            try:
                said = await self._call(task.name, system + form.suffix, user + again, send, spent, stop)
                value = accept(task, request, read(said, task))
            except Unanswered as error:
                spent.attempts, spent.seconds = spent.attempts + error.attempts, spent.seconds + error.seconds
                return self._failed(spent, f"{error.trouble.name}: {error.trouble.text}")
            except ValueError as error:
                name = error.name if isinstance(error, Unusable) else "misfit"
                self.ledger.fault(task.name, name)
                reason = " ".join(redact(error).split())[:500]
                if name in _FINAL:
                    return self._failed(spent, f"{name}: {reason}")
                continue
            return Reply(
                value, self.model.model, spent.tokens_in, spent.tokens_out, spent.cost, spent.seconds, spent.attempts
            )
        return self._failed(spent, f"{name}: {reason}")

    async def _call(
        self, task: str, system: str, user: str, send: Callable[[list[Any]], Any], spent: _Spent, stop: Stop
    ) -> Raw:
        messages = self.messages(system, user)
        n_bytes = len(system.encode("utf-8", "replace")) + len(user.encode("utf-8", "replace"))

        async def one() -> Raw:
            said = raw(await send(messages))
            tokens_in, tokens_out = self.used(n_bytes, said)
            return Raw(said.text, said.ended, said.refusal, said.others, tokens_in, tokens_out)

        sent = await self.lane.call(task, n_bytes, one, lambda said: (said.tokens_in or 0, said.tokens_out or 0), stop)
        said = sent.value
        cost = self.lane.sizes.cost(said.tokens_in or 0, said.tokens_out or 0)
        spent.add(said, cost, sent.attempts, sent.seconds)
        return said

    def _form(self, task: Task[Any, Any]) -> tuple[Form[Any], Callable[[list[Any]], Any]]:
        if task.name not in self._forms:
            made = form(task, self.model.structured)
            self._forms[task.name] = made, self.client().asker(made, self.model.structured)
        return self._forms[task.name]

    def _failed(self, spent: _Spent, reason: str) -> Failure:
        return PaidFailure(
            reason, spent.attempts, self.model.model, spent.tokens_in, spent.tokens_out, spent.cost, spent.seconds
        )


def _tasks() -> Mapping[str, Task[Any, Any]]:
    # Tasks bring their offline ways along, and those the code for language; callers may have fewer.
    from pipeline.language.tasks.registry import TASKS

    return TASKS


def chat_backends(
    settings: Settings,
    ledger: Ledger,
    budget: Budget | None = None,
    root: Path = Path(),
    tasks: Mapping[str, Task[Any, Any]] | None = None,
    told: Callable[[str], None] = lambda line: None,
    need_key: bool = True,
) -> tuple[ModelBackend | None, dict[str, ModelBackend]]:
    """Return the backend of ``language.default`` (None for the offline way) and those of tasks that name another model.

    All share ``budget``, by default one of ``settings.limits``; tasks that name the same model share its lane.
    ``root`` is the folder that files of own prompts are relative to, ``tasks`` all tasks by name, ``told`` is told a
    line when a server asks to wait. No call is made and no client library imported, yet a missing key (ModelError,
    unless ``need_key`` is off), a
    missing price under a cap on cost, an unknown task and an unfit prompt (SettingsError) are told here.
    """
    budget = budget or Budget(settings.limits)
    known = _tasks() if tasks is None and settings.tasks else tasks or {}
    prompts, filled = own_prompts(settings, root, known), common(settings)
    made: dict[str, ModelBackend] = {}

    def backend(name: str) -> ModelBackend:
        if name not in made:
            model = settings.models[name]
            if need_key:
                read_key(name, model)
            budget.check_price(name, model)
            lane = Lane(name, model, budget, ledger.fault, told)
            made[name] = ModelBackend(name, model, lane, ledger, prompts, filled, settings.language.max_repairs)
        return made[name]

    default = settings.language.default
    by_task = {task: backend(own.model) for task, own in settings.tasks.items() if own.model not in (None, default)}
    return backend(default) if default else None, by_task
