"""pipeline/retrieval/phrase_matcher.py: every occurrence of every known form, and those that a reader takes."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.retrieval.phrase_matcher import Forms, flat, without_overlap

SEQUENCES = st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=4), max_size=8)
SENTENCES = st.lists(st.lists(st.integers(0, 4), min_size=1, max_size=10), min_size=1, max_size=4)


@settings(deadline=None, max_examples=150)
@given(SEQUENCES, SENTENCES)
def test_the_same_occurrences_are_found_as_by_looking_everywhere(
    forms: list[list[int]], sentences: list[list[int]]
) -> None:
    unique = sorted({tuple(form) for form in forms})
    stream = [token for sentence in sentences for token in sentence]  # token 4 is in no vocabulary of 4
    ends = np.repeat(np.cumsum([len(s) for s in sentences]), [len(s) for s in sentences])
    starts, found = Forms(*flat(unique), 4).find(np.array(stream), ends)
    expected = [
        (start, form)
        for start in range(len(stream))
        for form in sorted(range(len(unique)), key=lambda form: -len(unique[form]))
        if tuple(stream[start : start + len(unique[form])]) == unique[form] and start + len(unique[form]) <= ends[start]
    ]
    assert list(zip(starts.tolist(), found.tolist(), strict=True)) == expected


def test_a_reader_takes_the_longest_at_each_place_and_goes_on_after_it() -> None:
    assert without_overlap(np.array([0, 0, 1, 3, 4]), np.array([3, 1, 4, 2, 1])).tolist() == [0, 3]


def test_no_forms_are_found_nowhere() -> None:
    starts, found = Forms(*flat([]), 3).find(np.array([0, 1]), np.array([2, 2]))
    assert len(starts) == len(found) == 0
