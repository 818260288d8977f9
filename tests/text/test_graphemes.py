"""Where a text may be cut."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.text.graphemes import LONGEST_CLUSTER, may_cut, next_cut

WHOLE = [
    "\r\n",
    "e\u0301",
    "👨‍👩‍👧‍👦",
    "👍🏽",
    "❤️",
    "🇩🇪",
    "각",
    "\u1100\u1161\u11a8",
    "क्षि",
    "क\u094d\u0301क",
    "क\u094d\u0947\u093cष",
    "ก็",
    "กำ",
    "🏴\U000e0067\U000e0062\U000e007f",
    " \u0301",
    "\u0600" + "1",
]


@pytest.mark.parametrize("cluster", WHOLE)
def test_what_a_reader_sees_as_one_is_not_cut(cluster: str) -> None:
    text = f"a{cluster}b"
    assert [place for place in range(len(text) + 1) if may_cut(text, place)] == [0, 1, len(text) - 1, len(text)]


def test_flags_are_cut_between_pairs_only() -> None:
    text = "🇩🇪🇫🇷🇬🇧"
    assert [place for place in range(7) if may_cut(text, place)] == [0, 2, 4, 6]


@given(
    st.lists(st.sampled_from([*WHOLE, "a", " ", "字", "\n", "\r", "\u200d", "\u094d", "\u0301", "🇩", "가", "\u1161"]))
)
@settings(deadline=None)
def test_cuts_are_among_those_of_the_regex_module(pieces: list[str]) -> None:
    regex = pytest.importorskip("regex")
    text = "".join(pieces)
    ends = {0, *(found.end() for found in regex.finditer(r"\X", text))}
    assert {place for place in range(len(text) + 1) if may_cut(text, place)} <= ends


@given(st.text("a\r\n\u0301\u200d👍🇩", min_size=1), st.data())
@settings(deadline=None)
def test_the_next_cut_goes_forward_and_ends_within_a_bounded_stretch(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    wanted = data.draw(st.integers(start + 1, len(text) + 3))
    place = next_cut(text, start, wanted)
    assert start < place <= len(text)
    assert place <= max(wanted, start + LONGEST_CLUSTER)
    assert may_cut(text, place) or place - start >= LONGEST_CLUSTER


def test_marks_without_end_are_cut() -> None:
    text = "a" + "\u0301" * 1000
    assert next_cut(text, 0, 1) == LONGEST_CLUSTER
