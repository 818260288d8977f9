"""Questions like the one asked, which retrieve beside it (RAG-Fusion)."""

from pipeline.base.settings import SearchSettings
from pipeline.base.store import Rows
from pipeline.language.language import Language, Reply
from pipeline.language.tasks.search.similar_questions import QuestionToVary, similar_questions
from pipeline.query.answer import Trace
from pipeline.query.evidence.question_entities import asked_names, near_entities
from pipeline.text.question.question import Question


def vary(
    question: Question, relationships: Rows, settings: SearchSettings, language: Language, trace: Trace
) -> tuple[list[str], bool]:
    """Return the question and others like it, and whether the others could be had."""
    if not settings.similar_questions:
        return [question.text], True
    near = near_entities(question, relationships, settings.similar_questions)
    request = QuestionToVary("similar", question.text, settings.similar_questions, asked_names(question), near)
    reply = language.one(similar_questions, request)
    if not isinstance(reply, Reply):
        trace.step("similar_questions", f"failed: {reply.reason}; the question alone is used", failed=True)
        return [question.text], False
    others = reply.value.questions
    trace.step("similar_questions", "; ".join(others) or "none", questions=others)
    return [question.text, *others], True
