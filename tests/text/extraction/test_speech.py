"""Quoted speech: found in every kind of quotation marks, and distinguished from titles and apostrophes."""

import pytest

from pipeline.text.extraction.speech import Speech


@pytest.mark.parametrize(
    "text",
    [
        'Anna left. "He is here now," said Bob.',
        "Anna left. “He is here now,” said Bob.",
        "Anna left. „Er ist hier und wartet“, sagte Bob.",
        "Anna left. « He is here now », said Bob.",
        "Anna left. 'He doesn't know it, the boys' father said,' said Bob.",
        "Anna left. ‘He doesn’t know it,’ said Bob.",
    ],
)
def test_what_is_said_is_in_speech_and_what_is_around_it_is_not(text: str) -> None:
    speech = Speech(text)
    said = text.index("said Bob") if "said Bob" in text else text.index("sagte Bob")
    assert speech.holds(text.index("He") if "He" in text else text.index("Er"))
    assert not speech.holds(text.index("Anna")) and not speech.holds(said)
    assert (speech.before(0), speech.before(said)) == (0, 1)


@pytest.mark.parametrize(
    "text", ['She wrote "Jane Eyre" there.', "It was Anna's dog's 'bed'.", "The boys' house fell."]
)
def test_titles_words_and_apostrophes_are_no_speech(text: str) -> None:
    assert not any(Speech(text).holds(at) for at in range(len(text)))


def test_speech_that_is_not_closed_ends_with_its_paragraph() -> None:
    text = "“He came and went.\n\nAnna left."
    assert Speech(text).holds(3) and not Speech(text).holds(text.index("Anna"))
