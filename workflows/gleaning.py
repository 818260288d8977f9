"""A first reading of each chunk, then rounds that ask only for what it missed (Edge et al. 2024, section 3.1.2)."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from pipeline.base.task import Ask, AskT, ReplyT, Task
from pipeline.language.backend import Reply
from pipeline.language.desk import Desk

MoreT = TypeVar("MoreT", bound=Ask)


def read_and_glean(
    language: Desk,
    task: Task[AskT, ReplyT],
    asks: Iterable[AskT],
    glean: Task[MoreT, ReplyT],
    again: Callable[[AskT, Sequence[ReplyT]], MoreT],
    rounds: int,
    total: int,
) -> dict[str, list[ReplyT]]:
    """Return the replies of each item, round by round; later rounds only add. An item whose first reading failed is
    absent, and in the ledger. ``again`` makes the ask for what is missing, given what was found; an item is asked again
    until a round brings nothing, at most ``rounds`` times.
    """
    found: dict[str, list[ReplyT]] = {}
    waiting: list[AskT] = []
    for ask, reply in language.map(task, asks, total):
        if isinstance(reply, Reply):
            found[ask.item] = [reply.value]
            waiting.append(ask)
    for _ in range(rounds):
        more = [again(ask, found[ask.item]) for ask in waiting]
        missed: set[str] = set()
        for asked, reply in language.map(glean, more, total):
            if isinstance(reply, Reply) and any(records for _, records in reply.value):
                found[asked.item].append(reply.value)
                missed.add(asked.item)
        waiting = [ask for ask in waiting if ask.item in missed]
    return found
