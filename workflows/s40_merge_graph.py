"""Stage 40: mentions become one row an entity, as the table aliases resolves names, and one row a pair; long descriptions are summarised."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.base.arrow.build import array, scalar, to_numpy
from pipeline.base.arrow.columns import whole
from pipeline.base.schema import (
    ALIASES,
    CHUNKS,
    ENTITIES,
    ENTITY_MENTIONS,
    RELATIONSHIP_MENTIONS,
    RELATIONSHIPS,
)
from pipeline.base.settings import GraphSettings
from pipeline.base.store import Rows
from pipeline.base.tokens import Tokenizer
from pipeline.base.workflow import Notes, Parts, workflow
from pipeline.graph.convert import entity_rows, relationship_rows
from pipeline.graph.merge import (
    degrees,
    merge_entities,
    merge_relationships,
    names_to_entities,
    with_entity_titles,
)
from pipeline.language.language import Language, Reply
from pipeline.language.tasks.indexing.summarise_descriptions import ManyDescriptions, summarise_descriptions

WORDS_PER_TOKEN = 0.7
"""Words that fit a token budget, for saying to a model how long it may write."""
ROWS_AT_ONCE = 8192
"""Rows described at a time, which is a part of the tables; a constant, since the bytes of a table follow its parts."""


@workflow(
    reads=(CHUNKS, ENTITY_MENTIONS, RELATIONSHIP_MENTIONS, ALIASES),
    settings="graph",
    asks=(summarise_descriptions,),
    writes=(ENTITIES, RELATIONSHIPS),
)
def merge_graph(
    chunks: Rows,
    entity_mentions: Rows,
    relationship_mentions: Rows,
    aliases: Rows,
    settings: GraphSettings,
    language: Language,
    tokenizer: Tokenizer,
    notes: Notes,
) -> Parts:
    """Merge by entity, sum weights, join descriptions; a name that resolves to no entity is counted and logged."""
    decided = aliases.table(["name", "entity", "joined", "type"])
    entity_of = names_to_entities(decided)
    order = chunks.column("id")
    mentions = entity_mentions.table(coded=("chunk_id", "title", "type", "description"))
    entities, lost = merge_entities(with_entity_titles(mentions, ["title"], entity_of), order)
    _report(lost, "entity mentions", notes)
    mentions = relationship_mentions.table(coded=("chunk_id", "source", "target", "description"))
    mentions = with_entity_titles(mentions, ["source", "target"], entity_of)
    relationships, lost = merge_relationships(mentions, entities["title"], order)
    _report(lost, "relationship mentions", notes)
    del mentions, lost
    entities = entities.append_column("degree", array(degrees(relationships, entities["title"])))
    describe = partial(_describe, budget=settings.description_tokens, language=language, tokenizer=tokenizer)
    for part, descriptions in describe(entities, entities["title"]):
        yield ENTITIES, entity_rows(part, descriptions, decided)
    del entities
    pairs = pc.binary_join_element_wise(relationships["source"], relationships["target"], scalar(" and "))
    for part, descriptions in describe(relationships, pairs):
        yield RELATIONSHIPS, relationship_rows(part, descriptions)


def _describe(
    merged: pa.Table, names: Any, budget: int, language: Language, tokenizer: Tokenizer
) -> Iterator[tuple[pa.Table, Any]]:
    """Yield some rows at a time with one description each: joined while that fits the budget, summarised beyond."""
    long = _long(merged["descriptions"], budget, tokenizer)
    written = _summarise(long, merged["descriptions"], names, budget, language)
    for start in range(0, max(merged.num_rows, 1), ROWS_AT_ONCE):
        part = merged.slice(start, ROWS_AT_ONCE)
        texts = _joined(part["descriptions"])
        here = {i - start: text for i, text in written.items() if start <= i < start + part.num_rows}
        replaced = np.zeros(part.num_rows, bool)
        replaced[list(here)] = True
        yield part, pc.replace_with_mask(texts, array(replaced), array(list(here.values()), pa.string()))


def _joined(descriptions: Any) -> Any:
    return pc.binary_join(whole(descriptions).cast(pa.list_(pa.string())), scalar(" "))


def _long(descriptions: Any, budget: int, tokenizer: Tokenizer) -> list[int]:
    """Return the rows of more than one description that are together longer than the budget."""
    found = []
    counts = to_numpy(pc.list_value_length(descriptions))
    for start in range(0, len(descriptions), ROWS_AT_ONCE):
        sizes = tokenizer.counts(_joined(descriptions.slice(start, ROWS_AT_ONCE)).to_pylist())
        found += [start + i for i, size in enumerate(sizes) if size > budget and counts[start + i] > 1]
    return found


def _summarise(rows: Sequence[int], descriptions: Any, names: Any, budget: int, language: Language) -> dict[int, str]:
    """Return the summaries of these rows that were written, in the order of rows; the others are in ``failures``."""
    taken = [tuple(some) for some in descriptions.take(array(rows, pa.int64())).to_pylist()]
    called = names.take(array(rows, pa.int64())).to_pylist()
    n_words = int(budget * WORDS_PER_TOKEN)
    requests = [ManyDescriptions(name, name, some, n_words) for name, some in zip(called, taken, strict=True)]
    return {
        row: " ".join(reply.value.description.split())
        for row, (_, reply) in zip(rows, language.map(summarise_descriptions, requests, len(requests)), strict=True)
        if isinstance(reply, Reply)
    }


def _report(dropped: pa.Table, what: str, notes: Notes) -> None:
    counts: dict[str, int] = {}
    for reason in dropped["reason"].to_pylist():
        counts[reason] = counts.get(reason, 0) + 1
    for reason, count in sorted(counts.items()):
        notes.report(f"{count} {what} left out: {reason}")
