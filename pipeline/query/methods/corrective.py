"""Corrective retrieval (CRAG, arXiv 2401.15884): documents are graded, those that help are refined in strips."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pipeline.base.task import short_ids
from pipeline.documents.chunk_documents import Row, with_documents
from pipeline.language.tasks.search.grade_documents import DocumentToGrade, Verdict, grade_documents
from pipeline.language.tasks.search.grade_strips import Strip, StripsToGrade, grade_strips
from pipeline.query.evidence.cited_context import Offered
from pipeline.query.method import SearchCall
from pipeline.query.model_requests import Deadline, request_all
from pipeline.text.attribution import attribution
from pipeline.text.sentences import CLOSED, paragraphs, split

PER_STRIP = 2
"""Sentences of a strip."""


class Document(NamedTuple):
    """A text to grade: a chunk by its id, or a page by its address, with the title above it."""

    id: str
    title: str
    text: str


class KeptStrip(NamedTuple):
    """A strip that helps, under the id by which it is cited; ``speaker`` says it, where the text shows that above the strip."""

    id: str
    document: str
    title: str
    text: str
    speaker: str


@dataclass
class Refined:
    """The strips that were kept, how many documents a model gave no reply on, and ids of strips that were not offered."""

    strips: list[KeptStrip]
    failed: int
    removed: int


def grade(
    question: str, documents: Sequence[tuple[Document, float]], call: SearchCall, deadline: Deadline
) -> tuple[dict[str, Verdict], int]:
    """Return the verdict on each document, given with its support, by id, and how many were graded without a model
    because the model gave no reply or the deadline passed."""
    requests = [DocumentToGrade(doc.id, question, doc.title, doc.text, support) for doc, support in documents]
    asked = request_all(grade_documents, requests, call.language, deadline, call.trace)
    verdicts: dict[str, Verdict] = {request.item: reply.verdict for request, reply in asked.replies}
    verdicts |= {request.item: grade_documents.offline(request).verdict for request in asked.missing}
    ordered: dict[str, Verdict] = {doc.id: verdicts[doc.id] for doc, _ in documents}
    return ordered, len(asked.missing)


def overall(verdicts: Iterable[Verdict]) -> Verdict:
    """Return correct when any document is, incorrect when all are or there is none, else ambiguous (CRAG, 4.3)."""
    found = set(verdicts)
    if "correct" in found:
        return "correct"
    return "ambiguous" if "ambiguous" in found else "incorrect"


def refine(
    question: str, documents: Sequence[Document], call: SearchCall, offered: Offered, deadline: Deadline
) -> Refined:
    """Cut documents into strips, have the strips graded against ``question``, and return those kept, in the order of the
    texts. Without a model strips are measured by the question as it was put, and those that end as sentences do are kept."""
    cut: dict[str, dict[str, tuple[int, str]]] = {}
    seen: set[str] = set()
    requests = []
    for document in documents:
        strips = [(start, text) for start, text in strips_of(document.text) if text not in seen]
        seen |= {text for _, text in strips}
        cut[document.id] = {f"s{place}": strip for place, strip in enumerate(strips, 1)}
        shown = tuple(
            Strip(
                id,
                " ".join(text.split()),
                round(call.question.closeness(text, document.title), 6) if CLOSED.search(text) else 0,
            )
            for id, (_, text) in cut[document.id].items()
        )
        if shown:
            requests.append(StripsToGrade(document.id, question, document.title, shown))
    graded = request_all(grade_strips, requests, call.language, deadline, call.trace)
    replies = {request.item: reply.strips for request, reply in graded.replies}
    replies |= {request.item: grade_strips.offline(request).strips for request in graded.missing}
    kept = []
    removed = 0
    ids = [document.id for document in documents]
    rows = with_documents(ids, call.tables["chunks"], call.tables["documents"], ["start"], ["text"])
    for document in documents:
        chosen = set(short_ids(replies.get(document.id, ())))
        removed += len(chosen - set(cut[document.id]))
        for id, (start, text) in cut[document.id].items():
            if id in chosen:
                said_by = attribution(*_in_whole(document, start, rows))
                speaker = "" if text.startswith(said_by) else said_by
                strip = offered.strip(document.id, start, text)
                kept.append(KeptStrip(strip, document.id, document.title, text, speaker))
    return Refined(kept, len(graded.missing), removed)


def _in_whole(document: Document, at: int, rows: Mapping[str, tuple[Row, Row]]) -> tuple[str, int]:
    """Return the whole text that a chunk is from and the place there of one in the chunk: who speaks is seen by labels that begin
    several lines, and a chunk may have one of a speaker's. A page is its own whole."""
    if document.id not in rows:
        return document.text, at
    chunk, whole = rows[document.id]
    return whole["text"], chunk["start"] + at


def strips_of(text: str) -> list[tuple[int, str]]:
    """Return the strips of a text with where each begins: one or two sentences or lines of one paragraph, headings left out."""
    found = []
    for begin, end in paragraphs(text):
        spans = [(begin + a, begin + b) for a, b in split(text[begin:end])]
        spans = [(a, b) for a, b in spans if text[a] != "#"]
        for place in range(0, len(spans), PER_STRIP):
            some = spans[place : place + PER_STRIP]
            found.append((some[0][0], text[some[0][0] : some[-1][1]]))
    return found
