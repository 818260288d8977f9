"""Promises of the codes: texts become numbers and lists without a group-by, whatever the chunks of the column."""

import subprocess
import sys

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.base.arrow.columns import alphabet, codes_of, codes_of_runs, number_keys, run_starts
from pipeline.base.arrow.lists import cut_lists, thinned
from tests.paths import ROOT

words = st.lists(st.sampled_from(["a", "B", "é", "", "日本", None]), max_size=12)


@settings(deadline=None, max_examples=60)
@given(st.lists(words, max_size=4))
def test_codes_point_at_their_texts_and_a_null_is_the_empty_text(parts: list[list[str | None]]) -> None:
    column = pa.chunked_array([pa.array(part, pa.string()) for part in parts], pa.string())
    codes, distinct = codes_of(column)
    assert distinct.take(pa.array(codes)).to_pylist() == [text or "" for part in parts for text in part]
    assert len(set(distinct.to_pylist())) == len(distinct)


@settings(deadline=None, max_examples=60)
@given(st.lists(words, min_size=1, max_size=4), st.data())
def test_codes_of_a_dictionary_are_those_of_its_texts_and_hold_only_what_is_used(
    parts: list[list[str | None]], data: st.DataObject
) -> None:
    column = pa.chunked_array([pa.array(part, pa.string()) for part in parts], pa.string()).dictionary_encode()
    kept = data.draw(st.lists(st.booleans(), min_size=len(column), max_size=len(column)))
    filtered = column.filter(pa.array(kept, pa.bool_()))
    for codes, distinct in (codes_of(filtered), codes_of_runs(filtered)):
        assert distinct.take(pa.array(codes)).to_pylist() == [text or "" for text in filtered.to_pylist()]
        assert sorted(set(codes.tolist())) == list(range(len(distinct)))


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from("abc"), max_size=30))
def test_codes_of_runs_are_codes(texts: list[str]) -> None:
    codes, distinct = codes_of_runs(pa.array(texts, pa.string()))
    assert distinct.take(pa.array(codes)).to_pylist() == texts


@settings(deadline=None, max_examples=60)
@given(st.lists(st.text(max_size=3), unique=True, max_size=20))
def test_the_alphabet_is_code_point_order(texts: list[str]) -> None:
    place = alphabet(pa.array(texts, pa.string()))
    assert [texts[i] for i in np.argsort(place)] == sorted(texts)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.integers(0, 5), max_size=20))
def test_keys_are_numbered_in_ascending_order(keys: list[int]) -> None:
    given_keys = np.array(keys, np.int64)
    distinct, number = number_keys(given_keys)
    assert distinct.tolist() == sorted(set(keys)) and distinct[number].tolist() == keys
    assert run_starts(np.sort(given_keys)).sum() == len(distinct)


def test_lists_are_cut_where_the_owner_changes_and_owners_of_nothing_have_empty_ones() -> None:
    lists = cut_lists(np.array([0, 0, 2]), 4, pa.array(["x", "y", "z"]))
    assert lists.to_pylist() == [["x", "y"], [], ["z"], []]


@settings(deadline=None, max_examples=60)
@given(st.lists(st.integers(0, 30), max_size=6), st.integers(1, 8))
def test_long_lists_are_thinned_evenly_and_short_ones_stay(lengths: list[int], most: int) -> None:
    lists = [[str(item) for item in range(length)] for length in lengths]
    owner = np.repeat(np.arange(len(lengths)), lengths)
    kept = iter(thinned(owner, most).tolist())
    thin = [[item for item in one if next(kept)] for one in lists]
    assert [len(one) for one in thin] == [min(length, most) for length in lengths]
    for before, after in zip(lists, thin, strict=True):
        places = [int(item) for item in after]
        assert before[:1] == after[:1] and (len(before) > most or before == after)
        gaps = {second - first for first, second in zip(places, [*places[1:], len(before)], strict=False)}
        assert not gaps or max(gaps) - min(gaps) <= 1


def test_a_column_of_no_pieces_is_one_array_without_the_import_of_pandas() -> None:
    code = (
        "import sys, pyarrow as pa; from pipeline.base.arrow.columns import whole\n"
        "assert len(whole(pa.chunked_array([], type=pa.list_(pa.string())))) == 0 and 'pandas' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
