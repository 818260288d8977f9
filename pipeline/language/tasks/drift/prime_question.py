"""A first answer to a question from some reports on the corpus, and what to ask next (DRIFT's primer)."""

from collections.abc import Iterable
from dataclasses import dataclass

from pydantic import BaseModel, Field

from pipeline.base.task import Prompt, Request, Task
from pipeline.language.tasks.material import MATERIAL, QUESTION_LANGUAGE
from pipeline.language.tasks.search.answer_from_passages import PassageShown, cited
from pipeline.text.question.names import names_in
from pipeline.text.question.question import Question
from pipeline.text.sentences import CLOSED, QUESTION, split


class Intermediate(BaseModel):
    """An answer on the way, how far it goes, and the questions it leaves."""

    answer: str = Field(description="what the material says to the question, with the ids it rests on")
    score: int = Field(
        description="how far that helps with the question to be answered in the end, from 0 (not at all) to 100",
        ge=0,
        le=100,
    )
    follow_ups: list[str] = Field(description="questions to ask next, each complete in itself, the best first")


@dataclass(frozen=True)
class ReportsToPrime(Request):
    """A question and some reports, how many follow-up questions are wanted, and the question as it was read."""

    question: str
    reports: tuple[PassageShown, ...]
    n: int
    asked: Question


PICKED = 3
"""Sentences of an answer on the way."""


def offline(request: ReportsToPrime) -> Intermediate:
    """Return the sentences closest to the question, and the question again with each name that they bring in."""
    return intermediate(request.asked, request.reports, request.n)


def intermediate(asked: Question, passages: Iterable[PassageShown], n: int) -> Intermediate:
    """Return the sentences of passages that are closest to a question, each once; the score is the share of the question that
    they meet."""
    sentences: dict[str, tuple[str, tuple[float, ...]]] = {}
    for passage in passages:
        for start, end in split(passage.text):
            sentence = " ".join(passage.text[start:end].split())
            if is_whole(sentence):
                sentences.setdefault(sentence, (passage.id, asked.met_under(sentence, passage.title)))
    best = sorted(sentences, key=lambda sentence: (-asked.share_of_one(sentences[sentence][1]), sentence))[:PICKED]
    best = [sentence for sentence in best if any(sentences[sentence][1])]
    met = tuple(map(max, zip(*(sentences[sentence][1] for sentence in best), strict=True)))
    new = dict.fromkeys(name for sentence in best for name in names_in(sentence) if name not in asked.text)
    return Intermediate(
        answer=cited([(sentence, sentences[sentence][0]) for sentence in best]),
        score=round(100 * asked.share_of_one(met)) if met else 0,
        follow_ups=[f"{asked.text} ({name})" for name in list(new)[:n]],
    )


def is_whole(text: str) -> bool:
    """Return whether a text on one line is a statement: no heading, fragment or question."""
    return bool(CLOSED.search(text)) and not QUESTION.search(text) and text[0] not in "#|" and not text[0].islower()


SYSTEM = f"""You begin to answer a question about a corpus from reports on parts of it. Closer reading comes later.

Say what the reports contribute, after each sentence the ids of the reports it rests on in square brackets, only ids that
are given; leave the answer empty when they contribute nothing, and never tell what they lack. Score how far that helps with the
question. Then ask what a closer reading should find out next: precise questions on persons, places, events and reasons that the
reports leave open. Each asks one thing and names whom or what it is about, as the reports or the question do; never ask for
what is other than something, since a search finds what is named. Where nothing is worth asking, ask nothing.
{QUESTION_LANGUAGE} Put the questions in the language of the reports: the search looks for their words.
{MATERIAL}"""

USER = """Question: {question}

<material>
{reports}
</material>

Answer as far as the reports go, if they do, and write up to {n} follow-up questions."""

prime_question = Task("prime_question", Prompt(SYSTEM, USER), ReportsToPrime, Intermediate, offline)
