"""Words that mean the same or nearly: bases undo endings and accents, near senses go the way they should."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.text.near_words import ALIKE, NEAR, SAME, agreement, base, bases, best_agreements, senses


@pytest.mark.parametrize(
    "forms",
    [
        "city cities City",
        "battle battles",
        "lose loses lost losing",
        "win won winning",
        "marry married marries",
        "visit visited visiting",
        "capture captured capturing",
        "die died dying dies",
        "woman women",
        "Orléans Orleans ORLÉANS",
        "сожжена сожжен сожжён",
    ],
)
def test_forms_of_a_word_have_one_base(forms: str) -> None:
    assert len({base(form) for form in forms.split()}) == 1


def test_words_that_only_look_alike_have_bases_of_their_own() -> None:
    words = "Paris pair king kin ring thing sea see VII VI found founded"
    assert len({base(word) for word in words.split()}) == len(words.split())


def test_what_is_asked_may_be_told_in_other_words_but_not_the_other_way_round() -> None:
    assert agreement(base("lose"), base("defeated")) == NEAR
    assert agreement(base("die"), base("killed")) == NEAR
    assert agreement(base("kill"), base("died")) == 0
    assert agreement(base("execute"), base("execution")) == ALIKE
    assert agreement(base("battle"), base("battles")) == SAME
    assert agreement(base("weather"), base("war")) == 0


def test_senses_are_words_that_can_be_searched_for() -> None:
    assert "defeat" in senses("lost") and "siege" in senses("battles") and not senses("Joan")


def test_scripts_without_spaces_give_pairs_of_characters() -> None:
    assert bases("贞德被烧死") == ["贞德", "德被", "被烧", "烧死"]


def test_single_letters_say_nothing_but_for_the_numerals_of_kings() -> None:
    assert bases("Henry V of England, a king I saw") == ["henri", "v", "of", "england", "king", "see"]


@settings(deadline=None, max_examples=60)
@given(st.lists(st.text("abdeilnorsty", min_size=2, max_size=9), min_size=1, max_size=6), st.data())
def test_the_best_agreement_is_the_best_of_the_single_ones(words: list[str], data: st.DataObject) -> None:
    wanted = [base(word) for word in words]
    found = [base(word) for word in data.draw(st.lists(st.sampled_from([*words, "siege", "lost"]), min_size=1))]
    best = tuple(max(agreement(one, other) for other in found) for one in wanted)
    assert best_agreements(wanted, found) == best
