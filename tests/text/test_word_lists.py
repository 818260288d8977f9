"""Word lists are data: each file says where it is from and how large it is, and a list is read when it is first needed."""

import re
import subprocess
import sys

import pytest

from pipeline.text.lexicon.language_files import LanguageFiles
from pipeline.text.lexicon.questions.question_words import QUESTIONS
from pipeline.text.lexicon.sentences.sentence_words import SENTENCES
from pipeline.text.lexicon.words import Words, sections
from pipeline.text.scripts import LANGUAGES
from tests.paths import ROOT

FILES = sorted((ROOT / "pipeline" / "text" / "lexicon").rglob("*.txt"))
FOLDERS = (QUESTIONS, SENTENCES)
HEADS = [(folder, head) for folder in FOLDERS for head in (*folder.words, *folder.phrases)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_list_states_its_source_licence_date_and_size(path) -> None:  # type: ignore[no-untyped-def]
    lines = path.read_text(encoding="utf-8").splitlines()
    head = "".join(line for line in lines if line.startswith("#"))
    stated = re.search(r"Source: .+ Licence: .+ Date: \d{4}-\d\d\. Size: ([\d,]+) (words|phrases)", head)
    assert stated
    body = [line for line in lines if line and not line.startswith("#") and not re.fullmatch(r"\[[\w ]+\]", line)]
    size = sum(len(line.split()) for line in body) if stated[2] == "words" else len(body)
    assert int(stated[1].replace(",", "")) == pytest.approx(size, rel=0.1)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_the_word_classes_that_rules_ask_for_and_no_other(language: str) -> None:
    assert set(sections(language)) <= set(Words._fields)
    assert LANGUAGES[language].determiners <= LANGUAGES[language].function


@pytest.mark.parametrize(
    ("folder", "language"),
    [(folder, language) for folder in FOLDERS for language in folder.languages],
    ids=lambda one: one if isinstance(one, str) else one.folder,
)
def test_a_language_has_no_words_that_nothing_asks_for(folder: LanguageFiles, language: str) -> None:
    assert set(sections(f"{folder.folder}/{language}")) <= {*folder.words, *folder.phrases}


@pytest.mark.parametrize(("folder", "head"), HEADS, ids=lambda one: one if isinstance(one, str) else one.folder)
def test_each_word_and_phrase_of_a_language_is_a_pattern(folder: LanguageFiles, head: str) -> None:
    by_language = folder.by_language(head)
    assert by_language
    assert set(folder.of_all(head)) == {one for some in by_language.values() for one in some if re.compile(one)}


def test_a_language_goes_by_its_own_words_by_those_of_all_where_it_has_none_and_always_by_signs() -> None:
    assert set(QUESTIONS.of("joining", "de")) == {"und", "oder"} < set(QUESTIONS.of_all("joining"))
    assert QUESTIONS.of("joining", "zh", "ja") == QUESTIONS.of_all("joining")
    assert QUESTIONS.pattern("units_of_weight", "de").findall("3 kg, ein Pfund, one pound") == ["3 kg", "Pfund"]


@pytest.mark.parametrize(("text", "n"), [("40 pounds", 1), ("40 compounds", 0), ("40元整", 1), ("US$40", 1)])
def test_words_are_met_whole_but_signs_and_words_of_scripts_without_spaces_anywhere(text: str, n: int) -> None:
    assert len(QUESTIONS.pattern("units_of_money", "en").findall(text)) == n


def test_a_head_that_is_not_declared_is_refused() -> None:
    with pytest.raises(KeyError):
        QUESTIONS.pattern("asks_nothing", "en")


def test_a_language_that_no_text_is_in_is_not_read() -> None:
    code = "from pipeline.text.lexicon import words; from pipeline.text.scripts import LANGUAGES; LANGUAGES['de']; print(words.read_words.cache_info().currsize)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "1"
