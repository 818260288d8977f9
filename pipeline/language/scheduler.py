"""Requests that follow from replies: many dialogues side by side, none waiting for another's reply."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Any, Generic, TypeVar

from pipeline.base.task import Failure
from pipeline.language.ahead import ahead
from pipeline.language.backends.chat import ModelBackend
from pipeline.language.cache import reply_key
from pipeline.language.language import Dialogue, Reply, Turn
from pipeline.language.service import Count, LanguageService
from pipeline.language.transport.task_pool import Crowd

T = TypeVar("T")
Said = Reply[Any] | Failure | None

WINDOW = 1024
"""Dialogues held together with models: their lanes run empty at the end of a window, so it is long."""


def hold(service: LanguageService, dialogues: Iterable[Dialogue[T]], total: int | None = None) -> Iterator[T]:
    """Yield the result of each dialogue, in their order; replies are cached and entered as the language service does.

    With models each dialogue goes on as soon as its own reply is there, so that lanes stay full where a map after a
    map would wait for the slowest reply between the two. Otherwise all dialogues take their turns together, so that
    requests reach the processes of the offline way in large batches.
    """
    models = {id(b): b for b in (service.default, *service.backends.values()) if isinstance(b, ModelBackend)}
    at_once = sum(backend.model.concurrency for backend in models.values())
    works = _works(service, iter(dialogues), at_once, total)
    paid = any(backend.paid for backend in (service.default, *service.backends.values()))
    for some in (work() for work in works) if paid else ahead(works):
        yield from some


def _works(
    service: LanguageService, waiting: Iterator[Dialogue[T]], at_once: int, total: int | None
) -> Iterator[Callable[[], list[T]]]:
    count = Count(service.told, total)
    while window := list(islice(waiting, WINDOW if at_once else service.offline.window)):
        yield (
            _SideBySide(service, window, at_once, count).run if at_once else partial(_in_turns, service, window, count)
        )


@dataclass
class _SideBySide(Generic[T]):
    """Dialogues under way, and which of them wait for which reply. The same question is put once."""

    service: LanguageService
    window: list[Dialogue[T]]
    at_once: int
    count: Count
    results: dict[int, T] = field(default_factory=dict)
    waiting: dict[str, list[tuple[int, Turn]]] = field(default_factory=dict)
    parts: dict[str, dict[str, str]] = field(default_factory=dict)

    def run(self) -> list[T]:
        crowd: Crowd[Reply[Any] | Failure] = Crowd(self.at_once)
        try:
            for number in range(len(self.window)):
                self._go_on(crowd, number, None)
            for key, reply in crowd.results():
                self._answered(crowd, key, reply)
        finally:
            crowd.close()
        return [self.results[number] for number in range(len(self.window))]

    def _go_on(self, crowd: Crowd[Reply[Any] | Failure], number: int, said: Said) -> None:
        """Hand a reply to a dialogue and take its next request, as long as answers are at hand."""
        while True:
            try:
                task, request = _next(self.window[number], said)
            except StopIteration as end:
                self.results[number] = end.value
                self.count.more(1)
                return
            backend = self.service.backend(task)
            if not isinstance(backend, ModelBackend):
                said = self.service.one(task, request)
                continue
            parts = backend.parts(task, request)
            key = reply_key(task.name, parts)
            said = self.service.kept(task, request, key)
            if said is None:
                self.parts[key] = parts
                self.waiting.setdefault(key, []).append((number, (task, request)))
                if len(self.waiting[key]) == 1:
                    crowd.begin(key, backend.work(task, request))
                return

    def _answered(self, crowd: Crowd[Reply[Any] | Failure], key: str, reply: Reply[Any] | Failure) -> None:
        asked = self.waiting.pop(key)
        self.service.keep(*asked[0][1], key, self.parts.pop(key), reply)
        for number, (task, request) in asked:
            self._go_on(crowd, number, self.service.settle(task, request, reply))


def _in_turns(service: LanguageService, window: list[Dialogue[T]], count: Count) -> list[T]:
    """Let every dialogue say its next request, answer those of each task together, and go on with the replies.

    A dialogue counts with the first of its requests: what follows comes for few of them.
    """
    results: dict[int, T] = {}
    replies: dict[int, Said] = dict.fromkeys(range(len(window)))
    while replies:
        turns: dict[str, list[tuple[int, Turn]]] = {}
        for number, reply in replies.items():
            try:
                turn = _next(window[number], reply)
                turns.setdefault(turn[0].name, []).append((number, turn))
            except StopIteration as end:
                results[number] = end.value
        replies = {}
        for asked in turns.values():
            answers = service.map(asked[0][1][0], [request for _, (_, request) in asked], count=count)
            replies |= {number: reply for (number, _), (_, reply) in zip(asked, answers, strict=True)}
        count = Count(lambda done, total: None, None)
    return [results[number] for number in range(len(window))]


def _next(dialogue: Dialogue[Any], said: Said) -> Turn:
    return next(dialogue) if said is None else dialogue.send(said)
