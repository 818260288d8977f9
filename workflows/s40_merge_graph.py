"""Stage 40: mentions become one row an entity, as the table aliases resolves names, and one row a pair; long descriptions are summarised."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.base.arrow.build import array, scalar, to_numpy
from pipeline.base.arrow.columns import BoolArray, IntArray, codes_of, number_keys, pairs, running, texts
from pipeline.base.arrow.lists import cut_lists, members, thinned
from pipeline.base.release_memory import parts_within_memory, release
from pipeline.base.schema import ENTITIES, RELATIONSHIPS
from pipeline.base.settings import GraphSettings
from pipeline.base.store import Rows
from pipeline.base.tokens import Tokenizer
from pipeline.base.workflow import Notes, Parts
from pipeline.graph.convert import entity_rows, joined_names, relationship_rows
from pipeline.graph.merge import (
    REASONS,
    EntityGroups,
    RelationshipGroups,
    check_weights,
    names_to_entities,
    with_entity_titles,
)
from pipeline.language.language import Language, Reply
from pipeline.language.tasks.indexing.summarise_descriptions import ManyDescriptions, summarise_descriptions
from pipeline.text.summary.alike import patterns

WORDS_PER_TOKEN = 0.7
"""Words that fit a token budget, for saying to a model how long it may write."""
MOST_DESCRIPTIONS = 100
"""Descriptions that a summary is written from, about 4,000 tokens: a name of an archive has more than any model's prompt
takes, and the work on each row is bounded by this."""
MOST_ALIKE = 3
"""Descriptions of a row that are alike but for names and figures from which its summary is written: lines of a form, footers
of mail, versions of one text say little more each, and come as often as there are documents."""
SUMMARISED_AT_ONCE = 256
"""Rows whose descriptions are Python texts at a time."""
MEMORY_PER_BYTE = 12
"""Bytes of memory that merging takes for each byte of the columns of mentions as the file has them (measured at 16 million tokens)."""
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
    of_entities = EntityGroups.of(_titled(entity_mentions, ["title"], entity_of)["title"])
    ends = _titled(relationship_mentions, ["source", "target"], entity_of)
    of_pairs = RelationshipGroups.of(ends["source"], ends["target"], of_entities.titles)
    del ends
    joined, left_out = joined_names(decided), _LeftOut(notes)
    describe = partial(
        _describe, left_out=left_out, budget=settings.description_tokens, language=language, tokenizer=tokenizer
    )
    left_out.report_reasons("entity", of_entities.reason)
    left_out.report_reasons("relationship", of_pairs.reason)
    for start, stop, group, mentions in _in_parts(
        entity_mentions, ("type",), of_entities.group, len(of_entities.titles)
    ):
        entities = of_entities.rows(start, stop, group, mentions, order)
        del mentions
        entities = entities.append_column("degree", array(of_pairs.degree[start:stop]))
        for part, descriptions in describe(entities, entities["title"], "entity"):
            yield ENTITIES, entity_rows(part, descriptions, joined)
    del entities, group
    for start, stop, group, mentions in _in_parts(
        relationship_mentions, ("weight",), of_pairs.group, len(of_pairs.low)
    ):
        check_weights(mentions["weight"])
        merged = of_pairs.rows(start, stop, group, mentions, order)
        del mentions
        names = pc.binary_join_element_wise(merged["source"], merged["target"], scalar(" and "))
        for part, descriptions in describe(merged, names, "relationship"):
            yield RELATIONSHIPS, relationship_rows(part, descriptions)
    left_out.report_descriptions()


def _titled(mentions: Rows, columns: Sequence[str], entity_of: Mapping[str, str]) -> pa.Table:
    """Return the names in these columns of mentions as the titles of the entities that they name."""
    return with_entity_titles(mentions.table(columns, coded=columns), columns, entity_of)


def _in_parts(
    mentions: Rows, others: Sequence[str], group: IntArray, n: int
) -> Iterator[tuple[int, int, IntArray, pa.Table]]:
    """Yield the mentions of some rows of the result at a time, with the first of these rows, the last, exclusive, and the row of each mention.

    All at once where there is memory for it; else the mentions wait on disk until their rows' turn comes.
    """
    columns = ["chunk_id", *others, "description"]
    needed = MEMORY_PER_BYTE * sum(mentions.n_bytes(column) for column in columns)
    at_once = -(-n // (ROWS_AT_ONCE * parts_within_memory(needed))) * ROWS_AT_ONCE
    if at_once >= n:
        kept = group >= 0
        coded = [column for column in columns if column != "weight"]
        yield 0, n, group[kept], mentions.table(columns, coded=coded).filter(array(kept))
        return
    spill, first = mentions.spill(), 0
    for batch in mentions.batches(columns, ROWS_AT_ONCE):
        here = group[first : first + batch.num_rows]
        first += batch.num_rows
        [rows] = batch.append_column("group", array(here)).combine_chunks().to_batches()
        for part in np.unique(here[here >= 0] // at_once).tolist():
            spill.write(rows.filter(array(here // at_once == part)), part)
    for part, batches in spill.parts():
        yield part * at_once, min((part + 1) * at_once, n), *_with_rows(pa.Table.from_batches(batches))
        release()


def _with_rows(mentions: pa.Table) -> tuple[IntArray, pa.Table]:
    return to_numpy(mentions["group"]), mentions


def _describe(
    merged: pa.Table,
    names: Any,
    what: str,
    *,
    left_out: "_LeftOut",
    budget: int,
    language: Language,
    tokenizer: Tokenizer,
) -> Iterator[tuple[pa.Table, Any]]:
    """Yield some rows at a time with one description each: joined while that fits the budget, summarised beyond."""
    descriptions, long = _choose(merged["descriptions"], budget, tokenizer, what, left_out)
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


def _choose(lists: Any, budget: int, tokenizer: Tokenizer, what: str, left_out: "_LeftOut") -> tuple[Any, list[int]]:
    """Return the descriptions from which each row is described, and the rows of which they are longer than the budget.

    Where all of a row are longer than it, some of those that are alike are left out, and of many those between.
    """
    n = len(lists)
    owner, items = members(lists)
    codes, distinct = codes_of(items)
    tokens = _tokens(distinct, tokenizer)[codes]
    chosen = np.ones(len(owner), bool)
    inside = np.flatnonzero(_too_long(owner, tokens, n, budget)[owner])
    chosen[inside] = _nth_alike(owner[inside], codes[inside], distinct) <= MOST_ALIKE
    left_out.alike[what] += int((~chosen).sum())
    rest = np.flatnonzero(chosen)
    chosen[rest] = thinned(owner[rest], MOST_DESCRIPTIONS)
    left_out.many[what] += int((np.bincount(owner[rest]) > MOST_DESCRIPTIONS).sum())
    owner, tokens = owner[chosen], tokens[chosen]
    return cut_lists(owner, n, items.filter(array(chosen))), np.flatnonzero(
        _too_long(owner, tokens, n, budget)
    ).tolist()


def _tokens(distinct: Any, tokenizer: Tokenizer) -> IntArray:
    """Return the tokens of each text, which is counted once, in however many rows it is."""
    parts = [distinct.slice(start, ROWS_AT_ONCE) for start in range(0, len(distinct), ROWS_AT_ONCE)]
    return np.array([size for part in parts for size in tokenizer.counts(part.to_pylist())], np.int64)


def _too_long(owner: IntArray, tokens: IntArray, n: int, budget: int) -> BoolArray:
    """Return which rows have several descriptions, together of more tokens than the budget."""
    found: BoolArray = (np.bincount(owner, tokens, minlength=n) > budget) & (np.bincount(owner, minlength=n) > 1)
    return found


def _nth_alike(owner: IntArray, codes: IntArray, distinct: Any) -> IntArray:
    """Return how many of its row's descriptions up to each, itself included, are alike but for names and figures."""
    used, places = number_keys(codes)
    pattern, spelled = codes_of(patterns(distinct.take(array(used))))
    keys = pairs(owner, pattern[places], len(spelled))
    order = np.argsort(keys, kind="stable")
    nth = np.empty(len(keys), np.int64)
    nth[order] = running(keys[order], np.ones_like(keys))
    return nth


def _summarise(rows: Sequence[int], descriptions: Any, names: Any, budget: int, language: Language) -> dict[int, str]:
    """Return the summaries of these rows that were written; the others are in ``failures``."""
    n_words = int(budget * WORDS_PER_TOKEN)
    requests = (
        ManyDescriptions(name, name, tuple(some), n_words)
        for start in range(0, len(rows), SUMMARISED_AT_ONCE)
        for name, some in _texts(rows[start : start + SUMMARISED_AT_ONCE], names, descriptions)
    )
    return {
        row: " ".join(reply.value.description.split())
        for row, (_, reply) in zip(rows, language.map(summarise_descriptions, requests, len(rows)), strict=True)
        if isinstance(reply, Reply)
    }


def _texts(rows: Sequence[int], names: Any, descriptions: Any) -> Iterator[tuple[str, list[str]]]:
    """Return the name and the descriptions of some rows; read together, since texts one by one take as long as summarising them."""
    taken = descriptions.take(array(np.array(rows, np.int64))).cast(pa.list_(pa.string()))
    return zip(texts(names, rows), taken.to_pylist(), strict=True)


class _LeftOut:
    """Reports what went into no row, and rows of which not all is summarised."""

    def __init__(self, notes: Notes) -> None:
        self._notes = notes
        self.alike: Counter[str] = Counter()
        """Descriptions left out because enough others of their row are alike, by what is described."""
        self.many: Counter[str] = Counter()
        """Rows with more descriptions than are summarised."""

    def report_reasons(self, what: str, reasons: IntArray) -> None:
        """Report how many mentions were left out, by reason."""
        counts = {
            REASONS[reason]: count for reason, count in enumerate(np.bincount(reasons).tolist()) if reason and count
        }
        for reason, count in sorted(counts.items()):
            self._notes.report(f"{count} {what} mentions left out: {reason}")

    def report_descriptions(self) -> None:
        """Report what was counted of descriptions."""
        for what, alike in (+self.alike).items():
            self._notes.report(
                f"{alike} descriptions of {what} mentions are as {MOST_ALIKE} others of a row that is summarised, but for "
                "names and figures: they go into no summary"
            )
        for what, many in (+self.many).items():
            self._notes.report(
                f"{many} rows of {what} mentions have more than {MOST_DESCRIPTIONS} descriptions: "
                f"{MOST_DESCRIPTIONS} of each, from all over the texts, are summarised"
            )
