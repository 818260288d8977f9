"""What reports are shown of an entity: what its own community's chunks say, whatever is said elsewhere."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.graph.member_descriptions import APART, LEAST_TOKENS, MOST_TOKENS, said_of

Mention = tuple[str, str, str]
"""Chunk, title, description."""
Edge = tuple[int, int, list[str]]


def words(texts: Sequence[str]) -> list[int]:
    return [len(text.split()) for text in texts]


def inside(titles: list[str], edges: list[Edge], mentions: list[Mention], labels: list[int]) -> list[str]:
    """Return the texts of the entities as people see them; a token is a word."""
    columns = list(zip(*mentions, strict=True)) or [(), (), ()]
    descriptions = pa.table(
        {n: pa.array(c, pa.string()) for n, c in zip(("chunk_id", "title", "description"), columns, strict=True)}
    )
    chunks = pa.array([edge[2] for edge in edges], pa.list_(pa.string()))
    said = said_of(pa.table({"title": titles}), pa.table({"chunk_ids": chunks}), descriptions, words)
    ends = np.array([edge[:2] for edge in edges], np.int64).reshape(-1, 2)
    found: list[str] = said.inside(ends[:, 0], ends[:, 1], np.array(labels, np.int64)).to_pylist()
    return [text.replace(APART, " ") for text in found]


def said(about: str, n: int = LEAST_TOKENS) -> str:
    """Return a description of n words."""
    return " ".join([about] * n)


TITLES = ["Ada", "Carrow", "Leith"]


def test_a_member_is_described_by_the_chunks_that_tie_it_to_other_members() -> None:
    edges: list[Edge] = [(0, 1, ["c1"]), (0, 2, ["c2"])]
    mentions = [("c1", "Ada", said("built")), ("c2", "Ada", said("studied")), ("c1", "Carrow", "A harbour.")]
    assert inside(TITLES, edges, mentions, [0, 0, 1])[0] == said("built")
    assert inside(TITLES, edges, mentions, [0, 1, 0])[0] == said("studied")
    assert inside(TITLES, edges, mentions, [0, 0, 0])[0] == said("built") + " " + said("studied")


def test_where_the_community_says_little_other_chunks_say_the_rest_in_reading_order() -> None:
    edges: list[Edge] = [(0, 1, ["c3"])]
    mentions = [("c1", "Ada", said("born", 30)), ("c2", "Ada", said("left", 30)), ("c3", "Ada", "She built it.")]
    mentions += [("c4", "Ada", "She died.")]
    text = inside(TITLES, edges, mentions, [0, 0, 1])[0]
    assert text == "She built it. " + said("born", 30) + " " + said("left", 30)


def test_an_entity_without_a_tie_inside_is_described_by_all_its_chunks() -> None:
    mentions = [("c1", "Ada", said("built")), ("c2", "Ada", said("left")), ("c2", "ada", "Spelled otherwise.")]
    text = inside(TITLES, [(0, 1, ["c1"])], mentions, [0, 1, 1])[0]
    assert text == f"{said('built')} {said('left')} Spelled otherwise."


def test_a_text_has_an_end_but_never_loses_its_first_description() -> None:
    edges: list[Edge] = [(0, 1, [f"c{i}" for i in range(20)])]
    mentions = [(f"c{i}", "Ada", said(f"w{i}", 40)) for i in range(20)]
    assert words(inside(TITLES, edges, mentions, [0, 0, 0])[:1]) == [MOST_TOKENS // 40 * 40]
    assert inside(TITLES, edges, [("c0", "Ada", said("long", 999))], [0, 0, 0])[0] == said("long", 999)


def test_blank_descriptions_unknown_titles_and_empty_tables_do_no_harm() -> None:
    mentions = [
        ("c1", "Ada", " "),
        ("c1", "Nobody", "Unknown."),
        ("c1", "Ada", "She built it."),
        ("c1", "Ada", "She built it."),
    ]
    assert inside(TITLES, [(0, 1, ["c1", "c9"])], mentions, [0, 0, 0]) == ["She built it.", "", ""]
    assert inside(TITLES, [], [], [0, 0, 0]) == ["", "", ""]
    assert inside([], [], [], []) == []


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_what_is_said_elsewhere_changes_nothing_where_the_community_says_enough(data: st.DataObject) -> None:
    n, n_chunks = data.draw(st.integers(2, 8)), 6
    titles = [f"t{i}" for i in range(n)]
    labels = data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    pairs = data.draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1), st.integers(0, n_chunks - 1))))
    edges: list[Edge] = [(a, b, [f"c{chunk}"]) for a, b, chunk in pairs if a != b]
    mentions = [(f"c{c}", titles[i], said(f"{i}in{c}")) for c in range(n_chunks) for i in range(n)]
    before = inside(titles, edges, mentions, labels)
    elsewhere = [("z", title, said("elsewhere")) for title in titles]
    crossing: list[Edge] = [(a, b, ["z"]) for a in range(n) for b in range(a) if labels[a] != labels[b]]
    after = inside(titles, edges + crossing, mentions + elsewhere, labels)
    tied = {end for a, b, _ in edges if labels[a] == labels[b] for end in (a, b)}
    assert all(before[i] == after[i] for i in tied)
