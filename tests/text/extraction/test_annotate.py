"""A text as facts and claims read it."""

from pipeline.text.extraction.annotate import annotate
from tests.text.extraction.test_pronouns import matches_in


def test_every_sentence_has_the_matches_inside_it() -> None:
    text = "Joan of Arc came to Rouen in 1431. She died there."
    reading = annotate(text, matches_in(text))
    assert reading.language == "en"
    first, second = reading.sentences
    assert [match.title for match in first.names] == ["Joan of Arc", "Rouen"]
    assert [date.first for date in first.dates] == ["1431-01-01"]
    assert [(item.title, item.role) for item in second.mentions] == [("Joan of Arc", "subject")]


def test_the_order_in_which_names_are_given_makes_no_difference() -> None:
    text = "Joan of Arc came to Rouen in 1431. She died there."
    assert annotate(text, matches_in(text)[::-1]) == annotate(text, matches_in(text))
