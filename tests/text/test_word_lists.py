"""Word lists are data: each file says where it is from and how large it is, and a list is read when it is first needed."""

import re
import subprocess
import sys

import pytest

from pipeline.text.lexicon.questions.question_words import PHRASES, WORDS, by_language, of_all_languages, one_of
from pipeline.text.lexicon.words import Words, sections
from pipeline.text.scripts import LANGUAGES
from tests.paths import ROOT

FILES = sorted((ROOT / "pipeline" / "text" / "lexicon").rglob("*.txt"))
OF_QUESTIONS = [path.stem for path in FILES if path.parent.name == "questions"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_list_states_its_source_licence_date_and_size(path) -> None:  # type: ignore[no-untyped-def]
    head = "".join(line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("#"))
    assert re.search(r"Source: .+ Licence: .+ Date: \d{4}-\d\d\. Size: [\d,]+ (words|phrases)", head)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_the_word_classes_that_rules_ask_for_and_no_other(language: str) -> None:
    assert set(sections(language)) <= set(Words._fields)
    assert LANGUAGES[language].determiners <= LANGUAGES[language].function


@pytest.mark.parametrize("language", OF_QUESTIONS)
def test_a_language_has_no_words_of_questions_that_nothing_asks_for(language: str) -> None:
    assert set(sections(f"questions/{language}")) <= {*WORDS, *PHRASES}


@pytest.mark.parametrize("head", [*WORDS, *PHRASES])
def test_words_of_questions_are_those_of_all_languages_and_make_a_pattern(head: str) -> None:
    assert set(of_all_languages(head)) == {one for some in by_language(head).values() for one in some}
    assert by_language(head).keys() <= set(OF_QUESTIONS)
    assert head == "mentioning" or head == "summarising" or re.compile(one_of(head))


def test_a_language_that_no_text_is_in_is_not_read() -> None:
    code = "from pipeline.text.lexicon import words; from pipeline.text.scripts import LANGUAGES; LANGUAGES['de']; print(words.read_words.cache_info().currsize)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "1"
