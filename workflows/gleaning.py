"""A first reading of each chunk, then rounds that ask only for what it missed (Edge et al. 2024, section 3.1.2)."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

from pipeline.base.task import Ask, AskT, Failure, ReplyT, Task
from pipeline.language.backend import Reply
from pipeline.language.desk import Desk

MoreT = TypeVar("MoreT", bound=Ask)

AT_ONCE = 1024
"""Chunks whose gleaning is asked for together; also the rows of chunks that a part of a table is made from."""


def read_and_glean(
    language: Desk,
    task: Task[AskT, ReplyT],
    asks: Iterable[AskT],
    glean: Task[MoreT, ReplyT],
    again: Callable[[AskT, Sequence[ReplyT]], MoreT],
    rounds: int,
    total: int,
) -> Iterator[list[tuple[AskT, list[ReplyT]]]]:
    """Yield groups of asks with their replies, round by round, in order; later rounds only add to what was found.

    An ask whose first reading failed is absent, and in the ledger. ``again`` makes the ask for what is missing, given
    what was found; a chunk is asked again until a round brings nothing, at most ``rounds`` times.
    """
    replies = language.map(task, asks, total)
    while group := list(islice(replies, AT_ONCE)):
        yield _glean(language, group, glean, again, rounds, total)


def _glean(
    language: Desk,
    group: Sequence[tuple[AskT, Reply[ReplyT] | Failure]],
    glean: Task[MoreT, ReplyT],
    again: Callable[[AskT, Sequence[ReplyT]], MoreT],
    rounds: int,
    total: int,
) -> list[tuple[AskT, list[ReplyT]]]:
    found = [(ask, [reply.value]) for ask, reply in group if isinstance(reply, Reply)]
    waiting = found
    for _ in range(rounds):
        more = language.map(glean, [again(ask, replies) for ask, replies in waiting], total)
        missed = []
        for (ask, replies), (_, reply) in zip(waiting, more, strict=True):
            if isinstance(reply, Reply) and any(records for _, records in reply.value):
                replies.append(reply.value)
                missed.append((ask, replies))
        waiting = missed
    return found
