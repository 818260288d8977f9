"""Which passages support the sentences of an answer, how far they do, and how a sentence reads that says no more than they."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from itertools import groupby
from typing import Annotated, NamedTuple

from pydantic import BaseModel, BeforeValidator, Field

from pipeline.base.task import Prompt, Request, Task, short_ids
from pipeline.language.tasks.material import MATERIAL
from pipeline.text.answering.support import MOST_SPANS, SPANS, Verdict, spans_of, verdict_of

BATCH = 24
"""Sentences of one request."""


class CandidatePassage(NamedTuple):
    """A passage under a short id, with what it is under: a document's title, headings; and what the text shows of it only farther
    above: who says it, the columns of its table."""

    id: str
    heading: str
    above: str
    text: str

    def as_line(self) -> str:
        """Return it as a prompt shows it below its heading."""
        above = f"({self.above}) " if self.above else ""
        return f"[{self.id}] {above}{' '.join(self.text.split())}"


class SentenceToConfirm(NamedTuple):
    """A sentence of an answer under a short id; the passages that support it best by their words, and how well, 0 to 1. A
    heading ``asserts`` nothing that needs a passage of its own."""

    id: str
    text: str
    passages: tuple[str, ...]
    support: float
    asserts: bool = True

    def as_line(self) -> str:
        """Return it as a prompt shows it."""
        return f"[{self.id}] {' '.join(self.text.split())}"


def _as_verdict(given: object) -> object:
    """Return a verdict as it is called here: "Not_supported." is not supported."""
    return " ".join(re.findall(r"[a-z]+", given.lower())) if isinstance(given, str) else given


class SentenceVerdict(BaseModel):
    """The verdict on one sentence."""

    id: str = Field(description="id of the sentence")
    passages: list[str] = Field(
        description=f"ids of the passages that together support it, {SPANS} at most, or as many as it has names, {MOST_SPANS} at most; "
        "none when not supported"
    )
    verdict: Annotated[Verdict, BeforeValidator(_as_verdict)] = Field(
        description="supported, partly, or not supported by these passages"
    )
    revised: Annotated[str, BeforeValidator(lambda given: given or "")] = Field(
        "", description="the sentence as these passages support it; empty where it can stay as it is"
    )


class SentenceVerdicts(BaseModel):
    """The verdicts on a batch of sentences."""

    verdicts: list[SentenceVerdict] = Field(description="one verdict for each sentence, in their order")


@dataclass(frozen=True)
class SentencesToConfirm(Request):
    """Consecutive sentences of an answer, the passages among which what supports them is sought, and the text right before."""

    passages: tuple[CandidatePassage, ...]
    sentences: tuple[SentenceToConfirm, ...]
    before: str = ""

    def shown(self, name: str) -> str:
        """Return passages under their headings, each heading once where they follow each other; the text before on one line."""
        if name == "passages":
            return "\n\n".join(
                "\n".join([f"{heading}:", *(one.as_line() for one in under)])
                for heading, under in groupby(self.passages, key=lambda one: one.heading)
            )
        return " ".join(self.before.split()) or "(nothing)" if name == "before" else super().shown(name)


def offline(request: SentencesToConfirm) -> SentenceVerdicts:
    """Return verdicts by how well the words of the passages carry each sentence."""
    verdicts = [
        SentenceVerdict(
            id=one.id, passages=list(one.passages), verdict=verdict_of(one.support) if one.asserts else "supported"
        )
        for one in request.sentences
    ]
    return SentenceVerdicts(verdicts=verdicts)


def check(request: SentencesToConfirm, reply: SentenceVerdicts) -> SentenceVerdicts:
    """Keep the first verdict on each sentence that was shown, with the passages that were; ValueError when some sentence has
    no verdict, or is called supported by passages that were not shown."""
    given = {id: one for one in reversed(reply.verdicts) for id in short_ids([one.id])}
    missing = [one.id for one in request.sentences if one.id not in given]
    if missing:
        raise ValueError(f"no verdict on the sentences {', '.join(missing)}")
    offered = {passage.id for passage in request.passages}
    verdicts = []
    for sentence in request.sentences:
        one = given[sentence.id]
        named = [id for id in short_ids(one.passages) if id in offered][: spans_of(sentence.text)]
        if one.passages and not named and one.verdict != "not supported":
            raise ValueError(f"no passage has the ids that are said to support the sentence {sentence.id}")
        verdict = one.verdict if named or not sentence.asserts else "not supported"
        revised = _plain(one.revised, {sentence.id, *offered}) if named or not sentence.asserts else ""
        verdicts.append(SentenceVerdict(id=sentence.id, passages=named, verdict=verdict, revised=revised))
    return SentenceVerdicts(verdicts=verdicts)


def _plain(text: str, ids: Collection[str]) -> str:
    """Return a text on one line without ids in brackets."""
    line = " ".join(text.split())
    return re.sub(r"\s*\[(?:" + "|".join(map(re.escape, sorted(ids))) + r")\]", "", line)


SYSTEM = f"""You check an answer, sentence by sentence, against passages of the corpus that it was written from.

For each sentence, choose the fewest passages that together support it, whichever sentence they may have been meant for: {SPANS} at
most, or where it names more people as many as these, {MOST_SPANS} at most. Give the verdict by these alone:
supported: a reader who trusts these passages, and knows nothing else of the matter, would accept all that the sentence says.
partly: they support a part of it, and the rest is not in them.
not supported: no passage says it, or they say otherwise; another number, date, name, or a "not" that only one side has, is
otherwise; so too that nobody says something, or that it is not there, unless a passage says so.
Passages follow each other as in their texts, below the document and section that they are from, with its date and, of a message,
who sent it to whom: the sender is its "I", an addressee its "you". Before a passage stands in round brackets, where the text shows
it, who speaks or writes there and the date of that message, or the columns of the table. All of that counts as said. A passage of a conversation that shows no speaker supports what a sentence gives to one of those who take part, unless it
reads as another's words. A full name counts where a passage has a part of it and can mean nobody else. A sentence that compares
is supported when its passages show both sides and how they compare; one that sums up or weighs the sentences around it is
supported when they bear it out: name the passages that show most of it. Judge by the passages, whether or not the sentence is
true. Give every sentence exactly one verdict.

Where a sentence is partly supported, also write it anew, so that its passages support all that it then says: leave out or
narrow what they do not support (a ranking, a cause, a comparison, a generality, a detail), correct what they say otherwise,
and keep the rest: same language, same tone, full names where "he" or "this" would no longer be clear. Add nothing that it did
not say, and nothing of passages or speakers that they do not name; wording that would mislead nobody can stay. When what
remains would tell the reader nothing, the verdict is not supported.
A heading (#) needs no passages: call it supported, and write it anew where it says more than the sentences under it still do.
Sentences that are not supported are taken out of the answer. Where the next one leans on what was taken out or corrected
("He also", "This"), write that one anew too, whatever its verdict, so that the answer reads on. All others stay as they are.
{MATERIAL}"""

USER = """<material>
Passages:
{passages}

Of the answer, before these sentences:
{before}

Sentences of the answer, in their order:
{sentences}
</material>

Give the verdicts."""

confirm_support = Task(
    "confirm_support", Prompt(SYSTEM, USER), SentencesToConfirm, SentenceVerdicts, offline, check, only_model=True
)
