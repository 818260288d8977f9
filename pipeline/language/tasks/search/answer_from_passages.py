"""The answer to a question from passages that were found for it, each sentence with the ids that it rests on."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from pipeline.base.task import NOT_SAID, Prompt, Prose, Request, Task
from pipeline.language.tasks.material import GAP_RULE, MATERIAL, QUESTION_LANGUAGE
from pipeline.text.sentences import split
from pipeline.text.summary.findings import is_closed


class PassageShown(NamedTuple):
    """A passage or record under a short id, with what it is under: a heading, a name, a page's title; ``speaker`` says it, where
    the passage's own words do not tell who."""

    id: str
    title: str
    text: str
    speaker: str = ""

    def as_section(self) -> str:
        """Return it as a prompt shows it."""
        return f"[{self.id}] {self.title}\n{self.text}"


@dataclass(frozen=True)
class PassagesToAnswer(Request):
    """A question, the passages, and ``draft``, the answer without a model: excerpts of them, each with its id."""

    question: str
    passages: tuple[PassageShown, ...]
    n_words: int
    draft: str

    def shown(self, name: str) -> str:
        """Return passages below their titles, each title once where several in a row are under it; other fields as they are."""
        if name != "passages":
            return super().shown(name)
        titled = groupby(self.passages, key=lambda passage: passage.title)
        apart = "\n\n" if any("\n" in passage.text for passage in self.passages) else "\n"
        return "\n\n".join(f"{title}\n{apart.join(map(_line, passages))}" for title, passages in titled)


def _line(passage: PassageShown) -> str:
    return f"[{passage.id}] {f'({passage.speaker}) ' if passage.speaker else ''}{passage.text}"


def offline(request: PassagesToAnswer) -> Prose:
    """Return the excerpts that answer, each with its id, or that the corpus does not say."""
    return Prose(text=request.draft)


def cited(parts: Sequence[tuple[str, str]]) -> str:
    """Return texts one after the other, the id of each behind every sentence of it; one that ends in no mark is a paragraph of
    its own, for with the next it would read as one sentence."""
    sentences = [(text[start:end], id) for text, id in parts for start, end in split(text)]
    said = "".join(f"{text} [{id}]{' ' if is_closed(text) else 2 * chr(10)}" for text, id in sentences)
    return said.strip()


SYSTEM = f"""You answer a question from passages of a corpus, for a reader who will check what you say.

Say only what the passages say. After each sentence put the ids of the passages it rests on in square brackets, such as
[c3] or [c1][e4]; use only ids that are given. Answer directly, then add what explains it; keep names, dates and
numbers; where passages disagree, say so. Where they contradict what the question takes for granted, that is the answer: say what
they say instead. Each passage stands below the title of what it is from; words without a speaker's name are those of whoever is
named in round brackets before them, else in the title, if anybody is. Keep apart what a host says and what a guest does. When
they answer a part of the question only, {GAP_RULE}. When they answer none of it, reply only with these English words: {NOT_SAID}
About {{n_words}} words at most, less when less will do.
{QUESTION_LANGUAGE}
{MATERIAL}"""

USER = """Question: {question}

<material>
{passages}
</material>

Write the answer."""

answer_from_passages = Task("answer_from_passages", Prompt(SYSTEM, USER), PassagesToAnswer, Prose, offline)
