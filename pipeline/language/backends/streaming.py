"""Free-text answers as they are written: pieces in order, tokens counted at the end, one entry in the ledger."""

from collections.abc import Generator
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from pipeline.base.task import ReplyT, RequestT, Task
from pipeline.language.backends.backend import NoAnswer, accept
from pipeline.language.language import Reply
from pipeline.language.transport import event_loop
from pipeline.language.transport.api_keys import redact
from pipeline.language.transport.rate_limit import Sent, Unanswered
from pipeline.language.transport.structured import Raw, Unusable, raw, read, spoken
from pipeline.language.transport.task_pool import Stop

if TYPE_CHECKING:
    from pipeline.language.backends.chat import ModelBackend


class BrokenOff(Exception):
    """A stream that ended in its middle: what was shown cannot be taken back, so it is not tried again."""


def stream(
    backend: "ModelBackend", task: Task[RequestT, ReplyT], request: RequestT
) -> Generator[str, None, Reply[ReplyT]]:
    """Yield the pieces of a free-text reply to ``request`` and return it whole; the reply's schema is not asked for.

    The call is entered in the ledger; a failure is left to the service, which may ask once more. Until the first piece,
    troubles are tried again as for any call. Raises NoAnswer when no answer can be had, when it breaks off, is empty, or
    is cut at the limit of output tokens; BudgetError when a cap forbids the call, ModelError when no call makes sense.
    """
    pieces: SimpleQueue[str | BaseException | Reply[ReplyT]] = SimpleQueue()
    backend.client()
    job = event_loop.start(_write(backend, task, request, pieces))
    try:
        while not isinstance(piece := pieces.get(), Reply):
            if isinstance(piece, BaseException):
                raise piece
            yield piece
        return piece
    finally:
        job.cancel()


async def _write(backend: "ModelBackend", task: Task[Any, Any], request: Any, pieces: "SimpleQueue[Any]") -> None:
    system, user = backend.render(task, request)
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
        pieces.put(_whole(backend, task, request, sent))
    except Unanswered as error:
        told = f"{error.trouble.name}: {error.trouble.text}"
        pieces.put(NoAnswer(told, error.attempts, error.trouble.name == "broken_off"))
    except BaseException as error:
        pieces.put(error)
        raise


async def _pour(backend: "ModelBackend", messages: list[Any], n_bytes: int, pieces: "SimpleQueue[Any]") -> Raw:
    """Put the pieces as they come, without what the model thinks before it speaks, and return the whole."""
    whole: Any = None
    written, shown = "", 0
    body = backend.client().body
    try:
        async for chunk in backend.client().chat.astream(messages, **({"extra_body": body} if body else {})):
            whole = chunk if whole is None else whole + chunk
            written += raw(chunk).text or ""
            said = spoken(written)
            if len(said) > shown:
                pieces.put(said[shown:])
                shown = len(said)
    except Exception as error:
        if not written:
            raise
        raise BrokenOff(f"the answer broke off: {type(error).__name__}") from error
    if whole is None:
        raise ValueError("the stream held nothing")
    about = raw(whole)
    tokens_in, tokens_out = backend.used(n_bytes, about)
    return Raw(written, about.ended, about.refusal, (), tokens_in, tokens_out)


def _whole(backend: "ModelBackend", task: Task[Any, Any], request: Any, sent: Sent[Raw]) -> Reply[Any]:
    """Enter the call and return its reply; NoAnswer for one that cannot be kept."""
    said = sent.value
    tokens = said.tokens_in or 0, said.tokens_out or 0
    cost = backend.lane.sizes.cost(*tokens)
    backend.ledger.call(task.name, request.item, backend.model.model, False, tokens, cost, sent.seconds)
    try:
        if not said.ended and said.text and backend.client().protocol:
            told = "the answer broke off: the server closed the stream without saying that it was done"
            raise Unusable("broken_off", told)
        value = accept(task, request, read(said, task))
    except ValueError as error:
        name = error.name if isinstance(error, Unusable) else "misfit"
        reason = " ".join(redact(error).split())[:500]
        raise NoAnswer(f"{name}: {reason}", sent.attempts, name != "refused") from None
    return Reply(value, backend.model.model, *tokens, cost, sent.seconds, sent.attempts)
