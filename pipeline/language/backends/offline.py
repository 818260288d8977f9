"""Answers without a model: each task's own function, over the workers of an engine when there is much to do."""

import time
from functools import cache, partial
from typing import Any

from pipeline.base.engine.engine import Engine, InlineEngine
from pipeline.base.ids import content_id, dump
from pipeline.base.source_hash import source_hash
from pipeline.base.task import Request, Task, own_replies
from pipeline.language.backends.backend import Answers, Replies, Requests
from pipeline.language.language import Reply

BATCH = 32
"""Requests that one worker takes at a time: long enough to outweigh the sending, short enough to share evenly."""
MANY = 4
"""Workers from which on requests of quick tasks are sent to them: fewer do not make up for the sending."""

PATIENCE = 1.0
"""Seconds of work that this process does by itself before it sends any to workers: as many as it takes to start some."""


class OfflineBackend:
    """Answers by ``task.offline``; the replies do not depend on ``engine``, which is not closed here."""

    name = "offline"
    paid = False

    def __init__(self, engine: Engine | None = None) -> None:
        self._engine = engine or InlineEngine()
        self._worked = 0.0

    @property
    def inline(self) -> bool:
        """Whether all is answered in this process."""
        return self._engine.inline

    def parts(self, task: Task[Any, Any], request: Request) -> dict[str, str]:
        """The task, its source, and all fields of the request."""
        return {
            "model": self.name,
            "code": _hash(task.offline.__module__),
            "request": content_id(dump(request.content())),
        }

    def signature(self, task: Task[Any, Any]) -> str:
        """The source of the module that declares the task."""
        return source_signature(task.offline.__module__)

    def begin(self, task: Task[Any, Any], requests: Requests, answers: Answers, stream: bool = False) -> None:
        """Answer all together, when the answers are taken."""
        answers.later(partial(self._answers, task, requests))

    def _answers(self, task: Task[Any, Any], requests: Requests) -> Replies:
        here = self._engine.inline or (task.quick and self._engine.workers < MANY) or self._worked < PATIENCE
        if here or len(requests) < BATCH:
            began = time.thread_time()
            replies: Replies
            replies = [(tag, Reply(task.own_reply(one), self.name)) for tag, one in requests]
            self._worked += time.thread_time() - began
            return replies
        batches = [[one for _, one in requests[start : start + BATCH]] for start in range(0, len(requests), BATCH)]
        written = (
            reply
            for batch in self._engine.map(partial(own_replies, task.offline.__module__, task.name), batches)
            for reply in batch
        )
        return [
            (tag, Reply(task.reply.model_validate_json(reply), self.name, json=reply))
            for (tag, _), reply in zip(requests, written, strict=True)
        ]

    def close(self) -> None:
        """Do nothing: the engine belongs to who opened it."""


def source_signature(module: str) -> str:
    """Return the signature of the tasks that ``module`` declares, without a model: a hash of all the sources that it rests on."""
    return f"{OfflineBackend.name} {_hash(module)}"


_hash = cache(source_hash)
"""The hash of a module's sources, which do not change while a process runs."""
