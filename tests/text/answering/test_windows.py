"""Windows: whole units of a text, around what is looked for, and no longer than a reader wants."""

from pipeline.text.answering.windows import closest_window, likeliest_window, window_around
from pipeline.text.question.reading import read_question

TEXT = (
    "# Tides\n\n"
    + " ".join(f"Sentence {n} says nothing of the sea." for n in range(40))
    + "\n\n## After\n\nThe tide turned."
)


def test_a_window_holds_the_span_and_whole_sentences_about_it() -> None:
    at = TEXT.index("Sentence 20")
    start, end = window_around(TEXT, at, at + 5, 200)
    said = TEXT[start:end]
    assert start <= at < end and len(said) <= 200
    assert said.startswith("Sentence") and said.endswith("sea.")
    assert said.index("Sentence 20") > 0 and not said.endswith("Sentence 20 says nothing of the sea.")


def test_a_span_at_the_end_has_what_is_before_it_and_a_long_one_stays_whole() -> None:
    at = TEXT.index("The tide turned.")
    start, end = window_around(TEXT, at, len(TEXT), 300)
    assert end == len(TEXT) and start < TEXT.index("## After")
    assert window_around(TEXT, 0, len(TEXT), 10) == (0, len(TEXT))


def test_a_window_begins_with_the_heading_of_what_it_is_about() -> None:
    text = (
        "# Pumps\n\n" + "Other pumps leak.\n\n" * 9 + "## Valve\n\nTurn it left.\n\n" + "## Gate\n\nGates rust.\n\n" * 9
    )
    at = text.index("Turn it")
    start, end = window_around(text, at, at + 7, 120)
    assert text[start:end].startswith("## Valve") and "Gates rust." in text[start:end]


def test_no_window_ends_with_a_heading() -> None:
    at = TEXT.index("Sentence 39")
    start, end = window_around(TEXT, at, at + 5, end_of("## After") - at)
    assert not TEXT[start:end].endswith("## After")


def end_of(words: str) -> int:
    return TEXT.index(words) + len(words)


def test_the_closest_window_is_the_one_that_weighs_most() -> None:
    start, end, value = closest_window(TEXT, read_question("tide"), 100)
    assert "The tide turned." in TEXT[start:end] and value == 1


def test_the_closest_window_is_filled_with_what_is_around_it() -> None:
    text = "\n\n".join(["Rain fell on the pier."] * 30 + ["The port is 5020."])
    start, end, value = closest_window(text, read_question("5020"), 300)
    assert text[start:end].endswith("The port is 5020.") and end - start > 250 and value == 1.0


def test_a_window_reaches_to_the_side_where_more_of_it_may_answer() -> None:
    text = " ".join(f"Sentence {n} says nothing of the sea." for n in range(40))
    at = text.index("Sentence 20")
    span = at, at + len("Sentence 20 says nothing of the sea.")
    behind, before = text.index("Sentence 24"), text.index("Sentence 16")
    start, end = likeliest_window(text, span, {at: 0.2, behind: 0.1, before: 0.05}, 200)
    assert start <= at and "Sentence 24" in text[start:end] and end - start <= 200
    start, end = likeliest_window(text, span, {at: 0.2, behind: 0.1, before: 0.15}, 200)
    assert "Sentence 16" in text[start:end] and "Sentence 20" in text[start:end]


def test_a_window_holds_its_span_though_other_parts_of_the_text_are_likelier() -> None:
    text = " ".join(f"Sentence {n} says nothing of the sea." for n in range(40))
    at = text.index("Sentence 20")
    start, end = likeliest_window(text, (at, at + 36), {text.index("Sentence 30"): 0.9, at: 0.1}, 200)
    assert "Sentence 20" in text[start:end] and "Sentence 30" not in text[start:end]
    assert likeliest_window(text, (0, len(text)), {}, 200) == (0, len(text))
