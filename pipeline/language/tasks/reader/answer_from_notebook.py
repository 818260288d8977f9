"""The answer to a question out of the notebooks of all readers (GraphReader, arXiv 2406.14550, 3.4)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pipeline.base.task import NOT_SAID, Prompt, Prose, Request, Task
from pipeline.language.tasks.material import MATERIAL, SAME_LANGUAGE
from pipeline.text.answering.sentence_selection import Picked, Statement, pick
from pipeline.text.question.question import Question
from pipeline.text.sentences import split


class EvidenceShown(NamedTuple):
    """A fact (f1, f2, ...) or a sentence of a chunk (c1, c2, ...) under a short id, with the title above it; where a reader
    quoted the chunk, the words that were quoted."""

    id: str
    title: str
    statement: Statement
    quote: str = ""


class NotebookShown(NamedTuple):
    """The notes of one reader, each with the ids of its evidence."""

    start: str
    notes: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True)
class NotebooksToAnswer(Request):
    """A question and all that was noted; ``types`` are those of the names in the evidence."""

    question: str
    plan: str
    notebooks: tuple[NotebookShown, ...]
    evidence: tuple[EvidenceShown, ...]
    n_words: int
    asked: Question
    types: tuple[tuple[str, str], ...]

    def shown(self, name: str) -> str:
        """Return notebooks and evidence as lines under their ids."""
        if name == "notebooks":
            return "\n\n".join(_notebook(place, notebook) for place, notebook in enumerate(self.notebooks, 1))
        if name == "evidence":
            return "\n".join(
                f"[{item.id}] ({item.title}) {item.quote or item.statement.text}" for item in self.evidence
            )
        return super().shown(name)


def _notebook(place: int, notebook: NotebookShown) -> str:
    notes = (f"- {text} {''.join(f'[{id}]' for id in ids)}" for text, ids in notebook.notes)
    return "\n".join([f"Reader {place}, who started from {notebook.start}:", *notes])


SUPPORTED = 0.7
"""Share of the question's weight that the chosen statements must meet together."""
CLOSE = 0.4
"""How close to the question one of them must be alone: what no statement says is not said by several that each hold a word."""


def choose(request: NotebooksToAnswer) -> Picked:
    """Return the statements that answer best."""
    statements = [item.statement for item in request.evidence]
    return pick(request.asked, statements, dict(request.types), request.n_words)


def offline(request: NotebooksToAnswer) -> Prose:
    """Return the few statements that meet the question best, each sentence with its id, or that the corpus does not say."""
    picked = choose(request)
    if not is_supported(request.asked, picked):
        return Prose(text=NOT_SAID)
    return Prose(text=_cited([request.evidence[place] for place in picked.places]))


def is_supported(asked: Question, picked: Picked) -> bool:
    """Return whether the chosen statements speak of every name of the question and of enough of the rest; no statement says
    what a word of the question asks that the corpus does not hold."""
    held = all(term.held for term in asked.terms)
    if not picked.places or not held or asked.named(picked.met) != asked.names:
        return False
    return picked.closeness >= CLOSE and asked.share_of_one(picked.met) >= SUPPORTED


def _cited(items: Sequence[EvidenceShown]) -> str:
    """Return the sentences of some evidence, each once, with the id of what it belongs to."""
    said: dict[str, str] = {}
    for item in items:
        text = item.statement.text
        for start, end in split(text):
            said.setdefault(text[start:end], item.id)
    return " ".join(f"{sentence} [{id}]" for sentence, id in said.items())


SYSTEM = f"""You write the answer to a question from the notebooks of several readers of one corpus. Each note names its evidence, and the
evidence is given word for word.

Weigh the notebooks against each other first; where a note and its evidence differ, trust the evidence. Then write the answer:
what was asked comes in the first sentence, then what supports it, nothing else; never speak of readers, notes or evidence. Keep
names, dates and numbers. Where the evidence itself disagrees, say who says what. After each sentence put the ids of
the evidence it rests on in square brackets, such as [f3] or [f1][c2]; use only ids that are given. Add nothing that the
evidence does not say. If it does not answer the question, write only: {NOT_SAID} About {{n_words}} words at most.
{SAME_LANGUAGE}
{MATERIAL}"""

USER = """Question: {question}

Plan:
{plan}

<material>
{notebooks}

Evidence:
{evidence}
</material>

Write the answer."""

answer_from_notebook = Task("answer_from_notebook", Prompt(SYSTEM, USER), NotebooksToAnswer, Prose, offline)
