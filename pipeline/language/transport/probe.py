"""What a model can do, found out by one small call for each ability: for ``graphstrata doctor --online``."""

import difflib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, get_args

from pydantic import BaseModel, Field

from pipeline.base.errors import ModelError
from pipeline.base.settings import LimitSettings, ModelSettings
from pipeline.base.task import Prompt, Request, Task
from pipeline.language.budget import Budget
from pipeline.language.transport import event_loop
from pipeline.language.transport.providers import Client, chat_client, embedding_client, messages_of
from pipeline.language.transport.rate_limit import RateLimiter, Send, Unanswered
from pipeline.language.transport.structured import Mode, RawReply, Unusable, form, raw_reply, read
from pipeline.language.transport.task_pool import Stop

LONG = 4500
"""Words of the question that tries the context, each at least a token: beyond the 2,048 and 4,096 that local servers
cut to without warning by default."""
_TRIES = 2
_LENGTHS = ("max_model_len", "context_length", "max_context_length", "context_window", "loaded_context_length")


@dataclass
class Probe:
    """What was found. None means what was not tried or cannot be known from outside.

    ``structured`` says of each mode whether a reply of it validated; ``context`` is the length in tokens that the
    server names, ``context_ok`` whether a question of LONG words arrived whole; ``message`` has a line for each thing
    that a person should know.
    """

    reachable: bool = False
    structured: dict[Mode, bool] = field(default_factory=dict)
    context: int | None = None
    context_ok: bool | None = None
    embedding_size: int | None = None
    price_known: bool = False
    message: str = ""

    def say(self, line: str) -> None:
        """Add a line to the message."""
        self.message = f"{self.message}\n{line}".strip()


class Person(BaseModel):
    """A person in a sentence."""

    name: str = Field(description="the person's name")
    age: int = Field(description="the person's age in years")
    towns: list[str] = Field(description="towns that the sentence names")


def _no_offline(request: Request) -> Person:
    raise NotImplementedError("the probe is only for models")


_TASK = Task(
    "probe",
    Prompt("You read a sentence and report what it says.", "Anna, who is 31, moved from Lyon to Ghent."),
    Request,
    Person,
    _no_offline,
)


def probe(model: ModelSettings, name: str = "model") -> Probe:
    """Try ``model``: three structured modes and a long question for a chat model, one vector for an embedding model.

    At most five calls. What is wrong is in the result; nothing is raised.
    """
    found = Probe(price_known=not model.unpriced)
    if not found.price_known:
        found.say("no price in settings: costs will not be shown, and max_cost cannot be used")
    limiter = RateLimiter(name, model.model_copy(update={"max_attempts": _TRIES}), Budget(LimitSettings()))
    try:
        event_loop.run(
            _embedding(name, model, limiter, found) if model.kind == "embedding" else _chat(name, model, limiter, found)
        )
    except ModelError as error:
        found.say(str(error))
    return found


async def _chat(name: str, model: ModelSettings, limiter: RateLimiter, found: Probe) -> None:
    client = chat_client(name, model)
    try:
        await _listed(client, model, found)
        for mode in get_args(Mode):
            found.structured[mode] = await _structured(client, mode, limiter, found)
        _advise(name, model, found)
        await _context(client, model, limiter, found)
    finally:
        await client.close()


async def _listed(client: Client, model: ModelSettings, found: Probe) -> None:
    """Look the model up in the server's own list, where it has one."""
    if client.provider != "openai":
        return
    try:
        listed = [entry async for entry in await client.chat.root_async_client.models.list()]
    except Exception:  # noqa: BLE001 - many servers have no list; the calls that follow show what is wrong
        return
    for entry in listed:
        if entry.id == model.model:
            lengths = (getattr(entry, name, None) for name in _LENGTHS)
            found.context = next((length for length in lengths if isinstance(length, int)), None)
            return
    near = difflib.get_close_matches(model.model, [str(entry.id) for entry in listed], 3, 0.4)
    found.say(f"the server does not list {model.model}" + (f"; near it: {', '.join(near)}" if near else ""))


async def _structured(client: Client, mode: Mode, limiter: RateLimiter, found: Probe) -> bool:
    shaped = form(_TASK, mode)
    assert _TASK.prompt is not None
    question = messages_of(_TASK.prompt.system + shaped.suffix, _TASK.prompt.user)
    try:
        called = await limiter.call("probe", 1000, _sending(client.sender(shaped, mode), question), Stop())
        found.reachable = True
        read(called.value, _TASK)
    except (Unanswered, Unusable) as error:
        found.reachable = True
        found.say(f"{mode}: {error}")
        return False
    except ModelError as error:
        if ".structured to " in error.fix:
            found.reachable = True
            found.say(f"{mode}: {error.found}")
            return False
        raise
    return True


def _advise(name: str, model: ModelSettings, found: Probe) -> None:
    able = [mode for mode, can in found.structured.items() if can]
    if model.structured in able:
        return
    if able:
        found.say(f"{model.structured} does not work here: set models.{name}.structured to {able[0]}")
    else:
        found.say("no structured mode works: this model cannot be used for indexing")


async def _context(client: Client, model: ModelSettings, limiter: RateLimiter, found: Probe) -> None:
    if model.context_tokens < LONG * 2:
        return
    words = " ".join(f"{word}" for word in ["river", "stone", "garden", "window", "letter"] * (LONG // 5))
    question = messages_of("Answer in one word.", f"{words}\n\nWhich word stood first?")
    try:
        reply = (await limiter.call("probe", len(words), _sending(client.chat.ainvoke, question), Stop())).value
    except Unanswered as error:
        found.context_ok = False if error.fault.name == "too_long" else None
        found.say(f"context: {error}")
        return
    if isinstance(reply.tokens_in, int):
        found.context_ok = reply.tokens_in >= LONG
        if not found.context_ok:
            found.say(
                f"context: the server counted {reply.tokens_in} tokens in a question of {LONG} words, so it cuts "
                "questions without warning: raise its context length (Ollama: OLLAMA_CONTEXT_LENGTH or num_ctx)"
            )
    if found.context is not None and found.context < model.context_tokens:
        found.say(f"context: the server takes {found.context} tokens: set context_tokens to that")


async def _embedding(name: str, model: ModelSettings, limiter: RateLimiter, found: Probe) -> None:
    client, http = embedding_client(name, model)

    async def one() -> tuple[list[float], int, int]:
        return list((await client.aembed_documents(["a text of six short words"]))[0]), 6, 0

    try:
        called = await limiter.call("probe", 25, one, Stop())
        found.reachable, found.embedding_size = True, len(called.value)
    except Unanswered as error:
        found.say(str(error))
    finally:
        if http is not None:
            await http.aclose()


def _sending(send: Callable[[list[Any]], Awaitable[Any]], messages: list[Any]) -> Send[RawReply]:
    async def call() -> tuple[RawReply, int, int]:
        reply = raw_reply(await send(messages))
        return reply, *reply.tokens(0)

    return call
