"""Whether names that look alike are names of one thing, some pairs at a time, each with a reason."""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel, Field

from pipeline.base.task import Prompt, Request, Task
from pipeline.language.tasks.material import MATERIAL, SAME_LANGUAGE


class NameVerdict(BaseModel):
    """What is decided on one pair."""

    pair: int = Field(description="number of the pair")
    same: bool = Field(description="true only where both are names of one and the same thing")
    reason: str = Field(description="why, in a few words")


class NameVerdicts(BaseModel):
    """What is decided on all pairs."""

    verdicts: list[NameVerdict]


@dataclass(frozen=True)
class NamePairs(Request):
    """Pairs of names, numbered from 1, each with what the texts say of both."""

    pairs: tuple[str, ...]


def offline(request: NamePairs) -> NameVerdicts:
    """Return no verdict: what rules leave open stays apart without a model."""
    return NameVerdicts(verdicts=[])


def check(request: NamePairs, reply: NameVerdicts) -> NameVerdicts:
    """ValueError for a pair that was not shown, or one that is decided both ways."""
    decided: dict[int, bool] = {}
    for verdict in reply.verdicts:
        if not 1 <= verdict.pair <= len(request.pairs):
            raise ValueError(f"there is no pair {verdict.pair}; the pairs are 1 to {len(request.pairs)}")
        if decided.setdefault(verdict.pair, verdict.same) != verdict.same:
            raise ValueError(f"pair {verdict.pair} is decided both ways")
    return reply


SYSTEM = f"""You decide whether two names found in a collection of texts are names of one and the same person or thing.

Same: other spellings, a short form and the full name, an acronym and what it stands for, a slip of the pen.
Not the same: two members of a family, two people of one surname, an organisation and a part of it, a thing and its maker, a
work and its subject, two versions or numbers of a series.
A first or last name alone is the full name where the descriptions fit one person and the pair says that there is no other
name it may be short for; where there are others, only where the descriptions settle it. Of all other pairs: where the
descriptions do not settle it, they are not the same.
{SAME_LANGUAGE}
{MATERIAL}"""

USER = """<material>
{pairs}
</material>

Decide on every pair."""


def numbered(pairs: Sequence[str]) -> tuple[str, ...]:
    """Return pairs with their numbers before them."""
    return tuple(f"{number}. {pair}" for number, pair in enumerate(pairs, 1))


match_names = Task(
    "match_names", Prompt(SYSTEM, USER), NamePairs, NameVerdicts, offline, check, fallback=True, only_model=True
)
"""``pairs`` come as ``numbered`` gives them."""
