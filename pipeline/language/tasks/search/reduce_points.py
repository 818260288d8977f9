"""One answer to a question about the whole corpus, out of the points that the maps found."""

import re
from dataclasses import dataclass
from typing import NamedTuple

from pipeline.base.task import Prompt, Prose, Request, Task
from pipeline.language.tasks.material import MATERIAL, QUESTION_LANGUAGE
from pipeline.language.tasks.search.answer_from_passages import cited


class PointShown(NamedTuple):
    """A point under a short id with its score."""

    id: str
    description: str
    score: int

    def as_line(self) -> str:
        """Return it as a prompt shows it."""
        return f"[{self.id}] ({self.score}) {self.description}"


class ThemeShown(NamedTuple):
    """A theme that recurs: what names it, and sentences that show it, with ids."""

    title: str
    sentences: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class PointsToReduce(Request):
    """A question, the points, best first, the form that the answer is to take, and how many words it may have.

    ``themes`` are what an answer without a model names where a question asks for the whole, and ``draft`` that answer where it asks
    for one thing, or what is said before the themes.
    """

    question: str
    points: tuple[PointShown, ...]
    form: str
    n_words: int
    themes: tuple[ThemeShown, ...] = ()
    draft: str = ""


def offline(request: PointsToReduce) -> Prose:
    """Return the draft, if any, and the themes, each with sentences that show it and their ids.

    Of the forms, a list, a paragraph and a sentence are known; others are written as paragraphs.
    """
    form = request.form.casefold()
    themes = [(one.title[:1].upper() + one.title[1:], cited(one.sentences)) for one in request.themes]
    themes = [*([("", request.draft)] if request.draft or not themes else ()), *themes]
    if "sentence" in form:
        return Prose(text=re.split(r"(?<=\])\s", themes[0][1], maxsplit=1)[0])
    parts: list[str] = []
    words = 0
    for heading, text in themes:
        words += len(heading.split()) + len(text.split())
        if words > request.n_words and parts and not heading:  # what points hold bounds what is written of points
            break
        mark = "- " if "list" in form else ""
        parts.append(f"{mark}**{heading}**\n{text}" if heading else f"{mark}{text}")
    return Prose(text=(" " if form == "one paragraph" else "\n" if "list" in form else "\n\n").join(parts))


SYSTEM = f"""You write the answer to a question about a whole collection of documents, out of notes that were drawn from it. Whoever
reads the answer knows neither notes nor documents: write about the subject, never about notes, points, reports, records or
scores, nor about what they lack.

- Open with the answer itself, in two or three sentences: what weighs most, in order of weight, and who or what shows it. What
  the opening says, the rest says too, with its detail.
- Then take up the themes of the answer, the weightiest first. Draw together what belongs to one theme from all the notes; where
  they show that people, groups or documents agree or differ on the same matter, say who, and in what; give the example or
  number that shows it best. What nobody says, and what others do not say, is no finding.
- Use what answers the question. Pass over what is merely near it, bare lists of names, and the same fact told twice; where
  several notes say the same, cite those that say it best.
- Let each sentence be one that a reader can check against the notes it cites, three at most (what needs more is two sentences),
  and against the sentences around it: what somebody says or does, with whose it is, or what these come to.
- Keep names, numbers and dates exact. What somebody claims, expects, doubts or denies is told as that person's view, as
  firmly as it is held; what a host or interviewer says is never given to the guest, nor the other way round. Where two
  accounts differ, give both only if the difference matters to the question.
- End with a paragraph that answers the question as much as those before it: no summing up, nothing that is merely left over.
- Each sentence that says something of the subject, the opening included, ends with the ids of the notes that its facts
  come from, such as [p3] or [p1][p4]; a sentence that compares or concludes, with those of the notes it draws on. Use only
  ids that are given. Headings carry none. Add no fact that no note holds.

Form: {{form}}
Length: {{n_words}} words at most, fewer where the notes hold less on the question.
{QUESTION_LANGUAGE}
{MATERIAL}"""

USER = """Question: {question}

Notes, each under its id with a score from 0 to 100 for how much it helps:
<material>
{points}
</material>

Write the answer."""

reduce_points = Task("reduce_points", Prompt(SYSTEM, USER), PointsToReduce, Prose, offline)
