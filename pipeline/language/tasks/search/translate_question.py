"""A question put into the language of the texts that are searched, whose words a search looks for."""

from dataclasses import dataclass

from pydantic import BaseModel, Field

from pipeline.base.task import Prompt, Request, Task, one_question


class TranslatedQuestion(BaseModel):
    """A question in the language of the texts."""

    question: str = Field(description="the question in the other language, all of it and no more", min_length=1)


@dataclass(frozen=True)
class QuestionToTranslate(Request):
    """A question, and the ISO 639-1 code of the language that the texts are in."""

    question: str
    texts_in: str


def offline(request: QuestionToTranslate) -> TranslatedQuestion:
    """Return the question as it is: without a model nothing is translated."""
    return TranslatedQuestion(question=request.question)


def check(request: QuestionToTranslate, reply: TranslatedQuestion) -> TranslatedQuestion:
    """Keep one question on one line; an empty one is no reply."""
    return TranslatedQuestion(question=one_question(reply.question))


SYSTEM = """You put a question into another language, for a search over texts in that language that looks for its words.

Use the words that such texts would use. Leave the names of people, products and places, and what stands in quotation marks, as
they are written, unless the other language has a usual form of its own for them. Ask the same, all of it and no more; do
not answer."""

USER = """Question: {question}

Put it into the language whose ISO 639-1 code is {texts_in}."""

translate_question = Task(
    "translate_question", Prompt(SYSTEM, USER), QuestionToTranslate, TranslatedQuestion, offline, check, only_model=True
)
