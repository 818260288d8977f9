"""A first reading of each chunk, then rounds that request only for what it missed (Edge et al. 2024, section 3.1.2)."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

from pipeline.base.task import ReplyT, Request, RequestT, Task
from pipeline.language.language import Dialogue, Language, Reply

MoreT = TypeVar("MoreT", bound=Request)

AT_ONCE = 1024
"""Chunks that a part of a table is made from; a constant, because the parts decide the bytes of the file."""


def read_and_glean(
    language: Language,
    task: Task[RequestT, ReplyT],
    requests: Iterable[RequestT],
    glean: Task[MoreT, ReplyT],
    again: Callable[[RequestT, Sequence[ReplyT]], MoreT],
    rounds: int,
    total: int,
) -> Iterator[list[tuple[RequestT, list[ReplyT]]]]:
    """Yield groups of requests with their replies, round by round, in order; later rounds only add to what was found.

    A request whose first reading failed is absent, and in the ledger. ``again`` makes the request for what is missing, given
    what was found; a chunk is asked again until a round brings nothing, at most ``rounds`` times, and no chunk waits
    for another.
    """

    rounds = rounds if language.adds(glean) else 0

    def read(request: RequestT) -> Dialogue[tuple[RequestT, list[ReplyT]]]:
        reply = yield task, request
        found: list[ReplyT] = [reply.value] if isinstance(reply, Reply) else []
        for _ in range(rounds if found else 0):
            reply = yield glean, again(request, found)
            if not isinstance(reply, Reply) or not (reply.assumed or any(records for _, records in reply.value)):
                break
            found.append(reply.value)
        return request, found

    results = language.dialogues((read(request) for request in requests), total, 1 + rounds)
    while group := list(islice(results, AT_ONCE)):
        yield [(request, found) for request, found in group if found]
