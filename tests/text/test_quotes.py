"""A quotation is found in a text, whatever its white space and its marks look like."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.text.quotes import locate, shorten, without_line_marks

TEXT = "He said: “It’s\n  over – now.” Then he left. It is over."


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("Then he left", "Then he left"),
        ("It's over - now", "It’s\n  over – now"),
        ('"It\'s over - now."', "It’s\n  over – now"),
        ("Then  he\nleft.", "Then he left"),
    ],
)
def test_a_quotation_is_found(quote: str, found: str) -> None:
    span = locate(quote, TEXT)
    assert span is not None
    assert TEXT[slice(*span)].strip(".") == found


def test_the_marks_of_a_sentence_that_opens_with_them_are_a_part_of_it() -> None:
    text = 'See 2. "Hire" means\n  the use of a boat.'
    span = locate('"Hire" means the use of a boat.', text)
    assert span == (text.index('"'), len(text) - 1)


@pytest.mark.parametrize("quote", ["", "  ", '"', "She left", "Then he  never left", "x" * 5000])
def test_what_is_not_there_is_not_found(quote: str) -> None:
    assert locate(quote, TEXT) is None


@settings(deadline=None, max_examples=60)
@given(st.text(max_size=60), st.text(max_size=20), st.text(max_size=60))
def test_every_part_of_a_text_is_found_as_it_is_written(before: str, part: str, after: str) -> None:
    span = locate(part, before + part + after)
    assert (span is None) == (not part.strip())
    if span:
        assert (before + part + after)[slice(*span)] == part


@pytest.mark.parametrize(
    ("text", "length", "shown"),
    [
        ("as it is", 8, "as it is"),
        ("on one\n  line", 20, "on one line"),
        ("cut behind a word, not in it", 21, "cut behind a word…"),
        ("cut behind a word", 12, "cut behind…"),
        ("最初の言葉と次の言葉", 5, "最初の言…"),
        ("Donaudampfschifffahrt ends", 10, "Donaudamp…"),
    ],
)
def test_a_shortened_text_ends_with_a_word_where_its_script_has_them(text: str, length: int, shown: str) -> None:
    assert shorten(text, length) == shown and len(shown) <= length


@pytest.mark.parametrize(
    ("quote", "read"),
    [
        ("The gate is\n> to be painted\n> green.", "The gate is to be painted green."),
        ("> > Bring the\n> > ladder.", "Bring the ladder."),
        ("Children of\n5 > 3 years", "Children of 5 > 3 years"),
        ("Type\n>>> print(1)", "Type >>> print(1)"),
    ],
)
def test_the_marks_of_quoted_lines_of_a_mail_are_left_out_where_it_is_read(quote: str, read: str) -> None:
    flat = " ".join(quote.split())
    assert without_line_marks(f"She wrote: {flat} [1]", quote) == f"She wrote: {read} [1]"
