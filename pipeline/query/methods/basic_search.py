"""Basic search: the chunks closest to the question, and an answer from them; the plain way that others are measured by."""

from pipeline.base.schema import CHUNKS, DOCUMENTS, ENTITIES
from pipeline.language.tasks.search.answer_from_passages import PassagesToAnswer, answer_from_passages
from pipeline.query.answer import Answer, Coverage
from pipeline.query.evidence.cited_context import Offered, Writer, fit, n_words, read_chunks, show_chunks
from pipeline.query.evidence.excerpts import Excerpts
from pipeline.query.method import SearchCall, search
from pipeline.text.inflection import in_number


@search(reads=(CHUNKS, ENTITIES, DOCUMENTS), asks=(answer_from_passages,))
def basic_search(call: SearchCall) -> Answer:
    """Answer from the chunks closest to the question."""
    question, settings, n_chunks = call.question, call.settings, call.tables["chunks"].num_rows
    hits = call.finder.find([question.text], settings.chunks)[0]
    read = fit(read_chunks([hit.chunk_id for hit in hits], call.tables), settings.context_tokens)
    call.trace.step(
        "find", f"{in_number(len(read), 'chunk')} of {n_chunks:,}, closest first", chunks=[one.id for one in read]
    )
    offered = Offered()
    shown = show_chunks(read, offered)
    excerpts = Excerpts(question, call.tables, call.finder)
    more = read_chunks(excerpts.chunks_that_define([one.id for one in read]), call.tables)
    draft = excerpts.draft_from_chunks([*read, *more], offered)
    request = PassagesToAnswer("answer", question.text, tuple(shown), n_words(settings), draft)
    coverage = Coverage(1.0, f"rests on the {in_number(len(read), 'chunk')} closest to the question, of {n_chunks:,}")
    return Writer(call, "basic", offered).write(answer_from_passages, request, coverage)
