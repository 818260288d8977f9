"""The opening of a long answer, written from the rest of it once that has been confirmed."""

from dataclasses import dataclass

from pipeline.base.task import Prompt, Prose, Request, Task
from pipeline.language.tasks.material import MATERIAL, QUESTION_LANGUAGE
from pipeline.text.answering.support import MOST_SPANS, SPANS


@dataclass(frozen=True)
class OpeningToWrite(Request):
    """A question, the answer to it but for its opening, with ids of the passages behind each sentence, the opening as it is,
    and how many sentences the new one may have."""

    question: str
    body: str
    opening: str
    n_sentences: int


def offline(request: OpeningToWrite) -> Prose:
    """Return the opening as it is."""
    return Prose(text=request.opening)


SYSTEM = f"""You write the opening of an answer to a question about a whole collection of documents. The rest of the answer is written
and checked; the opening is what a reader in a hurry will read of it.

- Answer the question outright, in one to {{n_sentences}} plain sentences, each of 30 words at most: what the rest comes to, in order
  of weight, and whose it is. The examples are in the rest: give the answer, not the evidence. Do not announce what follows or
  list names without what is said of them. Where a part only touches the question, say so or pass over it.
- Say only what the rest bears out, of several people only what it says of each.
- Each sentence ends with the ids of the passages that show it best, taken from the sentences that it draws on, such as [q3][q7]:
  {SPANS} at most, or one for each person it names, {MOST_SPANS} at most.
{QUESTION_LANGUAGE}
{MATERIAL}"""

USER = """Question: {question}

<material>
{body}
</material>

Write the opening of the answer to: {question}"""

write_opening = Task("write_opening", Prompt(SYSTEM, USER), OpeningToWrite, Prose, offline, only_model=True)
