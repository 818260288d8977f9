"""One answer out of the answers that were found on the way (DRIFT's reduction)."""

from dataclasses import dataclass
from typing import NamedTuple

from pipeline.base.task import NOT_SAID, Prompt, Prose, Request, Task
from pipeline.language.tasks.material import MATERIAL, QUESTION_LANGUAGE


class AnswerShown(NamedTuple):
    """An answer on the way, with the ids it rests on, what it answers, and how far it helps, from 0 to 100."""

    question: str
    text: str
    score: int

    def as_section(self) -> str:
        """Return it as a prompt shows it."""
        return f"On: {self.question} (score {self.score})\n{self.text}"


@dataclass(frozen=True)
class AnswersToReduce(Request):
    """A question, the answers on the way to it, best first, and ``draft``, the answer without a model: excerpts of the chunks
    that were read, each with its id."""

    question: str
    answers: tuple[AnswerShown, ...]
    n_words: int
    draft: str


def offline(request: AnswersToReduce) -> Prose:
    """Return the excerpts that answer, each with its id, or that the corpus does not say."""
    return Prose(text=request.draft)


SYSTEM = f"""You write the answer to a question from answers that were found on the way to it, first from reports on a
corpus, then by closer reading.

Begin with what was asked, then give what explains it, from the whole to the detail. Write about the subject, never about
answers, reports, passages or readings, nor about what they lack; where they disagree, closer reading is right. Keep behind each
sentence the ids in square brackets that it rests on, as the answers have them; use no others. Add nothing of your own. When the
answers do not answer the question, write only these English words: {NOT_SAID}
About {{n_words}} words at most.
{QUESTION_LANGUAGE}
{MATERIAL}"""

USER = """Question: {question}

<material>
{answers}
</material>

Write the answer."""

reduce_answers = Task("reduce_answers", Prompt(SYSTEM, USER), AnswersToReduce, Prose, offline)
