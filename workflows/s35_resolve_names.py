"""Stage 35: which names are one entity, by corrections, by rules and, where rules are not sure, by a model; each decision is a row."""

from collections.abc import Iterator, Sequence

import pyarrow.compute as pc

from pipeline.base.arrow.columns import codes_of
from pipeline.base.ids import content_id
from pipeline.base.schema import ALIASES
from pipeline.base.settings import NameSettings
from pipeline.base.store import Rows
from pipeline.base.workflow import Notes, Parts
from pipeline.language.language import Language, Reply
from pipeline.language.tasks.indexing.match_names import NamePairs, match_names, numbered
from pipeline.resolution.corrections import Corrections, names_of
from pipeline.resolution.descriptions import BRACKETS
from pipeline.resolution.occurrences import NameOccurrences, majority_types
from pipeline.resolution.resolve import KnownNames, OpenPair, Resolution
from pipeline.text.quotes import shorten

PAIRS_AT_ONCE = 12
"""About how many pairs one request holds."""
NEIGHBOURS_SHOWN = 6
CHARACTERS_SHOWN = 300
"""Characters of the descriptions of one name that a model is shown, at most."""


def run(
    chunks: Rows,
    vocabulary: Rows,
    entity_mentions: Rows,
    relationship_mentions: Rows,
    corrections: Corrections,
    settings: NameSettings,
    language: Language,
    notes: Notes,
) -> Parts:
    """Group the titles of all mentions, and the forms under which the vocabulary knows them, into entities."""
    coded = ("chunk_id", "title", "type", "description")
    mentions = entity_mentions.table(coded, coded=coded)
    codes, titles = codes_of(mentions["title"])
    resolution = Resolution(KnownNames.of(titles.to_pylist(), codes, vocabulary.table(["title", "forms"])), corrections)
    resolution.join_forms()
    if settings.resolve:
        edges = relationship_mentions.table(["source", "target"], coded=["source", "target"])
        places = chunks.table(["id", "document_id"])
        occurrences = NameOccurrences(resolution.numbers, mentions, edges, places)
        types = majority_types(resolution.numbers, mentions)
        opened = resolution.join_alike(occurrences, types, _with_brackets(chunks))
        _ask(opened, resolution, types, occurrences, language)
    unknown = sorted({name for one in corrections for name in names_of(one) if not resolution.has(name)})
    if unknown:
        notes.report(f"corrections of names that are no entity's: {', '.join(map(repr, unknown))}")
    yield ALIASES, ALIASES.rows(resolution.rows())


def _with_brackets(chunks: Rows) -> Iterator[str]:
    """Yield the texts in which a bracket may introduce a short form."""
    for batch in chunks.batches(["text"]):
        yield from batch["text"].filter(pc.match_substring_regex(batch["text"], BRACKETS)).to_pylist()


def _ask(
    pairs: Sequence[OpenPair],
    resolution: Resolution,
    types: Sequence[str],
    occurrences: NameOccurrences,
    language: Language,
) -> None:
    """Have a model decide on open pairs; those that it says nothing of stay apart, and all of them where there is none."""
    if not language.adds(match_names):
        return
    batches = _batches(pairs, resolution.titles)
    shown = [numbered([_shown(pair, resolution.titles, types, occurrences) for pair in batch]) for batch in batches]
    requests = [NamePairs(content_id("names", *some), some) for some in shown]
    replies = language.map(match_names, requests, len(requests))
    for batch, (_, reply) in zip(batches, replies, strict=True):
        if isinstance(reply, Reply):
            for verdict in reply.value.verdicts:
                resolution.decide(batch[verdict.pair - 1], verdict.same, verdict.reason)


def _batches(pairs: Sequence[OpenPair], titles: Sequence[str]) -> list[list[OpenPair]]:
    """Return pairs in batches by a hash of their names, so that a new pair changes one request and no other."""
    n = 1 << max(0, (len(pairs) // PAIRS_AT_ONCE).bit_length())
    batches: list[list[OpenPair]] = [[] for _ in range(n)]
    for pair in sorted(pairs, key=lambda pair: (titles[pair.one], titles[pair.other])):
        batches[int(content_id(titles[pair.one], titles[pair.other]), 16) % n].append(pair)
    return [batch for batch in batches if batch]


def _shown(pair: OpenPair, titles: Sequence[str], types: Sequence[str], occurrences: NameOccurrences) -> str:
    """Return a pair as a model sees it."""
    sides = "\n".join(f"   {line}" for end in (pair.one, pair.other) for line in _side(end, titles, types, occurrences))
    why = pair.likeness.reason
    if pair.likeness.short >= 0:
        others = f"{pair.rivals or 'no'} other {'name' if pair.rivals == 1 else 'names'}"
        why += f"; {others} of the same documents that it may be short for"
    return f"{titles[pair.one]} / {titles[pair.other]} ({why})\n{sides}"


def _side(name: int, titles: Sequence[str], types: Sequence[str], occurrences: NameOccurrences) -> Iterator[str]:
    said = " ".join(dict.fromkeys(" ".join(text.split()) for text in occurrences.descriptions(name)))
    yield f"{titles[name]}, {types[name]}: {shorten(said, CHARACTERS_SHOWN)}"
    if near := sorted(titles[other] for other in occurrences.neighbours(name))[:NEIGHBOURS_SHOWN]:
        yield f"mentioned with: {', '.join(near)}"
