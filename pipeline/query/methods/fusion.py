"""Retrieval by several questions at once: questions like the one asked, and their lists of chunks fused (RAG-Fusion)."""

import math
from collections.abc import Sequence

from pipeline.base.settings import SearchSettings
from pipeline.base.store import Rows
from pipeline.language.language import Language, Reply
from pipeline.language.tasks.search.similar_questions import QuestionToVary, similar_questions
from pipeline.query.answer import Trace
from pipeline.query.evidence.question_entities import asked_names, near_entities
from pipeline.retrieval.chunk_search import Hit
from pipeline.text.question.question import Question

K = 60
"""The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009)."""


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


def fuse(lists: Sequence[Sequence[Hit]], k: int = K) -> list[Hit]:
    """Return the hits of several lists as one, by the sum of 1 / (k + rank), ranks from 1; ties go by id."""
    shares: dict[str, list[float]] = {}
    for hits in lists:
        for rank, hit in enumerate(hits, 1):
            shares.setdefault(hit.chunk_id, []).append(1 / (k + rank))
    # An exact sum: the order of the lists must not decide between chunks of equal ranks.
    scores = {id: math.fsum(some) for id, some in shares.items()}
    return [Hit(id, scores[id]) for id in sorted(scores, key=lambda id: (-scores[id], id))]
