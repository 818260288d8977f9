"""Stage 40: mentions become one row an entity and one row a pair; long descriptions are summarised."""

from collections.abc import Sequence

import pyarrow as pa

from pipeline.base.ids import content_id
from pipeline.base.settings import GraphSettings
from pipeline.base.store import Rows
from pipeline.base.tables import (
    CHUNKS,
    ENTITIES,
    ENTITY_MENTIONS,
    RELATIONSHIP_MENTIONS,
    RELATIONSHIPS,
    VOCABULARY,
)
from pipeline.base.tokens import Tokenizer
from pipeline.base.workflow import Notes, Parts, workflow
from pipeline.graph.merge import fold_title
from pipeline.graph.merge import merge_graph as merge
from pipeline.language.backend import Reply
from pipeline.language.desk import Desk
from pipeline.language.tasks.summarise_descriptions import ManyDescriptions, summarise_descriptions

WORDS_PER_TOKEN = 0.7
"""Words that fit a token budget, for saying to a model how long it may write."""


@workflow(
    reads=(CHUNKS, VOCABULARY, ENTITY_MENTIONS, RELATIONSHIP_MENTIONS),
    settings="graph",
    asks=(summarise_descriptions,),
    writes=(ENTITIES, RELATIONSHIPS),
)
def merge_graph(
    chunks: Rows,
    vocabulary: Rows,
    entity_mentions: Rows,
    relationship_mentions: Rows,
    settings: GraphSettings,
    language: Desk,
    tokenizer: Tokenizer,
    notes: Notes,
) -> Parts:
    """Merge by title, sum weights, join descriptions; a name that resolves to no entity is counted and told."""
    merged = merge(entity_mentions.table(), relationship_mentions.table(), chunks.column("id"))
    _tell(merged.dropped_entity_mentions, "entity mentions", notes)
    _tell(merged.dropped_relationship_mentions, "relationship mentions", notes)
    entities, relationships = merged.entities, merged.relationships
    titles = entities["title"].to_pylist()
    pairs = list(zip(relationships["source"].to_pylist(), relationships["target"].to_pylist(), strict=True))
    names = [*titles, *(f"{source} and {target}" for source, target in pairs)]
    descriptions = [*entities["descriptions"].to_pylist(), *relationships["descriptions"].to_pylist()]
    joined = _describe(names, descriptions, settings.description_tokens, language, tokenizer)
    yield (
        ENTITIES,
        ENTITIES.build(
            id=[content_id("entity", title) for title in titles],
            title=titles,
            type=entities["type"],
            aliases=_aliases(titles, entities["aliases"].to_pylist(), vocabulary),
            description=joined[: len(titles)],
            chunk_ids=entities["chunk_ids"],
            frequency=entities["frequency"],
            degree=entities["degree"],
        ),
    )
    yield (
        RELATIONSHIPS,
        RELATIONSHIPS.build(
            id=[content_id("relationship", *pair) for pair in pairs],
            source=relationships["source"],
            target=relationships["target"],
            description=joined[len(titles) :],
            weight=relationships["weight"],
            combined_degree=relationships["combined_degree"],
            chunk_ids=relationships["chunk_ids"],
        ),
    )


def _describe(
    names: Sequence[str], descriptions: Sequence[list[str]], budget: int, language: Desk, tokenizer: Tokenizer
) -> list[str]:
    """Return one description each: joined while that fits the budget, summarised beyond."""
    joined = [" ".join(some) for some in descriptions]
    sizes = tokenizer.counts(joined)
    long = [i for i, size in enumerate(sizes) if size > budget and len(descriptions[i]) > 1]
    n_words = int(budget * WORDS_PER_TOKEN)
    asks = [ManyDescriptions(names[i], names[i], tuple(descriptions[i]), n_words) for i in long]
    for i, (_, reply) in zip(long, language.map(summarise_descriptions, asks, len(asks)), strict=True):
        if isinstance(reply, Reply):
            joined[i] = " ".join(reply.value.description.split())
    return joined


def _aliases(titles: Sequence[str], spellings: Sequence[list[str]], vocabulary: Rows) -> list[list[str]]:
    """Return for each title its other spellings in mentions, and the forms under which the vocabulary knows it."""
    known = vocabulary.table(["title", "forms"]).to_pydict()
    forms = {fold_title(title): form for title, form in zip(known["title"], known["forms"], strict=True)}
    return [
        sorted({*spelled, *forms.get(fold_title(title), [])} - {title})
        for title, spelled in zip(titles, spellings, strict=True)
    ]


def _tell(dropped: pa.Table, what: str, notes: Notes) -> None:
    counts: dict[str, int] = {}
    for reason in dropped["reason"].to_pylist():
        counts[reason] = counts.get(reason, 0) + 1
    for reason, count in sorted(counts.items()):
        notes.tell(f"{count} {what} left out: {reason}")
