"""How surely a sentence says what the question asks for."""

import pytest

from pipeline.text.answering.kind_evidence import defines, evidence_of_kind
from pipeline.text.question.reading import read_question


@pytest.mark.parametrize(
    ("question", "says", "uses"),
    [
        (
            "What is a sluice?",
            "A :term:`sluice` is a gate that lets water through.",
            "It depends on how the sluice is built whether it leaks.",
        ),
        ("What is a sluice?", "Sluices are gates that let water through.", "sluice = Gate(1, 'sluice') is called."),
        (
            "Was ist eine Schleuse?",
            "Eine Schleuse ist ein Tor im Kanal.",
            "Danach wird die Schleuse geöffnet, sie ist alt.",
        ),
        ("What is Esker?", "Esker, a language for gates, is new.", "We met at the inn with Esker in spring."),
        ("Was ist Esker?", "Esker ist eine Sprache für Tore.", "Die Esker-Gruppe ist eine Runde in Linz."),
        ("What is Esker?", "Esker is a language for gates.", "Esker Policy is a handbook."),
        ("What does TWG stand for?", "The Tidal Wave Gauge (TWG) is at the mole.", "They read the list (TWG) at noon."),
        (
            "What is a Hire Boat?",
            '1.3. "Hire Boat"\n   means a boat let for a day.',
            "You may lend a Hire Boat of the club under terms of your choice.",
        ),
        ("What is a covered boat?", 'A "covered boat" means one with a roof.', "You may let covered boats to others."),
        (
            "What is a hire boat in the Harbour Rules?",
            '"Hire boat" refers to a boat let for a day.',
            "The Harbour Rules are short.",
        ),
        ("What counts as hire boat?", "“Hire boats” are boats let for a day.", "What is paid counts as rent."),
        ("Was gilt als Mietboot?", "„Mietboot“ bezeichnet ein Boot, das vermietet wird.", "Das Mietboot liegt am Kai."),
        ("What is Tidekeeper?", "Tidekeeper is a program for gauges.", "Tidekeeper is very strict about gauges."),
        ("Cos'è Mareografo?", "Mareografo è un programma.", "Mareografo è molto severo."),
        ("Wofür steht TWG?", "Der Tide-Wellen-Geber (TWG) misst.", "Der TWG-Leser steht am Kai."),
    ],
)
def test_what_says_what_a_thing_is_opens_with_it_and_goes_on_so(question: str, says: str, uses: str) -> None:
    asked = read_question(question)
    assert defines(says, asked) == 1.0 > defines(uses, asked)


def test_when_a_message_was_sent_is_no_number_and_a_weaker_date_than_one_in_its_words() -> None:
    sent, dated = (
        "[12.03.24, 18:22:01] Tom: He can start soon",
        "[12.03.24, 18:23:01] Tom: He can start on 4 April 2024",
    )
    when, how_many = read_question("When can he start?"), read_question("How many can start?")
    shown = [evidence_of_kind(text, when, frozenset(), frozenset({"en"})) for text in (sent, dated)]
    assert 0 < shown[0] < shown[1]
    assert evidence_of_kind(sent, how_many, frozenset(), frozenset({"en"})) == 0


def test_a_count_behind_a_noun_that_may_be_numbered_is_a_count_and_a_reference_is_none() -> None:
    asked = read_question("How many guests sat down?")
    for said in ("At the table 12 guests sat down.", "There are no 12 guests.", "He studied art 12 years ago."):
        assert evidence_of_kind(said, asked, frozenset(), frozenset({"en"})) > 0
    for said in ("See table 12.", "Table 12 lists them.", "The guests are listed in art. 12.", "It is in No. 12."):
        assert evidence_of_kind(said, asked, frozenset(), frozenset({"en"})) == 0


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Calibrations are kept in TAMP (Test And Measurement Protocols).", 1.0),
        ("The Test And Measurement Protocols (TAMP) came first.", 1.0),
        ("TAMP stands for nothing at all.", 1.0),
        ("TAMP is slow on Mondays.", 0.0),
        ("The lab stands for quality.", 0.0),
    ],
)
def test_what_letters_stand_for_is_said_only_where_they_are_spelt_out(said: str, shown: float) -> None:
    question = read_question("What does TAMP stand for?")
    assert question.kind == "expansion"
    assert evidence_of_kind(said, question, frozenset(), frozenset({"en"})) == shown
