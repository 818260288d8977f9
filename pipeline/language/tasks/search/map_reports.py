"""What a batch of community reports says to a question, point by point, with a score of how much it helps."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from pydantic import BaseModel, Field

from pipeline.base.task import Prompt, Request, Task
from pipeline.language.tasks.material import MATERIAL, QUESTION_LANGUAGE
from pipeline.text.answering.support import negates
from pipeline.text.keys import content_keys, share_met
from pipeline.text.question.asking_words import question_language
from pipeline.text.question.scope.whole import asked_keys
from pipeline.text.scripts import language_of
from pipeline.text.sentences import split
from pipeline.text.summary.findings import finding_text, repeats


class FindingShown(NamedTuple):
    """A finding under a short id, such as r3.2 for the second of report r3: its summary line, and what explains it."""

    id: str
    summary: str
    explanation: str


class ReportShown(NamedTuple):
    """A report under a short id: its importance from 0 to 10, the documents it was drawn from, and its findings."""

    id: str
    title: str
    rating: float
    documents: str
    summary: str
    findings: tuple[FindingShown, ...]

    def as_section(self) -> str:
        """Return it as a prompt shows it: of its summary what the findings do not say."""
        source = f" (from {self.documents})" if self.documents else ""
        said = [(id, finding_text(summary, explanation)) for id, summary, explanation in self.findings]
        opening = f"[{self.id}] {self.title}{source}: {_beyond(self.summary, (text for _, text in said))}"
        return "\n".join([opening.removesuffix(": "), *(f"[{id}] {text}" for id, text in said)])

    def statements(self) -> list[tuple[str, str]]:
        """Return the ids and texts of what it says: the summary under its own id, the findings under theirs."""
        said = [(finding.id, finding.explanation or finding.summary) for finding in self.findings]
        return [(self.id, self.summary), *said]


def _beyond(summary: str, findings: Iterable[str]) -> str:
    """Return the sentences of a summary that its findings together do not repeat; one that denies something is no repetition."""
    said = " ".join(findings)
    sentences = (summary[start:end] for start, end in split(summary))
    language = language_of(summary)
    return " ".join(sentence for sentence in sentences if negates(sentence, language) or not repeats(said, sentence))


class Point(BaseModel):
    """One point of an answer."""

    description: str = Field(description="the point, in one to three sentences that can be read alone", min_length=1)
    score: int = Field(description="how much it helps to answer the question, from 0 (not) to 100", ge=0, le=100)
    findings: list[str] = Field(description="ids of the findings that it rests on, such as r3.2")


class Points(BaseModel):
    """What a batch of reports says to a question."""

    points: list[Point] = Field(
        description="the points, the most helpful first; none when nothing bears on the question"
    )


@dataclass(frozen=True)
class ReportsToMap(Request):
    """A question, a batch of reports, and the documents behind them, a line each."""

    question: str
    documents: tuple[str, ...]
    reports: tuple[ReportShown, ...]


POINTS_PER_REPORT = 2
IMPORTANCE = 40
"""Share of the score that a report's importance gives, of 100: a question on the whole shares few words with its answers."""
SPEAKS_OF_IT = 0.3
"""Share of the question's words from which on a statement clearly speaks of it."""
SOME = 0.01
LEAST_WORDS = 6
"""Shorter sentences say too little to represent a theme."""


def offline(request: ReportsToMap) -> Points:
    """Return the statements of each report closest to the question, all else being equal its first.

    Once some statement speaks of the question, those that share no word with it contribute nothing. Where none shares a
    word, importance alone makes points, but only for a question that asks for the whole.
    """
    language = question_language(request.question)
    asked = asked_keys(request.question, language)
    sentences = {
        report.id: [(id, text[start:end]) for id, text in report.statements() for start, end in split(text)]
        for report in request.reports
    }
    shares = {sentence: share_met(asked, sentence, language) for some in sentences.values() for _, sentence in some}
    closest = max(shares.values(), default=0)
    if not closest and asked == content_keys(request.question, language):
        return Points(points=[])
    least = SOME if closest >= SPEAKS_OF_IT else 0.0
    points = []
    used: set[str] = set()
    for report in request.reports:
        scored = []
        for place, (id, sentence) in enumerate(sentences[report.id]):
            if shares[sentence] < least:
                continue
            score = round(IMPORTANCE * report.rating / 10 + (100 - IMPORTANCE) * shares[sentence])
            scored.append((len(sentence.split()) < LEAST_WORDS, -score, place, sentence, id))
        best = [(score, sentence, id) for _, score, _, sentence, id in sorted(scored) if sentence not in used]
        for score, sentence, id in best[:POINTS_PER_REPORT]:
            used.add(sentence)
            points.append(Point(description=sentence, score=-score, findings=[id]))
    return Points(points=sorted(points, key=lambda point: (-point.score, point.description)))


SYSTEM = f"""You help to answer a question about a whole collection of documents. You see some of the reports on its subjects; the
others are read elsewhere, and one answer will be written from the points that all of them give.

List the points that these reports contribute to the answer, the most helpful first. A point is one thing that bears on the
question: who says or does what, with the reason, example, number or date that carries it.
- Write each so that it can be read alone, in one to three sentences: full names in place of "she" or "the project", and the
  document or occasion where that matters.
- Name the one who says it: what the host of a conversation asks, tells or sums up is not the guest's view, nor the other way round.
- Join findings that say the same. Keep what different people say of one matter apart, so that they can be compared.
- Write about the world, never about reports or records, what they lack or how they mark something: what is called suspected
  is what somebody thinks. Where the question asks what recurs, give each case with whose it is; cases are counted later.
- Score each from 0 to 100: 90 is a main part of the answer, 60 a good part or example, 30 a detail. Leave out what is
  merely near the question.
- Name the findings it rests on by their ids, such as r3.2 (r3 for the opening paragraph of a report).
- Say nothing that the reports do not say. What somebody expects, doubts or denies is that person's view: say whose.
When nothing here bears on the question, return no points.
{QUESTION_LANGUAGE}
{MATERIAL}"""

USER = """<material>
Documents:
{documents}

Reports:

{reports}
</material>

Question: {question}

List the points."""

map_reports = Task("map_reports", Prompt(SYSTEM, USER), ReportsToMap, Points, offline)
