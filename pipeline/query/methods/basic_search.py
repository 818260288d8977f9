"""Basic search: the chunks closest to the question, and an answer from them; the plain way that others are measured by."""

from collections.abc import Sequence
from typing import NamedTuple

from pipeline.base.schema import CHUNKS, DOCUMENTS, ENTITIES
from pipeline.base.task import NOT_SAID
from pipeline.language.tasks.search.answer_from_passages import answer_from_passages
from pipeline.query.answer import Answer
from pipeline.query.evidence.cited_context import (
    Chunk,
    Offered,
    Writer,
    closest_chunks,
    fit,
    read_chunks,
    read_closest,
    show_chunks,
)
from pipeline.query.evidence.excerpts import Excerpts
from pipeline.query.lookups.mentions import MentionsFound, find_mentions
from pipeline.query.lookups.rows import find_rows
from pipeline.query.lookups.sections import find_sections, find_versions, in_chunks
from pipeline.query.lookups.summaries import find_summarised, version_places
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
from pipeline.text.question.question import Question
from pipeline.text.question.rows.row_questions import (
    RowQuestion,
    asked_cell,
    asked_phrase,
    asked_rows,
    asks_for_one_row,
    asks_of_all_rows,
)

SEVERAL = 3
"""Sentences on problems with a thing from which on they answer before the passages closest to the question do: fewer may
miss the list that is headed by that word."""
OF_WHICH = frozenset({"list", "person"})
"""What else a question may ask for that asks which one has the most, and not how much that is."""


class _RowsAsked(NamedTuple):
    """How a question may be one on the rows of a table, or on a cell."""

    rows: Sequence[RowQuestion]
    cell: Sequence[RowQuestion]


@search(reads=(CHUNKS, ENTITIES, DOCUMENTS), asks=(answer_from_passages,))
def basic_search(call: SearchCall) -> Answer:
    """Answer from the chunks closest to the question; from all that mention what it looks for where it asks which do."""
    asked, found = _rows_asked(call.question), read_closest(call)
    mentions = find_mentions(call.question, call.tables, call.finder) if call.question.mention else None
    answer = (
        _from_rows(call, asked, found)
        or _from_mentions(call, mentions, SEVERAL if call.question.matter == "problems" else 1)
        or _from_sections(call)
        or _from_summary(call)
        or _from_closest(call, asked, found, may_answer=not call.question.matter or bool(mentions and mentions.found))
    )
    few = None if answer.supported or not call.question.matter else _from_mentions(call, mentions, 1)
    return few or answer


def _rows_asked(question: Question) -> _RowsAsked:
    asked = asked_rows(question.text, question.language)
    phrase = [] if asked else asked_phrase(question.text, question.language)
    cell = [] if asked else asked_cell(question.text, question.language)
    if question.follows is None:  # of which rows is not clear
        return _RowsAsked([one._replace(is_clear=False) for one in asked or phrase], [])
    return _RowsAsked(asked or phrase, cell)


def _from_rows(call: SearchCall, asked: _RowsAsked, found: Sequence[Chunk]) -> Answer | None:
    near = [*read_chunks(call.question.follows or (), call.tables), *found]
    readings = (find_rows(some, call.question.language, near, call.tables) for some in asked)
    rows = next(filter(None, readings), None)
    return answer_from_rows(call, rows) if rows else None


def _from_mentions(call: SearchCall, mentions: MentionsFound | None, least: int) -> Answer | None:
    if mentions and call.question.is_mention_denied:
        return answer_from_others(call, mentions)
    enough = mentions and sum(one.n_sentences for one in mentions.found) >= least
    return answer_from_mentions(call, mentions) if mentions and enough else None


def _from_sections(call: SearchCall) -> Answer | None:
    sections = version_places(find_versions(call.question, call.tables), call.tables) or [
        (one, places)
        for one in find_sections(call.question, call.tables, call.finder)
        if (places := in_chunks(one, call.tables))
    ]
    return answer_from_sections(call, sections) if sections else None


def _from_summary(call: SearchCall) -> Answer | None:
    documents = find_summarised(call.question, call.tables)
    return answer_from_summary(call, documents) if documents else None


def _from_closest(call: SearchCall, asked: _RowsAsked, found: Sequence[Chunk], may_answer: bool) -> Answer:
    n_chunks = call.tables["chunks"].num_rows
    read = fit(found, call.settings.context_tokens)
    call.trace.step(
        "find", f"{in_number(len(read), 'chunk')} of {n_chunks:,}, closest first", chunks=[one.id for one in read]
    )
    offered = Offered()
    shown = show_chunks(read, offered)
    excerpts = Excerpts(call.question, call.tables, call.finder)
    every = [*read, *excerpts.defining(read)]
    draft = excerpts.draft_from_chunks(every, offered)
    needs_more = asked.rows and _needs_more_rows(call.question, asked.rows, excerpts.n_rows(every))
    if not may_answer or (needs_more and not excerpts.gives_cell(every)):
        draft = NOT_SAID
    return Writer(call, "basic", offered).from_passages(shown, draft, closest_chunks(len(read), n_chunks))


def _needs_more_rows(question: Question, asked: Sequence[RowQuestion], n_rows: int) -> bool:
    """Return whether some rows of a table are no answer, since all of them had to be looked at."""
    of_one = n_rows == 1 and measured(question.text, frozenset({question.language}))  # "how many grams of salt"
    which = asks_for_one_row(asked) and OF_WHICH.issuperset(question.kinds)
    return n_rows > 0 and ((asks_of_all_rows(asked) and not of_one) or (which and n_rows > 1))
