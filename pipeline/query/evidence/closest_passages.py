"""What takes the place of an answer that was not found: the closest passages, or that nothing has to do with the question."""

from collections.abc import Callable
from dataclasses import replace

from pipeline.base.store import Rows
from pipeline.query.answer import Answer
from pipeline.query.evidence.citations import Place, Sources
from pipeline.query.messages import message
from pipeline.retrieval.chunk_search import Finder
from pipeline.text.answering.windows import closest_window
from pipeline.text.overlap import content_words
from pipeline.text.question.terms import question_language

PASSAGES = 5
"""Closest passages that are shown."""


def without_answer(answer: Answer, question: str, finder: Finder, chunks: Rows, documents: Rows) -> Answer:
    """Return an answer that was not found with the passages closest to ``question``, in the question's language.

    The outcome is "nothing" only where no passage speaks of anything that the question does.
    """
    language = question_language(question)
    hits = finder.find([question], PASSAGES)[0]
    texts = chunks.by_id([hit.chunk_id for hit in hits], ["text"])
    wanted = content_words(question)
    weight: Callable[[str], float] = lambda text: finder.share(wanted, text)  # noqa: E731
    sources = Sources(chunks, documents)
    for hit in hits:
        start, end, value = closest_window(texts[hit.chunk_id]["text"], weight)
        if value > 0:
            sources.number(Place(hit.chunk_id, start, end))
    closest = sources.listed()
    missing = finder.missing(question)
    said = [message("closest" if closest else "nothing", language)]
    if missing:
        said.insert(0 if closest else 1, message("missing", language, missing))
    return replace(
        answer,
        text=" ".join(said),
        sources=(),
        outcome="closest" if closest else "nothing",
        closest=closest,
        missing=missing,
        sentences=(),
    )
