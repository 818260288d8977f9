"""Basic search: the chunks closest to the question, and an answer from them; the plain way that others are measured by."""

from pipeline.base.schema import CHUNKS, DOCUMENTS, ENTITIES
from pipeline.base.task import NOT_SAID
from pipeline.language.tasks.search.answer_from_passages import answer_from_passages
from pipeline.query.answer import Answer
from pipeline.query.evidence.cited_context import (
    Offered,
    Writer,
    closest_chunks,
    fit,
    read_chunks,
    read_closest,
    show_chunks,
)
from pipeline.query.evidence.excerpts import Excerpts
from pipeline.query.lookups.mentions import find_mentions
from pipeline.query.lookups.rows import find_rows
from pipeline.query.lookups.sections import find_sections, in_chunks
from pipeline.query.lookups.summaries import find_summarised
from pipeline.query.method import SearchCall, search
from pipeline.query.methods.lookup_answers import (
    answer_from_mentions,
    answer_from_others,
    answer_from_sections,
    answer_from_summary,
)
from pipeline.query.methods.row_answer import answer_from_rows
from pipeline.text.answering.kind_evidence import measured
from pipeline.text.inflection import in_number
from pipeline.text.question.rows.row_questions import (
    asked_cell,
    asked_phrase,
    asked_rows,
    asks_for_one_row,
    asks_of_all_rows,
)

OF_WHICH = frozenset({"list", "person"})
"""What else a question may ask for that asks which one has the most, and not how much that is."""


@search(reads=(CHUNKS, ENTITIES, DOCUMENTS), asks=(answer_from_passages,))
def basic_search(call: SearchCall) -> Answer:
    """Answer from the chunks closest to the question; from all that mention what it looks for where it asks which do."""
    question, settings, n_chunks = call.question, call.settings, call.tables["chunks"].num_rows
    asked = asked_rows(question.text, question.language)
    phrase = [] if asked else asked_phrase(question.text, question.language)
    cell = [] if asked else asked_cell(question.text, question.language)
    asked = asked or phrase
    if question.follows is None:  # of which rows is not clear
        asked, cell = [one._replace(is_clear=False) for one in asked], []
    found = read_closest(call)
    near = [*read_chunks(question.follows or (), call.tables), *found]
    readings = (find_rows(some, question.language, near, call.tables) for some in (asked, cell))
    rows = next(filter(None, readings), None)
    if rows:
        return answer_from_rows(call, rows)
    mentions = find_mentions(question, call.tables, call.finder) if question.mention else None
    if mentions and question.is_mention_denied:
        return answer_from_others(call, mentions)
    if mentions and mentions.found:
        return answer_from_mentions(call, mentions)
    asked_for = find_sections(question, call.tables, call.finder)
    sections = [(one, places) for one in asked_for if (places := in_chunks(one, call.tables))]
    if sections:
        return answer_from_sections(call, sections)
    if documents := find_summarised(question, call.tables):
        return answer_from_summary(call, documents)
    read = fit(found, settings.context_tokens)
    call.trace.step(
        "find", f"{in_number(len(read), 'chunk')} of {n_chunks:,}, closest first", chunks=[one.id for one in read]
    )
    offered = Offered()
    shown = show_chunks(read, offered)
    excerpts = Excerpts(question, call.tables, call.finder)
    every = [*read, *excerpts.defining(read)]
    draft = excerpts.draft_from_chunks(every, offered)
    n_rows = excerpts.n_rows(every) if asked else 0
    which = asks_for_one_row(asked) and OF_WHICH.issuperset(question.kinds)
    of_one = n_rows == 1 and measured(question.text, frozenset({question.language}))  # "how many grams of salt"
    if n_rows and ((asks_of_all_rows(asked) and not of_one) or (which and n_rows > 1)):
        draft = NOT_SAID
    return Writer(call, "basic", offered).from_passages(shown, draft, closest_chunks(len(read), n_chunks))
