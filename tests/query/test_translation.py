"""A question in another language than the texts: a model translates it for the search, and the answer is in its own language."""

import pytest

from pipeline.base.task import Failure, Prose
from pipeline.language.backends.offline import OfflineBackend
from pipeline.language.ledger import Ledger
from pipeline.language.service import LanguageService
from pipeline.language.tasks.search.answer_from_passages import PassagesToAnswer
from pipeline.language.tasks.search.confirm_support import SentencesToConfirm, SentenceVerdict, SentenceVerdicts
from pipeline.language.tasks.search.translate_question import QuestionToTranslate, TranslatedQuestion
from pipeline.query.answer import Answer
from pipeline.query.index import Index
from pipeline.runner.run import run_index
from tests.corpora import project
from tests.scripted_backend import Script, ScriptedBackend

TEXTS = {
    "mole.txt": "The engineer Ada Thorne built the west mole of Carrow in 1871. She came from Leith, where her father was a mason.",
    "storm.txt": "In the autumn of 1874 a storm broke the mole. The owners of the harbour paid for the damage out of their own money.",
    "bread.txt": "The bakery on the corner sold bread to the sailors. Its oven was the oldest of the town.",
}
QUESTION, TRANSLATED = "Wer bezahlte den Schaden nach dem Sturm?", "Who paid for the damage after the storm?"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    made = project(tmp_path_factory.mktemp("translated"), TEXTS)
    run_index(made)
    return Index.open(made.store.folder)


def ask(
    index: Index, question: str, scripts: dict[str, Script], method: str = "basic"
) -> tuple[Answer, ScriptedBackend]:
    backend = ScriptedBackend(scripts)
    return index.ask(question, method, language=LanguageService(OfflineBackend(), Ledger(), backend)), backend


def supported(request: SentencesToConfirm) -> SentenceVerdicts:
    found = [
        SentenceVerdict(id=one.id, passages=[request.passages[0].id], verdict="supported") for one in request.sentences
    ]
    return SentenceVerdicts(verdicts=found)


SCRIPTS: dict[str, Script] = {
    "confirm_support": supported,
    "translate_question": lambda request: TranslatedQuestion(question=TRANSLATED),
    "answer_from_passages": lambda request: Prose(
        text=f"Die Eigentümer des Hafens bezahlten ihn. [{request.passages[0].id}]"
    ),
}


@pytest.mark.parametrize("method", ["basic", "entity", "fusion"])
def test_what_the_translation_finds_answers_the_question_as_it_was_put(method: str, index: Index) -> None:
    answer, backend = ask(index, QUESTION, SCRIPTS, method)
    asked = dict(backend.asked)
    translating, answering = asked["translate_question"], asked["answer_from_passages"]
    assert isinstance(translating, QuestionToTranslate) and (translating.question, translating.texts_in) == (
        QUESTION,
        "en",
    )
    assert isinstance(answering, PassagesToAnswer) and answering.question == QUESTION
    assert any("storm broke the mole" in one.text for one in answering.passages)
    assert answer.question == QUESTION and answer.outcome == "answered"
    assert ("translate", TRANSLATED) in [(step.name, step.detail) for step in answer.steps]


@pytest.mark.parametrize("question", ["Who paid for the damage?", "Wer ist Ada Thorne?"])
def test_nothing_is_translated_that_is_in_the_language_of_the_texts_or_is_a_name(question: str, index: Index) -> None:
    _, backend = ask(index, question, SCRIPTS)
    assert "translate_question" not in dict(backend.asked)


def test_where_the_model_fails_or_there_is_none_the_question_is_searched_as_it_was_put(index: Index) -> None:
    failed, _ = ask(index, QUESTION, {**SCRIPTS, "translate_question": lambda request: Failure("no reply")})
    assert failed.question == QUESTION and any(
        step.data.get("failed") for step in failed.steps if step.name == "translate"
    )
    asked = index.ask(QUESTION, "basic")
    assert not any(step.name == "translate" for step in asked.steps)
    assert "ohne Modell wird nichts übersetzt" in asked.text and not asked.supported
    assert "translated" not in index.ask("Who moored the zeppelin?", "basic").text


def test_that_nothing_answers_is_said_in_the_language_of_the_question(index: Index) -> None:
    scripts: dict[str, Script] = {"answer_from_passages": lambda request: Prose(text="The corpus does not say.")}
    answer, _ = ask(index, QUESTION, {**SCRIPTS, **scripts})
    assert answer.outcome == "closest" and answer.text.startswith("Keine Stelle") and answer.closest
