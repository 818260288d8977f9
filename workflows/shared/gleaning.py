"""A first reading of each chunk, then rounds that request only for what it missed (Edge et al. 2024, section 3.1.2)."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from pipeline.base.task import ReplyT, Task
from pipeline.base.tokens import Estimate
from pipeline.language.language import Dialogue, Language, Reply
from pipeline.language.tasks.indexing.chunk_requests import ChunkToExtract, ChunkToGlean
from workflows.shared.annotated_chunks import AnnotatedChunk

TOKENS = Estimate()
SHORT = 50
"""Tokens of a text below which nothing is missed: 14 rows of a table with 33 to 46 tokens gave nothing more, of 45 chunks with 110 and
more 36 did."""
AT_ONCE = 1024
"""Chunks that a part of a table is made from; a constant, because the parts decide the bytes of the file."""


def requests_of(chunks: Iterable[AnnotatedChunk], about: str = "") -> Iterator[ChunkToExtract]:
    """Yield the request to extract from each chunk; ``about`` is what counts as a claim."""
    for chunk in chunks:
        yield ChunkToExtract(
            chunk.id,
            chunk.text,
            chunk.anchor,
            chunk.reading,
            chunk.correspondents,
            date=chunk.date,
            sent=chunk.sent,
            about=about,
        )


def read_and_glean(
    language: Language,
    task: Task[ChunkToExtract, ReplyT],
    requests: Iterable[ChunkToExtract],
    glean: Task[ChunkToGlean, ReplyT],
    known: Callable[[Sequence[ReplyT]], str],
    rounds: int,
    total: int,
) -> Iterator[list[tuple[ChunkToExtract, list[ReplyT]]]]:
    """Yield groups of requests with their replies, round by round, in order; later rounds only add to what was found.

    A request whose first reading failed is absent, and in the ledger. ``known`` returns what replies hold as a
    model is shown it when asked for the rest; a chunk is asked again until a round brings nothing, at most ``rounds`` times, one of fewer
    than SHORT tokens never, and no chunk waits for another.
    """

    rounds = rounds if language.adds(glean) else 0

    def read(request: ChunkToExtract) -> Dialogue[tuple[ChunkToExtract, list[ReplyT]]]:
        reply = yield task, request
        found: list[ReplyT] = [reply.value] if isinstance(reply, Reply) else []
        is_short = rounds > 0 and TOKENS.count(request.text) < SHORT
        for _ in range(rounds if found and not is_short else 0):
            reply = yield glean, request.again(known(found))
            if not isinstance(reply, Reply) or not (reply.assumed or any(records for _, records in reply.value)):
                break
            found.append(reply.value)
        return request, found

    results = language.dialogues((read(request) for request in requests), total, 1 + rounds)
    while group := list(islice(results, AT_ONCE)):
        yield [(request, found) for request, found in group if found]
