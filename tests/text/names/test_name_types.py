"""Types of names and nouns by their words and cues."""

import pytest

from pipeline.text.inflection import base_form, plural, singular
from pipeline.text.lexicon.lexicon import lexicon_of
from pipeline.text.names.candidates import Corpus
from pipeline.text.names.chunk_scan import scan
from pipeline.text.names.name_types import name_type, noun_type
from pipeline.text.names.tally import N_CUES, NameCue

CORPUS = Corpus([scan("The dream of a door opened. Many chats were dull.", "")])


def cues(**counts: int) -> list[int]:
    found = [0] * N_CUES
    for key, value in ({"MIDDLE": 6} | counts).items():
        found[getattr(NameCue, key)] = value
    return found


@pytest.mark.parametrize(
    ("name", "counts", "expected"),
    [
        ("Mr. Scrooge", {}, "PERSON"),
        ("Charles VII", {}, "PERSON"),
        ("Bill Gates", {}, "PERSON"),
        ("General Ashdown", {}, "PERSON"),
        ("General Strong", {"DETERMINED": 1}, "PERSON"),
        ("General Public License", {}, "CONCEPT"),
        ("Major Version", {"DETERMINED": 5}, "CONCEPT"),
        ("Franklin Street", {}, "PLACE"),
        ("Fezziwig", {"PERSON": 3}, "PERSON"),
        ("Xyla Foxlin", {}, "PERSON"),
        ("Press Save", {}, "CONCEPT"),
        ("Marks & Spencer", {}, "ORGANIZATION"),
        ("Chopin", {}, "PERSON"),
        ("Place du Marché", {}, "PLACE"),
        ("Bastard of Orléans", {}, "PERSON"),
        ("E. G. Holm", {}, "PERSON"),
        ("Звягин П. Л.", {}, "PERSON"),
        ("Эмма Густавовна", {}, "PERSON"),
        ("Лысый Увал", {}, "CONCEPT"),
        ("Language Instinct", {"PERSON": 3}, "CONCEPT"),
        ("Y Combinator", {}, "ORGANIZATION"),
        ("Djesse Volume 4", {}, "WORK"),
        ("Mirador Hotels", {}, "ORGANIZATION"),
        ("Duke of Burgundy", {}, "PERSON"),
        ("London", {}, "PLACE"),
        ("Camden Town", {}, "PLACE"),
        ("Gottorp", {"PLACE": 4}, "PLACE"),
        ("King's College", {}, "ORGANIZATION"),
        ("Microsoft", {"BODY": 3}, "ORGANIZATION"),
        ("Apple Inc.", {}, "ORGANIZATION"),
        ("NASA", {}, "ORGANIZATION"),
        ("Battle of Patay", {}, "EVENT"),
        ("World War II", {}, "EVENT"),
        ("Christmas Eve", {}, "EVENT"),
        ("Night Boat", {"MIDDLE": 0, "QUOTED": 2}, "WORK"),
        ("Dream Chat", {}, "CONCEPT"),
        ("Stockport", {}, "PLACE"),
        ("Hyde", {"PLACE": 1}, "PLACE"),
        ("Hyde", {}, "CONCEPT"),
        ("Gannet", {"AT_THE": 3}, "PLACE"),
        ("Ruby", {"PERSON": 2}, "PERSON"),
        ("Ruby", {"PERSON": 1}, "CONCEPT"),
        ("Microsoft Research", {}, "ORGANIZATION"),
        ("Microsoft Calendar", {}, "CONCEPT"),
        ("Northern Virginia", {}, "PLACE"),
        ("South Bronx", {}, "PLACE"),
        ("Saint Michael", {}, "PERSON"),
        ("Москве", {}, "PLACE"),
        ("Ray Kurzweil", {"DETERMINED": 1, "MODIFIER": 1}, "PERSON"),
        ("Jean Bureau", {}, "PERSON"),
        ("Ivan the Terrible", {}, "PERSON"),
        ("Watson Research Center", {}, "ORGANIZATION"),
        ("Office of Naval Research", {}, "ORGANIZATION"),
        ("Pallister Haulage", {"PERSON": 2}, "ORGANIZATION"),
        ("Harry Connick Show", {}, "WORK"),
        ("Palm Sunday", {}, "EVENT"),
        ("Saturn V", {"DETERMINED": 4}, "CONCEPT"),
        ("BBN", {"PERSON": 4}, "CONCEPT"),
        ("Windows Media Player", {}, "CONCEPT"),
        ("Gentoo Linux", {}, "CONCEPT"),
        ("Taylor Swift", {}, "PERSON"),
        ("Ostvik Marine", {}, "ORGANIZATION"),
        ("Homebrew", {"PLACE": 3}, "CONCEPT"),
        ("Road Rules", {"PLACE": 1}, "CONCEPT"),
        ("Belagerung von Orléans", {}, "EVENT"),
        ("フランス軍", {}, "ORGANIZATION"),
        ("ジャンヌ・ダルク", {}, "PERSON"),
    ],
)
def test_names_have_the_type_of_their_words_and_cues(name: str, counts: dict[str, int], expected: str) -> None:
    corpus = CORPUS if name.isascii() else Corpus([scan("Die Stadt und das Heer.", ""), scan("The town.", "")])
    assert name_type(name, cues(**counts), corpus) == expected


@pytest.mark.parametrize(
    ("noun", "expected"),
    [
        ("clerk", "PERSON"),
        ("children", "PERSON"),
        ("watchmaker", "PERSON"),
        ("neuroscientist", "PERSON"),
        ("counting-house", "PLACE"),
        ("coach-houses", "PLACE"),
        ("workshop", "PLACE"),
        ("parliament", "ORGANIZATION"),
        ("wedding", "EVENT"),
        ("novels", "WORK"),
        ("algorithm", "CONCEPT"),
    ],
)
def test_nouns_have_the_type_of_their_list_or_ending(noun: str, expected: str) -> None:
    assert noun_type(noun, lexicon_of(("en",))) == expected


def test_german_compounds_have_the_type_of_their_last_part() -> None:
    lexicon = lexicon_of(("de",))
    assert [noun_type(noun, lexicon) for noun in ("Reichsstadt", "Bauernkrieg", "Langbogen")] == [
        "PLACE",
        "EVENT",
        "CONCEPT",
    ]


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("city", "cities"),
        ("church", "churches"),
        ("woman", "women"),
        ("man", "men"),
        ("child", "children"),
        ("boy", "boys"),
        ("movie", "movies"),
        ("calorie", "calories"),
        ("hero", "heroes"),
        ("shoe", "shoes"),
        ("bus", "buses"),
        ("virus", "viruses"),
        ("house", "houses"),
        ("cause", "causes"),
        ("gas", "gases"),
        ("analysis", "analyses"),
        ("canvas", "canvases"),
        ("news", "news"),
        ("mouse", "mice"),
        ("foot", "feet"),
        ("knife", "knives"),
        ("leaf", "leaves"),
        ("ottoman", "ottomans"),
        ("species", "species"),
    ],
)
def test_plurals_and_singulars_belong_together(one: str, many: str) -> None:
    assert plural(one) == many and singular(many) == one


def test_a_word_that_only_ends_like_a_plural_is_none() -> None:
    assert [singular(word) for word in ("specimen", "abdomen", "omen")] == ["specimen", "abdomen", "omen"]


def test_russian_case_forms_have_one_base() -> None:
    assert len({base_form(word) for word in ("осада", "осаду", "осады", "осадой")}) == 1


def test_at_leads_to_a_place_or_to_a_body_as_the_known_names_of_the_corpus_do() -> None:
    work = Corpus([scan("She worked for years at Google. We met at Google. They met at Zorbix. He was at Zorbix.", "")])
    war = Corpus([scan("They camped at Paris. He won at Paris. She lost at Zorbix. We rested at Zorbix.", "")])
    types = [name_type("Zorbix", corpus.candidates["zorbix"].cues, corpus) for corpus in (work, war)]
    assert types == ["ORGANIZATION", "PLACE"]


@pytest.mark.parametrize(
    ("text", "name", "is_somebody"),
    [
        ("Then came Wexla, whom we liked.", "Wexla", True),
        ("We met the bishop of Wexla, who was old.", "Wexla", False),
        ("Hans left his wife, Wexla, and a boy of five.", "Wexla", True),
        ("It was his old teacher, Wexla.", "Wexla", True),
        ("What have you got there, Wexla?", "Wexla", True),
        ("We went to a town, Wexla, and stayed.", "Wexla", False),
        ("Dear Wexla,\n\nWe saw Wexla again.\n", "Wexla", True),
        ("Wexla,\n\nWe saw Wexla again.\n", "Wexla", True),
        ("It rained on Wexla.\n\nYours,\n\nWexla\n", "Wexla", True),
    ],
)
def test_a_name_is_somebodys_where_he_is_spoken_to_written_to_or_said_to_be_kin(
    text: str, name: str, is_somebody: bool
) -> None:
    found = scan(text, "").names.get(name)
    assert found is not None and (NameCue.PERSON in found) == is_somebody
