"""A first answer to a question from some reports on the corpus, and what to ask next (DRIFT's primer)."""

from dataclasses import dataclass

from pydantic import BaseModel, Field

from pipeline.base.task import Prompt, Request, Task
from pipeline.language.tasks.material import MATERIAL, SAME_LANGUAGE
from pipeline.language.tasks.search.answer_from_passages import PassageShown, Statements, cited
from pipeline.text.answering.sentence_selection import Statement, pick
from pipeline.text.question.names import names_in


class Intermediate(BaseModel):
    """An answer on the way, how far it goes, and the questions it leaves."""

    answer: str = Field(description="what the material says to the question, with the ids it rests on")
    score: int = Field(description="how far that answers the question, from 0 (not at all) to 100", ge=0, le=100)
    follow_ups: list[str] = Field(description="questions to ask next, each complete in itself, the best first")


@dataclass(frozen=True)
class ReportsToPrime(Request):
    """A question and some reports, the statements they make, and how many follow-up questions are wanted."""

    question: str
    reports: tuple[PassageShown, ...]
    n: int
    statements: Statements

    def shown(self, name: str) -> str:
        """Return the reports as sections under their ids."""
        if name != "reports":
            return super().shown(name)
        return "\n\n".join(f"[{report.id}] {report.title}\n{report.text}" for report in self.reports)


PICKED = 3
"""Statements of an answer on the way."""
N_WORDS = 120


def offline(request: ReportsToPrime) -> Intermediate:
    """Return the statements closest to the question, and the question again with each name that they bring in."""
    return intermediate(request.question, request.statements, request.n)


def intermediate(question: str, statements: Statements, n: int) -> Intermediate:
    """Return an answer picked from statements; its score is the share of the question's weight that they meet."""
    told = statements.told
    shown = [Statement(one.text, one.title, 1) for one in told]
    picked = pick(statements.asked, shown, dict(statements.types), N_WORDS, PICKED)
    best = [told[place] for place in picked.places]
    new = dict.fromkeys(name for one in best for name in names_in(one.text) if name not in question)
    return Intermediate(
        answer=cited([(one.text, one.id) for one in best]),
        score=round(100 * statements.asked.share_of_one(picked.met)),
        follow_ups=[f"{question} ({name})" for name in list(new)[:n]],
    )


SYSTEM = f"""You begin to answer a question about a corpus from reports on parts of it. Closer reading comes later.

Say what the reports contribute, after each sentence the ids of the reports it rests on in square brackets, only ids that
are given; leave the answer empty when they contribute nothing. Score how far that answers the question. Then ask what a
closer reading should find out next: precise questions on persons, places, events and reasons that the reports leave open.
{SAME_LANGUAGE}
{MATERIAL}"""

USER = """Question: {question}

<material>
{reports}
</material>

Answer as far as the reports go, and write up to {n} follow-up questions."""

prime_question = Task("prime_question", Prompt(SYSTEM, USER), ReportsToPrime, Intermediate, offline)
