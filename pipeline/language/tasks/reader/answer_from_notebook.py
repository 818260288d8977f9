"""The answer to a question out of the notebooks of all readers (GraphReader, arXiv 2406.14550, 3.4)."""

from dataclasses import dataclass
from typing import NamedTuple

from pipeline.base.task import NOT_SAID, Prompt, Prose, Request, Task
from pipeline.language.tasks.material import GAP_RULE, MATERIAL, QUESTION_LANGUAGE


class EvidenceShown(NamedTuple):
    """A fact (f1, f2, ...) or a sentence of a chunk (c1, c2, ...) under a short id, with the title above it and who says it; where
    a reader quoted the chunk, the words that were quoted."""

    id: str
    title: str
    text: str
    quote: str = ""

    def as_line(self) -> str:
        """Return it as a prompt shows it."""
        return f"[{self.id}] ({self.title}) {self.quote or self.text}"


class NotebookShown(NamedTuple):
    """The notes of one reader, each with the ids of its evidence."""

    start: str
    notes: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True)
class NotebooksToAnswer(Request):
    """A question and all that was noted, and ``draft``, the answer without a model: excerpts of the chunks behind the notes,
    each with an id of its own."""

    question: str
    plan: str
    notebooks: tuple[NotebookShown, ...]
    evidence: tuple[EvidenceShown, ...]
    n_words: int
    draft: str

    def shown(self, name: str) -> str:
        """Return notebooks as sections with their numbers, other fields as they are."""
        if name != "notebooks":
            return super().shown(name)
        return "\n\n".join(_notebook(place, notebook) for place, notebook in enumerate(self.notebooks, 1))


def _notebook(place: int, notebook: NotebookShown) -> str:
    notes = (f"- {text} {''.join(f'[{id}]' for id in ids)}" for text, ids in notebook.notes)
    return "\n".join([f"Reader {place}, who started from {notebook.start}:", *notes])


def offline(request: NotebooksToAnswer) -> Prose:
    """Return the excerpts that answer, each with its id, or that the corpus does not say."""
    return Prose(text=request.draft)


SYSTEM = f"""You write the answer to a question from the notebooks of several readers of one corpus. Each note names its evidence, which
is given behind its document, with the date and who sent a message to whom, and, where the text shows it, who says it: facts (f) as they were taken down from the texts, passages
(c) word for word.

Weigh the notebooks against each other first; where a note and its evidence differ, trust the evidence. Then write the answer:
what was asked comes in the first sentence, then what supports it, nothing else; never speak of readers, notes or evidence. Keep
names, dates and numbers. In a conversation tell apart what each says: what a host asks or tells is not the guest's. Where the
evidence itself disagrees, say who says what. After each sentence put the ids of the evidence it rests on in square brackets,
such as [f3] or [f1][c2]; use only ids that are given. Add nothing that the evidence does not say. Where it contradicts what the
question takes for granted, that is the answer: say what it says instead. Stop when the question is answered; do not close with
something that leads away from it. If the evidence answers a part of the question only, {GAP_RULE}; if it answers none, write
only these English words: {NOT_SAID} About {{n_words}} words at most.
{QUESTION_LANGUAGE}
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
