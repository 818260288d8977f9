"""Measures: SQuAD's comparison, containment, recall, ROUGE-L, claims and their clusters."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.base.task import NOT_SAID
from pipeline.query.evaluation.answer_metrics import (
    claims_of,
    clusters,
    contains,
    exact,
    f1,
    normalise,
    recall_at,
    rouge_l,
    unique_claims,
)
from pipeline.text.answering.source_numbers import without_source_numbers


def test_case_punctuation_and_articles_make_no_difference() -> None:
    assert exact("The Port of Spain.", ["port of spain"]) == 1
    assert exact("Port-of-Spain", ["Port of Spain"]) == 1
    assert exact("Spain", ["Port of Spain"]) == 0
    assert exact("U.S.", ["US"]) == 1


def test_f1_is_of_tokens_against_the_nearest_answer() -> None:
    assert f1("born in Port of Spain", ["Madrid", "Port of Spain"]) == pytest.approx(2 * 3 / (5 + 3))
    assert f1("", ["Madrid"]) == 0 and f1("Madrid", []) == 0


def test_containment_takes_whole_tokens_in_a_run() -> None:
    assert contains("She died on 20 March 851 in Rome.", ["20 March 851"]) == 1
    assert contains("She died on 20 May, and in March 851.", ["20 March 851"]) == 0
    assert contains("Carthage", ["art"]) == 0
    assert contains("anything", [""]) == 0


def test_scripts_without_spaces_are_compared_by_characters() -> None:
    assert normalise("她在北京。") == ["她", "在", "北", "京"]
    assert contains("她在北京出生。", ["北京"]) == 1


def test_marks_of_sources_are_no_part_of_an_answer() -> None:
    assert without_source_numbers("It fell. [1][12] Nobody knows.") == "It fell. Nobody knows."


def test_recall_counts_gold_things_any_of_whose_ids_is_among_the_first() -> None:
    gold = [{"a", "b"}, {"c"}, set[str]()]
    assert recall_at(2, ["b", "x", "c"], gold) == pytest.approx(1 / 3)
    assert recall_at(3, ["b", "x", "c"], gold) == pytest.approx(2 / 3)
    assert recall_at(5, [], []) == 0


def test_claims_are_sentences_that_assert() -> None:
    answer = "# Losses\n\nShe lost at Paris. [1] What else?\n\n- La Charité was lost. [2][3]\n\nThemes:\n\nBattles\n"
    assert claims_of(answer) == ["She lost at Paris.", "La Charité was lost."]
    assert claims_of(NOT_SAID) == []


def test_claims_that_say_the_same_count_once() -> None:
    assert unique_claims(["She lost at Paris.", "she lost, at Paris", "It rained."]) == [
        "She lost at Paris.",
        "It rained.",
    ]


def test_rouge_l_is_of_the_longest_common_subsequence() -> None:
    killed, kill = (f"police {word} that gunman".split() for word in ("killed", "kill"))
    assert rouge_l(killed, kill) == pytest.approx(0.75)
    assert rouge_l([], ["a"]) == 0


@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.sampled_from(["she lost at Paris", "she lost at Rome", "it rained", "ships lay in harbour"]), max_size=6
    )
)
def test_clusters_never_outnumber_claims_and_shrink_with_distance(claims: list[str]) -> None:
    found = clusters(claims)
    assert all(1 <= count <= len(claims) for count in found) or not claims
    assert found == sorted(found, reverse=True)
    assert clusters(claims[::-1]) == found


def test_claims_without_a_word_in_common_are_never_one_cluster() -> None:
    assert clusters(["ships lay there", "it rained today"]) == [2, 2, 2, 2]
    assert clusters(["she lost at Paris", "she lost at Rome"], [0.2, 0.5]) == [2, 1]
