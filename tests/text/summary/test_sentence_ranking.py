"""Salience: central, to the point, not twice the same, and always in the same order."""

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.text.summary.sentence_ranking import rank_sentences, terms

SENTENCES = [
    "The siege of Orléans was the turning point of the war between England and France.",
    "Joan of Arc lifted the siege of Orléans in May 1429 and turned the war for France.",
    "The weather in Normandy is often mild and rainy.",
    "The siege of Orléans was the turning point of the war between England and France.",
    "After the siege of Orléans the war turned against England.",
]


def order(query: str | None = None, limit: int = 5) -> list[int]:
    return [index for index, _ in rank_sentences(SENTENCES, query, limit)]


def test_what_shares_most_with_the_others_comes_first_and_the_outsider_last() -> None:
    assert order()[0] in (0, 1)
    assert order()[-1] == 2


def test_a_sentence_said_twice_is_taken_once() -> None:
    assert 3 not in order()


def test_a_query_decides_what_comes_first() -> None:
    assert order("What is the weather in Normandy?")[0] == 2


def test_a_plural_in_the_query_finds_the_singular() -> None:
    assert rank_sentences(["The king lost one battle.", "The king built a house."], "battles")[0][0] == 0


def test_terms_are_the_same_in_whatever_encoding_a_text_could_be_written() -> None:
    words = ["the", "crème", "brûlée", "of", "ste", "anne", "½", "litre", "œuvre", "3", "x²", "straße"]
    said = "The _Crème_ brûlée of Ste-Anne: ½ litre – “Œuvre” 3 x² (STRASSE)!".replace("STRASSE", "Straße")
    assert terms(said) == words
    assert terms(f"{said} Ł") == [*words, "ł"]
    assert terms("Ste Anne: 3") == ["ste", "anne", "3"]


def test_terms_of_scripts_without_spaces_are_pairs_of_characters() -> None:
    assert terms("贞德死 in 鲁昂") == ["贞德", "德死", "in", "鲁昂"]


def test_a_longer_text_takes_no_longer_than_it_must() -> None:
    many = [f"Sentence number {i} tells of thing {i % 97} and of place {i % 89} in town {i % 83}." for i in range(5000)]
    assert len(rank_sentences(many, limit=10)) == 10


@settings(deadline=None, max_examples=150)
@given(
    st.lists(st.text(max_size=30) | st.sampled_from(SENTENCES), max_size=12), st.text(max_size=20), st.integers(0, 8)
)
def test_ranks_are_distinct_bounded_and_never_rise(sentences: list[str], query: str, limit: int) -> None:
    ranked = rank_sentences(sentences, query, limit)
    assert ranked == rank_sentences(sentences, query, limit)
    assert len(ranked) <= limit
    indices, scores = [index for index, _ in ranked], [score for _, score in ranked]
    assert len(set(indices)) == len(indices)
    assert all(0 <= index < len(sentences) and terms(sentences[index]) for index in indices)
    assert all(0 <= score <= 1 for score in scores)
    assert scores == sorted(scores, reverse=True)
