"""Stage 25: names and salient phrases of the whole corpus, by statistics, and where each stands."""

from pipeline.base.schema import CHUNKS, OCCURRENCES, VOCABULARY
from pipeline.base.store import Rows
from pipeline.base.workflow import Parts, workflow
from pipeline.language.language import Language, Reply
from pipeline.language.tasks.indexing.scan_text import ChunkToScan, scan_text
from pipeline.text.names.vocabulary import Matcher, choose


@workflow(reads=(CHUNKS,), asks=(scan_text,), writes=(VOCABULARY, OCCURRENCES))
def collect_vocabulary(chunks: Rows, language: Language) -> Parts:
    """Scan each chunk by itself, choose over the whole corpus, then find what was chosen in every chunk."""
    requests = (
        ChunkToScan(row["id"], row["text"], row["anchor"])
        for batch in chunks.batches(["id", "text", "anchor"])
        for row in batch.to_pylist()
    )
    replies = language.map(scan_text, requests, total=chunks.num_rows)
    names = choose(reply.value for _, reply in replies if isinstance(reply, Reply))
    yield (
        VOCABULARY,
        VOCABULARY.rows((n.title, n.kind, n.type, list(n.forms), n.frequency, n.spread) for n in names),
    )
    matcher = Matcher(names)
    for batch in chunks.batches(["id", "text"]):
        yield (
            OCCURRENCES,
            OCCURRENCES.rows(
                (row["id"], match.title, match.start, match.end)
                for row in batch.to_pylist()
                for match in matcher.find(row["text"])
            ),
        )
