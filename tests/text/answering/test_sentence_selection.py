"""The few statements that answer: the closest first, each something new, connected where the question is a chain."""

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.text.answering.sentence_selection import MOST, Statement, pick
from pipeline.text.question.reading import read_question

LOST = "Joan of Arc lost the battle for Paris on 8 September 1429."
SIEGE = "Joan of Arc also lost a battle before La Charité-sur-Loire."
AGAIN = "The battle for Paris was lost by Joan of Arc."
FILM = "The film won Academy Awards for its photography."
BATTLES = read_question("Did Joan of Arc lose any battles?")


def chosen(question: str, texts: list[str], types: dict[str, str] | None = None) -> list[str]:
    statements = [Statement(text, "") for text in texts]
    return [texts[place] for place in pick(read_question(question), statements, types or {}, 200).places]


def test_what_is_closest_comes_first_and_nothing_is_said_twice_or_beside_the_point() -> None:
    assert chosen("Did Joan of Arc lose any battles?", [FILM, AGAIN, SIEGE, LOST]) == [LOST, SIEGE]


def test_the_right_kind_of_thing_is_preferred() -> None:
    texts = ["The king was crowned in a cathedral.", "The king was crowned in July 1429.", "Regnault crowned the king."]
    assert chosen("When was the king crowned?", texts)[0] == texts[1]
    assert chosen("Who crowned the king?", texts, {"Regnault": "PERSON"})[0] == texts[2]


def test_a_chain_is_followed_over_the_name_that_connects_it() -> None:
    first = "The Tide Mill is a film directed by Olga Marsh."
    second = "Olga Marsh was born in Leith."
    stray = "Ada Thorne was born in Carrow."
    assert chosen("Where was the director of the film The Tide Mill born?", [stray, second, first]) == [first, second]


def test_of_several_things_asked_about_each_is_spoken_of() -> None:
    texts = ["Ada Thorne was born in 1850.", "Bela Quist was born in 1861.", "Cora Lund was born in 1799."]
    assert set(chosen("Who was born first, Ada Thorne or Bela Quist?", texts)) == set(texts[:2])


def test_a_heading_speaks_for_a_statement_only_where_that_says_enough_itself() -> None:
    told = Statement("He was convicted of the murder of many children.", "The Companions of Joan of Arc")
    assert pick(read_question("Did Joan of Arc have children?"), [told], {}, 100).closeness < 0.4
    trial = Statement("Pope Callixtus III authorised a new trial in 1455.", "The Trial of Joan of Arc")
    assert pick(read_question("Which pope authorised the new trial of Joan of Arc?"), [trial], {}, 100).closeness > 0.6


def test_the_answer_stays_within_its_words_but_says_one_thing_at_least() -> None:
    statements = [Statement(text, "") for text in (LOST, SIEGE)]
    assert len(pick(BATTLES, statements, {}, 12).places) == 1
    assert len(pick(BATTLES, statements, {}, 1).places) == 1


def test_nothing_is_chosen_from_nothing() -> None:
    assert pick(BATTLES, [], {}, 100).places == []
    assert pick(read_question("What is the weather in Spain?"), [Statement(LOST, "")], {}, 100).places == []


@settings(deadline=None, max_examples=40)
@given(st.lists(st.sampled_from([LOST, SIEGE, AGAIN, FILM, "", "?", "Joan."]), max_size=9), st.integers(0, 60))
def test_places_are_few_different_and_there(texts: list[str], n_words: int) -> None:
    picked = pick(BATTLES, [Statement(text, "Joan of Arc") for text in texts], {}, n_words)
    assert len(set(picked.places)) == len(picked.places) <= MOST
    assert all(0 <= place < len(texts) for place in picked.places)
