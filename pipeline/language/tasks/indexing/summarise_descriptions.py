"""One description out of many of the same entity or relationship, when joined they are too long."""

from dataclasses import dataclass

from pydantic import BaseModel, Field

from pipeline.base.task import Prompt, Request, Task
from pipeline.language.tasks.material import MATERIAL, SAME_LANGUAGE
from pipeline.text.summary.sentence_ranking import rank_sentences

RANKED_FIRST = 64
"""Descriptions that are ranked at first; a longer ranking begins with a shorter one."""


class Description(BaseModel):
    """One description."""

    description: str = Field(description="the description, at most as long as asked for", min_length=1)


@dataclass(frozen=True)
class ManyDescriptions(Request):
    """What is described, its descriptions, and how long the one description may be, in words."""

    title: str
    descriptions: tuple[str, ...]
    n_words: int

    def shown(self, name: str) -> str:
        """Return descriptions as a list."""
        if name == "descriptions":
            return "\n".join(f"- {description}" for description in self.descriptions)
        return super().shown(name)


def offline(request: ManyDescriptions) -> Description:
    """Return the most central descriptions that fit, in their first order.

    Only as many are ranked as fit: each that is ranked is compared with all others, and a name of a large corpus has
    thousands.
    """
    limit = RANKED_FIRST
    while True:
        best, full = _fitting(request, limit)
        if full or limit >= len(request.descriptions):
            return Description(description="\n".join(request.descriptions[index] for index in sorted(best)))
        limit *= 4


def _fitting(request: ManyDescriptions, limit: int) -> tuple[list[int], bool]:
    """Return the best of at most ``limit`` descriptions that fit, and whether there was no room for more."""
    best: list[int] = []
    words = 0
    for index, _ in rank_sentences(request.descriptions, query=request.title, limit=limit):
        words += _length(request.descriptions[index])
        if words > request.n_words and best:
            return best, True
        best.append(index)
    return best, False


def _length(text: str) -> int:
    """Return about how many words a text has; scripts without spaces count half a word a character."""
    return max(len(text.split()), len(text) // 12)


SYSTEM = f"""You join several descriptions of one thing into one. Keep every fact, name, date and number that fits; where
descriptions contradict each other, say so. Write in the third person, with the name of what is described.
{SAME_LANGUAGE}
{MATERIAL}"""

USER = """<material>
What is described: {title}

{descriptions}
</material>

Join them into one description of at most {n_words} words."""

summarise_descriptions = Task(
    "summarise_descriptions", Prompt(SYSTEM, USER), ManyDescriptions, Description, offline, fallback=True
)
