"""pipeline/text/question/asking_words.py: what a question says, and what merely asks."""

import pytest

from pipeline.text.question.asking_words import asking_words, content_flags, question_language
from pipeline.text.tokenizer import words


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How many barrels did the cooper make?", ["barrels", "the", "cooper", "make"]),
        ("Wie viele Fässer hat der Küfer gemacht?", ["Fässer", "der", "Küfer", "gemacht"]),
        ("Когда был построен мост?", ["построен", "мост"]),
        ("What is it?", ["What", "is", "it"]),
        ("How do I set a port?", ["set", "a", "port"]),
    ],
)
def test_asking_words_say_nothing_but_where_there_is_nothing_else(question: str, said: list[str]) -> None:
    flags = content_flags(question)
    assert [word for word, content in zip(words(question), flags, strict=True) if content] == said


@pytest.mark.parametrize("language", ["en", "de", "fr", "es", "it", "pt", "nl", "ru", "ar", "zh", "ja"])
def test_every_language_of_the_answers_has_its_list(language: str) -> None:
    assert asking_words(language)


def test_a_language_without_a_list_loses_no_word() -> None:
    assert not asking_words("tr") and all(content_flags("東京タワー"))


def test_the_language_of_a_question_that_shows_none_is_that_of_the_corpus() -> None:
    assert question_language("Port?", "de") == "de" and question_language("How is the port set?", "de") == "en"


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("How do I limit a number to a range?", "en"),
        ("Wie stelle ich den Port ein?", "de"),
        ("¿Cómo se cambia el puerto?", "es"),
        ("ポートを変えるには?", "ja"),
        ("Port?", "en"),
        ("Who is 田中さん?", "en"),
        ("Wer ist 陈晓明?", "de"),
        ("When did 田中さん visit 大阪?", "en"),
        ("iPhoneはいつ買った?", "ja"),
        ("What is 「の」 って何ですか?", "ja"),
        ("API是什么?", "zh"),
    ],
)
def test_the_language_of_a_question_is_the_one_that_it_asks_in(question: str, language: str) -> None:
    assert question_language(question) == language


@pytest.mark.parametrize(
    ("question", "corpus", "expected"), [("de", "en", "en"), ("x?", "de", "de"), ("de", "und", "en")]
)
def test_a_question_of_a_few_letters_is_in_the_language_of_the_texts(question: str, corpus: str, expected: str) -> None:
    assert question_language(question, corpus) == expected


def test_where_something_lies_asks_for_the_place_and_not_for_the_word() -> None:
    assert "lagen" in asking_words("de") and [*content_flags("Wo lagen die Schlüssel?")] == [False, False, True, True]
