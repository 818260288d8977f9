"""Key elements: what becomes one, what never does, what is dropped."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.text.extraction.key_elements import FLOOR, Normalised, normalise


def of(*raws: str, count: int = 3) -> Normalised:
    counts = dict.fromkeys(raws, count)
    return normalise(counts, counts, 1000)


def groups(found: Normalised) -> set[frozenset[str]]:
    return {frozenset((title, *others)) for title, others in found.aliases.items()}


TOGETHER = [
    ("Siege", "siege"),
    ("siege", "sieges"),
    ("city", "cities"),
    ("church", "churches"),
    ("woman", "women"),
    ("counting-house", "counting house"),
    ("The Hague", "Hague"),
    ("Charles VII", "King Charles VII"),
    ("Watson", "Dr. Watson"),
    ("Mr. Bob Cratchit", "Bob Cratchit"),
    ("Bob Cratchit", "Cratchit"),
]
APART = [
    ("Mr. Cratchit", "Mrs. Cratchit"),
    ("Bob Cratchit", "Peter Cratchit"),
    ("Charles V", "Charles VI"),
    ("Charles", "Charles VII"),
    ("US", "us"),
    ("Williams", "William"),
    ("Orleans", "New Orleans"),
    ("Arnsberg", "Matilda of Arnsberg"),
    ("King Albert of Saxony", "Prince Albert of Saxony"),
    ("Queen Melbourne", "Melbourne"),
    ("news", "new"),
    ("1429", "May 1429"),
    ("1429", "August 1429"),
]


@pytest.mark.parametrize("raws", TOGETHER)
def test_spellings_of_one_thing_join(raws: tuple[str, str]) -> None:
    assert groups(of(*raws)) == {frozenset(raws)}


@pytest.mark.parametrize("raws", APART)
def test_different_things_stay_apart(raws: tuple[str, str]) -> None:
    assert groups(of(*raws)) == {frozenset((raw,)) for raw in raws}


def test_a_bare_name_joins_nobody_where_mr_and_mrs_both_occur() -> None:
    assert len(groups(of("Mr. Cratchit", "Mrs. Cratchit", "Cratchit"))) == 3


def test_a_surname_joins_nobody_where_two_first_names_claim_it() -> None:
    assert len(groups(of("Bob Cratchit", "Martha Cratchit", "Cratchit"))) == 3


def test_a_surname_with_more_facts_joins_only_when_addressed_as_a_person() -> None:
    counts = {"Jack London": 2, "London": 500}
    assert len(groups(normalise(counts, counts, 10_000))) == 2
    counts = {"George Bailey": 2, "Bailey": 500, "Mr. Bailey": 3}
    assert groups(normalise(counts, counts, 10_000)) == {frozenset(counts)}


def test_the_title_is_the_fullest_name_and_of_its_spellings_the_most_frequent() -> None:
    counts = {"Cratchit": 3, "Bob Cratchit": 5, "BOB CRATCHIT": 2, "sieges": 9, "siege": 2}
    found = normalise(counts, counts, 1000)
    assert found.aliases == {"Bob Cratchit": ("BOB CRATCHIT", "Cratchit"), "sieges": ("siege",)}


def test_rare_words_are_dropped_and_rare_names_kept() -> None:
    counts = {"word": 1, "Name": 1, "2 May 1429": 1, "贞德": 1, "often": 2}
    found = normalise(counts, counts, 50)
    assert found.dropped == {"word": "rare", "2 May 1429": "rare"}
    assert set(found.canonical) == {"Name", "贞德", "often"}


def test_a_word_that_is_almost_everywhere_is_dropped_with_its_other_spellings() -> None:
    counts = {"film": 400, "films": 200, "Joan of Arc": 600, "army": 100}
    found = normalise(counts, counts, 5000)
    assert found.dropped == {"film": "over-broad", "films": "over-broad"}
    assert "Joan of Arc" in found.canonical


def test_in_a_small_corpus_nothing_is_over_broad() -> None:
    assert normalise({"film": FLOOR}, {"film": 10}, FLOOR).dropped == {}


def test_what_holds_no_letter_and_no_figure_is_dropped_as_empty() -> None:
    assert of(" ", "--", "", "a1").dropped == {" ": "empty", "--": "empty", "": "empty"}


RAW = st.sampled_from(
    [
        "siege",
        "sieges",
        "Siege",
        "SIEGE",
        "the siege",
        "US",
        "us",
        "city",
        "cities",
        "women",
        "woman",
        "1429",
        "May 1429",
        "贞德",
        "--",
        "cratchit",
        "Cratchit",
        "Bob Cratchit",
        "Peter Cratchit",
        "Dr. Bob Cratchit",
        "Mr. Cratchit",
        "Mrs. Cratchit",
        "Miss Cratchit",
        "Charles",
        "Charles V",
        "Charles VI",
        "King Charles VI",
        "Prince Charles VI",
        "London",
        "Jack London",
        "London Bridge",
    ]
)
COUNTS = st.dictionaries(RAW | st.text(max_size=12), st.integers(1, 60), max_size=25)


@settings(deadline=None, max_examples=150)
@given(COUNTS, st.integers(0, 2**16))
def test_order_makes_no_difference(counts: dict[str, int], seed: int) -> None:
    items = list(counts.items())
    random.Random(seed).shuffle(items)
    assert normalise(dict(items), dict(items), 90, floor=20) == normalise(counts, counts, 90, floor=20)


@settings(deadline=None, max_examples=150)
@given(COUNTS)
def test_every_key_element_is_kept_once_or_dropped_for_a_reason(counts: dict[str, int]) -> None:
    found = normalise(counts, counts, 90, floor=20)
    assert set(found.canonical) | set(found.dropped) == set(counts)
    assert not set(found.canonical) & set(found.dropped)
    assert {raw: title for title, others in found.aliases.items() for raw in (title, *others)} == found.canonical


@settings(deadline=None, max_examples=150)
@given(COUNTS)
def test_normalising_again_changes_nothing(counts: dict[str, int]) -> None:
    once = normalise(counts, counts, 90, floor=20)
    joined = {title: sum(counts[raw] for raw in (title, *others)) for title, others in once.aliases.items()}
    again = joined | {raw: counts[raw] for raw in once.dropped}
    twice = normalise(again, again, 90, floor=20)
    assert {title: title for title in joined} == {raw: title for raw, title in twice.canonical.items() if raw in joined}
