"""The service: maps a task over requests by whichever backend its settings name, with cache and ledger; order is kept."""

import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import islice
from typing import Any, TypeVar

from pydantic import ValidationError

from pipeline.base.task import Failure, Prose, ReplyT, RequestT, Task
from pipeline.language.ahead import ahead
from pipeline.language.backends.backend import Backend, NoAnswer, PaidFailure, Streaming, accept
from pipeline.language.cache import Cache, Kept, reply_key
from pipeline.language.language import Dialogue, Reply, Show
from pipeline.language.ledger import Ledger

Told = Callable[[int, int | None], None]
"""Called with how many requests are done and how many there are, None when that is not known."""

T = TypeVar("T")


class LanguageService:
    """Where workflows and searches put their requests; they never see which backend is at work.

    ``backends`` holds a backend for each task that differs from ``default``; tasks without a prompt go to
    ``offline``. Each reply is cached and entered as it arrives, before the next is waited for.
    """

    def __init__(
        self,
        offline: Backend,
        ledger: Ledger,
        default: Backend | None = None,
        cache: Cache | None = None,
        backends: Mapping[str, Backend] | None = None,
        told: Told = lambda done, total: None,
    ) -> None:
        self.offline, self.default = offline, default or offline
        self.ledger, self.cache, self.told = ledger, cache, told
        self.backends = dict(backends or {})

    def backend(self, task: Task[Any, Any]) -> Backend:
        """Return the backend that answers ``task``."""
        return self.backends.get(task.name, self.default) if task.prompt else self.offline

    def map(
        self,
        task: Task[RequestT, ReplyT],
        requests: Iterable[RequestT],
        total: int | None = None,
        count: "Count | None" = None,
    ) -> Iterator[tuple[RequestT, Reply[ReplyT] | Failure]]:
        """Yield each request with its reply or failure, in the order of the requests. They are counted, up to ``total``, by a
        count of their own or by the ``count`` that several maps share.

        While the caller works on one window of replies the next ones are answered, unless that costs money.
        """
        backend, count = self.backend(task), count or Count(self.told, total)
        works = (partial(self._answer, backend, task, window, count) for window in _windows(requests, backend.window))
        # Never ahead of a paid backend: who stops listening must not be waiting for, and paying for, another window.
        for replies in (work() for work in works) if backend.paid else ahead(works):
            yield from replies

    def dialogues(self, dialogues: Iterable[Dialogue[T]], total: int | None = None) -> Iterator[T]:
        """Yield the result of each dialogue, in their order."""
        from pipeline.language.scheduler import hold

        return hold(self, dialogues, total)

    def one(self, task: Task[RequestT, ReplyT], request: RequestT) -> Reply[ReplyT] | Failure:
        """Return the reply to a single request, or why there is none."""
        return self._answer(self.backend(task), task, [request], Count(self.told, 1))[0][1]

    def write(self, task: Task[RequestT, Prose], request: RequestT, show: Show | None = None) -> Reply[Prose] | Failure:
        """Return the reply to a single request in free text, as ``one`` does; ``show`` sees it while it is written.

        What the cache holds, and what no model writes, is shown a sentence at a time. A stream that breaks off is
        asked for once more, whole.
        """
        backend = self.backend(task)
        reply = self._streamed(backend, task, request, show) if show and isinstance(backend, Streaming) else None
        if reply is None:
            reply = self.one(task, request)
            if show and isinstance(reply, Reply):
                for place, piece in enumerate(pieces(reply.value.text)):
                    show(piece, place == 0)
        return reply

    def _streamed(
        self, backend: Streaming, task: Task[RequestT, Prose], request: RequestT, show: Show
    ) -> Reply[Prose] | Failure | None:
        """Return a reply that was shown as it came; None where it is to be had, or had better be asked for, whole."""
        parts = backend.parts(task, request)
        key = reply_key(task.name, parts)
        if dict(self._cached(task, [key])):
            return None
        stream = backend.stream(task, request)
        begins = True
        try:
            while True:
                show(next(stream), begins)
                begins = False
        except StopIteration as end:
            reply: Reply[Prose] = end.value
        except NoAnswer as error:
            if error.again:
                return None
            self.ledger.fail(task.name, request.item, error.found, error.attempts)
            return Failure(error.found, error.attempts)
        finally:
            stream.close()
        self._put([self._row(task, request, key, parts, reply)])
        self.ledger.count(cached=False)
        return reply

    def kept(self, task: Task[RequestT, ReplyT], request: RequestT, key: str) -> Reply[ReplyT] | None:
        """Return the reply that the cache holds under ``key``, entered as answered; None when it must be asked for."""
        reply = dict(self._cached(task, [key])).get(key)
        if isinstance(reply, Reply):
            self._settle(self.backend(task), task, request, reply, False)
        return reply

    def keep(
        self,
        task: Task[RequestT, ReplyT],
        request: RequestT,
        key: str,
        parts: Mapping[str, str],
        reply: Reply[ReplyT] | Failure,
    ) -> None:
        """Put a fresh reply of a paid backend into the cache and its call into the ledger."""
        if isinstance(reply, Reply):
            self._put([self._row(task, request, key, parts, reply)])
        self._enter(task, request, self.backend(task), reply)

    def settle(
        self, task: Task[RequestT, ReplyT], request: RequestT, reply: Reply[ReplyT] | Failure
    ) -> Reply[ReplyT] | Failure:
        """Return what the asker gets of a fresh reply: itself, or the offline way's where a task falls back."""
        return self._settle(self.backend(task), task, request, reply, True)

    def close(self) -> None:
        """Close backends and cache."""
        for backend in {
            id(backend): backend for backend in (self.offline, self.default, *self.backends.values())
        }.values():
            backend.close()
        if self.cache:
            self.cache.close()

    def _answer(
        self, backend: Backend, task: Task[RequestT, ReplyT], window: list[RequestT], count: "Count"
    ) -> list[tuple[RequestT, Reply[ReplyT] | Failure]]:
        if task.only_model and backend is self.offline:
            return [(request, Reply(task.offline(request), backend.name)) for request in window]
        parts = [backend.parts(task, request) for request in window]
        keys = [reply_key(task.name, part) for part in parts]
        replies: dict[str, Reply[ReplyT] | Failure] = dict(self._cached(task, keys))
        missing = {key: position for position, key in reversed(list(enumerate(keys))) if key not in replies}
        asked = sorted(missing.values())
        count.more(len(window) - len(asked))
        fresh: list[tuple[str, str, str, str, Mapping[str, str], Kept]] = []
        for position, reply in backend.answer(task, [window[i] for i in asked]):
            where = asked[position]
            replies[keys[where]] = reply
            if isinstance(reply, Reply):
                fresh.append(self._row(task, window[where], keys[where], parts[where], reply))
            if backend.paid:
                self._put(fresh)
                self._enter(task, window[where], backend, reply)
            count.more(1)
        self._put(fresh)
        return [
            (request, self._settle(backend, task, request, replies[key], key in missing))
            for request, key in zip(window, keys, strict=True)
        ]

    def _cached(self, task: Task[RequestT, ReplyT], keys: list[str]) -> Iterator[tuple[str, Reply[ReplyT]]]:
        if self.cache is None:
            return
        for key, kept in self.cache.get(sorted(set(keys))).items():
            try:
                value = task.reply.model_validate_json(kept.reply)
            except ValidationError:
                continue  # written by hand or damaged: it is asked again, and counted as asked
            yield key, Reply(value, kept.by, kept.tokens_in, kept.tokens_out, cost=0.0, cached=True)

    def _row(
        self, task: Task[RequestT, ReplyT], request: RequestT, key: str, parts: Mapping[str, str], reply: Reply[ReplyT]
    ) -> tuple[str, str, str, str, Mapping[str, str], Kept]:
        kept = Kept(reply.json or reply.value.model_dump_json(), reply.by, reply.tokens_in, reply.tokens_out)
        return key, self.ledger.stage, task.name, request.item, parts, kept

    def _put(self, fresh: list[tuple[str, str, str, str, Mapping[str, str], Kept]]) -> None:
        if self.cache is not None and fresh:
            self.cache.put(fresh)
        fresh.clear()

    def _enter(self, task: Task[Any, Any], request: Any, backend: Backend, reply: Reply[Any] | Failure) -> None:
        if isinstance(reply, Reply | PaidFailure):
            cached, tokens = isinstance(reply, Reply) and reply.cached, (reply.tokens_in, reply.tokens_out)
            self.ledger.call(task.name, request.item, reply.by, cached, tokens, reply.cost, reply.seconds)
        else:
            self.ledger.call(task.name, request.item, backend.name, False, (0, 0), None, 0.0)

    def _settle(
        self,
        backend: Backend,
        task: Task[RequestT, ReplyT],
        request: RequestT,
        reply: Reply[ReplyT] | Failure,
        fresh: bool,
    ) -> Reply[ReplyT] | Failure:
        """Enter a cached reply or a failure; write a report that the model failed to give the offline way."""
        if isinstance(reply, Reply):
            self.ledger.count(cached=not fresh)
            if backend.paid and not fresh:
                self._enter(task, request, backend, reply)
            return reply
        self.ledger.fail(task.name, request.item, reply.reason, reply.attempts)
        if not task.fallback:
            return reply
        return Reply(accept(task, request, task.offline(request)), "offline")


class Count:
    """Tells how many requests are done, from whichever thread they come."""

    def __init__(self, told: Told, total: int | None) -> None:
        self._told, self._total, self._done = told, total, 0
        self._lock = threading.Lock()

    def more(self, requests: int) -> None:
        """Tell that so many more are done."""
        if requests:
            with self._lock:
                self._done += requests
                self._told(self._done, self._total)


_PIECE = re.compile(r".+?(?:[.!?…\]][\"'”’)]*\s+|[。！？]|\Z)", re.DOTALL)


def pieces(text: str) -> list[str]:
    """Return a text in pieces of about a sentence, which together are the text."""
    return _PIECE.findall(text)


def _windows(items: Iterable[T], size: int) -> Iterator[list[T]]:
    iterator = iter(items)
    while window := list(islice(iterator, size)):
        yield window
