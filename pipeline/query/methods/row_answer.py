"""The rows of a table as an answer, word for word."""

from dataclasses import replace
from itertools import groupby

from pipeline.query.answer import Answer, Coverage, noted
from pipeline.query.evidence.citations import as_heading
from pipeline.query.evidence.cited_context import ChunkSpan, Offered, Writer
from pipeline.query.evidence.excerpts import Excerpts
from pipeline.query.lookups.notes import row_note, rows_note
from pipeline.query.lookups.rows import RowsFound, chunks_of
from pipeline.query.method import SearchCall
from pipeline.text.inflection import in_number

ROWS, COUNTED = 20, 5
"""Rows of a table that are printed, at most: of those that are asked for, and of those that are counted."""


def answer_from_rows(call: SearchCall, found: RowsFound) -> Answer:
    """Answer with the rows of a table that were asked for; how many they are, or what they come to, is noted above the first of
    them. No model is asked, which would see some of the rows."""
    language = call.question.answer_language
    printed = found.rows[: COUNTED if found.is_count and not found.is_list else ROWS]
    places, offered = chunks_of(printed, call.tables), Offered()
    counted = f"{in_number(found.n_rows, 'row')} of {found.n_all:,}"
    call.trace.step("rows", f"{found.title}: {counted}", chunks=[chunk.id for chunk, _, _ in places])
    excerpts = Excerpts(call.question, call.tables, call.finder)
    row_of = {row.document_id: row for row in printed}
    is_joined = len({row.title for row in printed}) > 1
    notes = {(found.title, ""): rows_note(found, len(printed), language)} if found.is_count or found.best else {}
    parts = [as_heading(title) for title, _ in notes]
    for title, of_table in groupby(places, key=lambda place: row_of[place[0].document_id].title):
        above = [title] if is_joined else []
        for document_id, some in groupby(of_table, key=_by_itself):
            if document_id and (note := row_note(row_of[document_id], found, language)):
                above.append(row_of[document_id].cells[""])
                notes[above[-1], document_id] = note
            parts.append("\n".join([*map(as_heading, above), excerpts.draft_of_units([*some], offered)]))
            above = []
    left = f"; {len(places)} are listed" if len(places) < found.n_rows else ""
    coverage = Coverage(1.0, f"rests on {counted} of {found.title}{left}")
    answer = noted(Writer(call, "basic", offered).finish("\n\n".join(parts), coverage), notes)
    said = (replace(one, verdict="supported") if one.sources else one for one in answer.sentences)
    return replace(answer, sentences=tuple(said), outcome="answered")


def _by_itself(place: ChunkSpan) -> str:
    """Return the document of a row that is printed by itself, a record with a text; empty for a row that is printed cell by cell,
    below others of its table."""
    chunk, _, _ = place
    return "" if "|" in chunk.text else chunk.document_id
