"""Questions: what one would cost, one asked with its answer streamed, one cancelled."""

from collections.abc import AsyncIterator
from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from pipeline.web.endpoint import LINES, Registry, endpoint
from pipeline.web.projects import ServedProject
from pipeline.web.questions.cost import question_cost
from pipeline.web.questions.questions import QuestionRuns, plain_cost
from pipeline.web.questions.request import QuestionBody
from pipeline.web.replies import ErrorLines

ENDPOINTS: Registry = []

ESTIMATES_AT_ONCE = 2
"""Estimates that are worked on at once: each answers its question without a model."""


class CostReply(TypedDict):
    """What a question would take; ``cost`` is null where a model has no price, ``free`` says that nothing is paid."""

    calls: int
    tokens_in: int
    tokens_out: int
    cost: float | None
    currency: str
    free: bool


class QuestionEvent(TypedDict):
    """One line of the stream. ``start`` has run, method and reason; ``step`` kind, text and the rows that it saw; ``text`` a
    piece of the answer, which starts anew where ``begins``; ``answer`` the whole answer; ``error`` what ended it;
    ``needs_acceptance`` what the question would cost, where that was not accepted."""

    event: Literal["start", "step", "text", "answer", "error", "needs_acceptance"]
    run: NotRequired[str]
    method: NotRequired[str]
    reason: NotRequired[str]
    kind: NotRequired[str]
    text: NotRequired[str]
    begins: NotRequired[bool]
    entities: NotRequired[list[str]]
    chunks: NotRequired[list[str]]
    communities: NotRequired[list[int]]
    answer: NotRequired[dict[str, Any]]
    error: NotRequired[ErrorLines]
    estimate: NotRequired[CostReply]


class CancelReply(TypedDict):
    """A question that was cancelled."""

    cancelled: str


@endpoint(ENDPOINTS, "POST", "/projects/{project}/questions/estimate", at_once=ESTIMATES_AT_ONCE)
def estimate_question(project: ServedProject, body: QuestionBody) -> CostReply:
    """What a question would cost, without asking a model."""
    index = project.open().prepare()
    found: CostReply = plain_cost(question_cost(index, body), index)  # type: ignore[assignment]
    return found


@endpoint(ENDPOINTS, "POST", "/projects/{project}/questions", media=LINES)
def ask_question(project: ServedProject, questions: QuestionRuns, body: QuestionBody) -> QuestionEvent:
    """A question, answered line by line while it is worked on. Who closes the connection cancels it: no model is then asked
    anything more. Where it would cost money and that is not accepted, the only line says how much."""
    lines: AsyncIterator[Any] = questions.ask(project, body)
    return lines  # type: ignore[return-value]


@endpoint(ENDPOINTS, "DELETE", "/projects/{project}/questions/{run}")
def cancel_question(
    project: ServedProject,
    questions: QuestionRuns,
    run: Annotated[str, Field(max_length=40, description="number that the event start gave")],
) -> CancelReply:
    """Cancel a question that is under way."""
    questions.cancel(project, run)
    return {"cancelled": run}
