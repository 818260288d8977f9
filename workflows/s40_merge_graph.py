"""Stage 40: mentions become one row an entity, as the table aliases resolves names, and one row a pair; long descriptions are summarised."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.base.arrow.build import array, scalar
from pipeline.base.arrow.columns import codes_of
from pipeline.base.arrow.lists import lengths, members, thinned
from pipeline.base.schema import (
    ENTITIES,
    RELATIONSHIPS,
)
from pipeline.base.settings import GraphSettings
from pipeline.base.store import Rows
from pipeline.base.tokens import Tokenizer
from pipeline.base.workflow import Notes, Parts
from pipeline.graph.convert import entity_rows, joined_names, relationship_rows
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
MOST_DESCRIPTIONS = 100
"""Descriptions that a summary is written from, about 4,000 tokens: a name of an archive has more than any model's prompt
takes, and the work on each row is bounded by this."""
ROWS_AT_ONCE = 8192
"""Rows described at a time, which is a part of the tables; a constant, since the bytes of a table follow its parts."""


def run(
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
    _report(lost, entities, "entity", notes)
    del mentions, lost
    mentions = relationship_mentions.table(coded=("chunk_id", "source", "target", "description"))
    mentions = with_entity_titles(mentions, ["source", "target"], entity_of)
    relationships, lost = merge_relationships(mentions, entities["title"], order)
    _report(lost, relationships, "relationship", notes)
    del mentions, lost
    entities = entities.append_column("degree", array(degrees(relationships, entities["title"])))
    describe = partial(_describe, budget=settings.description_tokens, language=language, tokenizer=tokenizer)
    joined = joined_names(decided)
    for part, descriptions in describe(entities, entities["title"]):
        yield ENTITIES, entity_rows(part, descriptions, joined)
    del entities
    pairs = pc.binary_join_element_wise(relationships["source"], relationships["target"], scalar(" and "))
    for part, descriptions in describe(relationships, pairs):
        yield RELATIONSHIPS, relationship_rows(part, descriptions)


def _describe(
    merged: pa.Table, names: Any, budget: int, language: Language, tokenizer: Tokenizer
) -> Iterator[tuple[pa.Table, Any]]:
    """Yield some rows at a time with one description each: joined while that fits the budget, summarised beyond."""
    descriptions = thinned(merged["descriptions"], MOST_DESCRIPTIONS)
    long = _long(descriptions, budget, tokenizer)
    written = _summarise(long, descriptions, names, budget, language)
    for start in range(0, max(merged.num_rows, 1), ROWS_AT_ONCE):
        part = merged.slice(start, ROWS_AT_ONCE)
        here = [row for row in long if row in written and start <= row < start + part.num_rows]
        joined = np.ones(part.num_rows, bool)
        joined[np.array(here, np.int64) - start] = False
        own = descriptions.slice(start, ROWS_AT_ONCE).filter(array(joined))
        texts = pa.concat_arrays([_joined(own), array([written[row] for row in here], pa.string())])
        yield part, texts.take(array(np.argsort(np.argsort(~joined, kind="stable"))))


def _joined(descriptions: Any) -> Any:
    return pc.binary_join(descriptions.cast(pa.list_(pa.string())), scalar(" "))


def _long(descriptions: Any, budget: int, tokenizer: Tokenizer) -> list[int]:
    """Return the rows of more than one description that have together more tokens than the budget; each distinct
    description is counted once, however many rows it is in."""
    owner, items = members(descriptions)
    codes, distinct = codes_of(items)
    parts = [distinct.slice(start, ROWS_AT_ONCE) for start in range(0, len(distinct), ROWS_AT_ONCE)]
    tokens = np.array([size for part in parts for size in tokenizer.counts(part.to_pylist())], np.int64)
    sizes = np.bincount(owner, tokens[codes], minlength=len(descriptions))
    several = np.bincount(owner, minlength=len(descriptions)) > 1
    found: list[int] = np.flatnonzero((sizes > budget) & several).tolist()
    return found


def _summarise(rows: Sequence[int], descriptions: Any, names: Any, budget: int, language: Language) -> dict[int, str]:
    """Return the summaries of these rows that were written; the others are in ``failures``."""
    n_words = int(budget * WORDS_PER_TOKEN)
    requests = (
        ManyDescriptions(names[row].as_py(), names[row].as_py(), tuple(descriptions[row].as_py()), n_words)
        for row in rows
    )
    return {
        row: " ".join(reply.value.description.split())
        for row, (_, reply) in zip(rows, language.map(summarise_descriptions, requests, len(rows)), strict=True)
        if isinstance(reply, Reply)
    }


def _report(dropped: pa.Table, merged: pa.Table, what: str, notes: Notes) -> None:
    for reason, count in sorted(Counter(dropped["reason"].to_pylist()).items()):
        notes.report(f"{count} {what} mentions left out: {reason}")
    if many := int((lengths(merged["descriptions"]) > MOST_DESCRIPTIONS).sum()):
        notes.report(
            f"{many} rows of {what} mentions have more than {MOST_DESCRIPTIONS} descriptions: "
            f"{MOST_DESCRIPTIONS} of each, from all over the texts, are summarised"
        )
