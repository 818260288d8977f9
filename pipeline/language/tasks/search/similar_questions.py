"""Questions that mean much the same as one that was asked, in other words: each of them retrieves (RAG-Fusion)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import NamedTuple

from pydantic import BaseModel, Field

from pipeline.base.task import Prompt, Request, Task


class NameAsked(NamedTuple):
    """An entity that a question names: as it is written there, and how the corpus also writes it."""

    written: str
    others: tuple[str, ...]


class Questions(BaseModel):
    """Other questions."""

    questions: list[str] = Field(description="the questions, each complete in itself, none that was given")


@dataclass(frozen=True)
class QuestionToVary(Request):
    """A question, how many others are wanted, and for the way without a model the entities of the index that it names
    and those most closely related to them."""

    question: str
    n: int
    names: tuple[NameAsked, ...]
    near: tuple[str, ...]


def offline(request: QuestionToVary) -> Questions:
    """Return the question with other spellings of its names, and beside a related entity, in turn."""
    kinds = (
        _respelled(request),
        (f"{request.question} ({title})" for title in request.near),
    )
    found = dict.fromkeys(
        question for question in chain(*zip_longest(*kinds)) if question and question != request.question
    )
    return Questions(questions=list(found)[: request.n])


def _respelled(request: QuestionToVary) -> Iterator[str]:
    for other in chain(*zip_longest(*(name.others for name in request.names))):
        for name in request.names:
            if other and other in name.others:
                written = re.escape(name.written)
                yield re.sub(rf"(?<!\w){written}(?!\w)", other.replace("\\", r"\\"), request.question)


def check(request: QuestionToVary, reply: Questions) -> Questions:
    """Keep what is wanted: at most ``n`` questions, each once, none empty and none the one that was asked."""
    asked = " ".join(request.question.casefold().split())
    kept = {" ".join(question.split()): None for question in reply.questions}
    questions = [question for question in kept if question and question.casefold() != asked]
    return Questions(questions=questions[: request.n])


SYSTEM = """You put a question into other words, so that a search with each wording finds texts that the others miss.

Keep the meaning and the names. Change words and the side from which it is asked; do not answer, and do not add what was not
asked. Write in the language of the question."""

USER = """Question: {question}

Write {n} other questions."""

similar_questions = Task("similar_questions", Prompt(SYSTEM, USER), QuestionToVary, Questions, offline, check)
