"""Who speaks or writes at a place of a text, as labels and heads of messages above it say."""

import pytest

from pipeline.text.attribution import attribution

TALK = (
    "HOST: Our guest is Ada Thorne.\n\nADA THORNE: I built the mole.\n\nIt broke in a storm.\n\n"
    "HOST: When was that?\n\nADA THORNE: In the winter of 1874.\n"
)
MAILS = (
    "From: Callum Whitty <callum@example.org>\nTo: Jo Haverstock\nDate: Tue, 15 Apr 2025 20:11:03 +0100\nSubject: Day two\n\n"
    "168 pallets today.\n\nBad news: pallet 317 came off.\n\nFrom: Jo Haverstock <jo@example.org>\n"
    "Date: Wed, 16 Apr 2025 08:40\n\nI'll send the claim.\n"
)


@pytest.mark.parametrize(
    ("text", "words", "said_by"),
    [
        (TALK, "It broke", "ADA THORNE"),
        (TALK, "When was", "HOST"),
        (TALK, "HOST: Our", "HOST"),
        (MAILS, "Bad news", "Callum Whitty <callum@example.org>, Tue, 15 Apr 2025 20:11:03 +0100"),
        (MAILS, "I'll send", "Jo Haverstock <jo@example.org>, Wed, 16 Apr 2025 08:40"),
        ("Von: Ida Holm\nDatum: 3. Mai 2024\n\nDie Pumpe steht.", "Die Pumpe", "Ida Holm, 3. Mai 2024"),
        ("主持人：请问何时？\n王芳：一九九八年。\n主持人：谢谢。\n王芳：那年秋天开工。", "那年秋天", "王芳"),
        (TALK + "\nTape 4_Thorne.txt  storm.\n\nIt was rebuilt.\n", "It was rebuilt", ""),
        (
            "[1.3.24, 8:22] Bob: Yes\n[1.3.24, 8:23] Anna: No\n[1.3.24, 8:24] Bob: Then on Friday",
            "Friday",
            "Bob, 1.3.24, 8:24",
        ),
        ("Bob: Yes.\nAnna: No.\nBob: the plan is in plan.pdf and we start now.\nAnna: Fine.", "we start", "Bob"),
        ("Bob: Yes.\nAnna: See\n- agenda.docx was sent\nand more.\nBob: Fine.\nAnna: Good.", "and more", "Anna"),
        ("Note: the mole is old.\n\nIt was built in 1871.", "It was", ""),
        ("It was built in 1871.", "It was", ""),
    ],
)
def test_the_label_or_the_message_head_above_a_place_says_who_and_when(text: str, words: str, said_by: str) -> None:
    assert attribution(text, text.index(words)) == said_by
