"""The benchmark of entities found without a model: its rule of a match, and that it runs on the book where that is at hand."""

import pytest

from benchmarks import entity_recall
from pipeline.text.names.vocabulary import Name
from tests.paths import DATA

BOOK = DATA / "carol" / "book.txt"


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("Scrooge's nephew", "SCROOGE'S NEPHEW (FRED)"),
        ("spirit", "THE SPIRITS"),
        ("counting-house", "COUNTING HOUSE"),
        ("gentleman", "GENTLEMEN"),
        ("Mr. Fezziwig", "MR FEZZIWIG"),
    ],
)
def test_titles_match_over_case_article_plural_possessive_and_bracket(ours: str, theirs: str) -> None:
    assert entity_recall.key(ours) == entity_recall.key(theirs)


@pytest.mark.parametrize(("ours", "theirs"), [("office", "SCROOGE'S OFFICE"), ("Mr. Cratchit", "MRS. CRATCHIT")])
def test_nothing_matches_by_a_part(ours: str, theirs: str) -> None:
    assert entity_recall.key(ours) != entity_recall.key(theirs)


BOOK_TEXT = "The fog of London came to Scrooge, and Mr. Scrooge shut the door. His door was old."


def test_recall_and_precision_are_shares_of_either_list() -> None:
    ours = [
        Name(title="Scrooge", kind="name", forms=("Mr. Scrooge", "Scrooge"), type="PERSON", frequency=9, spread=3),
        Name(title="fog", kind="phrase", forms=("fog",), type="CONCEPT", frequency=2, spread=1),
    ]
    found = entity_recall.figures(
        ours, [("SCROOGE", 9), ("MR. SCROOGE", 1), ("LONDON", 2), ("DOOR", 0)], 0.0, BOOK_TEXT
    )
    assert (found["recall"], found["recall_degree2"], found["precision"]) == (50.0, 50.0, 50.0)
    assert (found["their_names"], found["recall_names"], found["recall_nouns"]) == (3, 66.7, 0.0)


@pytest.mark.skipif(not BOOK.exists(), reason="A Christmas Carol is not at hand in ../shared/data")
def test_the_book_is_cut_without_loss_and_its_people_are_found() -> None:
    text = BOOK.read_text(encoding="utf-8-sig")
    assert "".join(entity_recall.chunks(text)) == text
    titles = {name.title for name in entity_recall.entities_of(text, "A Christmas Carol")}
    assert {"Ebenezer Scrooge", "Bob Cratchit", "Tiny Tim", "Jacob Marley", "Mrs. Cratchit"} <= titles
