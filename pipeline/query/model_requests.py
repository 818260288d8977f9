"""The requests of one search: one, or many in waves that heed its deadline, and the text that answers; what fails is done without a
model, or reported with what was left out."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from pipeline.base.errors import ModelError
from pipeline.base.task import Prose, ReplyT, RequestT, Task
from pipeline.language.language import Language, Reply
from pipeline.language.service import pieces
from pipeline.query.answer import Trace
from pipeline.query.streaming import Live

WAVE = 16
"""Requests that go out together where there is a deadline: fewer than models answer at once, so that a wave is one wait."""

T = TypeVar("T")

WITHOUT_MODEL = "the index also answers without a model: graphstrata query --without-model, in Python index.without_model().ask(...)"


@contextmanager
def or_without_model() -> Iterator[None]:
    """Within: an error of a model, which ends the question, also says how the same index answers without one."""
    try:
        yield
    except ModelError as error:
        if WITHOUT_MODEL not in error.fix:
            error.fix = "; or: ".join(filter(None, (error.fix, WITHOUT_MODEL)))
        raise


class Deadline:
    """How long a search may still take. None for ``seconds`` means for ever, and no clock is then read."""

    def __init__(self, seconds: float | None, now: Callable[[], float] = time.monotonic) -> None:
        self.seconds, self._now = seconds, now
        self._begun = now() if seconds is not None else 0.0
        self._longest = 0.0

    def allows(self) -> bool:
        """Return whether one more wave, and after it the answer, likely come back in time.

        Both are reckoned as long as the longest wave so far; the first wave goes out while any time is left.
        """
        return self.seconds is None or self._now() - self._begun + 2 * self._longest <= self.seconds

    def waves(self, items: Sequence[T]) -> Iterator[Sequence[T]]:
        """Yield the items in order, a wave at a time, as long as time allows."""
        size = len(items) if self.seconds is None else WAVE
        for start in range(0, len(items), size or 1):
            if not self.allows():
                return
            begun = self._now() if self.seconds is not None else 0.0
            yield items[start : start + size]
            if self.seconds is not None:
                self._longest = max(self._longest, self._now() - begun)


@dataclass
class Asked(Generic[RequestT, ReplyT]):
    """What became of some requests: those answered with their replies, in order; those that failed; those not asked."""

    replies: list[tuple[RequestT, ReplyT]] = field(default_factory=list)
    failed: list[RequestT] = field(default_factory=list)
    unasked: list[RequestT] = field(default_factory=list)

    @property
    def missing(self) -> list[RequestT]:
        """The requests without a reply."""
        return [*self.failed, *self.unasked]


def request_all(
    task: Task[RequestT, ReplyT], requests: Sequence[RequestT], language: Language, deadline: Deadline, trace: Trace
) -> Asked[RequestT, ReplyT]:
    """Put all requests and sort them by what became of them; every failure and the deadline are steps of the trace."""
    asked: Asked[RequestT, ReplyT] = Asked()
    sent = 0
    for wave in deadline.waves(requests):
        sent += len(wave)
        for request, reply in language.map(task, wave, len(wave)):
            if isinstance(reply, Reply):
                asked.replies.append((request, reply.value))
            else:
                asked.failed.append(request)
                trace.step(task.name, f"{request.item} failed: {reply.reason}", failed=True)
    asked.unasked = list(requests[sent:])
    if asked.unasked:
        description = f"{len(asked.unasked)} of {len(requests)} requests of {task.name} were not put: {deadline.seconds} s are over"
        trace.step("deadline", description, failed=True)
    return asked


WITHOUT = "rules, because the model failed"
"""How what a reply was made by begins where a model was asked and gave none."""


def request_one(task: Task[RequestT, ReplyT], request: RequestT, language: Language) -> tuple[ReplyT, str, str]:
    """Return the reply to a request, and by what it was made; where a model was asked and gave none, the one made without it,
    and why."""
    reply = language.one(task, request)
    if isinstance(reply, Reply):
        return reply.value, reply.by, ""
    return task.offline(request), f"{WITHOUT}: {reply.reason}", reply.reason


def write(
    task: Task[RequestT, Prose], request: RequestT, language: Language, live: Live | None = None
) -> tuple[str, str]:
    """Return the text that answers, and by what it was written: a model, or rules, which are said where the model failed.

    ``live`` shows it while it is written, when it is the answer of the search and not one on the way.
    """
    show = live if live and live.heard else None
    reply = language.write(task, request, show)
    if isinstance(reply, Reply):
        return reply.value.text, "rules, without a model" if reply.by == "offline" else reply.by
    text = task.offline(request).text
    if show:
        for place, piece in enumerate(pieces(text)):
            show(piece, place == 0)
    return text, f"{WITHOUT}: {reply.reason}"
