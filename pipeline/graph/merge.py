"""Merging of mentions: what many chunks say of one entity or one pair of entities becomes one row, and nothing is lost.

Text columns become integer codes once; everything after that is sorting codes and cutting the runs, because
list-aggregating group-bys cost 4 (pyarrow) to 67 (pandas) CPU seconds for a million rows.
"""

import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.base.arrow.build import array, scalar, to_numpy
from pipeline.base.arrow.columns import (
    BoolArray,
    IntArray,
    alphabet,
    codes_of,
    codes_of_runs,
    number_keys,
    rows_of,
    run_starts,
    whole,
)
from pipeline.base.arrow.lists import cut_lists
from pipeline.base.errors import TableError

REASONS = (
    "",
    "the title is blank",
    "the source names no entity",
    "the target names no entity",
    "neither end names an entity",
    "both ends are one entity",
)
"""Why a mention goes into no row; the first is that of those that go into one."""
KEPT, BLANK_TITLE, NO_SOURCE, NO_TARGET, NO_ENDS, SELF_LOOP = range(6)


class MergedGraph(NamedTuple):
    """Entities (with ``degree``) and relationships of one corpus."""

    entities: pa.Table
    relationships: pa.Table


@lru_cache(maxsize=1 << 16)
def fold_title(title: str) -> str:
    """Return the form under which spellings of one title meet: Unicode NFKC, case folded, white space collapsed."""
    if title.isascii():
        return " ".join(title.lower().split())
    folded = unicodedata.normalize("NFKC", title).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())


def names_to_entities(aliases: pa.Table) -> dict[str, str]:
    """Return the title of the entity of each folded name that the table aliases (name, entity, joined) joins to one."""
    return {fold_title(name): entity for name, entity, joined in rows_of(aliases, "name", "entity", "joined") if joined}


def known_names(aliases: pa.Table) -> dict[str, str]:
    """Return the title of the entity of each folded name in the table aliases: names, titles, and what stays apart."""
    entity_of = names_to_entities(aliases)
    entity_of |= {fold_title(entity): entity for entity in entity_of.values()}
    for name, entity in zip(aliases["name"].to_pylist(), aliases["entity"].to_pylist(), strict=True):
        entity_of.setdefault(fold_title(name), name)
        entity_of.setdefault(fold_title(entity), entity)
    return entity_of


def with_entity_titles(mentions: pa.Table, columns: Sequence[str], entity_of: Mapping[str, str]) -> pa.Table:
    """Return mentions whose names in these columns are replaced by the titles of the entities that they name."""
    for column in columns:
        codes, spelled = codes_of(mentions[column])
        titles = [entity_of.get(fold_title(name), name) for name in spelled.to_pylist()]
        entities = array(titles, pa.string()).dictionary_encode()
        codes = to_numpy(entities.indices)[codes] if len(titles) else codes
        coded = pa.DictionaryArray.from_arrays(array(codes, pa.int32()), entities.dictionary)
        mentions = mentions.set_column(mentions.column_names.index(column), column, coded)
    return mentions


def merge_graph(entity_mentions: pa.Table, relationship_mentions: pa.Table, chunk_ids: Any = None) -> MergedGraph:
    """Merge both tables of mentions; see ``merge_entities`` and ``merge_relationships``."""
    entities = merge_entities(entity_mentions, chunk_ids)
    relationships = merge_relationships(relationship_mentions, entities["title"], chunk_ids)
    degree = array(degrees(relationships, entities["title"]))
    return MergedGraph(entities.append_column("degree", degree), relationships)


def merge_entities(mentions: pa.Table, chunk_ids: Any = None) -> pa.Table:
    """Merge mentions (chunk_id, title, type, description) by folded title; the rows come in code point order of title.

    Columns of the result: title (its most frequent spelling, white space collapsed), type (what most mentions that
    name a type say), aliases (the other spellings), descriptions (distinct, in the order of chunks; lists of dictionary
    values, since one sentence mentions many entities and pairs), chunk_ids (distinct, in the order of chunks), frequency (number of those), mentions.
    Ties go to the first in code point order. ``chunk_ids`` gives the order of chunks (reading order); without it they
    are ordered by id. The order of rows matters only within a chunk, where it is the order of reading. Raises
    TableError for a mention of a chunk that ``chunk_ids`` lacks. Merging by title and voting on the type, rather than
    by (title, type), keeps the mentions whose type a model gave differently (one in eight).
    """
    groups = EntityGroups.of(mentions["title"])
    kept = groups.group >= 0
    return groups.rows(0, len(groups.titles), groups.group[kept], mentions.filter(array(kept)), chunk_ids)


def merge_relationships(mentions: pa.Table, titles: Any, chunk_ids: Any = None) -> pa.Table:
    """Merge mentions (chunk_id, source, target, description, weight) by the unordered pair of entities they join.

    ``titles``: the titles of ``merge_entities``; an end resolves to the entity of the same folded title. Columns of the
    result: source and target (titles, source first in code point order), descriptions, weight (sum), combined_degree,
    chunk_ids, mentions; rows in the order of (source, target). Mentions with an end that names no entity and self-loops
    go into no row; the ``reason`` of RelationshipGroups says why. Raises TableError for a weight that is null, NaN, infinite or negative, and for a
    mention of a chunk that ``chunk_ids`` lacks.
    """
    check_weights(mentions["weight"])
    groups = RelationshipGroups.of(mentions["source"], mentions["target"], titles)
    kept = groups.group >= 0
    return groups.rows(0, len(groups.low), groups.group[kept], mentions.filter(array(kept)), chunk_ids)


class EntityGroups(NamedTuple):
    """Which entity each mention is of, from the titles alone, so that the texts can be merged some entities at a time."""

    group: IntArray
    """Row of the entity of each mention, -1 for none."""
    titles: Any
    aliases: Any
    reason: IntArray
    """Place in REASONS of each mention."""

    @classmethod
    def of(cls, titles: Any) -> "EntityGroups":
        """Group mentions by folded title."""
        codes, spelled = codes_of(titles)
        folds, title, aliases = spellings(spelled.to_pylist(), np.bincount(codes, minlength=len(spelled)))
        group = folds[codes]
        return cls(group, title, aliases, np.where(group >= 0, KEPT, BLANK_TITLE))

    def rows(self, start: int, stop: int, group: IntArray, mentions: pa.Table, chunk_ids: Any = None) -> pa.Table:
        """Return the entities from ``start`` to ``stop`` of all their ``mentions``, of which ``group`` has the rows."""
        group, n = group - start, stop - start
        rank, chunks = _chunk_ranks(mentions["chunk_id"], chunk_ids)
        listed = _distinct_chunks(group, n, rank, chunks)
        return pa.table(
            {
                "title": self.titles.slice(start, n),
                "type": _majority(group, mentions["type"]),
                "aliases": self.aliases.slice(start, n),
                "descriptions": _distinct_texts(group, n, rank, len(chunks), mentions["description"]),
                "chunk_ids": listed,
                "frequency": pc.list_value_length(listed).cast(pa.int64()),
                "mentions": array(np.bincount(group, minlength=n).astype(np.int64)),
            }
        )


class RelationshipGroups(NamedTuple):
    """Which pair of entities each mention joins, from the ends alone, as ``EntityGroups``."""

    group: IntArray
    titles: Any
    low: IntArray
    high: IntArray
    """Numbers of the ends of each relationship among ``titles``, which ascend."""
    degree: IntArray
    """In how many relationships each of ``titles`` is."""
    reason: IntArray

    @classmethod
    def of(cls, source: Any, target: Any, titles: Any) -> "RelationshipGroups":
        """Group mentions by the unordered pair of entities that their ends name."""
        titles = whole(titles)
        titles = titles.take(pc.sort_indices(titles))
        number = {fold_title(title): i for i, title in enumerate(titles.to_pylist())}
        a, b = entity_numbers(source, number), entity_numbers(target, number)
        reason = np.select([(a < 0) & (b < 0), a < 0, b < 0, a == b], [NO_ENDS, NO_SOURCE, NO_TARGET, SELF_LOOP], KEPT)
        kept = reason == KEPT
        group = np.full(len(a), -1, np.int64)
        pairs, group[kept] = number_keys(np.minimum(a, b)[kept] * len(titles) + np.maximum(a, b)[kept])
        low, high = np.divmod(pairs, max(len(titles), 1))
        return cls(group, titles, low, high, _degrees(low, high, len(titles)), reason)

    def rows(self, start: int, stop: int, group: IntArray, mentions: pa.Table, chunk_ids: Any = None) -> pa.Table:
        """Return the relationships from ``start`` to ``stop``, as ``EntityGroups.rows`` does."""
        group, n = group - start, stop - start
        low, high = self.low[start:stop], self.high[start:stop]
        rank, chunks = _chunk_ranks(mentions["chunk_id"], chunk_ids)
        weight = to_numpy(mentions["weight"])
        says = _describing(group, n, weight, mentions["description"])
        return pa.table(
            {
                "source": self.titles.take(array(low)),
                "target": self.titles.take(array(high)),
                "descriptions": _distinct_texts(
                    group[says], n, rank[says], len(chunks), mentions["description"].filter(array(says))
                ),
                "weight": array(_sums(group, n, weight)),
                "combined_degree": array(self.degree[low] + self.degree[high]),
                "chunk_ids": _distinct_chunks(group, n, rank, chunks),
                "mentions": array(np.bincount(group, minlength=n).astype(np.int64)),
            }
        )


def _describing(group: IntArray, n: int, weight: Any, column: Any) -> BoolArray:
    """Return which mentions describe their relationship: those that weigh as much as a statement does, where it has some."""
    codes, spelled = codes_of(column)
    full = (weight >= 1) & to_numpy(pc.not_equal(pc.utf8_trim_whitespace(spelled), scalar("")))[codes]
    has_full = np.bincount(group[full], minlength=n) > 0
    found: BoolArray = full | ~has_full[group]
    return found


def degrees(relationships: Any, titles: Any) -> IntArray:
    """Return for each title the number of relationships it is in; every source and target must be a title."""
    ends = [to_numpy(pc.index_in(relationships[end], value_set=whole(titles))) for end in ("source", "target")]
    return _degrees(ends[0], ends[1], len(titles))


def _degrees(low: Any, high: Any, n: int) -> IntArray:
    counted: IntArray = np.bincount(low, minlength=n) + np.bincount(high, minlength=n)
    return counted.astype(np.int64)


def spellings(raw: list[str], counts: Any) -> tuple[IntArray, Any, Any]:
    """Return the number of each raw title's group (-1 for a blank one), the groups' titles and their other spellings.

    Groups are numbered in the code point order of their titles.
    """
    codes, distinct = codes_of(array([" ".join(title.split()) for title in raw], pa.string()))
    count = np.bincount(codes, counts, minlength=len(distinct))
    numbers: dict[str, int] = {}
    group = np.array([numbers.setdefault(fold_title(text), len(numbers)) for text in distinct.to_pylist()], np.int64)
    place = alphabet(distinct)
    blank = numbers.get("", -1)
    best = np.lexsort((place, -count, group))
    best = best[run_starts(group[best])]
    best = best[group[best] != blank]
    best = best[np.argsort(place[best])]
    number = np.full(len(numbers), -1, np.int64)
    number[group[best]] = np.arange(len(best))
    is_title = np.zeros(len(distinct), bool)
    is_title[best] = True
    others = np.flatnonzero(~is_title & (group != blank))
    others = others[np.lexsort((place[others], number[group[others]]))]
    aliases = cut_lists(number[group[others]], len(best), distinct.take(array(others)))
    return number[group[codes]], distinct.take(array(best)), aliases


def _chunk_ranks(column: Any, chunk_ids: Any) -> tuple[IntArray, Any]:
    """Return each row's chunk as a position in the order of chunks, and the chunk ids in that order."""
    codes, distinct = codes_of_runs(column)
    if chunk_ids is None:
        return alphabet(distinct)[codes], distinct.take(pc.sort_indices(distinct))
    ordered = whole(chunk_ids)
    positions = pc.index_in(distinct, value_set=ordered)
    if positions.null_count:
        unknown = distinct.filter(pc.is_null(positions))
        raise TableError(
            f"{len(unknown)} chunk ids of the mentions are of no chunk, such as {unknown[0].as_py()!r}",
            "the order of chunks must hold every chunk that is mentioned",
            "merge mentions and chunks of one run",
        )
    return to_numpy(positions).astype(np.int64)[codes], ordered


def _majority(group: IntArray, column: Any) -> Any:
    """Return per group the type that most of its rows hold; CONCEPT, of which nothing more is known, weighs an eighth, and
    blank ones vote only when there is no other."""
    spelled, spellings = codes_of(column)
    trimmed, distinct = codes_of(pc.utf8_trim_whitespace(spellings))
    codes = trimmed[spelled]
    ballots = np.sort(group * max(len(distinct), 1) + alphabet(distinct)[codes])
    first = np.flatnonzero(run_starts(ballots))
    votes, counts = ballots[first], np.diff(first, append=len(ballots))
    voted, choice = np.divmod(votes, max(len(distinct), 1))
    ranked = distinct.take(pc.sort_indices(distinct))
    blank = to_numpy(pc.equal(ranked, scalar("")))[choice]
    weights = np.where(to_numpy(pc.equal(ranked, scalar("CONCEPT")))[choice], counts, 8 * counts)
    best = np.lexsort((choice, -weights, blank, voted))
    best = best[run_starts(voted[best])]
    return ranked.take(array(choice[best]))


def _distinct_chunks(group: IntArray, n: int, rank: IntArray, chunks: Any) -> Any:
    keys = np.sort(group * max(len(chunks), 1) + rank)
    owner, place = np.divmod(keys[run_starts(keys)], max(len(chunks), 1))
    return cut_lists(owner, n, chunks.take(array(place)))


def _distinct_texts(group: IntArray, n: int, rank: IntArray, n_chunks: int, column: Any) -> Any:
    """Return per group its distinct texts that are not blank, by the first chunk that holds each, in its row order."""
    codes, distinct = codes_of(column)
    rows = np.flatnonzero(~to_numpy(pc.equal(pc.utf8_trim_whitespace(distinct), scalar("")))[codes])
    rows = rows[np.argsort(group[rows] * max(n_chunks, 1) + rank[rows], kind="stable")]
    text = group[rows] * max(len(distinct), 1) + codes[rows]
    order = np.argsort(text, kind="stable")
    rows = rows[np.sort(order[run_starts(text[order])])]
    return cut_lists(group[rows], n, pa.DictionaryArray.from_arrays(array(codes[rows], pa.int32()), distinct))


def _sums(group: IntArray, n: int, weight: Any) -> Any:
    """Sum per group in ascending order of weight: float sums depend on the order, and the order of rows must not show."""
    order = np.argsort(weight, kind="stable")
    return np.bincount(group[order], weight[order], minlength=n)


def entity_numbers(titles: Any, number: Mapping[str, int]) -> IntArray:
    """Return the entity that each title of a column names, by the number of its folded title; -1 for none."""
    codes, distinct = codes_of(titles)
    named: IntArray = np.array([number.get(fold_title(title), -1) for title in distinct.to_pylist()], np.int64)
    return named[codes]


def check_weights(column: Any) -> None:
    """Raise TableError for a weight that is null, NaN, infinite or negative."""
    weight = to_numpy(pc.fill_null(column, scalar(float("nan"))))
    bad = ~np.isfinite(weight) | (weight < 0)
    if bad.any():
        raise TableError(
            f"{int(bad.sum())} relationship mentions have a weight such as {weight[bad][0]}",
            "weights are finite numbers of 0 or more; others would turn communities into single nodes in silence",
            "fix the extraction that gave these weights",
        )
