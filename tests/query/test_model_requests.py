"""Asking: waves heed the deadline, failures are in the trace, an answer is written whatever the model does."""

from dataclasses import dataclass

from pydantic import BaseModel

from pipeline.base.task import Failure, Prompt, Prose, Request, Task
from pipeline.language.backends.offline import OfflineBackend
from pipeline.language.ledger import Ledger
from pipeline.language.service import LanguageService
from pipeline.query.answer import Trace
from pipeline.query.model_requests import WAVE, Deadline, request_all, write
from tests.scripted_backend import ScriptedBackend


class Length(BaseModel):
    n: int


@dataclass(frozen=True)
class Word(Request):
    word: str


measure = Task("measure", Prompt("Count letters.", "{word}"), Word, Length, lambda request: Length(n=len(request.word)))
report = Task("report", Prompt("Report.", "{word}"), Word, Prose, lambda request: Prose(text=f"offline {request.word}"))


class Clock:
    """A clock that a test turns."""

    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        return self.time


def words(n: int) -> list[Word]:
    return [Word(str(i), f"w{i}") for i in range(n)]


def service(script: object = None) -> LanguageService:
    return LanguageService(
        OfflineBackend(), Ledger(), ScriptedBackend({"measure": script, "report": script} if script else {})
    )  # type: ignore[dict-item]


def test_without_a_deadline_everything_goes_out_at_once_and_no_clock_is_read() -> None:
    def clock() -> float:
        raise AssertionError("read")

    assert [len(wave) for wave in Deadline(None, clock).waves(range(100))] == [100]


def test_no_wave_begins_that_would_not_be_back_before_the_deadline() -> None:
    clock = Clock()
    deadline = Deadline(10, clock)
    waves = 0
    for _ in deadline.waves(range(1000)):
        clock.time += 3
        waves += 1
    assert waves == 2  # a third would end at 9, and the answer after it is reckoned at 3 more
    assert not deadline.allows()


def test_the_first_wave_goes_out_whatever_the_deadline() -> None:
    assert len(list(Deadline(0.001, Clock()).waves(range(3)))) == 1


def test_what_the_deadline_left_is_in_the_trace() -> None:
    clock = Clock()

    def slow(request: Word) -> Length:
        clock.time += 1
        return Length(n=1)

    trace = Trace()
    asked = request_all(measure, words(3 * WAVE), service(slow), Deadline(WAVE, clock), trace)
    assert len(asked.replies) == WAVE and len(asked.unasked) == 2 * WAVE and asked.missing == asked.unasked
    assert [step.name for step in trace.steps] == ["deadline"]


def test_a_failed_request_is_in_the_trace_and_the_others_are_answered() -> None:
    trace = Trace()
    asked = request_all(
        measure,
        words(5),
        service(lambda request: Failure("away") if request.item == "2" else None),
        Deadline(None),
        trace,
    )
    assert [request.item for request, _ in asked.replies] == ["0", "1", "3", "4"]
    assert [request.item for request in asked.failed] == ["2"]
    assert trace.steps[0].detail == "2 failed: away" and trace.steps[0].data == {"failed": True}


def test_an_answer_that_the_model_fails_to_write_is_written_without_one_and_says_so() -> None:
    text, by = write(report, words(1)[0], service(lambda request: Failure("away")))
    assert text == "offline w0" and by == "rules, because the model failed: away"
