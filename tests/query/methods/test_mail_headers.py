"""Who wrote a mail and when is told by its headers, and its subject says what it is about."""

import pytest

from graphstrata import Index
from pipeline.documents.formats import Parsed, parse
from pipeline.runner.run import run_index
from tests.corpora import project

STAIN = """From: Peter Marsh <peter@marsh.example>
To: Tom Brandt <tom@brandt.example>
Date: Wed, 15 May 2024 09:12:00 +0100
Subject: Water damage

Hi Tom,

there is a stain on the ceiling of my kitchen. It was dry on Monday.

Peter
"""
INVOICE = """From: Tom Brandt <tom@brandt.example>
To: Helen Marsh <helen@marsh.example>
Date: Thu, 28 Mar 2024 17:40:00 +0000
Subject: Final invoice

Dear Helen,

attached is the invoice over 15,900 pounds. I can start with the tiles after Easter. We saw The Glass Orchard on Sunday.

Tom
"""


@pytest.fixture(scope="module")
def mails(tmp_path_factory: pytest.TempPathFactory) -> Index:
    made = project(tmp_path_factory.mktemp("mails"), {"stain.eml": STAIN, "invoice.eml": INVOICE})
    run_index(made)
    return Index.open(made.store.folder)


@pytest.mark.parametrize(
    ("question", "header", "said"),
    [
        ("Who wrote about the water damage?", "From: Peter Marsh <peter@marsh.example>", "stain on the ceiling"),
        ("Who sent the invoice?", "From: Tom Brandt <tom@brandt.example>", "attached is the invoice"),
        ("When was the final invoice sent?", "Date: Thu, 28 Mar 2024 17:40:00 +0000", "attached is the invoice"),
    ],
)
def test_who_sent_a_mail_and_when_is_told_by_the_line_above_it(
    mails: Index, question: str, header: str, said: str
) -> None:
    answer = mails.ask(question, "basic")
    assert answer.outcome == "answered" and answer.text.startswith(f"{header}\n\n") and said in answer.text, answer.text


def test_what_is_asked_of_what_a_mail_says_has_no_header_above_it(mails: Index) -> None:
    answer = mails.ask("How much is the invoice?", "basic")
    assert "15,900 pounds" in answer.text and "From:" not in answer.text and "Date:" not in answer.text


def test_whoever_mentions_a_play_in_a_mail_is_not_said_to_have_written_it(mails: Index) -> None:
    assert "From:" not in mails.ask("Who wrote The Glass Orchard?", "basic").text
    assert mails.ask("Who wrote about The Glass Orchard?", "basic").text.startswith("From: Tom Brandt")


@pytest.mark.parametrize("day", ["28 March", "28 March 2024", "March 28"])
def test_a_mail_is_found_by_its_day_however_it_is_written(mails: Index, day: str) -> None:
    answer = mails.ask(f"What did Tom write on {day}?", "basic")
    assert answer.outcome == "answered" and "the invoice over 15,900 pounds" in answer.text, answer.text


def test_what_somebody_wrote_on_another_day_is_not_told(mails: Index) -> None:
    assert mails.ask("What did Tom write on 27 March?", "basic").outcome != "answered"
    assert mails.ask("What did Tom write on 28 March 2023?", "basic").outcome != "answered"


@pytest.mark.parametrize(
    ("head", "sender", "day"),
    [
        ("From: Peter Marsh <peter@marsh.example>\nTo: Tom\nDate: Wed, 15 May 2024 09:12:00 +0100\nSubject: Water damage\n", "Peter Marsh", "2024-05-15"),
        ("Von: Jutta Voss <voss@hafen.example>\nAn: Alle\nBetreff: Das Dach\nDatum: 3. April 2021\n", "Jutta Voss", "2021-04-03"),
    ],
)  # fmt: skip
def test_a_text_with_the_headers_of_a_message_above_it_is_one(head: str, sender: str, day: str) -> None:
    (parsed,) = parse("note.txt", f"{head}\nThere is a stain.\n")
    assert isinstance(parsed, Parsed)
    assert parsed.title in ("Water damage", "Das Dach")
    assert parsed.metadata["from"].startswith(sender) and parsed.metadata["date"] == day
    assert parsed.text.startswith(head)


@pytest.mark.parametrize(
    "text",
    [
        "From: here you see the harbour.\n\nIt is wide.",
        "From: Ann <a@b.example>\nDate: 3 May 2021\n\nYes.\n\nFrom: Tom <t@b.example>\nDate: 2 May 2021\n\nNo?",
        "The harbour\n\nFrom: Ann <a@b.example>\nDate: 3 May 2021\n\nYes.",
    ],
)
def test_a_text_of_several_messages_or_of_none_has_no_sender(text: str) -> None:
    (parsed,) = parse("note.txt", text)
    assert isinstance(parsed, Parsed) and "from" not in parsed.metadata and parsed.title == "Note"


SENSOR = """From: Ingrid Holm <ingrid@water.example>
To: Tomas Brandt <tomas@water.example>
Date: Tue, 11 Feb 2025 09:14:00 +0000
Subject: Level sensor

Tomas,

we go with the radar sensor, the Vantor R40.

Ingrid

--
Ingrid Holm
Head of Flood Forecasting
Valley Water Board, 4 Weir Lane, Carrick
Tel. 01632 960 114

On Mon, 10 Feb 2025 at 17:52, Tomas Brandt wrote:
> Ingrid, which level sensor should the Board choose? I would take
> the radar, since it is free of maintenance.
"""


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory) -> Index:
    made = project(
        tmp_path_factory.mktemp("signed"),
        {"sensor.eml": SENSOR, "flood.txt": "The flood of November caused damage of 3.7 million.\n"},
    )
    run_index(made)
    return Index.open(made.store.folder)


def test_a_signature_answers_who_somebody_is_and_as_a_whole(signed: Index) -> None:
    text = signed.ask("Who is the head of flood forecasting?", "basic").text
    assert text.startswith("Ingrid Holm Head of Flood Forecasting Valley Water Board") and "01632 960 114" in text


@pytest.mark.parametrize("question", ["What did Ingrid Holm decide?", "Which level sensor did the Board choose?"])
def test_neither_a_signature_nor_what_somebody_was_asked_is_an_answer(signed: Index, question: str) -> None:
    answer = signed.ask(question, "basic")
    assert answer.outcome == "answered" and "Weir Lane" not in answer.text and "?" not in answer.text, answer.text


def test_the_marks_of_a_quoted_mail_are_not_printed_and_its_words_are(signed: Index) -> None:
    text = signed.ask("Why would Tomas take the radar?", "basic").text
    assert "I would take the radar, since it is free of maintenance." in text and ">" not in text
