"""Stage 40: mentions become one row an entity and one row a pair; long descriptions are summarised."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

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
from pipeline.graph.codes import combined
from pipeline.graph.merge import fold_title
from pipeline.graph.merge import merge_graph as merge
from pipeline.language.backend import Reply
from pipeline.language.desk import Desk
from pipeline.language.tasks.summarise_descriptions import ManyDescriptions, summarise_descriptions

WORDS_PER_TOKEN = 0.7
"""Words that fit a token budget, for saying to a model how long it may write."""
AT_ONCE = 8192
"""Descriptions whose tokens are counted at a time."""


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
    del merged
    titles = entities["title"].to_pylist()
    pairs = list(zip(relationships["source"].to_pylist(), relationships["target"].to_pylist(), strict=True))
    described = partial(_describe, budget=settings.description_tokens, language=language, tokenizer=tokenizer)
    of_entities = described(titles, entities["descriptions"])
    of_relationships = described([f"{source} and {target}" for source, target in pairs], relationships["descriptions"])
    yield (
        ENTITIES,
        ENTITIES.build(
            id=[content_id("entity", title) for title in titles],
            title=titles,
            type=entities["type"],
            aliases=_aliases(titles, entities["aliases"].to_pylist(), vocabulary),
            description=of_entities,
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
            description=of_relationships,
            weight=relationships["weight"],
            combined_degree=relationships["combined_degree"],
            chunk_ids=relationships["chunk_ids"],
        ),
    )


def _describe(names: Sequence[str], descriptions: Any, budget: int, language: Desk, tokenizer: Tokenizer) -> Any:
    """Return one description each: joined while that fits the budget, summarised beyond."""
    joined = combined(pc.binary_join(descriptions, " "))
    long = _long(joined, pc.list_value_length(combined(descriptions)).to_numpy(), budget, tokenizer)
    if not long:
        return joined
    told = [tuple(some) for some in combined(descriptions).take(pa.array(long)).to_pylist()]
    n_words = int(budget * WORDS_PER_TOKEN)
    asks = [ManyDescriptions(names[i], names[i], some, n_words) for i, some in zip(long, told, strict=True)]
    written: list[str | None] = []
    for _, reply in language.map(summarise_descriptions, asks, len(asks)):
        written.append(" ".join(reply.value.description.split()) if isinstance(reply, Reply) else None)
    replaced = np.zeros(len(joined), bool)
    replaced[[i for i, text in zip(long, written, strict=True) if text is not None]] = True
    texts = pa.array([text for text in written if text is not None], pa.string())
    return pc.replace_with_mask(joined, pa.array(replaced), texts)


def _long(joined: Any, counts: Any, budget: int, tokenizer: Tokenizer) -> list[int]:
    """Return the rows of more than one description that are longer than the budget."""
    found = []
    for start in range(0, len(joined), AT_ONCE):
        sizes = tokenizer.counts(joined.slice(start, AT_ONCE).to_pylist())
        found += [start + i for i, size in enumerate(sizes) if size > budget and counts[start + i] > 1]
    return found


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
