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
        ("wrote on 3 May 1431 that Rouen was lost", "STATEMENT"),
        ("asked for a written promise on 3 May 1431", "OTHER"),
        ("opened with a prayer on 3 May 1431", "OTHER"),
        ("paid six crowns for the bridge on 3 May 1431", "OTHER"),
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


@pytest.mark.parametrize(
    ("said", "first", "last"),
    [
        (", born in 1390, captured Rouen in 1419", "1419-01-01", "1419-12-31"),
        (" bought the 1390 mill in 1419", "1419-01-01", "1419-12-31"),
        (" bought the mill built in 1390", None, None),
        (" left Rouen two years after the fire of 1417", None, None),
        (" captured Rouen after 1417", None, None),
        (", who died in 1440, was the father of Joan of Arc", None, None),
        (", in 1419, captured Rouen", "1419-01-01", "1419-12-31"),
        (" denied that Joan of Arc died in 1431", None, None),
        (" said Joan of Arc died in 1431", None, None),
        (" bought the mill and sold it in 1419", None, None),
        (" wrote and published a book in 1419", "1419-01-01", "1419-12-31"),
        (" was elected mayor in the spring of 1419", "1419-01-01", "1419-12-31"),
        (" won the disputed title in 1419", "1419-01-01", "1419-12-31"),
        (" married Joan of Arc (1412 – 1431)", None, None),
        (" was a knight who led an army in 1419", "1419-01-01", "1419-12-31"),
        (" was married on the second of August, 1419", "1419-08-01", "1419-08-31"),
    ],
)
def test_a_claim_has_the_date_of_its_own_verb_or_none(said: str, first: str | None, last: str | None) -> None:
    found = claims(f"Hugh of Arles{said}.")[0]
    assert (found.subject, found.start_date, found.end_date) == ("Hugh of Arles", first, last)


@pytest.mark.parametrize(
    "text",
    [
        '"That Hugh of Arles fell in Rouen," said Joan of Arc, "and that they buried him at sea."',
        '"Hugh of Arles died in 1440," Joan of Arc said.',
        "„Hugh of Arles starb 1440“, sagte Joan of Arc.",
        "« Hugh of Arles est mort en 1440 », dit Joan of Arc.",
    ],
)
def test_what_is_quoted_is_stated_by_who_says_it_of_whom_it_names(text: str) -> None:
    found = claim(text)
    assert (found.subject, found.object, found.type) == ("Joan of Arc", "Hugh of Arles", "STATEMENT")
    assert (found.start_date, found.end_date, found.quote) == (None, None, text)


@pytest.mark.parametrize(
    "text", ["'Hugh of Arles died in 1440,' said Joan of Arc's brother.", "'Did Hugh of Arles die?' said Joan of Arc."]
)
def test_who_asks_and_who_is_only_kin_of_the_speaker_states_nothing(text: str) -> None:
    assert all(found.subject != "Joan of Arc" for found in claims(text))


def test_the_year_among_the_words_that_say_what_a_thing_is_dates_it() -> None:
    text = "The Goose is a surviving 1916 silent film that Guy of Lucca directed in Rouen."
    found = find_claims(text, annotate(text, [Match(4, 9, "Goose", "WORK")]))
    assert [(one.start_date, one.end_date) for one in found] == [("1916-01-01", "1916-12-31")]


def test_two_clauses_with_a_comma_alone_between_them_are_two_claims() -> None:
    first, second = claims("Hugh of Arles wrote the play, Joan of Arc wrote the music.")
    assert (first.subject, first.object, first.quote) == ("Hugh of Arles", NO_OBJECT, "Hugh of Arles wrote the play")
    assert (second.subject, second.object, second.type) == ("Joan of Arc", NO_OBJECT, "CREATION")


@pytest.mark.parametrize(
    ("said", "types"),
    [
        ("wrote to Rouen", ["STATEMENT"]),
        ("wrote a book in Rouen", ["CREATION"]),
        ("had never opened the clock", []),
        ("opened a school in Rouen", ["CREATION"]),
    ],
)
def test_who_writes_to_somebody_or_opens_what_was_there_creates_nothing(said: str, types: list[str]) -> None:
    assert [found.type for found in claims(f"Hugh of Arles {said}.")] == types


def test_who_is_named_beside_what_is_made_is_not_made() -> None:
    assert claim("Hugh of Arles founded a school with Joan of Arc.").object == NO_OBJECT


def test_who_affirms_something_in_french_accuses_nobody() -> None:
    text = "Hugo affirme que sa machine était arrêtée depuis le 3 mai 1990."
    (found,) = find_claims(text, annotate(text, [Match(0, 4, "Hugo", "PERSON")]))
    assert found.type == "STATEMENT"


@pytest.mark.parametrize("text", ["The mill opened in 1420; {} bought it later.", "Born in 1420, {} founded a school."])
def test_a_date_before_its_subject_is_a_claims_only_within_its_clause(text: str) -> None:
    assert claim(text.format("Hugh of Arles")).start_date is None


@pytest.mark.parametrize(
    ("said", "first", "last"),
    [
        ("ruled Rouen until 1440", None, "1440-12-31"),
        ("has ruled Rouen since 1440", "1440-01-01", None),
        ("ruled Rouen until the end of 1440", None, "1440-12-31"),
        ("led an army from the 1410s to the late 1420s", "1410-01-01", "1429-12-31"),
        ("ruled Rouen from 1413 to 1422", "1413-01-01", "1422-12-31"),
        ("ruled Rouen from 5 May 1413 until 6 June 1422", "1413-05-05", "1422-06-06"),
    ],
)
def test_since_begins_a_time_and_until_ends_one(said: str, first: str | None, last: str | None) -> None:
    found = claim(f"Hugh of Arles {said}.")
    assert (found.start_date, found.end_date) == (first, last)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("Hugo, der 1390 geboren wurde, gründete 1419 mit seinem Bruder eine Schule.", "1419-01-01", "1419-12-31"),
        ("Hugo kaufte die 1390 gebaute Mühle von seinem Bruder.", None, None),
        ("Hugo verkaufte die Mühle zwei Jahre nach dem Brand von 1417.", None, None),
        ("Hugo regierte seit 1419 mit seinem Bruder in der Stadt.", "1419-01-01", None),
        ("Hugo regierte bis Ende 1419 mit seinem Bruder in der Stadt.", None, "1419-12-31"),
        ("Hugo regierte von 1413 bis 1422 mit seinem Bruder in der Stadt.", "1413-01-01", "1422-12-31"),
        ("Hugo, né en 1390, fonda une école avec son frère en 1419.", "1419-01-01", "1419-12-31"),
        ("Hugo vendit le moulin à son frère après l'incendie de 1417.", None, None),
        ("Hugo régna avec son frère jusqu'en 1419 dans la ville.", None, "1419-12-31"),
        ("Hugo fundó una escuela con su hermano en 1419.", "1419-01-01", "1419-12-31"),
        ("Hugo vendió el molino de su hermano tras el incendio de 1417.", None, None),
        ("Hugo nacque nella città nel 1390 con suo fratello.", "1390-01-01", "1390-12-31"),
        ("Hugo werd op 5 mei 1390 in de stad geboren.", "1390-05-05", "1390-05-05"),
    ],
)
def test_other_languages_date_a_claim_by_its_own_verb_too(text: str, first: str | None, last: str | None) -> None:
    (found,) = find_claims(text, annotate(text, [Match(0, 4, "Hugo", "PERSON")]))
    assert (found.start_date, found.end_date) == (first, last)


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
        assert found.start_date is None or found.end_date is None or found.start_date <= found.end_date


@settings(deadline=None, max_examples=100)
@given(st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    names = [Match(found.start(), found.end(), found[0], "PERSON") for found in re.finditer(r"\w+", text)]
    for found in find_claims(text, annotate(text, names)):
        assert text[found.start : found.end] == found.quote


@pytest.mark.parametrize(
    "said",
    [
        "let the barn to a miller, and the deed was burned on 3 May 1431",
        "lives near Rouen, or did until 1431, for the miller died",
        "thought in 1431 that he had killed a trade",
        "wants two crowns for the cable buried there",
        "found that you sold six crowns of bread",
        "noted on 3 May 1431 that two masons have been trained",
        "asked for 12 crowns to be recorded",
    ],
)
def test_what_another_in_the_sentence_does_shows_no_kind(said: str) -> None:
    assert [one.type for one in claims(f"Hugh of Arles {said}.")] in ([], ["OTHER"])


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("went to Rouen, took a cold and died there in 1431", "BIRTH OR DEATH"),
        ("(1380-1431) was not yet born", "BIRTH OR DEATH"),
        ("had never been killed", "BIRTH OR DEATH"),
        ("wants to sell it and has bought two boats", "OWNERSHIP"),
        ("was to be buried in Rouen", "BIRTH OR DEATH"),
    ],
)
def test_the_own_verb_shows_the_kind_behind_auxiliaries_and_what_joins_it(said: str, kind: str) -> None:
    assert kind in [one.type for one in claims(f"Hugh of Arles {said}.")]


def test_what_a_sentence_takes_back_is_no_claim() -> None:
    assert not claims("Hugh of Arles bought a house in Rouen - no, that is wrong, it was a barn.")
    assert claims("Hugh of Arles bought a house in Rouen, and that is right.")
