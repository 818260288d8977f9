"""Whether passages support the sentences of an answer that cite them: supported, partly, or not supported."""

from dataclasses import dataclass
from typing import NamedTuple

from pydantic import BaseModel, Field

from pipeline.base.task import Prompt, Request, Task
from pipeline.language.tasks.material import MATERIAL
from pipeline.text.answering.support import Verdict, verdict_of

BATCH = 12
"""Sentences of one request."""


class CitedSentence(NamedTuple):
    """A sentence of an answer under a short id, the passages that it cites, each with what it is under (a document's title,
    headings), and how well their words carry it, 0 to 1."""

    id: str
    text: str
    passages: tuple[tuple[str, str], ...]
    support: float


class SentenceVerdict(BaseModel):
    """The verdict on one sentence."""

    id: str = Field(description="id of the sentence")
    verdict: Verdict = Field(description="supported, partly, or not supported by the passages under it")


class SentenceVerdicts(BaseModel):
    """The verdicts on a batch of sentences."""

    verdicts: list[SentenceVerdict] = Field(description="one verdict for each sentence, in their order")


@dataclass(frozen=True)
class SentencesToConfirm(Request):
    """A batch of sentences with what they cite."""

    sentences: tuple[CitedSentence, ...]

    def shown(self, name: str) -> str:
        """Return the sentences as sections under their ids, each with its passages."""
        return "\n\n".join(map(_section, self.sentences)) if name == "sentences" else super().shown(name)


def _section(sentence: CitedSentence) -> str:
    passages = (f"- {heading}: {' '.join(text.split())}" for heading, text in sentence.passages)
    return "\n".join([f"[{sentence.id}] {' '.join(sentence.text.split())}", "Passages:", *passages])


def offline(request: SentencesToConfirm) -> SentenceVerdicts:
    """Return verdicts by how well the words of the passages carry each sentence."""
    verdicts = [SentenceVerdict(id=one.id, verdict=verdict_of(one.support)) for one in request.sentences]
    return SentenceVerdicts(verdicts=verdicts)


def check(request: SentencesToConfirm, reply: SentenceVerdicts) -> SentenceVerdicts:
    """Keep the first verdict on each sentence that was shown; ValueError when some sentence has none."""
    given = {one.id.strip("[] "): one.verdict for one in reversed(reply.verdicts)}
    missing = [one.id for one in request.sentences if one.id not in given]
    if missing:
        raise ValueError(f"no verdict on the sentences {', '.join(missing)}")
    return SentenceVerdicts(verdicts=[SentenceVerdict(id=s.id, verdict=given[s.id]) for s in request.sentences])


SYSTEM = f"""You check the sentences of an answer against the passages of a corpus that each of them cites.

supported: a reader who trusts these passages, and knows nothing else of the matter, would accept all that the sentence says.
partly: the passages say a part of it, and the rest is not in them.
not supported: they do not say it, or say otherwise; another number, date, name, or a "not" that only one side has, is
otherwise. What stands before the colon tells what a passage is about. Judge each sentence by its own passages alone, whether
or not it is true, and give every id exactly one verdict.
{MATERIAL}"""

USER = """<material>
{sentences}
</material>

Give the verdicts."""

confirm_support = Task("confirm_support", Prompt(SYSTEM, USER), SentencesToConfirm, SentenceVerdicts, offline, check)
