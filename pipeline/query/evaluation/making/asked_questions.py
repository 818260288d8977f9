"""Questions that a model writes about passages; of those that it thinks open, the ones that no passage found answers."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pipeline.base.errors import BudgetError
from pipeline.base.settings import Settings
from pipeline.base.store import Generation
from pipeline.language.language import Language, Reply
from pipeline.language.prompt_cost import PromptCost, prompt_cost
from pipeline.language.tasks.evaluation.write_questions import QUESTIONS, PassageToAskAbout, write_questions
from pipeline.language.tasks.search.grade_documents import DocumentToGrade, grade_documents
from pipeline.query.evaluation.eval_questions import Example, ExpectedPassage
from pipeline.query.evaluation.making.counted_questions import numbered
from pipeline.query.evaluation.making.statements import document_names, sampled_chunks
from pipeline.query.index import Index

_GRADED = 5
"""Chunks found for an open question that are asked whether they answer it."""
_SPARE = 1.25
"""Passages asked about beyond what would do if every reply could be used."""
_WRITTEN_TOKENS, _GRADE_TOKENS = 220, 8
"""Length of replies in estimates."""


@dataclass
class AskedQuestions:
    """What a model wrote. ``failed`` counts passages without a usable reply; ``answered_after_all`` open questions that a
    passage answers; ``stopped`` is the cap that ended it early."""

    examples: list[Example] = field(default_factory=list)
    failed: int = 0
    answered_after_all: int = 0
    stopped: BudgetError | None = None


def asked_questions(
    index: Index,
    language: Language,
    count: int,
    unanswerable: float,
    seed: int,
    report: Callable[[str, int, int], None] = lambda what, done, total: None,
) -> AskedQuestions:
    """Return at most ``count`` questions that a model writes about passages of all documents in turn, a share
    ``unanswerable`` of them open: no chunk that retrieval finds for them was graded as an answer."""
    made = AskedQuestions()
    requests = _requests(index.generation, count, unanswerable, seed)
    chunks = {request.item: chunk for chunk, request in requests}
    names = document_names(index.generation)
    n_open = round(count * unanswerable)
    answered: list[Example] = []
    doubtful: list[str] = []
    try:
        replies = language.map(write_questions, (request for _, request in requests), len(requests))
        for done, (request, reply) in enumerate(replies, 1):
            report("questions", done, len(requests))
            if not isinstance(reply, Reply):
                made.failed += 1
                continue
            chunk = chunks[request.item]
            for one in reply.value.answered:
                at = chunk["start"] + chunk["text"].index(one.quote)
                document = names[chunk["document_id"]]
                passage = ExpectedPassage(document, at, at + len(one.quote), one.quote)
                answers = (one.answer.strip(),)
                answered.append(Example(0, one.question.strip(), answers, (document,), (passage,), True, "written"))
            doubtful += [reply.value.unanswered.strip()] if reply.value.unanswered.strip() else []
        doubtful = list(dict.fromkeys(doubtful))
        open_ones = list(_open(index, language, doubtful[: math.ceil(n_open * 2)], n_open, made, report))
    except BudgetError as error:
        made.stopped, open_ones = error, []
    chosen = list({one.question: one for one in answered}.values())[: count - len(open_ones)]
    made.examples = numbered([*chosen, *(Example(0, one, answerable=False, kind="open") for one in open_ones)])
    return made


def estimate_questions(
    generation: Generation, settings: Settings, count: int, unanswerable: float, seed: int
) -> PromptCost:
    """Return what writing and grading would take; chunks to be graded are taken to be as long as those asked about."""
    requests = _requests(generation, count, unanswerable, seed)
    graded = [
        DocumentToGrade("", request.title[:80], request.title, request.text, 0.0)
        for _, request in requests
        for _ in range(_GRADED)
    ][: round(count * unanswerable * 2) * _GRADED]
    written = prompt_cost(write_questions, (request for _, request in requests), _WRITTEN_TOKENS, settings)
    return written + prompt_cost(grade_documents, graded, _GRADE_TOKENS, settings)


def _requests(
    generation: Generation, count: int, unanswerable: float, seed: int
) -> list[tuple[dict[str, Any], PassageToAskAbout]]:
    """Return as many chunks, each with its request, as are needed for the questions wanted."""
    n_open = round(count * unanswerable)
    needed = max((count - n_open) / QUESTIONS * _SPARE, n_open * _SPARE)
    chunks = sampled_chunks(generation, math.ceil(needed), seed)
    anchors = generation.rows("chunks").by_id([chunk["id"] for chunk in chunks], ["anchor"])
    return [(chunk, PassageToAskAbout(chunk["id"], anchors[chunk["id"]]["anchor"], chunk["text"])) for chunk in chunks]


def _open(
    index: Index,
    language: Language,
    questions: Sequence[str],
    most: int,
    made: AskedQuestions,
    report: Callable[[str, int, int], None],
) -> Iterator[str]:
    """Yield at most so many of the questions that none of the chunks found for them answers."""
    if not questions or not most:
        return
    hits = index.finder().find(questions, _GRADED)
    texts = index.generation.rows("chunks").by_id({hit.chunk_id for some in hits for hit in some}, ["anchor", "text"])
    requests = [
        DocumentToGrade(
            f"{question} {hit.chunk_id}", question, texts[hit.chunk_id]["anchor"], texts[hit.chunk_id]["text"], 1.0
        )
        for question, some in zip(questions, hits, strict=True)
        for hit in some
    ]
    answered: set[str] = set()
    for done, (request, reply) in enumerate(language.map(grade_documents, requests, len(requests)), 1):
        report("grading", done, len(requests))
        if not isinstance(reply, Reply) or reply.value.verdict == "correct":
            answered.add(request.question)
    made.answered_after_all = len(answered)
    yield from [question for question in questions if question not in answered][:most]
