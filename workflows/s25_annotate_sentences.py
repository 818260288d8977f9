"""Stage 25: names and salient phrases of the whole corpus, by statistics, and every sentence with those in it."""

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby, islice
from operator import itemgetter
from typing import Any

from pipeline.base.schema import SENTENCES, VOCABULARY
from pipeline.base.settings import ExtractionSettings, NameSettings
from pipeline.base.storage.parquet import BATCH_ROWS
from pipeline.base.store import Rows
from pipeline.base.workflow import Notes, Parts
from pipeline.language.language import Language, Reply
from pipeline.language.recogniser import open_recogniser
from pipeline.language.tasks.indexing.scan_text import ChunkToScan, scan_text
from pipeline.resolution.corrections import Split
from pipeline.text.extraction.annotate import Reading, annotate
from pipeline.text.extraction.stop_phrases import StopPhrases
from pipeline.text.inflection import in_number
from pipeline.text.names.chunk_scan import Scan
from pipeline.text.names.vocabulary import Matcher, choose
from workflows.shared.annotated_chunks import sentence_part

UNKNOWN = "und"
"""The code of a language that was not recognised."""


def run(
    chunks: Rows,
    splits: Sequence[Split],
    settings: NameSettings,
    extraction: ExtractionSettings,
    language: Language,
    notes: Notes,
) -> Parts:
    """Scan each chunk by itself, choose names over the whole corpus, then find them, pronouns and dates in every sentence."""
    requests = (
        ChunkToScan(row["id"], row["text"], row["anchor"])
        for batch in chunks.batches(["id", "text", "anchor"])
        for row in batch.to_pylist()
    )
    cuts: list[tuple[str, array[int]]] = []

    def scans() -> Iterator[Scan]:
        for _, reply in language.map(scan_text, requests, total=chunks.num_rows):
            if isinstance(reply, Reply):
                cuts.append((reply.value.language, array("i", reply.value.sentences)))
                yield reply.value

    apart = [(split.name, split.entity) for split in splits]
    recogniser = open_recogniser(settings.recogniser)
    recognised = list(recogniser.find(chunks.column("text").to_pylist())) if recogniser else None
    stopped = StopPhrases(extraction.stop_phrases)
    chosen = choose(scans(), apart=apart, recognised=recognised)
    names = [name for name in chosen if not stopped.stops(name.title)]
    yield (
        VOCABULARY,
        VOCABULARY.rows((n.title, n.kind, n.type, list(n.forms), n.frequency, n.spread) for n in names),
    )
    languages = _languages(chunks.column("document_id").to_pylist(), [code for code, _ in cuts])
    matcher = Matcher(names, apart)
    known = zip(languages, (cut for _, cut in cuts), strict=True)
    readings: list[tuple[str, Reading]] = []
    left = 0
    for document in _documents(chunks):
        found, nobodys = matcher.find_in_order([row["text"] for row in document])
        left += nobodys
        for row, matches in zip(document, found, strict=True):
            code, cut = next(known)
            spans = list(zip(cut[::2], cut[1::2], strict=True))
            readings.append((row["id"], annotate(row["text"], matches, row["anchor"], spans, code)))
        if len(readings) >= BATCH_ROWS:
            yield SENTENCES, sentence_part(readings)
            readings = []
    if readings:
        yield SENTENCES, sentence_part(readings)
    if left:
        notes.report(
            f"{in_number(left, 'mention')} left open: several people share the name, and the text does not show who is meant"
        )


def _documents(chunks: Rows) -> Iterator[list[dict[str, Any]]]:
    """Yield the chunks of each document, of a long one so many at a time."""
    rows = (row for batch in chunks.batches(["id", "document_id", "text", "anchor"]) for row in batch.to_pylist())
    for _, own in groupby(rows, itemgetter("document_id")):
        while some := list(islice(own, BATCH_ROWS)):
            yield some


def _languages(documents: Sequence[str], found: Sequence[str]) -> list[str]:
    """Return the language of each chunk; one too short to recognise is in the language of most chunks of its document."""
    counts: dict[str, Counter[str]] = {}
    for document, code in zip(documents, found, strict=True):
        if code != UNKNOWN:
            counts.setdefault(document, Counter())[code] += 1
    main = {document: min(codes, key=lambda code: (-codes[code], code)) for document, codes in counts.items()}
    return [
        main.get(document, UNKNOWN) if code == UNKNOWN else code
        for document, code in zip(documents, found, strict=True)
    ]
