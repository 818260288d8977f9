"""Questions like the one asked, which retrieve beside it (RAG-Fusion)."""

from pipeline.language.language import Reply
from pipeline.language.tasks.search.similar_questions import QuestionToVary, similar_questions
from pipeline.query.evidence.question_entities import asked_names, near_entities
from pipeline.query.method import SearchCall


def vary(call: SearchCall) -> tuple[list[str], bool]:
    """Return the question and others like it, and whether the others could be had."""
    question, wanted = call.question, call.settings.similar_questions
    if not wanted:
        return [question.text], True
    near = near_entities(question, call.tables["relationships"], wanted)
    reply = call.language.one(
        similar_questions, QuestionToVary("similar", question.text, wanted, asked_names(question), near)
    )
    if not isinstance(reply, Reply):
        call.trace.step("similar_questions", f"failed: {reply.reason}; the question alone is used", failed=True)
        return [question.text], False
    others = reply.value.questions
    call.trace.step("similar_questions", "; ".join(others) or "none", questions=others)
    return [question.text, *others], True
