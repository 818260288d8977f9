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
    """A question and the points, best first."""

    question: str
    points: tuple[PointShown, ...]
    n_words: int

    def shown(self, name: str) -> str:
        """Return the points as lines under their ids."""
        if name != "points":
            return super().shown(name)
        return "\n".join(f"[{point.id}] (score {point.score}) {point.description}" for point in self.points)


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


SYSTEM = f"""You write the answer to a question about a whole corpus from points that colleagues drew from reports on it.

Join what belongs together, weigh by score, keep names, dates and numbers, and say where points disagree. After each
sentence put the ids of the points it rests on in square brackets, such as [p3] or [p1][p4]; use only ids that are given.
Add nothing of your own. About {{n_words}} words, in paragraphs.
{SAME_LANGUAGE}
{MATERIAL}"""

USER = """Question: {question}

<material>
{points}
</material>

Write the answer."""

reduce_points = Task("reduce_points", Prompt(SYSTEM, USER), PointsToReduce, Prose, offline)
