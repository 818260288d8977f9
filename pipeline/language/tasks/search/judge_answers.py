"""Which of two answers to a question is better by one criterion (Edge et al., arXiv 2404.16130, section 3.3)."""

from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, Field

from pipeline.base.task import Prompt, Request, Task
from pipeline.language.tasks.material import MATERIAL, SAME_LANGUAGE

CRITERIA = {
    "comprehensiveness": "How much of what the question asks for is covered, in all its aspects and with particulars.",
    "diversity": "How many different perspectives and insights on the question are given.",
    "empowerment": "How well a reader comes to understand the matter and can judge it, without being misled.",
    "directness": "How clearly and specifically the question itself is answered, without going beside it.",
}
"""The criteria; directness controls the others, since it is at odds with comprehensiveness and diversity."""


class Verdict(BaseModel):
    """Which answer is better."""

    reason: str = Field(description="what decides it, in a sentence or two")
    winner: Literal["1", "2", "tie"] = Field(
        description="1 or 2 for the better answer; tie when there is hardly a difference"
    )


@dataclass(frozen=True)
class AnswersToJudge(Request):
    """A question, a criterion with its meaning, and two answers in the order in which the judge sees them."""

    question: str
    criterion: str
    meaning: str
    first: str
    second: str


def offline(request: AnswersToJudge) -> Verdict:
    """Return a tie: without a model there is no judge, and nobody is to be taken for one."""
    return Verdict(reason="no model judged", winner="tie")


SYSTEM = f"""You compare two answers to one question by one criterion, and by nothing else.

Length by itself is no merit, and neither is the order in which the answers stand. Numbers in brackets refer to sources that
you do not see; leave them aside. Say first what decides it, then which answer is better.
{SAME_LANGUAGE}
{MATERIAL}"""

USER = """Question: {question}

Criterion, {criterion}: {meaning}

<material>
Answer 1:
{first}

Answer 2:
{second}
</material>

Which is better by this criterion?"""

judge_answers = Task("judge_answers", Prompt(SYSTEM, USER), AnswersToJudge, Verdict, offline, only_model=True)
