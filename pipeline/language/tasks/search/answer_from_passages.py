"""The answer to a question from passages that were found for it, each sentence with the ids that it rests on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pipeline.base.task import NOT_SAID, Prompt, Prose, Request, Task
from pipeline.language.tasks.material import MATERIAL, SAME_LANGUAGE
from pipeline.language.tasks.reader.answer_from_notebook import is_supported
from pipeline.text.answering.sentence_selection import Statement, pick
from pipeline.text.question.question import Question
from pipeline.text.sentences import split


class PassageShown(NamedTuple):
    """A passage or record under a short id, with what it is under: a heading, a name, a page's title."""

    id: str
    title: str
    text: str


class Told(NamedTuple):
    """A statement that a passage makes, with the passage's id and the title above it: what the way without a model uses."""

    id: str
    text: str
    title: str


class Statements(NamedTuple):
    """What an answer without a model is picked from; ``types`` are those of the names in the statements."""

    told: tuple[Told, ...]
    asked: Question
    types: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class PassagesToAnswer(Request):
    """A question, the passages, and ``draft``, the answer without a model: excerpts of them, each with its id."""

    question: str
    passages: tuple[PassageShown, ...]
    n_words: int
    draft: str

    def shown(self, name: str) -> str:
        """Return the passages as sections under their ids."""
        if name != "passages":
            return super().shown(name)
        return "\n\n".join(f"[{passage.id}] {passage.title}\n{passage.text}" for passage in self.passages)


def offline(request: PassagesToAnswer) -> Prose:
    """Return the excerpts that answer, each with its id, or that the corpus does not say."""
    return Prose(text=request.draft)


def picked_answer(statements: Statements, n_words: int) -> str:
    """Return the answer that ``pipeline.text.answering.sentence_selection`` picks from statements, an id behind each sentence."""
    told = statements.told
    shown = [Statement(one.text, one.title, 1) for one in told]
    picked = pick(statements.asked, shown, dict(statements.types), n_words)
    if not is_supported(statements.asked, picked):
        return NOT_SAID
    return cited([(told[place].text, told[place].id) for place in picked.places])


def cited(parts: Sequence[tuple[str, str]]) -> str:
    """Return texts one after the other, the id of each behind every sentence of it."""
    return " ".join(f"{text[start:end]} [{id}]" for text, id in parts for start, end in split(text))


SYSTEM = f"""You answer a question from passages of a corpus, for a reader who will check what you say.

Say only what the passages say. After each sentence put the ids of the passages it rests on in square brackets, such as
[c3] or [c1][e4]; use only ids that are given. Answer directly, then add what explains it; keep names, dates and
numbers; where passages disagree, say so. When they do not answer the question, reply "{NOT_SAID}" and add at most one
sentence on what they do say of it. About {{n_words}} words at most, less when less will do.
{SAME_LANGUAGE}
{MATERIAL}"""

USER = """Question: {question}

<material>
{passages}
</material>

Write the answer."""

answer_from_passages = Task("answer_from_passages", Prompt(SYSTEM, USER), PassagesToAnswer, Prose, offline)
