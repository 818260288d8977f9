"""The one way from requests to replies: cache, backend, cache, ledger; single requests and maps are dialogues of one request.

A reply of a model is in the cache before another request takes its place, so that a ``kill -9`` loses no more than the
requests that were under way: none that is still on the wire, or just being written, can be told from one never made.
"""

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Generic, TypeVar

from pydantic import ValidationError

from pipeline.base.task import Failure, Request, Task
from pipeline.language.backends.backend import Backend
from pipeline.language.cache import Cache, CacheRow, StoredReply, reply_key
from pipeline.language.language import Dialogue, Reply, Show
from pipeline.language.ledger import Ledger
from pipeline.language.transport.task_pool import TaskPool

T = TypeVar("T")
OnProgress = Callable[[int, int | None], None]
"""Called with how many requests are done and how many there are, None when that is not known."""

OPEN, REFILL = 1024, 128
"""Dialogues under way at once, so that calls never run out; and how many are begun together, so that the cache is asked
for many at once."""
UNTAKEN = 8192
"""Dialogues from the first whose result is not taken to the last begun: a call that is tried again and again holds up
no others before that."""
WINDOW = 64
"""Dialogues of a window that is worked on ahead, for each worker: results do not depend on it."""
AHEAD = 2
"""Windows under way at once: while one waits for the processes that answer, the other looks up and stores replies. A third
is with whoever takes the results."""


class Count:
    """Counts the requests that are done, from whichever thread they come."""

    def __init__(self, progress: OnProgress = lambda done, total: None, total: int | None = None) -> None:
        self._progress, self._total, self._done = progress, total, 0
        self._lock = threading.Lock()

    def more(self, requests: int) -> None:
        """Report that so many more are done."""
        if requests:
            with self._lock:
                self._done += requests
                self._progress(self._done, self._total)


@dataclass(frozen=True)
class Waiting:
    """A dialogue that waits for a reply."""

    number: int
    task: Task[Any, Any]
    request: Request
    parts: Mapping[str, str]


@dataclass(frozen=True)
class Scheduler:
    """Answers dialogues by the ``backend`` of each task, with cache and ledger."""

    backend: Callable[[Task[Any, Any]], Backend]
    offline: Backend
    ledger: Ledger
    cache: Cache | None = None
    window: int = WINDOW
    """Dialogues of a window that is worked on ahead."""
    at_once: int | None = None
    """Dialogues under way at once, where not OPEN."""

    def run(
        self, dialogues: Iterable[Dialogue[T]], count: Count, turns: int = 1, *, ahead: int | None = None
    ) -> Iterator[T]:
        """Yield the result of each dialogue, in their order; each counts as ``turns`` requests.

        ``ahead``: so many windows are worked on while the caller takes the results of one. None where requests cost
        money: then dialogues are begun as others end, and only while the caller waits for a result.
        """
        if ahead is None:
            yield from _Window(self, iter(dialogues), count, turns).results()
            return
        windows = (self._whole(some, count, turns) for some in _windows(dialogues, self.window))
        for results in _ahead(windows, ahead) if ahead else (work() for work in windows):
            yield from results

    def one(self, dialogue: Dialogue[T], count: Count, show: Show | None = None) -> T:
        """Return the result of a single dialogue; ``show`` sees its text while it is written."""
        return next(_Window(self, iter([dialogue]), count, 1, show).results())

    def _whole(self, dialogues: list[Dialogue[T]], count: Count, turns: int) -> Callable[[], list[T]]:
        return lambda: list(_Window(self, iter(dialogues), count, turns).results())

    def stored(self, task: Task[Any, Any], keys: Iterable[str]) -> dict[str, Reply[Any]]:
        """Return the replies that the cache has; one that is damaged is requested again."""
        found = {}
        for key, stored in (self.cache.get(sorted(set(keys))) if self.cache else {}).items():
            try:
                value = task.reply.model_validate_json(stored.reply)
            except ValidationError:
                continue
            found[key] = Reply(value, stored.by, stored.tokens_in, stored.tokens_out, cost=0.0, cached=True)
        return found

    def keeps(self, task: Task[Any, Any]) -> bool:
        """Return whether replies are looked up and stored: not those that are computed as fast."""
        return not task.quick or self.backend(task) is not self.offline

    def store(self, replies: Iterable[tuple[str, Waiting, Reply[Any]]]) -> None:
        """Put fresh replies into the cache."""
        rows: list[CacheRow] = [
            (
                key,
                self.ledger.stage,
                one.task.name,
                one.request.item,
                one.parts,
                StoredReply(reply.json or reply.value.model_dump_json(), reply.by, reply.tokens_in, reply.tokens_out),
            )
            for key, one, reply in replies
        ]
        if self.cache is not None and rows:
            self.cache.put(rows)


@dataclass
class _Window(Generic[T]):
    """Dialogues under way together. Equal requests are made once; each dialogue goes on as soon as its reply is there."""

    scheduler: Scheduler
    source: Iterator[Dialogue[T]]
    count: Count
    turns: int
    show: Show | None = None
    _dialogues: dict[int, Dialogue[T]] = field(default_factory=dict)
    _results: dict[int, T] = field(default_factory=dict)
    _waiting: dict[str, list[Waiting]] = field(default_factory=dict)
    _used: dict[int, int] = field(default_factory=dict)
    _begins: bool = True
    _begun: int = 0

    def __post_init__(self) -> None:
        self._pool: TaskPool[Reply[Any] | Failure] = TaskPool(self._store if self.scheduler.cache else None)

    def results(self) -> Iterator[T]:
        """Yield the results in order; further dialogues begin as others end."""
        taken, more = 0, True
        try:
            while True:
                most = self.scheduler.at_once or OPEN
                room = min(most - len(self._dialogues), max(UNTAKEN, most) - (self._begun - taken))
                if more and (room >= REFILL or not self._dialogues):
                    more = self._begin_dialogues(room)
                while taken in self._results:
                    yield self._results.pop(taken)
                    taken += 1
                if self._dialogues:
                    self._go_on(self._finished(next(self._pool.results())))
                elif not more:
                    return
        finally:
            self._pool.close()

    def _begin_dialogues(self, most: int) -> bool:
        """Begin at most so many dialogues; return whether there may be more."""
        some = dict(enumerate(islice(self.source, most), self._begun))
        self._begun += len(some)
        self._dialogues.update(some)
        self._go_on(dict.fromkeys(some))
        return len(some) == most

    def _go_on(self, replies: Mapping[int, Reply[Any] | Failure | None]) -> None:
        """Hand replies to their dialogues and make their next requests, until none has a reply at hand."""
        while replies:
            turns: dict[str, list[tuple[int, Task[Any, Any], Request]]] = {}
            for number, reply in replies.items():
                dialogue = self._dialogues[number]
                self._counted(number, reply is not None)
                try:
                    task, request = next(dialogue) if reply is None else dialogue.send(reply)
                except StopIteration as end:
                    self._results[number] = end.value
                    self.count.more(self.turns - self._used.pop(number))
                    del self._dialogues[number]
                else:
                    turns.setdefault(task.name, []).append((number, task, request))
            replies = {number: reply for some in turns.values() for number, reply in self._begin(some)}

    def _counted(self, number: int, replied: bool) -> None:
        used = self._used.get(number, 0)
        self._used[number] = min(used + replied, self.turns)
        self.count.more(self._used[number] - used)

    def _begin(self, turns: list[tuple[int, Task[Any, Any], Request]]) -> Iterator[tuple[int, Reply[Any]]]:
        """Yield the replies that are at hand and begin the other requests; all are of one task."""
        task = turns[0][1]
        backend = self.scheduler.backend(task)
        if task.only_model and backend is self.scheduler.offline:
            yield from ((number, Reply(task.offline(request), backend.name)) for number, _, request in turns)
            return
        if not self.scheduler.keeps(task):
            unkept = [Waiting(number, task, request, {}) for number, _, request in turns]
            self._waiting |= {str(one.number): [one] for one in unkept}
            backend.begin(task, [(str(one.number), one.request) for one in unkept], self._pool)
            return
        waiting = [Waiting(number, task, request, backend.parts(task, request)) for number, _, request in turns]
        keys = [reply_key(task.name, one.parts) for one in waiting]
        stored = self.scheduler.stored(task, keys)
        fresh = []
        for key, one in zip(keys, waiting, strict=True):
            if key in stored:
                self.scheduler.ledger.enter(backend, one.task.name, one.request.item, stored[key], first=True)
                yield one.number, stored[key]
            else:
                if key not in self._waiting:
                    fresh.append((key, one.request))
                self._waiting.setdefault(key, []).append(one)
        if fresh:
            backend.begin(task, fresh, self._pool, self.show is not None)

    def _store(self, finished: list[tuple[str, Reply[Any] | Failure]]) -> None:
        """Store replies before anything counts as answered, in whichever thread they came."""
        known = ((key, self._waiting[key][0], reply) for key, reply in finished if isinstance(reply, Reply))
        self.scheduler.store(one for one in known if self.scheduler.keeps(one[1].task))

    def _finished(self, finished: list[tuple[str, Any]]) -> dict[int, Reply[Any] | Failure]:
        """Enter what came; return it by dialogue. A task that falls back gets its own function's reply for a failure."""
        for _, part in finished:
            if isinstance(part, str) and self.show is not None:
                self.show(part, self._begins)
                self._begins = False
        whole = [(key, reply) for key, reply in finished if not isinstance(reply, str)]
        replies: dict[int, Reply[Any] | Failure] = {}
        for key, reply in whole:
            for place, one in enumerate(self._waiting.pop(key)):
                backend = self.scheduler.backend(one.task)
                self.scheduler.ledger.enter(backend, one.task.name, one.request.item, reply, first=place == 0)
                replies[one.number] = reply
                if isinstance(reply, Failure) and one.task.fallback:
                    value = one.task.own_reply(one.request)
                    replies[one.number] = Reply(value, "offline")
        return replies


def _windows(dialogues: Iterable[Dialogue[T]], size: int) -> Iterator[list[Dialogue[T]]]:
    waiting = iter(dialogues)
    while window := list(islice(waiting, size)):
        yield window


def _ahead(works: Iterable[Callable[[], T]], ahead: int = AHEAD) -> Iterator[T]:
    """Yield what each work returns, in their order; threads do the next ones meanwhile.

    What a work raises is raised where its result would have been yielded.
    """
    coming: deque[Future[T]] = deque()
    with ThreadPoolExecutor(ahead, "ahead") as threads:
        try:
            for work in works:
                coming.append(threads.submit(work))
                if len(coming) > ahead:
                    yield coming.popleft().result()
            while coming:
                yield coming.popleft().result()
        finally:
            for future in coming:
                future.cancel()
