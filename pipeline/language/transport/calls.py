"""One call to a chat model, made by this process or by a worker of a cluster: messages go out, a raw reply comes back.

Whoever makes the call, the process that has the scheduler decides when: limits, budget, cache and ledger are there alone.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from pipeline.base.errors import GraphstrataError
from pipeline.base.settings import ModelSettings
from pipeline.base.task import Task
from pipeline.language.transport.classify_errors import Fault, diagnose
from pipeline.language.transport.providers import Client, chat_client, messages_of
from pipeline.language.transport.structured import RawReply, form, raw_reply

Send = Callable[[list[Any]], Awaitable[Any]]


class CallToModel(NamedTuple):
    """A rendered request of a task."""

    task: Task[Any, Any]
    system: str
    user: str


class Sender:
    """Makes calls by a client of its own; what a task's reply must look like is worked out once."""

    def __init__(self, client: Client, model: ModelSettings) -> None:
        self.client, self._mode = client, model.structured
        self._sends: dict[str, Send] = {}

    async def __call__(self, one: CallToModel) -> RawReply:
        """Make a call; raises what the client raises."""
        if one.task.name not in self._sends:
            self._sends[one.task.name] = self.client.sender(form(one.task, self._mode), self._mode)
        return raw_reply(await self._sends[one.task.name](messages_of(one.system, one.user)))


@dataclass(frozen=True)
class BuildSender:
    """What a worker makes calls by: its client, with the key that the worker's own environment holds."""

    name: str
    model: ModelSettings

    def __call__(self) -> Callable[[CallToModel], Awaitable[RawReply | Fault]]:
        """Return what makes calls on a worker."""
        sender = Sender(chat_client(self.name, self.model), self.model)

        async def call(one: CallToModel) -> RawReply | Fault:
            try:
                return await sender(one)
            except GraphstrataError:
                raise
            except Exception as error:  # noqa: BLE001 - diagnose sorts whatever a client raises
                return diagnose(error)

        return call
