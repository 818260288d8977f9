"""Questions that a list answers: which ask for the largest sums, which for what happened when, and of which days."""

import pytest

from pipeline.text.question.scope.listings import ListingAsked, asked_listing


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("What cost the most?", "en"),
        ("What was our biggest expense so far?", "en"),
        ("Where did all the money go?", "en"),
        ("Was waren die größten Ausgaben?", "de"),
        ("Qu'est-ce qui a coûté le plus cher cette année ?", "fr"),
        ("¿Qué costó más?", "es"),
        ("Dove sono finiti i soldi?", "it"),
    ],
)
def test_the_largest_sums_are_asked_for_in_everyday_words(question: str, language: str) -> None:
    assert asked_listing(question, language) == ListingAsked("sums")


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("What are the most important dates?", "en"),
        ("Give me a timeline", "en"),
        ("What happened when?", "en"),
        ("Was sind die wichtigsten Termine?", "de"),
        ("Quelles sont les dates importantes ?", "fr"),
    ],
)
def test_what_happened_when_is_asked_for(question: str, language: str) -> None:
    assert asked_listing(question, language) == ListingAsked("dates")


def test_the_days_of_which_a_list_is_wanted_are_read() -> None:
    assert asked_listing("What happened in 2024?", "en") == ListingAsked("dates", "2024-01-01", "2024-12-31")
    assert asked_listing("What happened in March 2024?", "en") == ListingAsked("dates", "2024-03-01", "2024-03-31")
    assert asked_listing("What happened in May?", "en") == ListingAsked("dates", month=5)
    assert asked_listing("Was passierte im Jahr 1944?", "de") == ListingAsked("dates", "1944-01-01", "1944-12-31")


@pytest.mark.parametrize(
    "question",
    [
        "What happened in the storm?",
        "What cost the mill its roof?",
        "What was the biggest ship?",
        "What happened to Ada?",
    ],
)
def test_what_names_something_else_wants_no_list(question: str) -> None:
    assert asked_listing(question, "en") is None
