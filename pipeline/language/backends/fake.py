"""A backend that says what it was told to say: for tests, and for trying a prompt's consequences by hand."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pydantic import BaseModel

from pipeline.base.ids import content_id
from pipeline.base.task import Failure, ReplyT, Request, RequestT, Task
from pipeline.language.backends.backend import accept
from pipeline.language.language import Reply

Script = Callable[[Any], BaseModel | Failure | None]
"""What to reply to a request; None leaves it to the task's offline function."""


class ScriptedBackend:
    """Answers tasks by ``scripts[task.name]``, and tasks without a script the offline way; counts what it was asked."""

    name = "scripted"
    window = 64

    def __init__(self, scripts: dict[str, Script], paid: bool = True) -> None:
        self.scripts, self.paid = scripts, paid
        self.asked: list[tuple[str, Request]] = []

    def parts(self, task: Task[Any, Any], request: Request) -> dict[str, str]:
        """As a model's: the rendered prompt and the reply's schema."""
        return {
            "model": self.name,
            "request": content_id(*task.render(request, common=NEUTRAL)),
            "schema": task.reply.__name__,
        }

    def signature(self, task: Task[Any, Any]) -> str:
        """The prompt; scripts are taken to stay the same."""
        return content_id(self.name, task.prompt)

    def answer(
        self, task: Task[RequestT, ReplyT], requests: Sequence[RequestT]
    ) -> Iterator[tuple[int, Reply[ReplyT] | Failure]]:
        """Yield what the scripts say, last request first, as a server that answers out of order would."""
        for position in reversed(range(len(requests))):
            request = requests[position]
            self.asked.append((task.name, request))
            script = self.scripts.get(task.name)
            said = script(request) if script else None
            if isinstance(said, Failure):
                yield position, said
                continue
            value = task.offline(request) if said is None else task.reply.model_validate(said.model_dump())
            try:
                yield position, Reply(accept(task, request, value), self.name, tokens_in=1, tokens_out=1)
            except ValueError as error:
                yield position, Failure(str(error))

    def close(self) -> None:
        """Nothing to let go of."""


NEUTRAL = {"language": "the language of the text", "entity_types": "any"}
"""Fillings of the placeholders that settings fill otherwise."""
