"""Claims: subject, kind, status, date, object and quote."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.text.extraction.annotate import annotate
from pipeline.text.extraction.claims import NO_OBJECT, SUBJECTS, Claim, find_claims
from pipeline.text.spans import Match
from tests.text.extraction.test_pronouns import NAMES, matches_in


def claims(text: str) -> list[Claim]:
    return find_claims(text, annotate(text, matches_in(text)))


def claim(text: str) -> Claim:
    (found,) = claims(text)
    return found


def test_a_claim_has_all_its_parts() -> None:
    text = "Rain fell. Joan of Arc was burned in Rouen on 30 May 1431. Rain fell."
    found = claim(text)
    assert (found.subject, found.object, found.type, found.status) == ("Joan of Arc", "Rouen", "BIRTH OR DEATH", "TRUE")
    assert (found.start_date, found.end_date) == ("1431-05-30", "1431-05-30")
    assert found.quote == text[found.start : found.end] == "Joan of Arc was burned in Rouen on 30 May 1431."


def test_a_pronoun_that_is_resolved_makes_a_claim_about_the_name() -> None:
    found = claim("Joan of Arc was a girl. She was captured on 23 May 1430.")
    assert (found.subject, found.quote) == ("Joan of Arc", "She was captured on 23 May 1430.")
    assert found.description == "Joan of Arc was captured on 23 May 1430."


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("besieged Rouen for six months", "MILITARY ACTION"),
        ("was elected mayor of the city", "OFFICE"),
        ("bought a house in Rouen", "OWNERSHIP"),
        ("married Guy of Lucca", "RELATION"),
        ("was convicted of heresy", "CRIME OR ACCUSATION"),
        ("founded a school in the city", "CREATION"),
        ("declared that Rouen was lost", "STATEMENT"),
        ("won the battle for the bridge", "MILITARY ACTION"),
        ("won the prize for the best film", "AWARD"),
        ("was there from 1413 to 1422", "OTHER"),
    ],
)
def test_the_verb_shows_the_kind(said: str, kind: str) -> None:
    assert claim(f"Hugh of Arles {said}.").type == kind


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ("captured Rouen in 1419", "TRUE"),
        ("did not capture Rouen in 1419", "FALSE"),
        ("never captured Rouen in 1419", "FALSE"),
        ("not only captured Rouen in 1419", "TRUE"),
        ("allegedly captured Rouen in 1419", "SUSPECTED"),
        ("may have captured Rouen in 1419", "SUSPECTED"),
        ("is said to have captured Rouen in 1419", "SUSPECTED"),
        ("was captured in May 1419", "TRUE"),
        ("won the disputed title in 1419", "TRUE"),
        (", a legend of the joust, died in 1419", "TRUE"),
        ("died in 1419, as legend has it", "SUSPECTED"),
    ],
)
def test_negation_and_hedge_make_the_status(said: str, status: str) -> None:
    assert claim(f"Hugh of Arles {said}.").status == status


def test_a_sentence_that_calls_all_of_it_false_denies_the_claim() -> None:
    assert claim("It is false that Hugh of Arles captured Rouen in 1419.").status == "FALSE"


def test_a_denial_inside_another_clause_does_not_deny_the_claim() -> None:
    assert claim("In 1431 Joan of Arc replied that she would not swear.").status == "TRUE"


def test_a_bracket_of_years_is_a_claim_of_its_own() -> None:
    life, office = claims("Hugh of Arles (1402 – 5 May 1440) was elected king of Italy.")
    assert (life.type, life.start_date, life.end_date) == ("BIRTH OR DEATH", "1402-01-01", "1440-05-05")
    assert life.quote == "Hugh of Arles (1402 – 5 May 1440)"
    assert (office.type, office.start_date) == ("OFFICE", None)


def test_two_clauses_with_their_own_subjects_are_two_claims() -> None:
    first, second = claims("In 1429 Joan of Arc captured Rouen, and Hugh of Arles was crowned.")
    assert (first.subject, first.quote) == ("Joan of Arc", "In 1429 Joan of Arc captured Rouen")
    assert (second.subject, second.description) == ("Hugh of Arles", "Hugh of Arles was crowned.")


@pytest.mark.parametrize(
    "text",
    [
        "Joan of Arc is a saint.",
        "Joan of Arc.",
        "Was Joan of Arc burned in 1431?",
        "The horse of Joan of Arc died in 1431.",
        "'Rouen!' said the girl in 1431.",
        "Joan of Arc's mother died in 1458.",
    ],
)
def test_not_every_sentence_claims_something_of_a_name(text: str) -> None:
    assert claims(text) == []


def test_other_languages_claim_by_date_and_name() -> None:
    german = "Johanna wurde am 30. Mai 1431 auf dem Markt von Rouen verbrannt und ist nicht vergessen."
    names = [
        Match(0, 7, "Johanna", "PERSON"),
        Match(german.index("Rouen"), german.index("Rouen") + 5, "Rouen", "PLACE"),
    ]
    (found,) = find_claims(german, annotate(german, names))
    assert (found.subject, found.object, found.start_date) == ("Johanna", "Rouen", "1431-05-30")
    chinese = "贞德于1412年左右出生在栋雷米村。"
    (found,) = find_claims(chinese, annotate(chinese, [Match(0, 2, "贞德", "PERSON")]))
    assert (found.subject, found.type, found.start_date) == ("贞德", "BIRTH OR DEATH", "1412-01-01")


@settings(deadline=None, max_examples=150)
@given(
    st.lists(
        st.sampled_from(
            [
                *NAMES,
                "he",
                "She",
                "was",
                "died",
                "captured",
                "not",
                "allegedly",
                "in 1429",
                "(1400 – 1450)",
                ".",
                ",",
                ", and",
                ";",
                "the",
                "\n",
                "。",
                "won",
            ]
        ),
        max_size=40,
    )
)
def test_a_quote_is_in_the_text_and_subject_and_object_are_names(words: list[str]) -> None:
    text = " ".join(words)
    for found in claims(text):
        assert text[found.start : found.end] == found.quote
        assert NAMES[found.subject] in SUBJECTS
        assert found.object == NO_OBJECT or (found.object in NAMES and found.object != found.subject)
        assert found.status in ("TRUE", "FALSE", "SUSPECTED")
        assert found.description
        assert (found.start_date is None) == (found.end_date is None)
        assert found.start_date is None or found.end_date is None or found.start_date <= found.end_date


@settings(deadline=None, max_examples=100)
@given(st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    names = [Match(found.start(), found.end(), found[0], "PERSON") for found in re.finditer(r"\w+", text)]
    for found in find_claims(text, annotate(text, names)):
        assert text[found.start : found.end] == found.quote
