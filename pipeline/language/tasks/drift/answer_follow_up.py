"""The answer to a follow-up question from passages, with a view to the question it serves (DRIFT's local reading)."""

from dataclasses import dataclass

from pipeline.base.task import Prompt, Request, Task
from pipeline.language.tasks.drift.prime_question import Intermediate, intermediate
from pipeline.language.tasks.material import MATERIAL, QUESTION_LANGUAGE
from pipeline.language.tasks.search.answer_from_passages import PassageShown
from pipeline.text.question.question import Question


@dataclass(frozen=True)
class FollowUpToAnswer(Request):
    """The question that is to be answered in the end, a follow-up question, passages found for it, how many further questions
    are wanted, and the first question as it was read."""

    question: str
    follow_up: str
    passages: tuple[PassageShown, ...]
    n: int
    asked: Question


def offline(request: FollowUpToAnswer) -> Intermediate:
    """Return the sentences closest to the question among the passages that the follow-up found."""
    return intermediate(request.asked, request.passages, request.n)


SYSTEM = f"""You read passages closely for one follow-up question, which serves the answer to another question.

Answer the follow-up question from the passages alone, after each sentence the ids of the passages it rests on in square
brackets, only ids that are given. Where they do not answer it and yet tell something that the question it serves asks for, say
that; leave the answer empty where they do neither, and never tell what they lack. Score how far your answer helps with the
question it serves. Ask further questions only where the passages open a way that is worth reading, none that these passages
answer, each with the name of whom or what it is about, and in the language of the passages, whose words a search looks for.
{QUESTION_LANGUAGE}
{MATERIAL}"""

USER = """The question to be answered in the end: {question}
Follow-up question: {follow_up}

<material>
{passages}
</material>

Answer the follow-up question, and write up to {n} further questions."""

answer_follow_up = Task("answer_follow_up", Prompt(SYSTEM, USER), FollowUpToAnswer, Intermediate, offline)
