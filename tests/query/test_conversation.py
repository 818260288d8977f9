"""Conversation: a question that leans on the last is made to stand alone, and the trace says by what."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from graphstrata import build
from pipeline.base.task import NOT_SAID, Failure
from pipeline.language.backends.offline import OfflineBackend
from pipeline.language.ledger import Ledger
from pipeline.language.service import LanguageService
from pipeline.language.tasks.search.make_standalone import FollowUp, PastTurn, Standalone, make_standalone
from pipeline.language.transport import rate_limit
from pipeline.query.answer import Answer
from pipeline.query.index import Index
from tests.lookalike import LookAlike
from tests.query.test_streaming import at
from tests.query_cases import BATTLES, WEATHER, check_answer, opened
from tests.scripted_backend import ScriptedBackend


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(rate_limit, "FIRST_WAIT", 0.002)
    yield


def index() -> Index:
    return opened()


def standalone(answer: Answer) -> str:
    (step,) = [step for step in answer.steps if step.name == "standalone"]
    return str(step.data["question"])


def test_a_pronoun_is_resolved_by_what_was_spoken_of_last() -> None:
    first = index().ask(BATTLES, "basic")
    answer = index().ask("When was she captured?", "basic", history=[(BATTLES, first)])
    assert standalone(answer) == "When was Joan of Arc captured?"
    assert answer.question == "When was she captured?"
    assert "23 May 1430" in answer.text
    check_answer(answer)


def test_history_may_be_texts_and_answers_alike() -> None:
    first = index().ask(BATTLES, "basic")
    question = "When was she captured?"
    by_text = index().ask(question, "basic", history=[(BATTLES, first.text)])
    assert by_text == index().ask(question, "basic", history=[(BATTLES, first)])


def test_a_conversation_of_several_turns_keeps_its_thread() -> None:
    history: list[tuple[str, str | Answer]] = []
    asked = []
    for question in ("Who was Philip the Good?", "Whom did he ally with?", "What did Joan of Arc write to him?"):
        answer = index().ask(question, "basic", history=history)
        asked.append(standalone(answer) if history else question)
        history.append((question, answer))
    assert asked[1] == "Whom did Philip the Good ally with?"
    assert asked[2] == "What did Joan of Arc write to Philip the Good?"


def test_a_question_that_stands_alone_is_asked_as_it_is_and_without_history_nobody_is_asked() -> None:
    backend = ScriptedBackend({})
    service = LanguageService(OfflineBackend(), Ledger(), backend)
    plain = index().ask("Who was Charles VII?", "basic", language=service)
    assert not any(task == "make_standalone" for task, _ in backend.asked)
    assert not any(step.name == "standalone" for step in plain.steps)
    after = index().ask("Who was Charles VII?", "basic", language=service, history=[(BATTLES, "At Paris.")])
    assert standalone(after) == "Who was Charles VII?" and after.text == plain.text


def test_a_model_is_shown_the_turns_without_citations_and_its_question_is_asked() -> None:
    requests: list[FollowUp] = []

    def script(request: FollowUp) -> Standalone:
        requests.append(request)
        return Standalone(question="When was \n Joan of Arc captured?")

    service = LanguageService(OfflineBackend(), Ledger(), ScriptedBackend({"make_standalone": script}))
    history = [(f"question {i}", "It fell. [1][2] Nobody knows.") for i in range(9)]
    answer = index().ask("And when?", "basic", history=history, language=service)
    assert standalone(answer) == "When was Joan of Arc captured?"
    assert requests[0].turns == tuple(PastTurn(f"question {i}", "It fell. Nobody knows.") for i in (6, 7, 8))
    assert "Question: question 8\nAnswer: It fell. Nobody knows." in make_standalone.render(requests[0])[1]
    unanswered = index().ask(WEATHER, "basic")
    index().ask("And when?", "basic", history=[(WEATHER, unanswered)], language=service)
    assert not unanswered.supported and requests[1].turns == (PastTurn(WEATHER, NOT_SAID),)


def test_when_the_model_fails_the_rules_do_it_and_the_trace_says_so() -> None:
    service = LanguageService(
        OfflineBackend(), Ledger(), ScriptedBackend({"make_standalone": lambda request: Failure("away")})
    )
    answer = index().ask("When was she captured?", "basic", history=[(BATTLES, "Yes.")], language=service)
    assert standalone(answer) == "When was Joan of Arc captured?"
    (step,) = [step for step in answer.steps if step.name == "standalone"]
    assert step.data["by"] == "rules, because the model failed: away"


def test_an_empty_question_of_a_model_is_no_reply() -> None:
    with pytest.raises(ValueError, match="empty"):
        make_standalone.check(FollowUp("q", "Why?", (), ()), Standalone(question=" \n"))  # type: ignore[misc]


def test_over_http_the_follow_up_is_one_call_before_the_search(tmp_path: Path) -> None:
    def reply(body: dict[str, Any]) -> Any:
        if "Last question:" in body["messages"][-1]["content"]:
            return {"question": "When was Joan of Arc captured?"}
        return "She was captured at Compiègne. [c1]"

    with LookAlike(reply) as server:
        answer = at(server, tmp_path).ask("And when was she caught?", "basic", history=[(BATTLES, "At Paris.")])
        assert server.calls == 2 == answer.usage["calls"]
        assert "When was Joan of Arc captured?" in server.asked[1]["messages"][-1]["content"]
    assert standalone(answer) == "When was Joan of Arc captured?"
    check_answer(answer)


def test_a_long_answer_is_remembered_by_what_it_says_first() -> None:
    requests: list[FollowUp] = []
    script = {"make_standalone": lambda request: requests.append(request)}
    service = LanguageService(OfflineBackend(), Ledger(), ScriptedBackend(script))  # type: ignore[arg-type]
    index().ask("Why?", "basic", history=[(BATTLES, "It fell at once. " * 500)], language=service)
    assert len(requests[0].turns[0].answer) <= 1200 and requests[0].turns[0].answer.endswith("fell…")


def test_a_question_keeps_what_it_was_understood_as_when_what_it_leant_on_is_long_past() -> None:
    history: list[tuple[str, str | Answer]] = []
    for question in (BATTLES, "When was she captured?", "Why?", "Why?", "Who said that?"):
        history.append((question, index().ask(question, "basic", history=history)))
    last = history[-1][1]
    assert isinstance(last, Answer)
    assert standalone(last) == "Who said that? (When was Joan of Arc captured?)"


def test_a_first_name_that_one_person_alone_has_means_that_person() -> None:
    tale = build({"a": "Tobias Wren wept. Tobias Wren sold the ferry. Edmund Pell sold the clock."})
    question = "What did Tobias Wren sell?"
    answer = tale.ask("And Edmund?", history=[(question, "The ferry.")])
    assert standalone(answer) == "What did Edmund Pell sell?"
