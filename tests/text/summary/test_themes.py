"""Themes: nouns that come back in some sentences."""

from pipeline.text.names.chunk_scan import read_sentence
from pipeline.text.names.tally import Tally
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


def test_words_and_phrases_are_counted_the_same_whether_what_is_beside_names_is_counted_or_not() -> None:
    said = [
        *SENTENCES,
        "The Brightmill export of the Quarry Lane opera, at the Undine, cost Marley's sister 12 crowns.",
        "Richard Olivier, Bishop of Coutances, saw the Dune: The Return posters near St. Bride's church.",
    ]
    counted = [Tally(), Tally(with_cues=False)]
    for tally in counted:
        for sentence in said:
            read_sentence(sentence, "en", tally)
    assert counted[0].words == counted[1].words
    assert counted[0].phrases == counted[1].phrases
    assert counted[0].words["export"]


def test_german_nouns_are_themes_with_their_capital_letters() -> None:
    said = ["Die Werft gehört Marie Hansen.", "Der Streik legte die Werft still.", "Marie Hansen schloss die Werft."]
    assert themes(said, "de", set(), 2) == ["Werft"]
