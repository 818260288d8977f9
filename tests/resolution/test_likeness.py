"""Two names are compared by themselves: what may be one thing, and what never is."""

from itertools import combinations

import pytest

from pipeline.resolution.candidates import candidate_pairs
from pipeline.resolution.likeness import compare
from pipeline.resolution.shapes import NameShape

P, ORG, L, W, C, E = "PERSON", "ORGANIZATION", "PLACE", "WORK", "CONCEPT", "EVENT"
CERTAIN, LIKELY = 0.85, 0.5

ALIKE = [
    (ORG, "CSAIL", "Computer Science and Artificial Intelligence Laboratory", 0.8),
    (ORG, "MIT Computer Science and AI lab", "MIT’s Computer Science and Artificial Intelligence Lab", CERTAIN),
    (ORG, "CSAIL", "MIT Computer Science and AI lab", 0.8),
    (ORG, "UCSF", "UC San Francisco", 0.8),
    (ORG, "Data and Society", "Data & Society", CERTAIN),
    (ORG, "Allen AI Institute", "Allen Institute for AI", 0.45),
    (ORG, "Human-Centered AI Institute", "Institute for Human-Centered Artificial Intelligence", 0.45),
    (ORG, "MIT Computer Science and AI lab", "Computer Science and Artificial Intelligence Lab", 0.45),
    (E, "GPT-4 dinner", "Dinner at Bill Gates's house", 0.35),
    (E, "Tour-Abendessen", "Abendessen bei Ada Thorne", 0.35),
    (E, "Dîner chez Ada Thorne", "le dîner", 0.35),
    (ORG, "UCLA", "University of California, Los Angeles", 0.8),
    (ORG, "U.S.A.", "USA", CERTAIN),
    (ORG, "DoD", "Department of Defense", 0.0),
    (ORG, "100 Year Starship", "100 Year Starship Project", 0.75),
    (ORG, "MoveRight", "MoveRight Northern", LIKELY),
    (ORG, "Müller GmbH", "Mueller GmbH", CERTAIN),
    (L, "São Paulo", "Sao Paulo", CERTAIN),
    (L, "St. Petersburg", "Saint Petersburg", CERTAIN),
    (L, "Sankt Gallen", "St. Gallen", CERTAIN),
    (L, "Łódź", "Lodz", CERTAIN),
    (W, "GPT-3", "GPT3", CERTAIN),
    (C, "Six axis robotic arm", "six axis robotic arms", CERTAIN),
    (P, "Charles Simon", "Charles Simonyi", LIKELY),
    (P, "Dr. Mae Jemison", "Mae Jemison", CERTAIN),
    (P, "Auntie Nan", "Nan", LIKELY),
    (P, "D. Wren", "Donata Wren", LIKELY),
    (P, "Judy Estrin", "J. Estrin", LIKELY),
    (P, "Judy E.", "Judy Estrin", LIKELY),
    (P, "П. Л. Звягин", "Павел Львович Звягин", CERTAIN),
    (P, "Clara L.", "Clara Lorenz", LIKELY),
    (P, "John F. Kennedy", "John Kennedy", CERTAIN),
    (P, "Estrin, Judy", "Judy Estrin", CERTAIN),
    (P, "Sam", "Sam Altman", LIKELY),
    (P, "Henry V", "Henry V of England", 0.8),
    (P, "Fyodor Dostoevsky", "Фёдор Достоевский", 0.8),
    (P, "Tchaikovsky", "Чайковский", 0.8),
    (P, "Aleksis Kivi", "Αλέξις Κίβι", LIKELY),
    (L, "Beijing", "北京", 0.8),
]
APART = [
    (P, "П. Л. Звягин", "Павел Ильич Звягин"),
    (P, "Dorothy Jemison", "Mae Jemison"),
    (P, "Judy Estrin", "Judy Estrin's father"),
    (P, "Gerald Estrin", "Judy Estrin"),
    (P, "Mr. Cratchit", "Mrs. Cratchit"),
    (P, "Henry V", "Henry VI"),
    (P, "Henry V", "Henry V and the Battle of Agincourt"),
    (P, "George W. Bush", "George H. W. Bush"),
    (P, "王伟", "汪伟"),
    (ORG, "CSAIL", "MIT"),
    (ORG, "Apple", "Apple II"),
    (W, "GPT-3", "GPT-4"),
    (W, "Apollo 11", "Apollo 13"),
    (W, "C", "C++"),
    (L, "Iran", "Iraq"),
    (L, "Niger", "Nigeria"),
    (E, "Siege of Orléans", "Siege of Rouen"),
    (E, "GPT-3 dinner", "GPT-4 dinner"),
    (E, "1936 Games", "Games in Berlin in 1940"),
    (E, "Best Actor Golden Globe Award", "Golden Globe Awards"),
    (ORG, "Allen Institute", "Human-Centered AI Institute"),
    (ORG, "BFI", "IMDB the British Film Institute"),
    (C, "machine body", "machine bodice"),
]


@pytest.mark.parametrize(("type", "one", "other", "least"), ALIKE)
def test_names_that_may_be_one_are_found_and_scored(type: str, one: str, other: str, least: float) -> None:
    for a, b in ((one, other), (other, one)):
        shapes = [NameShape(a, type), NameShape(b, type)]
        assert not least or candidate_pairs(shapes) == [(0, 1)], "the two share no key"
        found = compare(*shapes)
        assert (found.score if found else 0.0) >= least


@pytest.mark.parametrize(("type", "one", "other"), APART)
def test_names_that_cannot_be_one_are_not_likely(type: str, one: str, other: str) -> None:
    for a, b in ((one, other), (other, one)):
        found = compare(NameShape(a, type), NameShape(b, type))
        assert found is None or found.score < LIKELY


def test_a_person_is_no_organisation_of_the_same_name() -> None:
    assert compare(NameShape("Lehman", P), NameShape("Lehman Inc", ORG)) is None


def test_a_son_called_as_his_father_is_not_sure_to_be_him() -> None:
    found = compare(NameShape("John Smith", P), NameShape("John Smith Jr.", P))
    assert found and found.score < 0.85


def test_names_that_share_a_word_are_compared_unless_they_cannot_be_one() -> None:
    people = (
        "Ann Holm",
        "Anna Holm",
        "A. Holm",
        "Holm Ann",
        "Mrs. Holm",
        "Holm",
        "Karl Holm",
        "Carl Holm",
        "Ann Marie Holm",
    )
    named = [(P, name) for name in (*people, "Karin Holm Jr.", "Ann Holme", "Holm Karl")]
    shapes = [NameShape(name, type) for type, name in (*named, (ORG, "Holm Inc"), (C, "Holm theory"), (W, "Karl Holm"))]
    pairs = candidate_pairs(shapes)
    likely = {(a, b) for a, b in combinations(range(len(shapes)), 2) if compare(shapes[a], shapes[b])}
    assert likely <= set(pairs)
    assert len(pairs) < len(shapes) * (len(shapes) - 1) / 2


def test_pairs_grow_with_the_names_and_not_with_their_square() -> None:
    def pairs(n: int) -> int:
        names = [
            f"{given} {chr(97 + i % 26)}{chr(97 + i // 26 % 26)}{i}son" for i in range(n) for given in ("Karl", "Anna")
        ]
        return len(candidate_pairs([NameShape(name, P) for name in names]))

    assert pairs(2000) <= 3 * max(pairs(1000), 1000)
