"""Letters that name somebody or something: which ones a question has, and which texts have the same."""

import pytest

from pipeline.text.question.initials import lettered_names
from pipeline.text.question.reading import read_question


@pytest.mark.parametrize(
    ("question", "language", "letters"),
    [
        ("Where does Ms W. work?", "en", ["W"]),
        ("How old is Mr F.G.'s son?", "en", ["F.G"]),
        ("How heavy is a Pelican C?", "en", ["C"]),
        ("What is in vitamin K?", "en", ["K"]),
        ("Wann bekam Herr B. Krankengeld?", "de", ["B"]),
        ("Wo wohnt Frau L.?", "de", ["L"]),
        ("Quel est le loyer de M. D.?", "fr", ["D"]),
        ("¿Cuánto gana la Sra. V.?", "es", ["V"]),
        ("Quanto paga la signora R.?", "it", ["R"]),
        ("Who is C. S. Vane?", "en", []),
        ("What did Anna P. Orrin say?", "en", []),
        ("Can I leave?", "en", []),
        ("When did I say that to Mr Orrin?", "en", []),
    ],
)
def test_letters_behind_a_title_or_a_noun_name_and_initials_of_a_surname_do_not(
    question: str, language: str, letters: list[str]
) -> None:
    assert [one.written for one in lettered_names(question, language)] == letters


@pytest.mark.parametrize(
    ("question", "text", "is_named"),
    [
        ("How old is Mr F.?", "Mr F. is forty.", True),
        ("How old is Mr F.?", "Client: Mr R. F., born 1980", True),
        ("How old is Mr F.?", "Mr and Mrs F. are both forty.", True),
        ("How old is Mr F.?", "Mrs F. is forty.", False),
        ("How old is Mr F.?", "Mr G. is forty.", False),
        ("How old is Mr R. F.?", "Mr T. F. is forty.", False),
        ("How old is Mr A.?", "A man of forty came.", False),
        ("How old is Mr A.?", "Mr A. is forty.", True),
        ("How heavy is a Pelican C?", "A Pelican C has 4 kilos.", True),
        ("How heavy is a Pelican C?", "A Pelican D has 4 kilos.", False),
        ("How heavy is a Pelican C?", "The Pelican stands beside Plan C.", False),
        ("Wo wohnt Frau L.?", "Herr L. wohnt am Markt.", False),
        ("Wo wohnt Frau L.?", "Frau L. wohnt am Markt.", True),
    ],
)
def test_a_letter_is_met_only_in_the_same_name(question: str, text: str, is_named: bool) -> None:
    read = read_question(question)
    assert (read.named(read.met_by(text)) == read.names) is is_named
