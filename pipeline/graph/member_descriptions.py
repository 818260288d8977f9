"""What is said of an entity inside a community: what the chunks say of it that tie it to other members.

The description of an entity over the whole corpus changes with every chunk that speaks of it anywhere, and with it would
change the context of every report on it, on all levels. What a community's own chunks say changes only when one of them
does, and is what matters there: of a hub, the part it plays among these members (90.2 to 94 percent of report contexts
stay when 1 percent of documents is added, and contexts are a quarter shorter; measured).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.base.arrow.build import array, scalar, to_numpy
from pipeline.base.arrow.columns import (
    BoolArray,
    IntArray,
    codes_of,
    codes_of_runs,
    numbers,
    run_starts,
    running,
)
from pipeline.base.arrow.lists import cut_lists, members
from pipeline.graph.merge import entity_numbers, fold_title

MOST_TOKENS = 300
"""Longest text on one entity in a context; the first description is whole even when it is longer."""
LEAST_TOKENS = 50
"""Where a community's own chunks say less of a member than this, what other chunks say is added in reading order."""

APART = "\x1e"
"""What descriptions of one entity are joined by, the separator of records: what cuts their sentences has each by itself, as often
as it comes, and people are shown a space."""

AT_ONCE = 8192
"""Texts whose tokens are counted at a time."""


@dataclass(frozen=True)
class Said:
    """What mentions say of entities, in reading order, as numbers; and the chunks that mention each relationship."""

    entity: IntArray
    """Per description, a row of the entities."""
    chunk: IntArray
    text: IntArray
    """Per description, a row of ``texts``."""
    texts: Any
    tokens: IntArray
    """Per row of ``texts``."""
    edge: IntArray
    """Per chunk of each relationship, a row of the relationships."""
    edge_chunk: IntArray
    n_chunks: int

    def inside(self, source: IntArray, target: IntArray, labels: IntArray) -> Any:
        """Return one text for each entity (length of ``labels``): the distinct descriptions from chunks that mention a
        relationship to a member of its community, up to MOST_TOKENS, filled up to LEAST_TOKENS with others.

        An entity without a relationship inside its community is described by all its chunks. Descriptions are APART.
        """
        local = self._local(source, target, labels)
        tied = np.zeros(len(labels), bool)
        tied[self.entity[local]] = True
        local |= ~tied[self.entity]
        order = np.lexsort((np.arange(len(local)), ~local, self.entity))
        order = order[_first(self.entity[order] * max(len(self.texts), 1) + self.text[order])]
        owner, tokens = self.entity[order], self.tokens[self.text[order]]
        before = running(owner, tokens) - tokens
        kept = np.where(local[order], (before + tokens <= MOST_TOKENS) | (before == 0), before < LEAST_TOKENS)
        listed = cut_lists(owner[kept], len(labels), self.texts.take(array(self.text[order][kept])))
        return pc.binary_join(listed, scalar(APART))

    def _local(self, source: IntArray, target: IntArray, labels: IntArray) -> BoolArray:
        """Return whether the chunk of each description ties its entity to another member."""
        inner = ((labels[source] == labels[target]) & (labels[source] >= 0))[self.edge]
        edges, chunks = self.edge[inner], self.edge_chunk[inner]
        ties = np.concatenate([source[edges], target[edges]]) * self.n_chunks + np.tile(chunks, 2)
        return np.isin(self.entity * self.n_chunks + self.chunk, ties)


def said_of(
    entities: pa.Table, relationships: pa.Table, mentions: pa.Table, counts: Callable[[Sequence[str]], list[int]]
) -> Said:
    """Return what ``mentions`` (chunk_id, title, description) say of ``entities``; those of others are left out.

    ``counts`` gives the tokens of texts.
    """
    number = {fold_title(title): row for row, title in enumerate(entities["title"].to_pylist())}
    entity = entity_numbers(mentions["title"], number)
    text, texts = codes_of(mentions["description"])
    blank = to_numpy(pc.equal(pc.utf8_trim_whitespace(texts), scalar("")))
    chunk, chunks = codes_of_runs(mentions["chunk_id"])
    used = np.flatnonzero((entity >= 0) & ~blank[text])
    edge, listed = members(relationships["chunk_ids"])
    edge_chunk = numbers(listed, chunks)
    known = edge_chunk >= 0
    tokens: list[int] = []
    for start in range(0, len(texts), AT_ONCE):
        tokens += counts(texts.slice(start, AT_ONCE).to_pylist())
    return Said(
        entity=entity[used],
        chunk=chunk[used],
        text=text[used],
        texts=texts,
        tokens=np.array(tokens, np.int64),
        edge=edge[known],
        edge_chunk=edge_chunk[known],
        n_chunks=max(len(chunks), 1),
    )


def _first(keys: IntArray) -> IntArray:
    """Return the positions, ascending, at which each key occurs for the first time."""
    order = np.argsort(keys, kind="stable")
    first: IntArray = np.sort(order[run_starts(keys[order])])
    return first
