"""Types of names in scripts without spaces, and which words of theirs are ordinary ones."""

import pytest

from pipeline.text.lexicon.unspaced_types import is_ordinary, type_of_unspaced


@pytest.mark.parametrize(
    ("name", "language", "expected"),
    [
        ("田中美咲", "ja", "PERSON"),
        ("佐々木健太", "ja", "PERSON"),
        ("森田部長", "ja", "PERSON"),
        ("高橋精機", "ja", ""),
        ("琵琶湖", "ja", "PLACE"),
        ("フランス", "ja", "PLACE"),
        ("陈国强", "zh", "PERSON"),
        ("林文海", "zh", "PERSON"),
        ("龙溪桥", "zh", "PLACE"),
        ("厦门", "zh", "PLACE"),
        ("黄金", "zh", ""),
        ("Scrooge", "en", ""),
    ],
)
def test_a_surname_before_a_given_name_shows_a_person_and_an_ending_the_rest(
    name: str, language: str, expected: str
) -> None:
    assert type_of_unspaced(name, language) == expected


@pytest.mark.parametrize(("word", "language"), [("最初", "ja"), ("四十二米", "zh"), ("晚上", "zh")])
def test_words_of_time_and_number_are_ordinary(word: str, language: str) -> None:
    assert is_ordinary(word, language)
    assert not is_ordinary("诏安", "zh")
