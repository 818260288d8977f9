"""Auto: a method for every question, with its reason, and that method's answer."""

from pathlib import Path

import pytest

from pipeline.base.schema import CHUNKS, DOCUMENTS
from pipeline.base.settings import SearchSettings
from pipeline.base.task import Failure
from pipeline.language.backends.offline import OfflineBackend
from pipeline.language.ledger import Ledger
from pipeline.language.service import LanguageService
from pipeline.language.tasks.search.choose_method import Choice, MethodShown, QuestionToPlace, check, offline
from pipeline.query.answer import Answer, Coverage, Trace
from pipeline.query.index import Index
from pipeline.query.method import SearchCall, search
from pipeline.query.methods.auto_search import auto_over
from pipeline.query.registry import SEARCHES
from pipeline.text.question.reading import read_question
from tests.corpora import indexed
from tests.query_cases import BATTLES, WEATHER, ask, check_answer, plainly, sample

METHODS = tuple(MethodShown(name, "") for name in ("global", "local", "entity", "drift", "fusion", "basic"))


@pytest.mark.parametrize(
    ("question", "names", "method"),
    [
        ("What are the main themes?", (), "global"),
        ("Summarise the documents.", (), "global"),
        ("Was sind die wichtigsten Themen?", (), "global"),
        ("主题是什么？", (), "global"),
        ("¿De qué tratan estos textos?", (), "global"),
        ("О чём эти тексты?", (), "global"),
        ("Worum geht es in diesen Texten?", (), "global"),
        ("Which future trends do several guests predict?", (), "global"),
        ("Quels thèmes reviennent dans ces lettres ?", (), "global"),
        ("What problems come up again and again?", (), "global"),
        ("Welche Klagen kehren immer wieder?", (), "global"),
        ("what runs through all of these speeches?", (), "global"),
        ("Is there a common thread in these letters?", (), "global"),
        ("Was zieht sich durch alle Protokolle?", (), "global"),
        ("What is this about?", (), "global"),
        ("What's in here?", (), "global"),
        ("Which topics are covered?", (), "global"),
        ("What happens in the story?", (), "global"),
        ("Fasse alles zusammen", (), "global"),
        ("Was steht in den Unterlagen?", (), "global"),
        ("¿De qué va esto?", (), "global"),
        ("Riassumi tutto", (), "global"),
        ("О чём это?", (), "global"),
        ("这是关于什么的？", (), "global"),
        ("これは何について？", (), "global"),
        ("What is covered?", (), "basic"),
        ("What did the letter say?", (), "basic"),
        ("Was steht in dem Brief?", (), "basic"),
        ("What do the letters say?", (), "global"),
        ("What is this valve about?", (), "basic"),
        ("What runs through the tunnel?", (), "basic"),
        ("Why does the sync fail again and again?", (), "basic"),
        ("What do I do when the error comes up?", (), "basic"),
        ("What happens when two glob patterns match a file?", (), "basic"),
        ("What is a glob pattern's default weight?", (), "basic"),
        ("What is a glob pattern?", (), "basic"),
        ("What is a common theme?", (), "global"),
        ("Is there a recurring theme in these letters?", (), "global"),
        ("How do I set the theme of the editor?", (), "basic"),
        ("Who may write to a topic?", (), "basic"),
        ("What does MAX_CONTENT_LENGTH do?", ("MAX",), "basic"),
        ("Who wrote the letters?", (), "basic"),
        ("Give me an overview of the life of Joan of Arc.", ("Joan of Arc",), "entity"),
        ("Who is Perrinet Gressart?", ("Perrinet Gressart",), "entity"),
        ("Tell me about La Hire.", ("La Hire",), "entity"),
        ("Did Joan of Arc lose any battles?", ("Joan of Arc",), "basic"),
        ("How is La Hire connected to Joan of Arc?", ("La Hire", "Joan of Arc"), "basic"),
        ("What is the weather in Spain?", (), "basic"),
    ],
)
def test_the_rules_place_a_question_by_what_it_asks_and_names(
    question: str, names: tuple[str, ...], method: str
) -> None:
    choice = offline(QuestionToPlace("x", question, METHODS, names, read_question(question)))
    assert choice.method == method and choice.reason


def test_only_methods_that_are_there_are_chosen() -> None:
    one = (MethodShown("basic", ""),)
    for question in ("What are the main themes?", "Who is La Hire?", ""):
        assert offline(QuestionToPlace("x", question, one, ("La Hire",), read_question(question))).method == "basic"
    with pytest.raises(ValueError, match="no method 'fast'"):
        check(QuestionToPlace("x", "?", one, (), read_question("?")), Choice(method="fast", reason=""))
    kept = check(
        QuestionToPlace("x", "?", one, (), read_question("?")), Choice(method=" Basic ", reason="because it is plain.")
    )
    assert kept == Choice(method="basic", reason="it is plain")


@pytest.mark.parametrize(("question", "method"), [("What are the main themes?", "global"), (WEATHER, "basic")])
def test_which_and_why_are_in_the_first_step_and_in_the_method(question: str, method: str) -> None:
    answer = plainly(question, "auto")
    check_answer(answer)
    step = answer.steps[0]
    assert step.name == "method" and step.data["method"] == method
    assert answer.method == f"{method} (auto, because {step.data['reason']})"
    assert answer.text == plainly(question, method).text


def test_a_model_may_choose_and_when_it_fails_the_rules_do() -> None:
    chosen, _ = ask(
        BATTLES, "auto", {"choose_method": lambda request: Choice(method="basic", reason="it is a plain fact")}
    )
    assert chosen.method == "basic (auto, because it is a plain fact)"
    failed, _ = ask(WEATHER, "auto", {"choose_method": lambda request: Failure("away")})
    assert failed.method.startswith("basic (auto") and "the model failed" in failed.steps[0].data["by"]


def test_a_method_that_is_not_there_counts_as_a_reply_that_does_not_validate() -> None:
    answer, _ = ask(WEATHER, "auto", {"choose_method": lambda request: Choice(method="guess", reason="")})
    assert answer.method.startswith("basic (auto")


def test_auto_reads_and_asks_all_that_any_method_does() -> None:
    auto = SEARCHES["auto"]
    others = [search for name, search in SEARCHES.items() if name != "auto"]
    assert {table.name for table in auto.reads} == {table.name for search in others for table in search.reads}
    assert {task.name for task in auto.asks} == {task.name for search in others for task in search.asks} | {
        "choose_method"
    }


def test_a_search_is_given_the_tables_that_it_declares_and_no_others() -> None:
    given: list[set[str]] = []

    @search(reads=(CHUNKS, DOCUMENTS), asks=())
    def fake_search(call: SearchCall) -> Answer:
        given.append(set(call.tables))
        return Answer(call.question.text, "fake", "", (), (), Coverage(1.0, ""), "nothing")

    opened = Index.open(sample())
    tables = {name: opened.generation.rows(name) for name in ("chunks", "documents", "claims")}
    service = LanguageService(OfflineBackend(), Ledger())
    auto_over({"basic": fake_search}).run(
        SearchCall(read_question("Who?"), tables, opened.finder(), SearchSettings(), service, Trace())
    )
    assert given == [{"chunks", "documents"}]


@pytest.mark.parametrize("question", ["Which tickets are there?", "List all tickets", "Welche Tickets gibt es?"])
def test_a_question_on_the_rows_of_a_table_is_answered_from_them_and_not_from_reports(
    tmp_path: Path, question: str
) -> None:
    made = indexed(tmp_path, {"tickets.csv": "ticket,status\nT-1,open\nT-2,closed\n"}, input={"patterns": ["*.csv"]})
    answer = Index.open(made.store.folder).ask(question)
    assert answer.method == "basic (auto, because it asks for rows of Tickets)"
    assert "T-1 | open" in answer.text and "T-2 | closed" in answer.text
