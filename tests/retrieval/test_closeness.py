"""pipeline/retrieval/closeness.py: BM25 over words and stems, whose longest postings are read only where they can matter."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.retrieval.closeness import FIRST, Closeness, Stem
from tests.retrieval.test_bm25 import ranker

TEXTS = st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=8), min_size=1, max_size=150)


def test_a_stem_counts_its_forms_together_and_the_very_word_once_more() -> None:
    scores = Closeness(ranker([[0, 2], [1, 2], [2, 2]], 3), [0], [Stem([0, 1], 1.0)]).every()
    assert scores[0] > scores[1] > scores[2] == 0


def test_forms_that_as_many_texts_hold_are_counted_each_once() -> None:
    close = Closeness(ranker([[0, 3], [1, 3], [2, 3], [3, 3]], 4), [], [Stem([0, 1, 2], 1.0)])
    assert (close.every() > 0).tolist() == [True, True, True, False]
    assert np.ptp(close.every()[:3]) == 0


@settings(deadline=None, max_examples=150)
@given(TEXTS, st.sets(st.integers(0, 9), min_size=1, max_size=6), st.integers(0, 40), st.integers(1, FIRST))
def test_with_postings_left_unread_the_best_and_the_score_of_any_text_are_those_of_reading_all(
    texts: list[list[int]], words: set[int], short: int, k: int
) -> None:
    bm25 = ranker(texts, 10)
    stems = [Stem([word, (word + 1) % 10], float(bm25.idf(word))) for word in sorted(words)[:2]]
    whole, part = (Closeness(bm25, sorted(words), stems, limit) for limit in (10**6, short))
    rows = np.arange(len(texts))
    assert np.allclose(part.of(rows), whole.of(rows))
    assert np.allclose(whole.of(part.best(k)), whole.of(whole.best(k)))
    assert np.allclose(part.every(), whole.every())


def test_of_a_common_word_beside_rare_ones_only_some_passages_are_looked_at() -> None:
    texts = [[0, 1, 2] if row < FIRST + 1 else [0] for row in range(3000)]
    close = Closeness(ranker(texts, 3), [0, 1, 2], [], 100)
    assert len(close.holding()) == FIRST + 1
