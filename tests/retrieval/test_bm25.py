"""Lexical ranking: BM25 over words and stems, best rows, reciprocal rank fusion."""

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.retrieval.bm25 import K1, B, Bm25, best

QUICK = settings(deadline=None, max_examples=60)


def ranker(texts: list[list[int]], n_words: int) -> Bm25:
    pairs = sorted((word, row, text.count(word)) for row, text in enumerate(texts) for word in set(text))
    offsets = np.searchsorted([word for word, *_ in pairs], np.arange(n_words + 1))
    rows, counts = np.array([row for _, row, _ in pairs]), np.array([count for *_, count in pairs])
    return Bm25(offsets, rows, counts, np.array([len(text) for text in texts]))


def test_a_score_is_the_one_of_the_formula() -> None:
    texts = [[0, 0, 1], [1, 2], [2, 3, 3, 3]]
    idf = math.log(1 + (3 - 1 + 0.5) / (1 + 0.5))
    length = 1 - B + B * 3 / 3
    assert math.isclose(ranker(texts, 5).scores([0])[0], idf * 2 * (K1 + 1) / (2 + K1 * length))


def test_texts_without_a_word_of_the_question_score_nothing() -> None:
    scores = ranker([[0, 1], [1, 2]], 4).scores([0, 3])
    assert scores[0] > 0 and scores[1] == 0


@QUICK
@given(
    st.lists(st.lists(st.integers(0, 6), min_size=1, max_size=8), min_size=1, max_size=8), st.lists(st.integers(0, 6))
)
def test_the_order_of_a_questions_words_changes_no_score(texts: list[list[int]], question: list[int]) -> None:
    index = ranker(texts, 7)
    assert np.allclose(index.scores(question), index.scores(question[::-1]))
    assert (index.scores(question) >= 0).all()


@QUICK
@given(st.lists(st.integers(0, 4), max_size=30), st.integers(1, 12))
def test_best_gives_the_highest_positive_scores_and_ties_in_the_order_of_rows(scores: list[int], k: int) -> None:
    expected = sorted((row for row, score in enumerate(scores) if score > 0), key=lambda row: (-scores[row], row))[:k]
    for type in (np.float32, np.float64):
        assert best(np.array(scores, dtype=type), k).tolist() == expected
