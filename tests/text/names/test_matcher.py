"""Matching: longest first, whole words, the rules of case, and names that several people bear."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.text.names.vocabulary import Matcher, Name


def name(title: str, *forms: str, kind: str = "name", type: str = "PERSON") -> Name:
    return Name(title=title, kind=kind, forms=(title, *forms), type=type, frequency=1, spread=1)


NAMES = [
    name("Joan of Arc", "Joan", "Jeanne d'Arc"),
    name("Arc", type="PLACE"),
    name("Bob Cratchit"),
    name("Mrs. Cratchit"),
    name("Cratchit"),
    name("Orléans", type="PLACE"),
    name("WHO", type="ORGANIZATION"),
    name("counting-house", kind="phrase", type="PLACE"),
    name("machine learning", kind="phrase", type="CONCEPT"),
    name("child", kind="phrase"),
    name("Your Life", kind="title", type="WORK"),
    name("J. R. R. Tolkien"),
    name("ジャンヌ・ダルク"),
    name("アン"),
    name("贞德"),
    name("فرنسا", kind="phrase", type="PLACE"),
    name("잔 다르크", kind="phrase"),
]
MATCHER = Matcher(NAMES)


def found(text: str) -> list[tuple[str, str]]:
    return [(text[match.start : match.end], match.title) for match in MATCHER.find(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("They saw Joan of Arc.", [("Joan of Arc", "Joan of Arc")]),
        ("JOAN OF ARC won; Joan's army too.", [("JOAN OF ARC", "Joan of Arc"), ("Joan", "Joan of Arc")]),
        ("joan of arc in lower case", [("joan of arc", "Joan of Arc")]),
        ("joan alone, an arc of light", []),
        ("A Joanna is no Joan", [("Joan", "Joan of Arc")]),
        ("Jeanne d’Arc", [("Jeanne d’Arc", "Joan of Arc")]),
        ("l'Orléans d'Orléans", [("Orléans", "Orléans"), ("Orléans", "Orléans")]),
        ("Who is in the WHO? who knows", [("WHO", "WHO")]),
        (
            "Counting-houses and counting-house",
            [("Counting-houses", "counting-house"), ("counting-house", "counting-house")],
        ),
        ("The children use Machine Learning.", [("children", "child"), ("Machine Learning", "machine learning")]),
        ("in your life; Your Life (1946)", [("Your Life", "Your Life")]),
        ("J.R.R. Tolkien, J. R. R. Tolkien", [("J. R. R. Tolkien", "J. R. R. Tolkien")]),
        ("昨日ジャンヌ・ダルクがオルレアンで贞德を見た", [("ジャンヌ・ダルク", "ジャンヌ・ダルク"), ("贞德", "贞德")]),
        ("وفرنسا وبفرنسا", [("فرنسا", "فرنسا")]),
        ("잔 다르크는 왔다", [("잔 다르크는", "잔 다르크")]),
    ],
)
def test_names_are_found_longest_first_in_their_case(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(text)[: len(expected)] == expected
    if not expected:
        assert not found(text)


def test_a_surname_goes_to_the_one_bearer_named_in_full_in_the_same_text() -> None:
    assert [title for _, title in found("Bob Cratchit came. Cratchit sat down.")] == ["Bob Cratchit", "Bob Cratchit"]
    assert [title for _, title in found("Cratchit sat down.")] == ["Cratchit"]
    both = [title for _, title in found("Bob Cratchit and Mrs. Cratchit came. Cratchit sat down.")]
    assert both[-1] == "Cratchit"


def test_a_name_that_is_written_in_capitals_too_is_found_in_either_case() -> None:
    found = Matcher([name("Slate", "SLATE"), name("WHO")]).find("Slate and SLATE, but Who?")
    assert [match.title for match in found] == ["Slate", "Slate"]


def test_matching_does_not_depend_on_the_order_of_the_names() -> None:
    text = "Joan of Arc, Bob Cratchit, WHO, counting-house, your Your Life"
    assert Matcher(reversed(NAMES)).find(text) == MATCHER.find(text)


def test_an_empty_vocabulary_finds_nothing() -> None:
    assert Matcher([]).find("Joan of Arc") == []


PIECES = st.lists(
    st.sampled_from([form for one in NAMES for form in one.forms] + [" ", ", ", "'s ", "-", "。", ". "])
    | st.text(max_size=4)
)


@given(PIECES.map("".join))
@settings(deadline=None, max_examples=300)
def test_matches_are_ordered_disjoint_and_inside_the_text(text: str) -> None:
    end = 0
    for match in MATCHER.find(text):
        assert end <= match.start < match.end <= len(text)
        end = match.end


@pytest.mark.parametrize("unit", ["Joan of ", "a", "(", "J. R. ", "アン", "贞", "Arc"])
def test_a_quarter_of_a_megabyte_on_one_line_is_searched(unit: str) -> None:
    assert MATCHER.find(unit * (250_000 // len(unit))) is not None


SHARING = [
    name("Orr", kind="shared"),
    name("Ann Orr"),
    name("Eve Orr"),
]


@pytest.mark.parametrize(
    ("texts", "found", "left"),
    [
        (["Ann Orr came.", "Then Orr left."], [["Ann Orr"], ["Ann Orr"]], 0),
        (["Ann Orr came.", "Eve Orr came.", "Then Orr left."], [["Ann Orr"], ["Eve Orr"], []], 1),
        (["Orr left.", "Ann Orr came."], [[], ["Ann Orr"]], 1),
        (["Ann Orr came.", "It rained.", "It snowed.", "Orr left."], [["Ann Orr"], [], [], []], 1),
        (["Ann Orr came.", "Ann Orr sat.", "It rained.", "Orr left."], [["Ann Orr"], ["Ann Orr"], [], ["Ann Orr"]], 0),
        (["Ann Orr met Eve Orr.", "Orr left Orr."], [["Ann Orr", "Eve Orr"], []], 2),
    ],
)
def test_a_name_that_several_bear_is_his_whom_alone_the_document_named_in_full_shortly_before(
    texts: list[str], found: list[list[str]], left: int
) -> None:
    matches, nobodys = Matcher(SHARING).find_in_order(texts)
    assert [[match.title for match in some] for some in matches] == found and nobodys == left
