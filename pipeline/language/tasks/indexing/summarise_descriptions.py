"""One description out of many of the same entity or relationship, when joined they are too long."""

from dataclasses import dataclass

from pydantic import BaseModel, Field

from pipeline.base.task import Prompt, Request, Task
from pipeline.language.tasks.material import MATERIAL, SAME_LANGUAGE
from pipeline.text.extraction.mention_rank import MentionRank, rank_of_mention
from pipeline.text.scripts import language_of
from pipeline.text.summary.sentence_ranking import ranking

LANGUAGE_BY = 10
"""Descriptions by which their language is known."""


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
    """Return the most central descriptions that fit: those that open with what is described, then where there is room for
    all of these others that mention it, each in their first order; what it only said or was sent where there is nothing else."""
    said = [rank_of_mention(request.title, description) for description in request.descriptions]
    levels = [
        [index for index, one in enumerate(said) if one <= MentionRank.OPENS],
        [index for index, one in enumerate(said) if one == MentionRank.MENTIONS],
    ]
    texts: list[str] = []
    room = request.n_words
    language = language_of(" ".join(request.descriptions[:LANGUAGE_BY]))
    for level in levels if any(levels) else [list(range(len(said)))]:
        best: list[int] = []
        for place, _ in ranking([request.descriptions[index] for index in level], request.title, language=language):
            room -= _length(request.descriptions[level[place]])
            if room < 0 and (best or texts):
                break
            best.append(level[place])
        texts += [request.descriptions[index] for index in sorted(best)]
        if room < 0:
            break
    return Description(description="\n".join(texts))


def _length(text: str) -> int:
    """Return about how many words a text has; scripts without spaces count half a word a character."""
    return max(len(text.split()), len(text) // 12)


SYSTEM = f"""You join several descriptions of one thing into one. Begin with who or what it is. Then what tells most of it, with
names, dates and numbers; what several descriptions say is said once, and what they mention in passing is left out first where
there is no room for all. Where descriptions contradict each other, say so. Write about the thing, never about the texts that
describe it; in the third person, with its name.
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
