"""How far documents support an answer to a question: what the few sentences that say most of it meet together. No model."""

from collections.abc import Mapping, Sequence

from pipeline.text.answering.blocks import units
from pipeline.text.answering.passage_units import PassageText, union
from pipeline.text.question.analysis_words import without_analysis
from pipeline.text.question.question import Question

TOGETHER = 3
"""Sentences by which one document is measured, at most."""
NAMELESS = 0.5
"""What is left of the support of documents that speak of none of the names of the question."""
ADDS = 0.08
"""Share of the question that a document must add to the best one to belong to its answer."""


def document_support(question: Question, documents: Sequence[PassageText]) -> float:
    """Return the share of a question that the TOGETHER sentences which say most of it meet, in some documents, 0 to 1."""
    question = without_analysis(question)
    met = [
        question.met_under(document.text[unit.start : unit.end], document.title)
        for document in documents
        for unit in units(document.text)
        if unit.kind not in ("heading", "mark")
    ]
    said = (0.0,) * len(question.terms)
    for _ in range(TOGETHER):
        said = max((union([said, one], len(said)) for one in met), key=question.share_of_one, default=said)
    nameless = bool(question.names) and not question.named(said)
    return round(question.share_of_one(said) * (NAMELESS if nameless else 1.0), 6)


def document_supports(question: Question, documents: Mapping[str, PassageText], least: float) -> dict[str, float]:
    """Return how far each document supports an answer, by itself or together with the best one.

    The second half of an answer ("born in Mexico City") often shares no word with the question. Where the best document has
    ``least`` support, one that adds ADDS to it has at least ``least`` too.
    """
    own = {id: document_support(question, [document]) for id, document in documents.items()}
    best = max(own, key=lambda id: own[id], default="")
    if not best or own[best] < least:
        return own
    low = [id for id, share in own.items() if share < least]
    joined = {id: document_support(question, [documents[best], documents[id]]) for id in low}
    return own | {id: least for id, share in joined.items() if share - own[best] >= ADDS}
