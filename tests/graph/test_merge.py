"""Promises of merging: every mention goes into one row or is reported, and the order of chunks' rows does not matter."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.base.arrow.columns import IntArray
from pipeline.base.errors import TableError
from pipeline.graph.merge import (
    REASONS,
    EntityGroups,
    RelationshipGroups,
    degrees,
    fold_title,
    merge_entities,
    merge_graph,
    merge_relationships,
)

TITLES = [
    "Joan of Arc",
    "JOAN OF ARC",
    " joan  of arc",
    "Orléans",
    "ORLE\u0301ANS",
    "Ｒｅｉｍｓ",
    "Reims",
    "Łódź",
    "ß",
    "SS",
    "",
    " ",
]
CHUNKS = [f"{number:02x}" for number in (9, 3, 7, 1)]

entity_rows = st.lists(
    st.tuples(
        st.sampled_from(CHUNKS),
        st.sampled_from(TITLES),
        st.sampled_from(["PERSON", "PLACE", "", " "]),
        st.sampled_from(["led an army", "was besieged", "", "was crowned\nthere"]),
    ),
    max_size=40,
)
relationship_rows = st.lists(
    st.tuples(
        st.sampled_from(CHUNKS),
        st.sampled_from([*TITLES, "nobody"]),
        st.sampled_from([*TITLES, "no one"]),
        st.sampled_from(["fought at", "was crowned in", ""]),
        st.sampled_from([0.0, 0.1, 0.2, 1.0, 2.5, 1e9]),
    ),
    max_size=40,
)


def entity_table(rows: list[tuple[str, str, str, str]]) -> pa.Table:
    """Return a table of entity mentions."""
    names = ["chunk_id", "title", "type", "description"]
    return pa.table({name: pa.array([row[i] for row in rows], pa.string()) for i, name in enumerate(names)})


def relationship_table(rows: Sequence[tuple[str, str, str, str, float | None]]) -> pa.Table:
    """Return a table of relationship mentions."""
    names = ["chunk_id", "source", "target", "description"]
    columns = {name: pa.array([row[i] for row in rows], pa.string()) for i, name in enumerate(names)}
    return pa.table({**columns, "weight": pa.array([row[4] for row in rows], pa.float64())})


def by_chunk(rows: list[Any], order: list[str]) -> list[Any]:
    """Return the rows with whole chunks moved into another order."""
    return sorted(rows, key=lambda row: order.index(row[0]))


def left_out(mentions: pa.Table, reason: IntArray) -> pa.Table:
    """Return the mentions that go into no row, with the reason."""
    rows = np.flatnonzero(reason)
    return mentions.take(pa.array(rows)).append_column(
        "reason", pa.array([REASONS[at] for at in reason[rows]], pa.string())
    )


def unrelated(mentions: pa.Table, titles: Any) -> pa.Table:
    """Return the relationship mentions that go into no row."""
    return left_out(mentions, RelationshipGroups.of(mentions["source"], mentions["target"], titles).reason)


@settings(deadline=None, max_examples=150)
@given(entity_rows)
def test_every_entity_mention_goes_into_one_row_or_is_reported(rows: list[Any]) -> None:
    table = merge_entities(entity_table(rows))
    dropped = left_out(entity_table(rows), EntityGroups.of(entity_table(rows)["title"]).reason)
    assert sum(table["mentions"].to_pylist()) + dropped.num_rows == len(rows)
    assert set(dropped["title"].to_pylist()) <= {"", " "}
    titles = table["title"].to_pylist()
    assert titles == sorted(titles) and len({fold_title(title) for title in titles}) == len(titles)
    for row in table.to_pylist():
        merged = [given for given in rows if fold_title(given[1]) == fold_title(row["title"])]
        assert row["mentions"] == len(merged)
        assert row["frequency"] == len(row["chunk_ids"])
        assert row["chunk_ids"] == sorted({given[0] for given in merged})
        assert sorted(row["descriptions"]) == sorted({given[3] for given in merged} - {""})
        assert {row["title"], *row["aliases"]} == {" ".join(given[1].split()) for given in merged}


@settings(deadline=None, max_examples=100)
@given(entity_rows, relationship_rows, st.permutations(CHUNKS))
def test_the_order_in_which_chunks_were_read_does_not_matter(
    entities: list[Any], relationships: list[Any], order: list[str]
) -> None:
    reading = pa.array(["03", "09", "01", "07"])
    first = merge_graph(entity_table(entities), relationship_table(relationships), reading)
    moved = entity_table(by_chunk(entities, order)), relationship_table(by_chunk(relationships, order))
    second = merge_graph(*moved, reading)
    assert first.entities.to_pylist() == second.entities.to_pylist()
    assert first.relationships.to_pylist() == second.relationships.to_pylist()


@settings(deadline=None, max_examples=150)
@given(entity_rows, relationship_rows)
def test_every_relationship_mention_goes_into_one_row_or_is_reported_and_weights_add_up(
    entities: list[Any], relationships: list[Any]
) -> None:
    merged = merge_graph(entity_table(entities), relationship_table(relationships))
    table = merged.relationships
    dropped = unrelated(relationship_table(relationships), merged.entities["title"])
    assert sum(table["mentions"].to_pylist()) + dropped.num_rows == len(relationships)
    assert dropped["reason"].null_count == 0
    total = math.fsum(table["weight"].to_pylist()) + math.fsum(dropped["weight"].to_pylist())
    assert total == pytest.approx(math.fsum(row[4] for row in relationships))
    pairs = list(zip(table["source"].to_pylist(), table["target"].to_pylist(), strict=True))
    assert pairs == sorted(set(pairs)) and all(source < target for source, target in pairs)
    titles = merged.entities["title"].to_pylist()
    degree = dict(zip(titles, merged.entities["degree"].to_pylist(), strict=True))
    assert sum(degree.values()) == 2 * len(pairs)
    for row in table.to_pylist():
        assert row["combined_degree"] == degree[row["source"]] + degree[row["target"]]


def test_the_most_frequent_spelling_and_type_win_and_ties_go_by_code_point() -> None:
    rows = [("1", "MERLIN", "PLACE", "a"), ("2", "Merlin", "PERSON", "b"), ("3", "Merlin", "", "c")]
    [merlin] = merge_entities(entity_table(rows)).to_pylist()
    assert (merlin["title"], merlin["aliases"], merlin["type"]) == ("Merlin", ["MERLIN"], "PERSON")
    [tied] = merge_entities(entity_table(rows[:2])).to_pylist()
    assert (tied["title"], tied["type"]) == ("MERLIN", "PERSON")


def test_descriptions_come_in_the_order_of_reading_each_once() -> None:
    rows = [("b", "X", "T", "third"), ("a", "X", "T", "first"), ("a", "x", "T", "second"), ("b", "X", "T", "first")]
    reading = pa.array(["a", "b"])
    [merged] = merge_entities(entity_table(rows), reading).to_pylist()
    assert merged["descriptions"] == ["first", "second", "third"]
    assert merged["chunk_ids"] == ["a", "b"]


def test_reversed_and_respelled_pairs_are_one_relationship_with_the_sum_of_weights() -> None:
    rows = [("1", "Joan", "Reims", "went to", 2.0), ("2", "REIMS", "joan", "welcomed", 3.0)]
    [merged] = merge_relationships(relationship_table(rows), pa.array(["Reims", "Joan"])).to_pylist()
    assert (merged["source"], merged["target"], merged["weight"], merged["mentions"]) == ("Joan", "Reims", 5.0, 2)
    assert merged["descriptions"] == ["went to", "welcomed"]


def test_what_is_dropped_says_why() -> None:
    rows = [("1", "A", "a", "", 1.0), ("1", "x", "A", "", 1.0), ("1", "A", "x", "", 1.0), ("1", "x", "y", "", 1.0)]
    dropped = unrelated(relationship_table(rows), pa.array(["A"]))
    assert dropped["reason"].to_pylist() == [
        "both ends are one entity",
        "the source names no entity",
        "the target names no entity",
        "neither end names an entity",
    ]
    assert dropped.drop_columns("reason").equals(relationship_table(rows))


def test_nothing_merges_into_nothing() -> None:
    merged = merge_graph(entity_table([]), relationship_table([]), pa.array([], pa.string()))
    assert merged.entities.num_rows == merged.relationships.num_rows == 0
    assert degrees(merged.relationships, merged.entities["title"]).tolist() == []
    no_chunks = pa.table(
        {name: pa.chunked_array([], pa.string()) for name in ("chunk_id", "title", "type", "description")}
    )
    assert merge_entities(no_chunks).num_rows == 0


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -1.0, None])
def test_a_weight_that_is_no_strength_is_refused(bad: float | None) -> None:
    with pytest.raises(TableError, match="weight"):
        merge_relationships(relationship_table([("1", "A", "B", "", bad)]), pa.array(["A", "B"]))


def test_a_mention_of_a_chunk_that_does_not_exist_is_refused() -> None:
    with pytest.raises(TableError, match="'zz'"):
        merge_entities(entity_table([("zz", "A", "T", "d")]), pa.array(["aa"]))


def test_folding_twice_is_folding_once() -> None:
    for title in [*TITLES, "ﬁre  İstanbul", "ΟΔΟΣ", "Å", "ᾳ"]:
        assert fold_title(fold_title(title)) == fold_title(title)


def test_what_weighs_less_than_a_statement_describes_a_relationship_only_where_nothing_else_does() -> None:
    titles = pa.array(["A", "B", "C"])
    rows = [
        ("1", "A", "B", "Present: A, B, C.", 0.25),
        ("2", "A", "B", "A paid B.", 1.0),
        ("1", "A", "C", "Present: A, B, C.", 0.25),
    ]
    found = {row["target"]: row for row in merge_relationships(relationship_table(rows), titles).to_pylist()}
    assert found["B"]["descriptions"] == ["A paid B."] and found["B"]["weight"] == 1.25
    assert found["C"]["descriptions"] == ["Present: A, B, C."]
