"""What stages and searches see of language: requests go in, replies come out; who answers, and how, is not their business."""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from pipeline.base.task import Failure, Prose, ReplyT, Request, RequestT, Task

T = TypeVar("T")
ValueT = TypeVar("ValueT", bound=BaseModel)


@dataclass(frozen=True)
class Reply(Generic[ValueT]):
    """A reply that has been validated, and what it took. ``cost`` is None when no price is known."""

    value: ValueT
    by: str
    """``offline``, ``scripted``, or the model's name."""
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None
    seconds: float = 0.0
    attempts: int = 1
    cached: bool = False
    assumed: bool = False
    """Whether it takes the place of a model's in an estimate: that it is empty then means nothing."""
    streamed: bool = False
    """Whether it was shown while it was written."""
    json: str = ""
    """The value as JSON where the backend has it at hand, so that it is not written a second time."""


Dialogue = Generator[tuple[Task[Any, Any], Request], Reply[Any] | Failure, T]
"""Requests of which later ones depend on replies to earlier ones: yields a task and a request, is sent the reply or
failure, and so on; what it returns is its result."""

Show = Callable[[str, bool], None]
"""Called with each piece of a text as it is written, and with whether the piece begins it: what was shown before then
broke off and no longer counts."""


class Language(Protocol):
    """Answers requests by whatever the settings name: a model, the cache, or the task's own function without a model."""

    estimates: bool
    """Whether calls are counted and none is made: replies are then those without a model, whoever would give them."""

    def map(
        self, task: Task[RequestT, ReplyT], requests: Iterable[RequestT], total: int | None = None
    ) -> Iterator[tuple[RequestT, Reply[ReplyT] | Failure]]:
        """Yield each request with its reply or failure, in the order of the requests; ``total`` is for the progress."""
        ...

    def dialogues(self, dialogues: Iterable[Dialogue[T]], total: int | None = None, turns: int = 1) -> Iterator[T]:
        """Yield the result of each dialogue, in their order; none waits for a reply to another. For the progress,
        ``total`` dialogues have ``turns`` requests each at most."""
        ...

    def adds(self, task: Task[RequestT, ReplyT]) -> bool:
        """Return whether a request of ``task`` can bring anything: without a model, one that only a model can add to cannot."""
        ...

    def has_model(self, task: Task[Any, Any]) -> bool:
        """Return whether a model answers requests of ``task``."""
        ...

    def one(self, task: Task[RequestT, ReplyT], request: RequestT) -> Reply[ReplyT] | Failure:
        """Return the reply to a single request, or why there is none."""
        ...

    def write(self, task: Task[RequestT, Prose], request: RequestT, show: Show | None = None) -> Reply[Prose] | Failure:
        """As ``one``, for free text, which ``show`` sees while it is written."""
        ...


@dataclass(frozen=True)
class Embedded:
    """``vectors`` of shape (texts, size), unit length; rows of texts in ``failures`` (position: why) are zero."""

    vectors: NDArray[np.float32]
    failures: dict[int, Failure]


class TextEmbedder(Protocol):
    """Makes vectors of texts."""

    def signature(self) -> str:
        """Return what shapes every vector: the provider, its address, the model."""
        ...

    def embed(self, texts: Sequence[str], size: int | None = None) -> Embedded:
        """Return the vectors of ``texts``; ModelError when they differ in size from each other or from ``size``."""
        ...

    def close(self) -> None:
        """Close the connections."""
        ...
