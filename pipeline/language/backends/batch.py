"""A model's requests by batch files: half the price, replies within a day, found again by a later run."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from pipeline.base.errors import BudgetError, GraphstrataError, ModelError, SettingsError
from pipeline.base.task import Failure, Request, Task
from pipeline.language.backends.backend import Answers, Backend, Replies, Requests, accept
from pipeline.language.backends.chat import ModelBackend
from pipeline.language.budget import BATCH_SHARE, Reservation
from pipeline.language.cache import Cache
from pipeline.language.language import Reply
from pipeline.language.transport import event_loop
from pipeline.language.transport.api_keys import redact
from pipeline.language.transport.batch_files import (
    FIRST_POLL,
    MOST_BYTES,
    MOST_REQUESTS,
    BatchRecords,
    Submitted,
    collected,
    found_again,
    reply_of,
    request_line,
    submit,
)
from pipeline.language.transport.structured import RawReply, read
from pipeline.language.transport.task_pool import Stop

_Asked = tuple[Task[Any, Any], Request]


@dataclass
class BatchBackend:
    """Answers by batches of ``model``'s provider. A reply that cannot be used is requested again by a call of its own.

    Requests are gathered until those that ask wait for replies; what is noted in ``folder`` and still under way is waited
    for and not submitted again.
    """

    model: ModelBackend
    folder: Path
    cache: Cache | None = None
    log: Callable[[str], None] = lambda line: None
    first_poll: float = FIRST_POLL
    paid: bool = True
    _gathered: dict[str, _Asked] = field(default_factory=dict)
    _done: list[tuple[Submitted, str]] = field(default_factory=list)
    """Batches whose replies were handed over, each with the tag of one of them."""

    def __post_init__(self) -> None:
        self.name = self.model.name
        if self.model.model.provider not in ("openai", "azure") or self.model.given is not None:
            raise SettingsError(
                f"models.{self.name}.batch is on, and its provider has no batches that are known here",
                "batches by file are part of OpenAI's protocol",
                f"set models.{self.name}.batch to false",
            )
        self._records = BatchRecords(self.folder, self.name)

    def parts(self, task: Task[Any, Any], request: Request) -> dict[str, str]:
        """The model's: how its reply travels does not shape it."""
        return self.model.parts(task, request)

    def signature(self, task: Task[Any, Any]) -> str:
        """The model's."""
        return self.model.signature(task)

    def begin(self, task: Task[Any, Any], requests: Requests, answers: Answers, stream: bool = False) -> None:
        """Gather requests; a text that is shown while it is written is a call."""
        if stream:
            self.model.begin(task, requests, answers, stream)
            return
        if not self._gathered:
            answers.later(partial(self._answers, answers))
        self._gathered |= {tag: (task, request) for tag, request in requests}

    def close(self) -> None:
        """Close the connections; batches under way go on at the provider."""
        self._forget_collected()
        self.model.close()

    def _answers(self, answers: Answers) -> Replies:
        """Submit what was gathered and no batch has yet, wait for all of it, and return the replies.

        Where a cap leaves no room, what fits is answered first; the error comes when the results are taken further.
        """
        self._forget_collected()
        asked, self._gathered = self._gathered, {}
        try:
            replies = self._by_batches(asked, answers)
        except Exception as error:
            if isinstance(error, GraphstrataError) or not _of_the_client(error):
                raise
            raise self._refused(error) from error
        return replies

    def _by_batches(self, asked: dict[str, _Asked], answers: Answers) -> Replies:
        client = self.model.client()
        noted = [batch for batch in self._records.all() if asked.keys() & set(batch.tags)]
        waiting = [batch for batch in map(self._known, noted) if batch.id]
        covered = {tag for batch in waiting for tag in batch.tags}
        left = [(tag, *one) for tag, one in asked.items() if tag not in covered]
        reserved: dict[str, Reservation] = {}
        files, stopped = self._files(left, reserved)
        for lines in files:
            waiting.append(event_loop.run(submit(client, lines, self._records.note)))
            self.log(f"{self.name}: a batch of {len(lines):,} requests is submitted; a later run finds it again")
        found: dict[str, Reply[Any] | Failure] = {}
        for batch in waiting:
            replies = self._collected(batch, asked, reserved)
            found |= replies
            self._done.append((batch, next(iter(replies), "")))
        sent = {tag for batch in waiting for tag in batch.tags}
        again = [(tag, *one) for tag, one in asked.items() if tag in sent and tag not in found]
        found |= event_loop.run(self._by_calls(again, answers)) if again else {}
        if stopped is not None:
            answers.later(partial(_stop, stopped))
        return list(found.items())

    async def _by_calls(
        self, asked: Sequence[tuple[str, Task[Any, Any], Request]], answers: Answers
    ) -> dict[str, Reply[Any] | Failure]:
        """Ask by calls of their own, within the model's limits, what a batch did not answer."""
        stop = Stop()
        calls = (self.model.answer(task, request, answers, tag, False, stop) for tag, task, request in asked)
        replies = await asyncio.gather(*calls)
        return {tag: reply for (tag, *_), reply in zip(asked, replies, strict=True)}

    def _known(self, batch: Submitted) -> Submitted:
        found = event_loop.run(found_again(self.model.client(), batch))
        if not found.id:  # the run was ended between the file and its batch: nothing was begun, nothing is owed
            self._records.forget(batch)
        return found

    def _files(
        self, asked: Sequence[tuple[str, Task[Any, Any], Request]], reserved: dict[str, Reservation]
    ) -> tuple[list[list[tuple[str, bytes]]], BudgetError | None]:
        """Return the files to submit, and why they do not hold all requests where a cap leaves no room."""
        files: list[list[tuple[str, bytes]]] = []
        size = 0
        limiter = self.model.limiter
        for tag, task, request in asked:
            form = self.model.form(task)
            system, user = self.model.render(task, request)
            line = request_line(tag, self.model.model, form, system + form.suffix, user)
            most = limiter.sizes.cost(*limiter.sizes.maximum(task.name, len(line)))
            try:
                reservation = limiter.budget.reserve(BATCH_SHARE * (most or 0.0), f"{self.name}/{task.name}", True)
            except BudgetError as error:
                return files, error
            if reservation is None:
                return files, limiter.budget.exhausted_cost()
            reserved[tag] = reservation
            if not files or len(files[-1]) == MOST_REQUESTS or size + len(line) > MOST_BYTES:
                files.append([])
                size = 0
            files[-1].append((tag, line))
            size += len(line)
        return files, None

    def _collected(
        self, batch: Submitted, asked: dict[str, _Asked], reserved: dict[str, Reservation]
    ) -> dict[str, Reply[Any]]:
        status, lines = event_loop.run(collected(self.model.client(), batch, self._watch, self.first_poll))
        if status != "completed":
            self.log(f"{self.name}: a batch ended as {status}; what it did not answer is asked by calls")
        by_tag = {line["custom_id"]: line for line in lines}
        replies = {}
        for tag in batch.tags:
            reply = self._reply(asked[tag], by_tag.get(tag)) if tag in asked else None
            if tag in reserved:
                self.model.limiter.budget.settle(reserved[tag], reply.cost if reply else 0.0, 0.0)
            if reply is not None:
                replies[tag] = reply
        return replies

    def _forget_collected(self) -> None:
        """Remove the notes on batches whose replies have come into the cache; the others are collected once more."""
        done, self._done = self._done, []
        for batch, tag in done:
            if not tag or self.cache is None or self.cache.get([tag]):
                self._records.forget(batch)

    def _reply(self, asked: _Asked, line: dict[str, Any] | None) -> Reply[Any] | None:
        """Return the validated reply of a line; None where another try is needed."""
        task, request = asked
        raw: RawReply | None = reply_of(line) if line else None
        if raw is None:
            return None
        tokens = raw.tokens(0)
        price = self.model.limiter.sizes.cost(*tokens)
        cost = None if price is None else BATCH_SHARE * price
        self.model.limiter.budget.spending.add(self.model.model.model, *tokens, cost)
        try:
            value = accept(task, request, read(raw, task, partial(self.model.count, task.name)))
        except ValueError:
            self.model.count(task.name, "misfit")
            return None
        return Reply(value, self.model.model.model, *tokens, cost)

    def _watch(self, status: str, done: int, total: int) -> None:
        self.log(f"{self.name}: batch {status}, {done:,} of {total:,} requests done")

    def _refused(self, error: Exception) -> ModelError:
        return ModelError(
            f"the batches of the model {self.name} cannot be used: {' '.join(redact(error).split())[:300]}",
            "what was answered is saved; batches that were submitted go on and are found again",
            f"run the same command again later, or set models.{self.name}.batch to false",
        )


def batched(
    backends: Mapping[str, Backend], folder: Path, cache: Cache | None, log: Callable[[str], None]
) -> dict[str, Backend]:
    """Return the backends, those of models whose settings ask for batches by batches; a model has one for all its tasks."""
    made: dict[str, Backend] = {}
    for backend in backends.values():
        if isinstance(backend, ModelBackend) and backend.model.batch and backend.name not in made:
            made[backend.name] = BatchBackend(backend, folder, cache, log)
    return {task: made.get(backend.name, backend) for task, backend in backends.items()}


def _stop(error: GraphstrataError) -> list[Any]:
    raise error


def _of_the_client(error: Exception) -> bool:
    return isinstance(error, OSError) or type(error).__module__.partition(".")[0] in ("openai", "httpx")
