"""pipeline/retrieval/blend.py: what decides between the walk and the words of a question."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.retrieval.blend import blended, certainty, sureness
from tests.retrieval_cases import build


def test_a_walk_that_visits_all_passages_alike_rules_out_none_and_one_that_ends_in_one_rules_out_the_rest() -> None:
    assert certainty(np.full(50, 0.1), 50) == pytest.approx(0)
    assert certainty(np.eye(50)[3], 50) == pytest.approx(1)
    assert certainty(np.zeros(50), 50) == certainty(np.ones(1), 1) == 0


def test_what_leaves_the_part_that_a_walk_sees_counts_as_spread_over_the_rest() -> None:
    seen = np.full(10, 0.02)
    assert certainty(seen, 1000, lost=0.8) == pytest.approx(certainty(np.append(seen, np.full(990, 0.8 / 990)), 1000))
    assert certainty(seen, 1000, lost=0.8) < certainty(seen, 1000)


def test_where_the_walk_is_spread_the_words_decide_and_where_it_ends_in_few_passages_it_does() -> None:
    close = np.array([0.2, 5.0] + [0.0] * 998)
    spread = np.linspace(1.2, 1, 1000)
    narrow = np.zeros(1000)
    narrow[:2] = 0.8, 0.2
    assert blended(spread, close, sureness(certainty(spread, 1000), 0)).argmax() == 1
    assert blended(narrow, close, sureness(certainty(narrow, 1000), 0)).argmax() == 0


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 9)), max_size=8), st.floats(0, 1))
def test_a_passage_has_a_score_where_it_was_visited_or_shares_a_word(
    pairs: list[tuple[float, float]], titled: float
) -> None:
    visits, close = np.array([v for v, _ in pairs]), np.array([c for _, c in pairs])
    scores = blended(visits, close, sureness(certainty(visits, len(visits)), titled))
    assert ((scores > 0) == ((visits > 0) | (close > 0))).all()


def test_among_the_passages_of_a_hero_the_one_that_says_what_is_asked_comes_first() -> None:
    deeds = ["mended the pump", "sold a grey mare", "wrote to the bishop", "fell off the ladder", "kept bees in June"]
    texts = [f"Ada Thorne {deed}. Then Ada Thorne went home to Carrow." for deed in deeds * 3]
    texts[7] = "She said that the herring had spoiled the soup. Ada Thorne laughed."
    index = build(texts, ["A life of Ada Thorne"] * len(texts))
    for asked in ("What did Ada Thorne say about herring?", "Ada Thorne says the soup was spoiled by a herring."):
        assert index.search([asked], 1)[0][0].row == 7
