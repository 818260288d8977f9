"""A first reading of each chunk, then rounds that ask only for what it missed (Edge et al. 2024, section 3.1.2)."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

from pipeline.base.task import Ask, AskT, ReplyT, Task
from pipeline.language.backends.backend import Reply
from pipeline.language.scheduler import Dialogue, hold
from pipeline.language.service import Desk

MoreT = TypeVar("MoreT", bound=Ask)

AT_ONCE = 1024
"""Chunks that a part of a table is made from; a constant, because the parts decide the bytes of the file."""


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
    what was found; a chunk is asked again until a round brings nothing, at most ``rounds`` times, and no chunk waits
    for another.
    """

    def read(ask: AskT) -> Dialogue[tuple[AskT, list[ReplyT]]]:
        reply = yield task, ask
        found: list[ReplyT] = [reply.value] if isinstance(reply, Reply) else []
        for _ in range(rounds if found else 0):
            reply = yield glean, again(ask, found)
            if not isinstance(reply, Reply) or not any(records for _, records in reply.value):
                break
            found.append(reply.value)
        return ask, found

    results = hold(language, (read(ask) for ask in asks), total)
    while group := list(islice(results, AT_ONCE)):
        yield [(ask, found) for ask, found in group if found]
