"""What answers tasks: the one method that models, functions without a model and the test double share."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from pipeline.base.task import Failure, ReplyT, Request, RequestT, Task
from pipeline.language.language import Reply
from pipeline.language.transport.task_pool import TaskPool

Requests = Sequence[tuple[str, Request]]
"""Each with its tag."""
Replies = list[tuple[str, Reply[Any] | Failure]]
"""Each under the tag of its request."""
Answers = TaskPool[Reply[Any] | Failure]
"""Where backends put their answers, each under the tag of its request; parts of a streamed text as ``note``."""


@dataclass(frozen=True)
class PaidFailure(Failure):
    """A failure after calls to a model: replies that could not be used are paid for all the same."""

    by: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None
    seconds: float = 0.0


class Backend(Protocol):
    """Answers tasks. Calls of ``paid`` backends are in the ledger, and no work is done ahead of who takes the results."""

    name: str
    paid: bool

    def parts(self, task: Task[Any, Any], request: Request) -> dict[str, str]:
        """Return everything that shapes the reply, each part a short text or a hash: the cache key is made of it."""
        ...

    def signature(self, task: Task[Any, Any]) -> str:
        """Return what shapes all replies to ``task``, whatever the request: a stage is redone when it changes."""
        ...

    def begin(self, task: Task[Any, Any], requests: Requests, answers: Answers, stream: bool = False) -> None:
        """Begin to answer requests, given with their tags; ``stream``: a text is shown while it is written."""
        ...

    def close(self) -> None:
        """Close processes and connections."""
        ...


def accept(task: Task[RequestT, ReplyT], request: RequestT, value: ReplyT) -> ReplyT:
    """Return the reply after the task's own check; ValueError with the reason when it cannot be used."""
    return task.check(request, value) if task.check else value
