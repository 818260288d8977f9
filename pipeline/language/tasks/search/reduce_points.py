"""One answer to a question about the whole corpus, out of the points that the maps found."""

from dataclasses import dataclass
from typing import NamedTuple

from pipeline.base.task import Prompt, Prose, Request, Task
from pipeline.language.tasks.material import MATERIAL, SAME_LANGUAGE


class PointShown(NamedTuple):
    """A point under a short id, the title of the report it came from, and its score."""

    id: str
    title: str
    description: str
    score: int


@dataclass(frozen=True)
class PointsToReduce(Request):
    """A question, the points, best first, the form that the answer is to take, and how many words it may have."""

    question: str
    points: tuple[PointShown, ...]
    form: str
    n_words: int

    def shown(self, name: str) -> str:
        """Return the points as lines under their ids."""
        if name != "points":
            return super().shown(name)
        return "\n".join(f"[{point.id}] ({point.score}) {point.description}" for point in self.points)


THEMES = 7
PER_THEME = 2


def offline(request: PointsToReduce) -> Prose:
    """Return the best points grouped under the reports they came from, each with its id."""
    themes: dict[str, list[PointShown]] = {}
    for point in request.points:
        themes.setdefault(point.title, []).append(point)
    paragraphs: list[str] = []
    words = 0
    for title, points in list(themes.items())[:THEMES]:
        said = " ".join(f"{point.description} [{point.id}]" for point in points[:PER_THEME])
        words += len(said.split())
        if words > request.n_words and paragraphs:
            break
        paragraphs.append(f"{title}: {said}")
    return Prose(text="\n\n".join(paragraphs))


SYSTEM = f"""You write the answer to a question about a whole collection of documents, out of notes that were drawn from it. Whoever
reads the answer knows neither notes nor documents: write about the subject, never about notes, points, reports, records or
scores, nor about what they lack.

- Open with the answer itself, in two or three sentences: what weighs most, in order of weight, and who or what shows it.
- Then take up the themes of the answer, the weightiest first. Draw together what belongs to one theme from all the notes;
  set people, groups or documents against each other: who agrees, who differs, and in what; give the example or number that
  shows it best, and say what it means for the question.
- Use what answers the question. Pass over what is merely near it, bare lists of names, and the same fact told twice.
- Keep names, numbers and dates exact. What somebody claims, expects, doubts or denies is told as that person's view, as
  firmly as it is held; where two accounts differ, give both only if the difference matters to the question.
- Each sentence that says something of the subject, the opening included, ends with the ids of all the notes that its facts
  come from, such as [p3] or [p1][p4]; use only ids that are given. Headings carry none. Add no fact that no note holds.

Form: {{form}}
Length: as much as the notes hold on the question, {{n_words}} words at most.
{SAME_LANGUAGE}
{MATERIAL}"""

USER = """Question: {question}

Notes, each under its id with a score from 0 to 100 for how much it helps:
<material>
{points}
</material>

Write the answer."""

reduce_points = Task("reduce_points", Prompt(SYSTEM, USER), PointsToReduce, Prose, offline)
