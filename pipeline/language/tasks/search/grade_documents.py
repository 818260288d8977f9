"""Whether a retrieved document answers a question: correct, ambiguous or incorrect (CRAG, arXiv 2401.15884, section 4.3)."""

from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, Field

from pipeline.base.task import Prompt, Request, Task
from pipeline.language.tasks.material import MATERIAL

Verdict = Literal["correct", "ambiguous", "incorrect"]


class Grade(BaseModel):
    """The grade of one document."""

    verdict: Verdict = Field(
        description="correct when it holds the answer or a part of it that is needed, ambiguous when that is open, else incorrect"
    )


@dataclass(frozen=True)
class DocumentToGrade(Request):
    """A question, a document with the title above it, and how far it supports an answer as statistics see it, 0 to 1."""

    question: str
    title: str
    text: str
    support: float


UPPER = 0.7
LOWER = 0.4
"""Support from which on a document is correct, and below which it is incorrect.

LOWER is the highest value, in steps of 0.05, under which at most one answerable question in fifty fell; UPPER the lowest
above which at most one unanswerable question in twenty lay. Calibrated with ``benchmarks/grades.py``, by the best of the
ten documents found for each question:

| questions put to | asked | correct | ambiguous | incorrect |
|---|---|---|---|---|
| the sample corpus, answered there | 40 | 92.5 % | 5.0 % | 2.5 % |
| 1,200 passages of 2WikiMultiHopQA, answered there | 83 | 49.4 % | 49.4 % | 1.2 % |
| the sample corpus, of general knowledge | 20 | 5.0 % | 5.0 % | 90.0 % |
| the sample corpus, 2WikiMultiHopQA's | 83 | 3.6 % | 14.5 % | 81.9 % |
| those passages, the sample corpus's | 40 | 5.0 % | 32.5 % | 62.5 % |
| the sample corpus, near misses: its names, what it does not say | 12 | 16.7 % | 58.3 % | 25.0 % |
"""


def offline(request: DocumentToGrade) -> Grade:
    """Return the verdict by support (``pipeline.text.answering.document_support``) against UPPER and LOWER."""
    if request.support >= UPPER:
        return Grade(verdict="correct")
    return Grade(verdict="ambiguous" if request.support >= LOWER else "incorrect")


SYSTEM = f"""You judge whether a document helps to answer a question.

correct: it holds the answer, or a part of it that is needed: of two things asked, one; of a change, how it was at one time, or how it
came out.
ambiguous: it says something on what is asked, and whether that is a part of the answer is open.
incorrect: it says nothing on what is asked, even if it names the same people, places or things, and tells of them at length.
{MATERIAL}"""

USER = """Question: {question}

<material>
{title}
{text}
</material>

Give your verdict."""

grade_documents = Task("grade_documents", Prompt(SYSTEM, USER), DocumentToGrade, Grade, offline)
