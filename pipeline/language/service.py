"""The language service: what stages and searches use as ``Language``, made of backends, cache and ledger."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar, cast

from pipeline.base.errors import GraphstrataError
from pipeline.base.task import Failure, Prose, ReplyT, RequestT, Task
from pipeline.language.backends.backend import Backend
from pipeline.language.backends.offline import OfflineBackend, source_signature
from pipeline.language.budget import Budget
from pipeline.language.cache import Cache
from pipeline.language.language import Dialogue, Reply, Show
from pipeline.language.ledger import Ledger
from pipeline.language.scheduler import AHEAD, WINDOW, Count, OnProgress, Scheduler
from pipeline.language.spending import NOTHING_SPENT, Bill
from pipeline.language.tasks.registry import TASKS, module_of

T = TypeVar("T")


class LanguageService:
    """Answers requests; who uses it never sees which backend is at work.

    ``backends`` holds a backend for each task that differs from ``default``; tasks without a prompt go to
    ``offline``, which is given ``window`` dialogues at a time; ``at_once`` dialogues wait for replies of models together.
    Each reply is cached as it arrives, before the request counts as answered and whether or not anybody takes it yet.
    """

    def __init__(
        self,
        offline: Backend,
        ledger: Ledger,
        default: Backend | None = None,
        cache: Cache | None = None,
        backends: Mapping[str, Backend] | None = None,
        progress: OnProgress = lambda done, total: None,
        window: int = WINDOW,
        budget: Budget | None = None,
        at_once: int | None = None,
        estimates: bool = False,
    ) -> None:
        self.offline, self.default, self.estimates = offline, default or offline, estimates
        self.ledger, self.cache, self.progress, self.budget = ledger, cache, progress, budget
        self.backends = dict(backends or {})
        self._scheduler = Scheduler(self.backend, offline, ledger, cache, window, at_once)

    def backend(self, task: Task[Any, Any]) -> Backend:
        """Return the backend that answers ``task``."""
        return self.backends.get(task.name, self.default) if task.prompt else self.offline

    def signature(self, task: str) -> str:
        """Return what shapes the replies to the task of this name besides its requests: model and prompt, or sources. Where
        no model answers it, the task is not imported for that."""
        if self.backends.get(task, self.default) is self.offline:
            return source_signature(module_of(task))
        declared = TASKS[task]
        return self.backend(declared).signature(declared)

    def map(
        self, task: Task[RequestT, ReplyT], requests: Iterable[RequestT], total: int | None = None
    ) -> Iterator[tuple[RequestT, Reply[ReplyT] | Failure]]:
        """Yield each request with its reply or failure, in the order of the requests, counted up to ``total``."""
        singles = (_single(task, request) for request in requests)
        return self._scheduler.run(singles, Count(self.progress, total), ahead=self._ahead(self.backend(task)))

    def dialogues(self, dialogues: Iterable[Dialogue[T]], total: int | None = None, turns: int = 1) -> Iterator[T]:
        """Yield the result of each dialogue, in their order; ``total`` dialogues have ``turns`` requests each at most."""
        count = Count(self.progress, None if total is None else total * turns)
        return self._scheduler.run(dialogues, count, turns, ahead=self._ahead(self.default, *self.backends.values()))

    def adds(self, task: Task[RequestT, ReplyT]) -> bool:
        """Return whether a request of ``task`` can bring anything: without a model, one that only a model can add to cannot."""
        return not task.only_model or self.has_model(task)

    def has_model(self, task: Task[Any, Any]) -> bool:
        """Return whether a model answers requests of ``task``."""
        return self.backend(task) is not self.offline

    def one(self, task: Task[RequestT, ReplyT], request: RequestT) -> Reply[ReplyT] | Failure:
        """Return the reply to a single request, or why there is none."""
        return self._scheduler.one(_single(task, request), Count(self.progress, 1))[1]

    def write(self, task: Task[RequestT, Prose], request: RequestT, show: Show | None = None) -> Reply[Prose] | Failure:
        """Return the reply to a single request in free text, as ``one`` does; ``show`` sees it while it is written.

        What the cache has, and what no model writes, is shown a sentence at a time. A stream that breaks off is
        requested once more, whole.
        """
        _, reply = self._scheduler.one(_single(task, request), Count(self.progress, 1), show)
        if show and isinstance(reply, Reply) and not reply.streamed:
            for place, piece in enumerate(pieces(reply.value.text)):
                show(piece, place == 0)
        return reply

    def cancel(self, error: GraphstrataError) -> None:
        """Ask no model anything more; whoever waits for a reply of one gets ``error``. From any thread."""
        if self.budget is not None:
            self.budget.cancel(error)

    @property
    def spent(self) -> Bill:
        """What the requests that models answered have taken since the service was opened."""
        return self.budget.spending.total if self.budget is not None else NOTHING_SPENT

    def close(self) -> None:
        """Close backends and cache."""
        for backend in {id(each): each for each in (self.offline, self.default, *self.backends.values())}.values():
            backend.close()
        if self.cache:
            self.cache.close()

    def _ahead(self, *backends: Backend) -> int | None:
        """Return how many windows of requests are worked on ahead: none where this very process would do it, whose threads
        only take the interpreter from each other."""
        if any(backend.paid for backend in backends):
            return None
        here = isinstance(self.offline, OfflineBackend) and self.offline.inline
        return 0 if here and all(backend is self.offline for backend in backends) else AHEAD


def _single(task: Task[RequestT, ReplyT], request: RequestT) -> Dialogue[tuple[RequestT, Reply[ReplyT] | Failure]]:
    reply = yield task, request
    return request, cast(Reply[ReplyT] | Failure, reply)


_PIECE = re.compile(r".+?(?:[.!?…\]][\"'”’)]*\s+|[。！？]|\Z)", re.DOTALL)


def pieces(text: str) -> list[str]:
    """Return a text in pieces of about a sentence, which together are the text."""
    return _PIECE.findall(text)
