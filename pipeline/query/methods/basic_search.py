"""Basic search: the chunks closest to the question, and an answer from them; the plain way that others are measured by."""

from pipeline.base.schema import CHUNKS, DOCUMENTS, ENTITIES
from pipeline.base.settings import SearchSettings
from pipeline.base.store import Rows
from pipeline.language.language import Language
from pipeline.language.tasks.search.answer_from_passages import PassagesToAnswer, answer_from_passages
from pipeline.query.answer import Answer, Coverage, Trace
from pipeline.query.evidence.cited_context import Offered, Writer, fit, n_words, read_chunks, show_chunks
from pipeline.query.evidence.excerpts import Excerpts
from pipeline.query.method import named, search
from pipeline.retrieval.chunk_search import Finder
from pipeline.text.question.question import Question


@search(reads=(CHUNKS, ENTITIES, DOCUMENTS), asks=(answer_from_passages,))
def basic_search(
    question: Question,
    chunks: Rows,
    entities: Rows,
    documents: Rows,
    finder: Finder,
    settings: SearchSettings,
    language: Language,
    trace: Trace,
) -> Answer:
    """Answer from the chunks closest to the question."""
    hits = finder.find([question.text], settings.chunks)[0]
    read = fit(read_chunks([hit.chunk_id for hit in hits], chunks, documents), settings.context_tokens)
    trace.step("find", f"{len(read)} chunks of {chunks.num_rows}, closest first", chunks=[one.id for one in read])
    offered = Offered()
    shown = show_chunks(read, offered)
    excerpts = Excerpts(question, named(chunks, entities, documents), finder)
    more = read_chunks(excerpts.chunks_that_define([one.id for one in read]), chunks, documents)
    draft = excerpts.draft_from_chunks([*read, *more], offered)
    request = PassagesToAnswer("answer", question.text, tuple(shown), n_words(settings), draft)
    coverage = Coverage(1.0, f"rests on the {len(read)} chunks closest to the question, of {chunks.num_rows}")
    writer = Writer(question.text, "basic", offered, chunks, documents, language, trace)
    return writer.write(answer_from_passages, request, coverage)
