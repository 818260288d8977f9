"""The way without a model: each task's own offline function, over several processes when there is much to do."""

import gc
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

from pipeline.base.ids import content_id, dump
from pipeline.base.source_hash import source_hash
from pipeline.base.task import Ask, AskT, Failure, ReplyT, Task
from pipeline.language.backends.backend import Reply, accept

BATCH = 32
"""Asks that one process takes at a time: long enough to outweigh the sending, short enough to share evenly."""


class OfflineBackend:
    """Answers by ``task.offline``; the replies do not depend on ``workers``."""

    name = "offline"
    paid = False
    window = 256

    def __init__(self, workers: int = 1) -> None:
        self._workers = workers
        self._pool: ProcessPoolExecutor | None = None
        self._lock = threading.Lock()

    def parts(self, task: Task[Any, Any], ask: Ask) -> dict[str, str]:
        """The task, its source, and all fields of the ask."""
        return {"model": self.name, "code": _code(task), "ask": content_id(dump(ask.content()))}

    def signature(self, task: Task[Any, Any]) -> str:
        """The task's source."""
        return f"{self.name} {_code(task)}"

    def answer(self, task: Task[AskT, ReplyT], asks: Sequence[AskT]) -> Iterator[tuple[int, Reply[ReplyT] | Failure]]:
        """Yield the replies in the order of the asks."""
        if self._workers == 1 or len(asks) < 2 * BATCH:
            for position, ask in enumerate(asks):
                yield position, Reply(accept(task, ask, task.offline(ask)), self.name)
            return
        batches = [list(asks[start : start + BATCH]) for start in range(0, len(asks), BATCH)]
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
                # Forking would copy the locks of threads that pyarrow has started. Replies hold no cycles, so nothing
                # in a worker waits for the collector.
                self._pool = ProcessPoolExecutor(self._workers, mp_context=get_context("spawn"), initializer=gc.disable)
            return self._pool


def _answer(name: str, asks: list[Ask]) -> list[str]:
    from pipeline.language.tasks.registry import TASKS

    task = TASKS[name]
    return [accept(task, ask, task.offline(ask)).model_dump_json() for ask in asks]


def _code(task: Task[Any, Any]) -> str:
    return source_hash(task.offline.__module__) + source_hash(task.reply.__module__)
