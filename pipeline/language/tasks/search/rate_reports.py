"""How much a community's report has to say to a question, 0 to 5: what dynamic selection descends by."""

import math
from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

from pydantic import BaseModel, Field

from pipeline.base.task import Prompt, Request, Task, short_ids
from pipeline.language.tasks.material import MATERIAL
from pipeline.text.keys import content_keys, keys_of
from pipeline.text.question.asking_words import question_language
from pipeline.text.question.scope.whole import asked_keys
from pipeline.text.sentences import split


class ReportToRate(NamedTuple):
    """A report under a short id, with its importance from 0 to 10."""

    id: str
    title: str
    importance: float
    text: str

    def as_section(self) -> str:
        """Return it as a prompt shows it."""
        return f"[{self.id}] {self.title}\n{self.text}"


class Rating(BaseModel):
    """The rating of one report."""

    id: str = Field(description="id of the report")
    rating: int = Field(description="0 to 5", ge=0, le=5)


class Ratings(BaseModel):
    """The ratings of a batch of reports."""

    ratings: list[Rating] = Field(description="one rating for each report, in their order")


@dataclass(frozen=True)
class ReportsToRate(Request):
    """A question and a batch of reports."""

    question: str
    reports: tuple[ReportToRate, ...]


LEAST_IMPORTANCE = 0.4
"""Importance, of 1, that a report counts at least with where a question asks for the whole: it is then rated 2."""


def offline(request: ReportsToRate) -> Ratings:
    """Return ratings by the words that question and report share, and by importance where the question is on the whole.

    Of the question's words those that ask for the whole ("main themes") weigh by the report's importance; the others by
    what share of them, rare ones of the batch above frequent ones, the report holds and its closest sentence holds, half
    each. On the sample corpus "What are the main themes?" rates every top report 2 to 4 and no child above its parent,
    so the top level is kept; "Who held La Charité-sur-Loire?" rates the child that says so above all others.
    """
    language = question_language(request.question)
    asked = asked_keys(request.question, language)
    wanted = sorted(asked)
    whole = 1 - len(asked) / max(len(content_keys(request.question, language)), 1)
    texts = [[keys_of(report.text[a:b], language) for a, b in split(report.text)] for report in request.reports]
    counts = Counter(word for sentences in texts for word in frozenset().union(*sentences) if word in wanted)
    weights = {word: math.log(1 + len(texts) / max(counts[word], 1)) for word in wanted}
    return Ratings(
        ratings=[
            Rating(id=report.id, rating=_rate(report.importance, sentences, weights, whole))
            for report, sentences in zip(request.reports, texts, strict=True)
        ]
    )


def _rate(importance: float, sentences: list[frozenset[str]], weights: dict[str, float], whole: float) -> int:
    def share(words: frozenset[str]) -> float:
        return sum(w for word, w in weights.items() if word in words) / (sum(weights.values()) or 1.0)

    met = (max(map(share, sentences), default=0.0) + share(frozenset().union(*sentences))) / 2
    if weights and not met:
        return 0
    return round(5 * ((1 - whole) * met + whole * max(importance / 10, LEAST_IMPORTANCE)))


def check(request: ReportsToRate, reply: Ratings) -> Ratings:
    """Keep the first rating of each report that was offered; ValueError when some report has none."""
    offered = {report.id: None for report in request.reports}
    kept = {id: rating.rating for rating in reversed(reply.ratings) for id in short_ids([rating.id])}
    missing = [id for id in offered if id not in kept]
    if missing:
        raise ValueError(f"no rating for the reports {', '.join(missing)}")
    return Ratings(ratings=[Rating(id=id, rating=kept[id]) for id in offered])


SYSTEM = f"""You rate how much each of some reports on a corpus has to say to a question.

0: nothing. 1: it touches the subject. 2: it holds something that an answer could mention. 3: it holds part of an answer.
4: it holds most of an answer. 5: it answers the question, and more detail would add nothing.
Rate each report by itself and give every id exactly one rating.
{MATERIAL}"""

USER = """Question: {question}

<material>
{reports}
</material>

Rate the reports."""

rate_reports = Task("rate_reports", Prompt(SYSTEM, USER), ReportsToRate, Ratings, offline, check)
