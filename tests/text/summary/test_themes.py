"""Themes: nouns that come back in some sentences."""

from pipeline.text.summary.themes import themes

SENTENCES = [
    "Ann Lind wrote the opera in Bath.",
    "The opera was sung by Ben Hall.",
    "Critics praised the opera, the costumes and the singers.",
    "Ann Lind met the singers again and saw the costumes.",
]


def test_nouns_that_come_back_are_themes_and_neither_names_nor_what_people_are() -> None:
    assert themes(SENTENCES, "en", set(), 3) == ["opera", "costumes"]
    assert themes(SENTENCES, "en", {"opera"}, 3) == ["costumes"]


def test_german_nouns_are_themes_with_their_capital_letters() -> None:
    said = ["Die Werft gehört Marie Hansen.", "Der Streik legte die Werft still.", "Marie Hansen schloss die Werft."]
    assert themes(said, "de", set(), 2) == ["Werft"]
