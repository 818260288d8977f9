"""Which strips of a document, one or two sentences each, help to answer a question (CRAG's knowledge refinement, 4.4)."""

from dataclasses import dataclass
from typing import NamedTuple

from pydantic import BaseModel, Field

from pipeline.base.task import Prompt, Request, Task
from pipeline.language.tasks.material import MATERIAL


class Strip(NamedTuple):
    """One or two sentences under a short id, with which share of the question they meet, 0 to 1."""

    id: str
    text: str
    closeness: float

    def as_line(self) -> str:
        """Return it as a prompt shows it."""
        return f"[{self.id}] {self.text}"


class Kept(BaseModel):
    """The strips to keep."""

    strips: list[str] = Field(description="ids of the strips that help, none when none does")


@dataclass(frozen=True)
class StripsToGrade(Request):
    """A question and the strips of one document, in the order of its text."""

    question: str
    title: str
    strips: tuple[Strip, ...]


MOST = 5
"""Strips of one document that are kept, as in the paper."""
CLOSE = 0.6
"""Share of the best strip's closeness that another one needs."""


def offline(request: StripsToGrade) -> Kept:
    """Return the closest strips, in their order: the best one, and those not much worse."""
    best = max((strip.closeness for strip in request.strips), default=0.0)
    order = sorted(request.strips, key=lambda strip: (-strip.closeness, strip.id))
    kept = {strip.id for strip in order[:MOST] if 0 < strip.closeness >= CLOSE * best}
    return Kept(strips=[strip.id for strip in request.strips if strip.id in kept])


SYSTEM = f"""You pick out of a document what helps to answer a question.

Keep every strip that states an answer or a part of one, or that is needed to understand another strip you keep. Drop the
rest. Use only ids that are given.
{MATERIAL}"""

USER = """Question: {question}

<material>
{title}
{strips}
</material>

Name the strips to keep."""

grade_strips = Task("grade_strips", Prompt(SYSTEM, USER), StripsToGrade, Kept, offline)
