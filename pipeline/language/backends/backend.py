"""What answers a task: the one small method that models, the offline way and the test double share."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from pipeline.base.errors import ModelError
from pipeline.base.task import Failure, ReplyT, Request, RequestT, Task
from pipeline.language.language import Reply


@dataclass(frozen=True)
class PaidFailure(Failure):
    """A failure that a model was asked for: replies that could not be used are paid for all the same."""

    by: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None
    seconds: float = 0.0


class NoAnswer(ModelError):
    """A stream that brought no whole answer. ``again`` says that asking once more may help."""

    def __init__(self, found: str, attempts: int = 1, again: bool = False) -> None:
        super().__init__(
            found, "an answer was streamed from the model and is not whole", "ask again, or without streaming"
        )
        self.attempts, self.again = attempts, again


class Backend(Protocol):
    """Answers tasks. ``paid`` backends have their calls in the ledger; ``window`` requests are looked up at once."""

    name: str
    paid: bool
    window: int

    def parts(self, task: Task[Any, Any], request: Request) -> dict[str, str]:
        """Return everything that shapes the reply, each part a short text or a hash: the cache key is made of it."""
        ...

    def signature(self, task: Task[Any, Any]) -> str:
        """Return what shapes all replies to ``task``, whatever the request: a stage is redone when it changes."""
        ...

    def answer(
        self, task: Task[RequestT, ReplyT], requests: Sequence[RequestT]
    ) -> Iterator[tuple[int, Reply[ReplyT] | Failure]]:
        """Yield (position in ``requests``, reply or failure) as they finish, each position once."""
        ...

    def close(self) -> None:
        """Let go of processes and connections."""
        ...


@runtime_checkable
class Streaming(Protocol):
    """A backend that can show free text while it is written."""

    def parts(self, task: Task[Any, Any], request: Request) -> dict[str, str]:
        """As of every backend."""
        ...

    def stream(self, task: Task[RequestT, ReplyT], request: RequestT) -> Generator[str, None, Reply[ReplyT]]:
        """Yield the pieces of a reply in free text and return it whole; the call is entered in the ledger.

        NoAnswer when there is none.
        """
        ...


def accept(task: Task[RequestT, ReplyT], request: RequestT, value: ReplyT) -> ReplyT:
    """Return the reply to keep after the task's own check; ValueError with the reason when it cannot be kept."""
    return task.check(request, value) if task.check else value
