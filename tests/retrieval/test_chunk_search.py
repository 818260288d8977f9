"""Reciprocal rank fusion of what several questions find."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.retrieval.chunk_search import FUSION, Hit, fuse


def hits(*ids: str) -> list[Hit]:
    return [Hit(id, 1.0) for id in ids]


def test_the_example_of_the_method_fuses_as_its_paper_says() -> None:
    fused = fuse([hits("A", "B"), hits("A", "C", "B"), hits("B", "A")])
    assert [hit.chunk_id for hit in fused] == ["A", "B", "C"]
    assert fused[0].score == pytest.approx(2 / (FUSION + 1) + 1 / (FUSION + 2))


@given(st.lists(st.lists(st.sampled_from("abcdef"), unique=True), max_size=5))
@settings(deadline=None, max_examples=100)
def test_fusing_does_not_depend_on_the_order_of_the_lists_and_loses_nothing(lists: list[list[str]]) -> None:
    forward = fuse([hits(*ids) for ids in lists])
    assert forward == fuse([hits(*ids) for ids in reversed(lists)])
    assert {hit.chunk_id for hit in forward} == {id for ids in lists for id in ids}
    order = [(-hit.score, hit.chunk_id) for hit in forward]
    assert order == sorted(order)


@pytest.mark.parametrize(
    ("lists", "fused"), [(["789", "875"], "7859"), (["12", "213", "2"], "213"), (["354", "354"], "354"), ([], "")]
)
def test_fusing_adds_reciprocal_ranks_and_keeps_the_order_that_lists_agree_on(lists: list[str], fused: str) -> None:
    assert "".join(hit.chunk_id for hit in fuse([hits(*ids) for ids in lists])) == fused
