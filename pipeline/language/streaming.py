"""Free-text answers as they are written: pieces in order, tokens counted at the end, one entry in the ledger."""

from collections.abc import Generator
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from pipeline.base.errors import ModelError
from pipeline.base.task import AskT, ReplyT, Task
from pipeline.language import loop
from pipeline.language.lanes import Unanswered
from pipeline.language.many import Stop
from pipeline.language.structured import Raw, raw

if TYPE_CHECKING:
    from pipeline.language.models import ModelBackend


class BrokenOff(Exception):
    """A stream that ended in its middle: what was shown cannot be taken back, so it is not tried again."""


def stream(backend: "ModelBackend", task: Task[AskT, ReplyT], ask: AskT) -> Generator[str, None, None]:
    """Yield the pieces of a free-text reply to ``ask``; the reply's schema is not asked for.

    Until the first piece, troubles are tried again as for any call. Raises ModelError when no answer can be had, when
    it breaks off, is empty, or is cut at the limit of output tokens; BudgetError when a cap forbids the call.
    """
    pieces: SimpleQueue[str | BaseException | None] = SimpleQueue()
    backend.client()
    job = loop.start(_write(backend, task, ask, pieces))
    try:
        while (piece := pieces.get()) is not None:
            if isinstance(piece, BaseException):
                raise piece
            yield piece
    finally:
        job.cancel()


async def _write(backend: "ModelBackend", task: Task[Any, Any], ask: Any, pieces: "SimpleQueue[Any]") -> None:
    system, user = backend.render(task, ask)
    messages = backend.messages(system, user)
    n_bytes = len(system.encode("utf-8", "replace")) + len(user.encode("utf-8", "replace"))
    try:
        sent = await backend.lane.call(
            task.name,
            n_bytes,
            lambda: _pour(backend, messages, n_bytes, pieces),
            lambda said: (said.tokens_in or 0, said.tokens_out or 0),
            Stop(),
        )
        _enter(backend, task, ask, sent.value, sent.seconds)
        error = _unfinished(backend, sent.value)
        if error is not None:
            backend.ledger.fail(task.name, ask.item, error.found, sent.attempts)
        pieces.put(error)
    except Unanswered as error:
        backend.ledger.fail(task.name, ask.item, f"{error.trouble.name}: {error.trouble.text}", error.attempts)
        pieces.put(_no_answer(error.trouble.text))
    except BaseException as error:
        pieces.put(error)
        raise


async def _pour(backend: "ModelBackend", messages: list[Any], n_bytes: int, pieces: "SimpleQueue[Any]") -> Raw:
    """Put the pieces as they come and return the whole."""
    whole: Any = None
    written: list[str] = []
    body = backend.client().body
    try:
        async for chunk in backend.client().chat.astream(messages, **({"extra_body": body} if body else {})):
            whole = chunk if whole is None else whole + chunk
            text = raw(chunk).text
            if text:
                written.append(text)
                pieces.put(text)
    except Exception as error:
        if not written:
            raise
        raise BrokenOff(f"the answer broke off: {type(error).__name__}") from error
    if whole is None:
        raise ValueError("the stream held nothing")
    said = raw(whole)
    tokens_in, tokens_out = backend.used(n_bytes, said)
    return Raw("".join(written), said.ended, said.refusal, (), tokens_in, tokens_out)


def _enter(backend: "ModelBackend", task: Task[Any, Any], ask: Any, said: Raw, seconds: float) -> None:
    tokens = (said.tokens_in or 0, said.tokens_out or 0)
    cost = backend.lane.sizes.cost(*tokens)
    backend.ledger.call(task.name, ask.item, backend.model.model, False, tokens, cost, seconds)


def _unfinished(backend: "ModelBackend", said: Raw) -> ModelError | None:
    """Return the error for an answer that ended otherwise than by itself."""
    if said.refusal or said.ended in ("content_filter", "refusal"):
        return _no_answer(f"the model refused: {said.refusal or said.ended}"[:300])
    if not (said.text or "").strip():
        return _no_answer("the answer was empty")
    if said.ended in ("length", "max_tokens", "max_output_tokens"):
        return _no_answer("the answer was cut at the limit of output tokens")
    if not said.ended and backend.client().protocol:
        return _no_answer("the answer broke off: the server closed the stream without saying that it was done")
    return None


def _no_answer(found: str) -> ModelError:
    return ModelError(
        found, "an answer was streamed from the model and is not whole", "ask again, or without streaming"
    )
