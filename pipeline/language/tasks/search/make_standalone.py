"""A question of a conversation put so that it can be understood, and searched for, without what was said before."""

from dataclasses import dataclass
from typing import NamedTuple

from pydantic import BaseModel, Field

from pipeline.base.task import Prompt, Request, Task, one_question
from pipeline.language.tasks.material import MATERIAL
from pipeline.text.question.mentioned_name import MentionedName


class PastTurn(NamedTuple):
    """A question and its answer, without citations."""

    question: str
    answer: str

    def as_section(self) -> str:
        """Return it as a prompt shows it."""
        return f"Question: {self.question}\nAnswer: {self.answer}"


class Standalone(BaseModel):
    """A question that stands alone."""

    question: str = Field(description="the question, complete in itself; word for word the same if it was so already")


@dataclass(frozen=True)
class FollowUp(Request):
    """A question, the turns before it, oldest first, and for the way without a model the names that they hold."""

    question: str
    turns: tuple[PastTurn, ...]
    names: tuple[MentionedName, ...]


def offline(request: FollowUp) -> Standalone:
    """Return the question with names for what it refers to; unchanged where it can be understood alone."""
    from pipeline.text.question.rewriting import stand_alone  # many patterns, for follow-ups alone

    return Standalone(question=stand_alone(request.question, request.turns, request.names))


def check(request: FollowUp, reply: Standalone) -> Standalone:
    """Keep one question on one line; an empty one is no reply."""
    return Standalone(question=one_question(reply.question))


SYSTEM = f"""You make the last question of a conversation understandable to somebody who has not heard the rest of it.

Put names for pronouns, and complete what was left out, from what was said before; keep everything else as it is asked,
the language too. A question that can be understood by itself, or that turns to something new, is returned word for word.
Do not answer it, and add nothing that is not needed to understand it.
{MATERIAL}"""

USER = """<material>
{turns}
</material>

Last question: {question}

Write it so that it stands alone."""

make_standalone = Task("make_standalone", Prompt(SYSTEM, USER), FollowUp, Standalone, offline, check)
