"""A backend that gives scripted replies, in place of a model."""

from collections.abc import Callable
from functools import partial
from typing import Any

from pydantic import BaseModel

from pipeline.base.ids import content_id
from pipeline.base.task import Failure, Request, Task
from pipeline.language.backends.backend import Answers, Replies, Requests, accept
from pipeline.language.language import Reply
from pipeline.language.transport.custom_prompts import SAME

Script = Callable[[Any], BaseModel | Failure | None]
"""What to reply to a request; None leaves it to the task's function without a model."""


class ScriptedBackend:
    """Answers tasks by ``scripts[task.name]``, and tasks without a script by their own function; records its requests."""

    name = "scripted"

    def __init__(self, scripts: dict[str, Script], paid: bool = True) -> None:
        self.scripts, self.paid = scripts, paid
        self.asked: list[tuple[str, Request]] = []

    def parts(self, task: Task[Any, Any], request: Request) -> dict[str, str]:
        """As a model's: the rendered prompt and the reply's schema."""
        rendered = content_id(*task.render(request, common=NEUTRAL))
        return {"model": self.name, "request": rendered, "schema": task.reply.__name__}

    def signature(self, task: Task[Any, Any]) -> str:
        """The prompt; scripts are taken to stay the same."""
        return content_id(self.name, task.prompt)

    def begin(self, task: Task[Any, Any], requests: Requests, answers: Answers, stream: bool = False) -> None:
        """Answer one by one, last request first, as a server that answers out of order would."""
        for tag, request in reversed(requests):
            answers.later(partial(self._answered, tag, task, request))

    def answer(self, task: Task[Any, Any], request: Request) -> Reply[Any] | Failure:
        """Return what the script says."""
        self.asked.append((task.name, request))
        script = self.scripts.get(task.name)
        scripted = script(request) if script else None
        if isinstance(scripted, Failure):
            return scripted
        value = task.offline(request) if scripted is None else task.reply.model_validate(scripted.model_dump())
        try:
            return Reply(accept(task, request, value), self.name, tokens_in=1, tokens_out=1)
        except ValueError as error:
            return Failure(str(error))

    def _answered(self, tag: str, task: Task[Any, Any], request: Request) -> Replies:
        return [(tag, self.answer(task, request))]

    def close(self) -> None:
        """Nothing to close."""


NEUTRAL = {**SAME, "entity_types": "any"}
"""Fillings of the placeholders that settings fill otherwise."""
