"""Questions that a passage answers, each with the words that answer it, and questions that it raises and does not answer."""

from dataclasses import dataclass

from pydantic import BaseModel, Field

from pipeline.base.task import Prompt, Request, Task
from pipeline.language.tasks.material import MATERIAL
from pipeline.text.quotes import locate

QUESTIONS = 2
"""Answered questions that are asked for of each passage; besides one that is not answered."""


class WrittenQuestion(BaseModel):
    """A question that a passage answers."""

    question: str = Field(description="the question, understood without the passage")
    answer: str = Field(description="the answer, in a few words")
    quote: str = Field(description="the sentence of the passage that answers it, word for word")


class WrittenQuestions(BaseModel):
    """What can be asked about a passage."""

    answered: list[WrittenQuestion] = Field(description=f"questions that the passage answers, at most {QUESTIONS}")
    unanswered: str = Field(
        description="one question on the same matters that the passage does not answer, and that names what it is about"
    )


@dataclass(frozen=True)
class PassageToAskAbout(Request):
    """A passage with the title above it."""

    title: str
    text: str


def offline(request: PassageToAskAbout) -> WrittenQuestions:
    """Return nothing: without a model questions are made from the annotated sentences."""
    return WrittenQuestions(answered=[], unanswered="")


def check(request: PassageToAskAbout, reply: WrittenQuestions) -> WrittenQuestions:
    """Return the reply with quotes as the passage has them; ValueError where no question has a quote that is in it."""
    found = []
    for one in reply.answered[:QUESTIONS]:
        span = locate(one.quote, request.text)
        if span and one.question.strip() and one.answer.strip():
            found.append(one.model_copy(update={"quote": request.text[slice(*span)]}))
    if reply.answered and not found:
        raise ValueError("no quote is in the passage word for word")
    return reply.model_copy(update={"answered": found})


SYSTEM = f"""You write questions by which a search over a large collection of texts is tested. From one passage you write
questions that somebody would ask who has never seen it and wants to know what it says.

Each question names the people, things and dates that it is about, so that it is understood alone and has one answer in the
whole collection; it never mentions a passage, a text or an author's words, and does not repeat the sentence that answers it
word for word. The answer is a few words. The quote is the sentence that gives the answer, copied exactly but for line breaks. Then write one
question about the same people or things that the passage leaves open and that such a collection might not answer. Write all
of them in the language of the passage.
{MATERIAL}"""

USER = """<material>
{title}
{text}
</material>

Write the questions."""

write_questions = Task(
    "write_questions", Prompt(SYSTEM, USER), PassageToAskAbout, WrittenQuestions, offline, check, only_model=True
)
