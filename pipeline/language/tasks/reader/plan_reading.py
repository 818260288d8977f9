"""A rational plan for answering a question, made before anything is read (GraphReader, arXiv 2406.14550, 3.3.1)."""

import re
from dataclasses import dataclass

from pydantic import BaseModel, Field

from pipeline.base.task import Prompt, Request, Task
from pipeline.language.tasks.material import MATERIAL, SAME_LANGUAGE
from pipeline.text.question.names import names_in
from pipeline.text.question.question import Question
from pipeline.text.question.reading import read_question


class ReadingPlan(BaseModel):
    """How to answer a question."""

    steps: list[str] = Field(description="what must be found out and how it gives the answer, step by step")
    queries: list[str] = Field(description="up to four short search queries, one for each thing to look up")


@dataclass(frozen=True)
class QuestionToPlan(Request):
    """A question, and what the corpus speaks of most, so that the plan uses its words."""

    question: str
    about: str
    asked: Question


QUERIES = 3
THINGS = frozenset({"person", "place", "date", "number", "cause", "money", "duration"})
"""Kinds of answer that are a thing to be taken from what is read."""
_CLAUSE = re.compile(r",|;|\b(?:where|when|which|who|whose|whom|that|while|and|or|but|because)\b", re.IGNORECASE)


def offline(request: QuestionToPlan) -> ReadingPlan:
    """Return one step for each name and one for the rest; a query for each clause."""
    names = names_in(request.question)
    words = [term.word for term in request.asked.terms if not term.name]
    steps = [f"Look up {name}." for name in names]
    if words:
        steps.append(f"Find what is said of: {', '.join(words)}.")
    if request.asked.kind in THINGS:
        steps.append(f"Take from it the {request.asked.kind} that is asked for.")
    return ReadingPlan(steps=steps, queries=_clauses(request.question, names)[:QUERIES])


def _clauses(question: str, names: list[str]) -> list[str]:
    clauses = [" ".join(part.strip(" ?").split()) for part in _CLAUSE.split(question)]
    clear = [clause for clause in clauses if len(read_question(clause).terms) > 1]
    if len(clear) < 2:
        return []
    return [" ".join([*(name for name in names if name not in clause), clause]) for clause in clear]


SYSTEM = f"""You prepare the reading of a corpus in order to answer a question from it. You do not see the texts yet.

Say which pieces of information the answer needs, in the order in which they can be found, and how they give the answer: for
"Which of two ships was launched earlier?" the launch of the one, the launch of the other, then compare. Then give search
queries of a few words each, one for each thing to look up, in words that the corpus may use. Do not answer the question.
{SAME_LANGUAGE}
{MATERIAL}"""

USER = """The corpus speaks most often of: <material>{about}</material>

Question: {question}

Make the plan."""

plan_reading = Task("plan_reading", Prompt(SYSTEM, USER), QuestionToPlan, ReadingPlan, offline)
