"""Stage 50: claims about known entities, each with the words it rests on and where they are."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from pipeline.base.ids import content_id, dump
from pipeline.base.schema import CLAIMS
from pipeline.base.settings import ClaimSettings, ExtractionSettings
from pipeline.base.store import Rows
from pipeline.base.workflow import Notes, Parts
from pipeline.graph.merge import fold_title
from pipeline.language.language import Language
from pipeline.language.tasks.indexing.chunk_requests import ChunkToExtract
from pipeline.language.tasks.indexing.extract_claims import (
    Claims,
    ExtractedClaim,
    extract_claims,
    glean_claims,
)
from pipeline.text.dates import iso_date
from pipeline.text.lexicon.lexicon import TYPES
from pipeline.text.quotes import locate
from workflows.shared.annotated_chunks import AnnotatedChunk, Kind, annotated_chunks, rows_by_batch, vocabulary_types
from workflows.shared.gleaning import read_and_glean, requests_of
from workflows.shared.one_pass import read_everything

Resolve = Callable[[str], str | None]
"""From a name as written to the title of its entity."""


def run(
    documents: Rows,
    chunks: Rows,
    vocabulary: Rows,
    sentences: Rows,
    entities: Rows,
    settings: ClaimSettings,
    extraction: ExtractionSettings,
    language: Language,
    notes: Notes,
) -> Parts:
    """Extract and glean; a claim about nobody known is counted and logged, an unknown object becomes none. What two chunks that
    overlap say with the same words of a document is one claim, of the first."""
    if not settings.enabled:
        notes.report("claims are switched off in settings")
        return
    types, resolve = _entities(entities)
    total = chunks.num_rows
    known = vocabulary_types(vocabulary)
    kind = known if extraction.one_pass else _kinds(resolve, types, known)
    annotated = annotated_chunks(documents, chunks, sentences, kind)
    groups = (
        read_everything(annotated, settings.about, extraction.max_gleanings, language, total)
        if extraction.one_pass
        else read_and_glean(
            language,
            extract_claims,
            _asks(annotated, _entities_by_chunk(entities), settings.about),
            glean_claims,
            _known,
            settings.max_gleanings,
            total,
        )
    )
    made = _MadeInDocument(chunks)
    lost = again = unquoted = undated = 0
    for group in groups:
        rows: dict[str, tuple[object, ...]] = {}
        for request, claim in (
            (request, claim) for request, replies in group for reply in replies for claim in reply.claims
        ):
            subject = resolve(claim.subject)
            if subject is None:
                lost += 1
                continue
            row = _row(request.item, claim, subject, resolve(claim.object) if claim.object else None, request.text)
            if made.has(row):
                again += 1
                continue
            unquoted += row[-1] is None
            undated += sum(date is not None and iso_date(date) is None for date in (claim.start_date, claim.end_date))
            rows.setdefault(str(row[0]), row)
        yield CLAIMS, CLAIMS.rows(rows.values())
    if lost:
        notes.report(f"{lost} claims left out: their subject names no entity")
    if again:
        notes.report(f"{again} claims left out: a chunk that overlaps theirs makes them with the same words")
    if undated:
        notes.report(f"{undated} dates of claims that are no ISO dates: left out")
    if unquoted:
        notes.report(f"{unquoted} claims whose quote is not in their chunk: kept, without a span")


def _entities(entities: Rows) -> tuple[dict[str, str], Resolve]:
    table = entities.table(["title", "type", "aliases"]).to_pydict()
    by_fold: dict[str, str] = {}
    for title, aliases in zip(table["title"], table["aliases"], strict=True):
        for alias in aliases:
            by_fold.setdefault(fold_title(alias), title)
    by_fold |= {fold_title(title): title for title in table["title"]}
    types = dict(zip(table["title"], table["type"], strict=True))
    return types, lambda name: by_fold.get(fold_title(name))


def _kinds(resolve: Resolve, types: dict[str, str], known: Kind) -> Kind:
    """Return the function from a title of the vocabulary to its entity's title and type; a type that the rules do not
    know, of a model or a correction, leaves the vocabulary's."""

    def kind(name: str) -> tuple[str, str] | None:
        title, by_rules = resolve(name), known(name)
        if title is None or by_rules is None:
            return None
        return title, types[title] if types[title] in TYPES else by_rules[1]

    return kind


class _MadeInDocument:
    """The claims of a document so far, by their words and where these are; only one document's are kept, as chunks come in order."""

    def __init__(self, chunks: Rows) -> None:
        self._places = rows_by_batch(chunks, ["id", "document_id", "start"])
        self._chunk = self._document = ""
        self._start = 0
        self._made: set[tuple[object, ...]] = set()

    def has(self, row: tuple[object, ...]) -> bool:
        """Return whether another chunk of the document makes the claim of a row with the same words, and enter it; rows come in the
        order of their chunks."""
        while self._chunk != row[1]:
            before = self._document
            self._chunk, self._document, self._start = next(self._places)
            if self._document != before:
                self._made.clear()
        at = row[-2]
        if not isinstance(at, int):
            return False
        same = (self._start + at, *row[2:7])
        is_known = same in self._made
        self._made.add(same)
        return is_known


_Named = tuple[str, Sequence[str]]
"""The title of an entity and all names that it has."""


def _entities_by_chunk(entities: Rows) -> dict[str, list[_Named]]:
    of_chunk: dict[str, list[_Named]] = {}
    for title, names, chunk_ids in entities.values("title", "aliases", "chunk_ids"):
        for id in chunk_ids:
            of_chunk.setdefault(id, []).append((title, names))
    return of_chunk


def _asks(chunks: Iterable[AnnotatedChunk], of_chunk: dict[str, list[_Named]], about: str) -> Iterator[ChunkToExtract]:
    """Yield what is asked of each chunk; one without a known entity is not asked."""
    for request in requests_of(chunks, about):
        if known := of_chunk.get(request.item):
            listed = "; ".join(_as_the_text_has_it(title, names, request.text) for title, names in known)
            yield replace(request, entities=listed)


def _as_the_text_has_it(title: str, names: Sequence[str], text: str) -> str:
    """Return a title, where the text does not have it with the names that it has instead in brackets: "Philippa Dray (Pip)"."""
    if title in text:
        return title
    written = [name for name in names if name != title and name in text]
    return f"{title} ({', '.join(written)})" if written else title


def _known(replies: Sequence[Claims]) -> str:
    return dump([[c.subject, c.object, c.status, c.description] for reply in replies for c in reply.claims])


def _row(id: str, claim: ExtractedClaim, subject: str, object: str | None, text: str) -> tuple[object, ...]:
    span = locate(claim.quote, text)
    start, end = span or (None, None)
    return (
        content_id("claim", id, subject, object, claim.description, claim.quote),
        id,
        subject,
        object,
        claim.type,
        claim.status,
        claim.description,
        *(iso_date(date or "") for date in (claim.start_date, claim.end_date)),
        claim.quote,
        start,
        end,
    )
