"""Stage 60: atomic facts of each chunk, and the key elements that carry them, normalised over the corpus."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from pipeline.base.ids import dump
from pipeline.base.recent import FoundOnce
from pipeline.base.settings import ClaimSettings, ExtractionSettings, FactSettings
from pipeline.base.store import Rows
from pipeline.base.workflow import Notes, Parts
from pipeline.graph.merge import fold_title, known_names
from pipeline.language.language import Language
from pipeline.language.tasks.indexing.chunk_requests import ChunkToExtract
from pipeline.language.tasks.indexing.extract_all import glean_all
from pipeline.language.tasks.indexing.extract_facts import (
    ExtractedFact,
    Facts,
    extract_facts,
    glean_facts,
)
from pipeline.text.extraction.key_elements import normalise
from pipeline.text.inflection import in_number
from workflows.shared.annotated_chunks import AnnotatedChunk, annotated_chunks, vocabulary_types
from workflows.shared.gleaning import read_and_glean, requests_of
from workflows.shared.one_pass import read_everything
from workflows.shared.repeated_examples import RepeatedExamples
from workflows.shared.stated_facts import Quote, Stated


def run(
    documents: Rows,
    chunks: Rows,
    vocabulary: Rows,
    sentences: Rows,
    aliases: Rows,
    settings: FactSettings,
    extraction: ExtractionSettings,
    claims: ClaimSettings,
    language: Language,
    notes: Notes,
) -> Parts:
    """Extract and glean facts, then normalise their key elements; those that are dropped are counted and logged."""
    stated = Stated(chunks.spill())
    on_a_line = FoundOnce(lambda raw: " ".join(raw.split()))
    annotated = annotated_chunks(documents, chunks, sentences, vocabulary_types(vocabulary))
    about = claims.about if extraction.one_pass else None
    repeated = RepeatedExamples(language, glean_facts if about is None else glean_all)
    rounds = settings.max_gleanings if about is None else extraction.max_gleanings
    for request, fact in _extract(annotated, about, rounds, language, chunks.num_rows):
        if repeated.says(fact.text, request):
            continue
        raws = filter(None, map(on_a_line.__getitem__, fact.key_elements))
        stated.add(request.item, " ".join(fact.text.split()), raws, _quote(request.text, fact))
    repeated.report(notes, "facts")
    counts, spread = stated.counts()
    known = known_names(aliases.table(["name", "entity", "joined"]))
    entity_of = {raw: known[folded] for raw in counts if (folded := fold_title(raw)) in known}
    normalised = normalise(counts, spread, stated.n_facts, entity_of, max_share=settings.max_share)
    del counts, spread
    for reason, count in sorted(Counter(normalised.dropped.values()).items()):
        notes.report(f"{in_number(count, 'key element')} left out: {_DROPPED[reason]}")
    yield from stated.tables(normalised.canonical, normalised.aliases)


_DROPPED = {
    "rare": "in one fact alone they connect nothing",
    "over-broad": "they are in so many facts that they tell none from another",
    "empty": "they have no word that says anything",
}
"""What is said of key elements, by the reason for which they are dropped."""


def _extract(
    chunks: Iterable[AnnotatedChunk], about: str | None, rounds: int, language: Language, total: int
) -> Iterator[tuple[ChunkToExtract, ExtractedFact]]:
    """Yield each fact with the request on its chunk; ``about``, what counts as a claim, is given for the single reply of one pass."""
    groups = (
        read_and_glean(language, extract_facts, requests_of(chunks), glean_facts, _known, rounds, total)
        if about is None
        else read_everything(chunks, about, rounds, language, total)
    )
    for group in groups:
        for request, replies in group:
            for reply in replies:
                for fact in reply.facts:
                    yield request, fact


def _quote(text: str, fact: ExtractedFact) -> Quote | None:
    """Return the sentence as its chunk has it; None for a fact that a model wrote, which may rest on several."""
    return Quote(text[fact.span[0] : fact.span[1]], *fact.span) if fact.span else None


def _known(replies: Sequence[Facts]) -> str:
    return dump([fact.text for reply in replies for fact in reply.facts])
