"""Stage 60: atomic facts of each chunk, and the key elements that carry them, normalised over the corpus."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pipeline.base.ids import content_id, dump
from pipeline.base.settings import FactSettings
from pipeline.base.store import Rows
from pipeline.base.tables import CHUNKS, FACTS, KEY_ELEMENTS, OCCURRENCES, VOCABULARY
from pipeline.base.workflow import Notes, Parts, workflow
from pipeline.language.desk import Desk
from pipeline.language.tasks.extract_facts import (
    ChunkToState,
    Fact,
    Facts,
    FactsToGlean,
    extract_facts,
    glean_facts,
)
from pipeline.text.key_elements import normalise
from workflows.gleaning import read_and_glean
from workflows.named_chunks import NamedChunk, named_chunks, vocabulary_types


@dataclass
class Stated:
    """A fact as the chunks state it: the same words in several chunks are one fact."""

    text: str
    chunk_ids: dict[str, None] = field(default_factory=dict)
    raw: dict[str, None] = field(default_factory=dict)


@workflow(
    reads=(CHUNKS, VOCABULARY, OCCURRENCES),
    settings="facts",
    asks=(extract_facts, glean_facts),
    writes=(FACTS, KEY_ELEMENTS),
)
def extract_all_facts(
    chunks: Rows, vocabulary: Rows, occurrences: Rows, settings: FactSettings, language: Desk, notes: Notes
) -> Parts:
    """Extract and glean facts, then normalise their key elements; rare and over-broad ones are dropped and told."""
    stated: dict[str, Stated] = {}
    named = named_chunks(chunks, occurrences, vocabulary_types(vocabulary))
    for id, fact in _extract(named, settings.max_gleanings, language, chunks.num_rows):
        text = " ".join(fact.text.split())
        here = stated.setdefault(content_id("fact", text), Stated(text))
        here.chunk_ids[id] = None
        here.raw.update(dict.fromkeys(" ".join(raw.split()) for raw in fact.key_elements if raw.strip()))
    carried = _carried(stated.values(), settings, notes)
    titles = {title: content_id("key element", title) for title in carried.aliases}
    facts_of: dict[str, list[str]] = {title: [] for title in titles}
    rows = []
    for id, fact_stated in stated.items():
        elements = list(dict.fromkeys(carried.canonical[raw] for raw in fact_stated.raw if raw in carried.canonical))
        for title in elements:
            facts_of[title].append(id)
        rows.append((id, fact_stated.text, list(fact_stated.chunk_ids), [titles[title] for title in elements]))
    yield FACTS, FACTS.rows(rows)
    yield KEY_ELEMENTS, KEY_ELEMENTS.rows(_elements(titles, carried.aliases, facts_of, stated))


@dataclass(frozen=True)
class Carried:
    """Raw key elements to titles, and the aliases of each title that carries a fact."""

    canonical: Mapping[str, str]
    aliases: Mapping[str, Sequence[str]]


def _carried(facts: Iterable[Stated], settings: FactSettings, notes: Notes) -> Carried:
    counts: Counter[str] = Counter()
    spread: dict[str, set[str]] = {}
    n_facts = 0
    for fact in facts:
        n_facts += 1
        counts.update(list(fact.raw))
        for raw in fact.raw:
            spread.setdefault(raw, set()).update(fact.chunk_ids)
    chunks = {raw: len(ids) for raw, ids in spread.items()}
    normalised = normalise(counts, chunks, n_facts, max_share=settings.max_share)
    for reason, count in sorted(Counter(normalised.dropped.values()).items()):
        notes.tell(f"{count} key elements dropped: {reason}")
    used = sorted(set(normalised.canonical.values()))
    return Carried(normalised.canonical, {title: normalised.aliases.get(title, ()) for title in used})


def _elements(
    ids: Mapping[str, str],
    aliases: Mapping[str, Sequence[str]],
    facts_of: Mapping[str, Sequence[str]],
    stated: Mapping[str, Stated],
) -> Iterator[tuple[object, ...]]:
    for title, id in ids.items():
        fact_ids = facts_of[title]
        chunk_ids = dict.fromkeys(chunk for fact in fact_ids for chunk in stated[fact].chunk_ids)
        yield id, title, sorted(set(aliases[title]) - {title}), fact_ids, list(chunk_ids), len(fact_ids)


def _extract(chunks: Iterable[NamedChunk], gleanings: int, language: Desk, total: int) -> Iterator[tuple[str, Fact]]:
    asks = (ChunkToState(chunk.id, chunk.text, chunk.anchor, chunk.names) for chunk in chunks)
    for group in read_and_glean(language, extract_facts, asks, glean_facts, _again, gleanings, total):
        for ask, replies in group:
            for reply in replies:
                for fact in reply.facts:
                    yield ask.item, fact


def _again(ask: ChunkToState, replies: Sequence[Facts]) -> FactsToGlean:
    found = [fact.text for reply in replies for fact in reply.facts]
    return FactsToGlean(ask.item, ask.text, ask.anchor, dump(found))
