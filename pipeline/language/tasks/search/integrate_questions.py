"""One question out of several that ask much the same: what documents are graded against (RAG-Fusion x CRAG)."""

import re
from dataclasses import dataclass

from pydantic import BaseModel, Field

from pipeline.base.task import Prompt, Request, Task


class Integrated(BaseModel):
    """One question."""

    question: str = Field(
        description="the question, as clear as its wordings make it; it asks nothing that it did not ask before",
        min_length=1,
    )


@dataclass(frozen=True)
class QuestionsToIntegrate(Request):
    """The question that was asked, and others like it."""

    question: str
    others: tuple[str, ...]

    def shown(self, name: str) -> str:
        """Return the other questions as lines."""
        return "\n".join(f"- {other}" for other in self.others) if name == "others" else super().shown(name)


def offline(request: QuestionsToIntegrate) -> Integrated:
    """Return the question that was asked, and behind it the words that the others bring."""
    known = {word.casefold() for word in _words(request.question)}
    new = dict.fromkeys(word for other in request.others for word in _words(other) if word.casefold() not in known)
    return Integrated(question=f"{request.question} ({', '.join(new)})" if new else request.question)


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+(?:['’-][^\W_]+)*", text)


SYSTEM = """You put a question so that it is as clear as possible, in a single sentence and in its own language. Other
wordings of it are given: take over what makes it clearer, and leave it as wide as it is: no condition, source or part that it does
not ask for. A question that is clear already is returned as it is."""

USER = """First question: {question}

Other questions:
{others}

Write the one question."""

integrate_questions = Task("integrate_questions", Prompt(SYSTEM, USER), QuestionsToIntegrate, Integrated, offline)
