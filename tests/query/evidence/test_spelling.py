"""What a corpus does not hold: names that are near one it has, and no word that means nothing."""

from pathlib import Path

import pytest

from graphstrata import Index
from pipeline.query.evidence.spelling import MissingWord, corrected, heard_as, nearest
from pipeline.runner.run import run_index
from tests.corpora import indexed, project

LETTER = "# Der Streik\n\nWortführer war der Nieter Otto Brandt aus Flensburg. Otto Brandt ging nach Dänemark.\n"
STORM = (
    "# The storm\n\nEdmund Nygaard built the west mole of Carrow in 1871. The storm broke the mole within a night.\n"
)


@pytest.fixture(scope="module")
def strike(tmp_path_factory: pytest.TempPathFactory) -> Index:
    made = project(tmp_path_factory.mktemp("strike"), {"streik.md": LETTER, "storm.md": STORM})
    run_index(made)
    return Index.open(made.store.folder)


def test_a_name_is_taken_for_misspelt_also_where_every_noun_has_a_capital(strike: Index) -> None:
    answer = strike.ask("Wohin ging Otto Brant?", "basic")
    assert answer.suggestions == ("Brandt",) and "Dänemark" in answer.text


def test_a_frequent_word_of_the_language_is_no_misspelt_name(tmp_path: Path) -> None:
    history = "# Histoire\n\nLe portage pour PowerPC fut fait par Vincent Renardias. Les noms des versions sont ceux d'un film.\n"
    made = project(tmp_path, {"histoire.md": history})
    run_index(made)
    index = Index.open(made.store.folder)
    assert index.ask("D'où viennent les noms des versions ?", "basic").suggestions == ()
    assert index.ask("qui est vinsent ?", "basic").suggestions == ("Vincent",)


def test_a_word_that_only_opens_sentences_is_no_name(tmp_path: Path) -> None:
    cake = "# Plum cake\n\nBake for 45 minutes. Freezes well for three months. Vera uses spelt flour.\n"
    made = project(tmp_path, {"cake.md": cake})
    run_index(made)
    index = Index.open(made.store.folder)
    assert index.ask("how long does it keep in the freezer?", "basic").suggestions == ()


def test_beside_passages_only_what_means_something_is_said_to_be_missing(strike: Index) -> None:
    answer = strike.ask("Which peculiar font did Edmund Nygaard and Zebulon Quist want for the mole?", "basic")
    assert answer.outcome == "closest" and answer.missing == ("Zebulon", "Quist")
    assert "peculiar" not in answer.text and "font" not in answer.text


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("What is the password of Edmund Nygaard?", ("password",)),
        ("What is the phone number of Edmund Nygaard?", ("phone", "number")),
        ("Who married Edmund Nygaard?", ()),
    ],
)
def test_a_noun_that_the_corpus_does_not_hold_is_named_and_no_verb(
    strike: Index, question: str, missing: tuple[str, ...]
) -> None:
    answer = strike.ask(question, "basic")
    assert (answer.outcome, answer.missing) == ("closest", missing)


def test_a_word_beside_another_one_than_in_a_name_is_no_misspelt_name(tmp_path: Path) -> None:
    letters = (
        "林德昌1912年在龙溪办茶厂。沈老师叫沈淑贞，在小学教书。村里还有两个老师。林德昌请沈老师喝茶。沈老师谢了林德昌。"
    )
    made = project(tmp_path, {"信.md": letters})
    run_index(made)
    index = Index.open(made.store.folder)
    assert index.ask("林德倡什么时候办茶厂？", "basic").suggestions == ("林德昌",)
    assert index.ask("她当了几年老师？", "basic").suggestions == ()


def test_where_there_is_nothing_all_words_are_named(strike: Index, tmp_path: Path) -> None:
    answer = strike.ask("Xyzzy qwrtp?", "basic")
    assert answer.outcome == "nothing" and answer.missing == ("Xyzzy", "qwrtp")


def test_a_short_name_with_a_letter_less_of_a_double_one_is_taken_for_misspelt() -> None:
    assert nearest("dobs", ["dobbs", "robs", "dolls"]) == "dobbs"
    assert nearest("dobs", ["dabs"]) == ""


@pytest.mark.parametrize(
    ("language", "heard", "written"),
    [
        ("fr", "jambaud", "jambeau"),
        ("fr", "oberlait", "auberlet"),
        ("es", "gimenes", "jimenez"),
        ("it", "rachetti", "rakketi"),
        ("de", "meyerthal", "maiertal"),
        ("en", "phennimoor", "fenimoor"),
        ("en", "witlam", "whitlame"),
        ("ru", "челобаев", "чилобоев"),
    ],
)
def test_a_name_that_was_heard_is_found_as_the_corpus_writes_it(language: str, heard: str, written: str) -> None:
    assert heard_as(heard, ["other", "jambon", written], language) == written
    assert heard_as(heard, ["other", "jambon"], language) == ""
    assert heard_as(heard, [written], "ar") == ""


def test_only_whole_words_are_corrected() -> None:
    said = corrected("Did Thorn marry Thornton?", [MissingWord("Thorn", "Thorne")])
    assert said == "Did Thorne marry Thornton?"
    assert corrected("谁认识林德仓？", [MissingWord("林德仓", "林德昌")]) == "谁认识林德昌？"


def test_an_everyday_word_is_taken_for_misspelt_in_english_and_a_rare_one_or_a_name_is_not(strike: Index) -> None:
    answer = strike.ask("Who built the west mole before the strom?", "basic")
    assert answer.suggestions == ("storm",)
    assert strike.ask("What broke within the nihgt?", "basic").suggestions == ("night",)
    assert strike.ask("What did Storn build?", "basic").suggestions == ()
    assert strike.ask("Who was the lexicographer?", "basic").suggestions == ()


def test_a_word_of_the_language_is_not_taken_for_a_name_that_is_near(tmp_path: Path) -> None:
    made = project(tmp_path, {"letter.txt": "Dear Captain Tremayne, my committee asks Captain Tremayne to reconsider."})
    run_index(made)
    answer = Index.open(made.store.folder).ask("who is the chaplain", "basic")
    assert answer.suggestions == () and not answer.supported


@pytest.mark.parametrize(
    "question",
    ["What problems did the crane of the quay have?", "What is the connection between the crane and the quay?"],
)
def test_words_by_which_one_asks_for_problems_or_connections_are_not_named_as_missing(
    tmp_path: Path, question: str
) -> None:
    opened = Index.open(
        indexed(tmp_path, {"a.txt": "The quay was swept on Monday by the porter of the mill."}).store.folder
    )
    said = opened.ask(question).text
    assert "crane" in said.partition(":")[2] and "problems" not in said and "connection" not in said
