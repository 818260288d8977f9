"""Who wrote a letter, to whom and when, is read from its greeting, its signature and the day above."""

import pytest

from pipeline.text.extraction.letters import letter_of

ENGLISH = """HOLT & MERRIMAN
Surveyors
4 Quay Street, Carrow
12 March 1874

Re: the west mole

Dear Miss Thorne,

I have seen the mole. It will not stand another winter.

With kind regards,

Edmund Vane
Chief Surveyor
"""


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        (ENGLISH, ("Edmund Vane", "Miss Thorne", "1874-03-12")),
        (
            "Carrow, den 3. Mai 1874\n\nLiebe Ada,\n\ndie Mole hält.\n\nHerzliche Grüße\nEmil Vogt",
            ("Emil Vogt", "Ada", "1874-05-03"),
        ),
        (
            "Nantes, le 7 juin 1874\n\nMonsieur le Maire, cher Paul,\n\nLe môle est tombé.\n\nSolange Morel",
            ("Solange Morel", "Paul", "1874-06-07"),
        ),
        ("Querida madre:\n\nEstoy bien.\n\nLe besa las manos su hijo\nTomás", ("Tomás", "", "")),
        ("Hi both\n\nback on Friday. Bring the keys.\n\nlove, Nell", ("Nell", "", "")),
        ("Dear Tom\n\nthe mole is gone.\n\nWith warm wishes\n\nAda\n\nPS. It did not float.", ("Ada", "Tom", "")),
        ("Dear Tom,\n\nthe mole is gone.\n\nYours,\nAda\n\nPS. Bring the plans of the harbour.", ("Ada", "Tom", "")),
    ],
)
def test_a_letter_is_by_who_signs_it_and_to_whom_it_greets(text: str, ends: tuple[str, str, str]) -> None:
    assert letter_of(text) == ends


@pytest.mark.parametrize(
    "text",
    [
        "The mole fell in 1874.\n\nAda Thorne",
        "Dear Tom,\n\nthe mole is gone and nobody signs this.",
        "Dear Tom,\n\nthe mole is gone.\n\nAda\n\nDear Ada,\n\nI know.\n\nTom",
        "Dear me, said the mason, and looked at the mole.\n\nEdmund Vane",
        "From: Ada Thorne\nTo: Tom Orr\n\nDear Tom,\n\nthe mole is gone.\n\nAda",
        "",
    ],
)
def test_what_is_not_one_signed_letter_is_none(text: str) -> None:
    assert letter_of(text) is None


def test_two_days_above_a_greeting_are_no_day_of_the_letter() -> None:
    letter = letter_of("12 March 1874\nYour letter of 3 March 1874\n\nDear Tom,\n\nyes.\n\nYours,\nAda")
    assert letter is not None and letter.day == ""
