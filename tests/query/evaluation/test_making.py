"""Questions made from texts: each has its passage where it says, answers are in it, and open ones are open."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from pipeline.base.settings import Settings
from pipeline.base.store import Generation
from pipeline.language.backends.offline import OfflineBackend
from pipeline.language.ledger import Ledger
from pipeline.language.service import LanguageService
from pipeline.language.tasks.evaluation.write_questions import (
    PassageToAskAbout,
    WrittenQuestion,
    WrittenQuestions,
    check,
)
from pipeline.language.tasks.search.grade_documents import Grade
from pipeline.query.evaluation.eval_questions import Example, read_examples, write_examples
from pipeline.query.evaluation.expected import ExpectedPassages, GoldDocuments
from pipeline.query.evaluation.making.asked_questions import asked_questions
from pipeline.query.evaluation.making.counted_questions import counted_questions
from pipeline.query.index import Index
from pipeline.query.opened import OpenedTables
from pipeline.runner.run import run_index
from tests.corpora import project
from tests.query_cases import sample
from tests.scripted_backend import ScriptedBackend

GERMAN = {
    "mole.md": (
        "# Die Mole\n\nMartha Lindqvist leitete den Bau der Mole von Carrow im Jahr 1871. Die Mole von Carrow war ein Werk der "
        "Dockgesellschaft. Edmund Vane war ein Ingenieur aus Leith. Edmund Vane hat 1882 Martha Lindqvist geheiratet.\n"
    )
}


def generation() -> Generation:
    return Index.open(sample(), Settings()).generation


def quotes_of(made: list[Example], tables: Generation) -> dict[str, tuple[str, str]]:
    documents = tables.table("documents", ["source", "text"]).to_pylist()
    texts = {row["source"]: row["text"] for row in documents}
    return {
        one.question: (passage.quote, texts[passage.document][passage.start : passage.end])
        for one in made
        for passage in one.passages
    }


def test_every_answerable_question_has_its_passage_at_the_span_that_it_names_and_its_answer_in_it() -> None:
    made = counted_questions(generation(), 50, 0.2, 7)
    assert all(quote == there for quote, there in quotes_of(made, generation()).values())
    for one in made:
        assert bool(one.passages) == bool(one.answerable) == bool(one.gold)
        if one.answers:
            assert any(answer in one.passages[0].quote for answer in one.answers)
            assert not any(answer.casefold() in one.question.casefold() for answer in one.answers)


def test_kinds_and_documents_are_taken_in_turn_and_a_share_cannot_be_answered() -> None:
    made = counted_questions(generation(), 50, 0.2, 7)
    kinds = Counter(one.kind for one in made)
    assert len(made) == 50 and len({one.question for one in made}) == 50
    assert kinds["exchanged"] + kinds["absent"] == 10 and min(kinds["exchanged"], kinds["absent"]) >= 4
    assert all(kinds[kind] >= 4 for kind in ("who", "when", "about", "pair"))
    assert len({one.gold[0] for one in made if one.kind == "who"}) >= 8


def test_the_same_index_and_seed_give_the_same_questions_and_another_seed_others() -> None:
    one, again, other = (counted_questions(generation(), 20, 0.2, seed) for seed in (7, 7, 8))
    assert one == again != other


def test_where_few_questions_can_be_made_the_share_of_unanswerable_ones_stays(tmp_path: Path) -> None:
    made = project(tmp_path, GERMAN)
    run_index(made)
    questions = counted_questions(made.store.open(), 100, 0.5, 7)
    n_answerable = sum(one.answerable is True for one in questions)
    assert 0 < len(questions) - n_answerable <= n_answerable < 50


def test_a_time_is_asked_for_where_a_sentence_ends_with_a_date() -> None:
    made = {one.question: one for one in counted_questions(generation(), 200, 0.0, 7)}
    assert made["When was Joan of Arc captured outside Compiègne?"].answers == ("23 May 1430",)


def test_what_is_asked_of_no_text_shares_no_word_with_any() -> None:
    texts = " ".join(generation().table("chunks", ["text"])["text"].to_pylist()).casefold()
    absent = [one for one in counted_questions(generation(), 50, 0.4, 7) if one.kind == "absent"]
    assert absent and "shoe" not in texts and "postal" not in texts
    assert any("shoe size" in one.question or "postal code" in one.question for one in absent)


def test_questions_are_made_in_the_language_of_the_texts(tmp_path: Path) -> None:
    made = project(tmp_path, GERMAN)
    run_index(made)
    questions = {one.question for one in counted_questions(made.store.open(), 20, 0.2, 7)}
    assert "Wer hat 1882 Martha Lindqvist geheiratet?" in questions and "Wer ist Edmund Vane?" in questions
    assert not any(question.startswith(("Who", "What", "How")) for question in questions)


def test_questions_are_read_as_they_were_written(tmp_path: Path) -> None:
    made = counted_questions(generation(), 20, 0.2, 7)
    write_examples(tmp_path / "new" / "questions.jsonl", made)
    assert read_examples(tmp_path / "new" / "questions.jsonl") == made


@pytest.mark.parametrize("wrong", [{"passages": [{"document": "a"}]}, {"passages": 3}, {"answerable": "yes"}])
def test_a_passage_or_mark_that_cannot_be_read_names_its_line(tmp_path: Path, wrong: dict[str, Any]) -> None:
    (tmp_path / "q.jsonl").write_text(json.dumps({"question": "Who?"} | wrong), encoding="utf-8")
    with pytest.raises(Exception, match="line 1"):
        read_examples(tmp_path / "q.jsonl")


def test_a_passage_is_found_again_when_text_came_before_it_and_given_up_when_it_went(tmp_path: Path) -> None:
    made = project(tmp_path, GERMAN)
    run_index(made)
    questions = counted_questions(made.store.open(), 5, 0.0, 7)
    name = next(iter(GERMAN))
    (made.input / name).write_text("# Vorwort\n\nNeu.\n\n" + GERMAN[name].replace("Edmund", "Edgar"), encoding="utf-8")
    run_index(made)
    index = Index.open(made.store.folder, Settings())
    places = ExpectedPassages(GoldDocuments(index.generation), OpenedTables(index.generation))
    text = index.generation.table("documents", ["text"])["text"][0].as_py()
    for passage in [passage for one in questions for passage in one.passages]:
        found = places.find([passage])
        assert ("Edmund" in passage.quote) == (passage not in found)
        assert all(text[span.start : span.end] == passage.quote for span in found.values())


def written(request: PassageToAskAbout) -> WrittenQuestions:
    sentence = request.text.split(". ")[0]
    question = WrittenQuestion(question=f"What of {request.item}?", answer="it is so", quote=sentence)
    return WrittenQuestions(answered=[question], unanswered=f"Why is it that {sentence}?")


def service(verdict: str) -> LanguageService:
    scripts: dict[str, Any] = {"write_questions": written, "grade_documents": lambda request: Grade(verdict=verdict)}
    return LanguageService(OfflineBackend(), Ledger(), ScriptedBackend(scripts))


def test_a_model_writes_questions_whose_passages_are_where_its_quotes_are() -> None:
    made = asked_questions(Index.open(sample(), Settings()), service("incorrect"), 10, 0.2, 7)
    assert Counter(one.kind for one in made.examples) == {"written": 5, "open": 2}
    assert all(quote == there for quote, there in quotes_of(made.examples, generation()).values())
    assert sum(one.answerable is False for one in made.examples) == 2


def test_a_question_that_is_meant_to_be_open_and_that_a_passage_answers_is_left_out_and_counted() -> None:
    made = asked_questions(Index.open(sample(), Settings()), service("correct"), 10, 0.2, 7)
    assert made.answered_after_all > 0 and all(one.answerable for one in made.examples)


def test_a_question_whose_quote_is_not_in_the_passage_is_refused() -> None:
    request = PassageToAskAbout("c", "Harbour", "Ada Thorne built the mole.")
    good = WrittenQuestion(question="Who built it?", answer="Ada", quote="Ada Thorne built the  mole.")
    bad = WrittenQuestion(question="Who?", answer="x", quote="Nobody built it.")
    assert [one.quote for one in check(request, WrittenQuestions(answered=[bad, good], unanswered="")).answered] == [
        "Ada Thorne built the mole"
    ]
    with pytest.raises(ValueError, match="no quote"):
        check(request, WrittenQuestions(answered=[bad], unanswered=""))
