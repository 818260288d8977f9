"""The way without a model: each task's own offline function, over several processes when there is much to do."""

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from typing import Any

from pipeline.base.ids import content_id, dump
from pipeline.base.source_hash import source_hash
from pipeline.base.task import Failure, ReplyT, Request, RequestT, Task
from pipeline.base.worker_process import start_worker
from pipeline.language.backends.backend import accept
from pipeline.language.language import Reply

BATCH = 32
"""Requests that one process takes at a time: long enough to outweigh the sending, short enough to share evenly."""


class OfflineBackend:
    """Answers by ``task.offline``; the replies do not depend on ``workers``."""

    name = "offline"
    paid = False
    window = 256

    def __init__(self, workers: int = 1) -> None:
        self._workers = workers
        self._pool: ProcessPoolExecutor | None = None
        self._lock = threading.Lock()

    def parts(self, task: Task[Any, Any], request: Request) -> dict[str, str]:
        """The task, its source, and all fields of the request."""
        return {"model": self.name, "code": _code(task), "request": content_id(dump(request.content()))}

    def signature(self, task: Task[Any, Any]) -> str:
        """The task's source."""
        return f"{self.name} {_code(task)}"

    def answer(
        self, task: Task[RequestT, ReplyT], requests: Sequence[RequestT]
    ) -> Iterator[tuple[int, Reply[ReplyT] | Failure]]:
        """Yield the replies in the order of the requests."""
        if self._workers == 1 or len(requests) < 2 * BATCH:
            for position, request in enumerate(requests):
                yield position, Reply(accept(task, request, task.offline(request)), self.name)
            return
        batches = [list(requests[start : start + BATCH]) for start in range(0, len(requests), BATCH)]
        replies = self._processes().map(_answer, [task.name] * len(batches), batches)
        for position, reply in enumerate(reply for batch in replies for reply in batch):
            yield position, Reply(task.reply.model_validate_json(reply), self.name, json=reply)

    def close(self) -> None:
        """End the processes."""
        if self._pool:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None

    def _processes(self) -> ProcessPoolExecutor:
        with self._lock:
            if self._pool is None:
                # Forking would copy the locks of threads that pyarrow has started.
                self._pool = ProcessPoolExecutor(
                    self._workers, mp_context=get_context("spawn"), initializer=start_worker
                )
            return self._pool


def _answer(name: str, requests: list[Request]) -> list[str]:
    from pipeline.language.tasks.registry import TASKS

    task = TASKS[name]
    return [accept(task, request, task.offline(request)).model_dump_json() for request in requests]


def _code(task: Task[Any, Any]) -> str:
    return _hash(task.offline.__module__) + _hash(task.reply.__module__)


_hash = cache(source_hash)
"""The hash of a module's sources, which do not change while a process runs."""
