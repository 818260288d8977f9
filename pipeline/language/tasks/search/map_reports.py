"""What a batch of community reports says to a question, point by point, with a score of how much it helps."""

from dataclasses import dataclass
from typing import NamedTuple

from pydantic import BaseModel, Field

from pipeline.base.task import Prompt, Request, Task
from pipeline.language.tasks.material import MATERIAL, SAME_LANGUAGE
from pipeline.text.overlap import asked_words, content_words, match_share
from pipeline.text.sentences import split


class ReportShown(NamedTuple):
    """A report under a short id: its importance from 0 to 10, and the statements it makes, each whole."""

    id: str
    title: str
    rating: float
    summary: str
    statements: tuple[str, ...]


class Point(BaseModel):
    """One point of an answer."""

    description: str = Field(description="the point, in sentences that stand on their own", min_length=1)
    score: int = Field(description="how much it helps to answer the question, from 0 (not) to 100", ge=0, le=100)
    reports: list[str] = Field(description="ids of the reports that it rests on")


class Points(BaseModel):
    """What a batch of reports says to a question."""

    points: list[Point] = Field(description="the points, none when the reports say nothing to the question")


@dataclass(frozen=True)
class ReportsToMap(Request):
    """A question and a batch of reports."""

    question: str
    reports: tuple[ReportShown, ...]

    def shown(self, name: str) -> str:
        """Return the reports as sections under their ids."""
        if name != "reports":
            return super().shown(name)
        return "\n\n".join(
            f"[{report.id}] {report.title}\n{report.summary}\n" + "\n".join(report.statements)
            for report in self.reports
        )


POINTS_PER_REPORT = 2
IMPORTANCE = 40
"""Share of the score that a report's importance gives, of 100: a question on the whole shares few words with its answers."""
SPEAKS_OF_IT = 0.3
"""Share of the question's words from which on a statement clearly speaks of it."""
SOME = 0.01
LEAST_WORDS = 6
"""Shorter sentences say too little to stand for a theme."""


def offline(request: ReportsToMap) -> Points:
    """Return the statements of each report closest to the question, all else being equal its first.

    Once some statement speaks of the question, those that share no word with it contribute nothing. Where none shares a
    word, importance alone makes points, but only for a question that asks for the whole.
    """
    wanted = asked_words(request.question)
    sentences = {
        report.id: [text[start:end] for text in (report.summary, *report.statements) for start, end in split(text)]
        for report in request.reports
    }
    shares = {sentence: match_share(wanted, sentence) for some in sentences.values() for sentence in some}
    closest = max(shares.values(), default=0)
    if not closest and wanted == content_words(request.question):
        return Points(points=[])
    least = SOME if closest >= SPEAKS_OF_IT else 0.0
    points = []
    said: set[str] = set()
    for report in request.reports:
        scored = []
        for place, sentence in enumerate(sentences[report.id]):
            if shares[sentence] < least:
                continue
            score = round(IMPORTANCE * report.rating / 10 + (100 - IMPORTANCE) * shares[sentence])
            scored.append((len(sentence.split()) < LEAST_WORDS, -score, place, sentence))
        best = [(score, sentence) for _, score, _, sentence in sorted(scored) if sentence not in said]
        for score, sentence in best[:POINTS_PER_REPORT]:
            said.add(sentence)
            points.append(Point(description=sentence, score=-score, reports=[report.id]))
    return Points(points=sorted(points, key=lambda point: (-point.score, point.description)))


SYSTEM = f"""You help to answer a question about a whole corpus. You see some of the reports on it; colleagues see the others.

List the points that these reports contribute to an answer, each with a score from 0 to 100 for how much it helps, and
the ids of the reports it rests on, only ids that are given in square brackets. Say nothing that the reports do not say.
When they say nothing to the question, return no points.
{SAME_LANGUAGE}
{MATERIAL}"""

USER = """Question: {question}

<material>
{reports}
</material>

List the points."""

map_reports = Task("map_reports", Prompt(SYSTEM, USER), ReportsToMap, Points, offline)
