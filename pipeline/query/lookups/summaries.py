"""What a question asks to summarise: the documents of a name or a date, "the meeting of 18 March 2025", and their sentences."""

import re
from collections.abc import Mapping, Sequence
from heapq import nsmallest

from pipeline.base.store import Rows
from pipeline.query.evidence.cited_context import ChunkSpan
from pipeline.query.lookups.meant_documents import names_of
from pipeline.query.lookups.sections import SectionFound, in_chunks
from pipeline.text.answering.blocks import units
from pipeline.text.dates import find_dates
from pipeline.text.keys import content_keys, keys_of
from pipeline.text.metadata import date_of
from pipeline.text.question.question import Question
from pipeline.text.question.scope.mention_questions import asked_summary
from pipeline.text.summary.sentence_ranking import rank_sentences

MOST = 6
"""Documents that are summarised together, at most; what means more of them is a question on the whole."""
SENTENCES = 12
"""Sentences of a summary without a model, at most."""
OF_ALL = 6
"""Documents of which something is said where a question asks for the whole and nothing recurs."""
_LOGGED = re.compile(r"\[?\d{4}-\d\d-\d\d[ T]\d\d:\d\d|[^\W\d_][\w-]{0,20}: ")
"""How lines of a log begin, and fields: headers of a mail, who was present. They state nothing."""


def find_summarised(question: Question, tables: Mapping[str, Rows]) -> list[SectionFound]:
    """Return the documents, whole, that a question asks to summarise: those whose title or path has its words, and whose title, path
    or metadata its date where it names one. Empty where it asks for something else, or means none or many."""
    asked = asked_summary(question.text)
    if not asked:
        return []
    dates = find_dates(asked)
    days = (dates[0].first, dates[0].last) if dates else None
    named = asked[: dates[0].start] + asked[dates[0].end :] if dates else asked
    wanted = content_keys(named, question.language)
    if not wanted:
        return []
    table = tables["documents"].table(["id", "title", "source", "metadata"]).to_pylist()
    dated = [
        one for one in table if days is None or days in _days(one["title"], one["source"], date_of(one["metadata"]))
    ]
    meant = [one for one in dated if wanted <= keys_of(names_of(one), question.language)]
    if not 0 < len(meant) <= MOST:
        return []
    texts = tables["documents"].by_id([one["id"] for one in meant], ["text"])
    return [
        SectionFound(one["id"], one["title"], one["source"], one["title"], 0, len(texts[one["id"]]["text"]))
        for one in meant
    ]


def longest_documents(tables: Mapping[str, Rows]) -> list[SectionFound]:
    """Return those documents of a corpus that have most to say, whole, at most OF_ALL, in the order of their files."""
    every = (
        SectionFound(row["id"], row["title"], row["source"], row["title"], 0, len(row["text"]))
        for part in tables["documents"].batches(["id", "title", "source", "text"])
        for row in part.to_pylist()
    )
    longest = nsmallest(OF_ALL, every, key=lambda one: (-one.end, one.source, one.document_id))
    return sorted(longest, key=lambda one: (one.source, one.document_id))


def summary_places(documents: Sequence[SectionFound], tables: Mapping[str, Rows]) -> list[list[ChunkSpan]]:
    """Return for each document the sentences and items that say most of it, in its order."""
    found = []
    for one in documents:
        places = [place for place in in_chunks(one, tables) if _states(place)]
        ranked = rank_sentences([_text(place) for place in places], limit=SENTENCES // len(documents))
        found.append([places[at] for at, _ in sorted(ranked)])
    return found


def _states(place: ChunkSpan) -> bool:
    """Return whether a unit is a sentence or an item of a list, and no heading, field or line of a log."""
    chunk, start, end = place
    return units(chunk.text[start:end])[0].kind in ("prose", "item") and not _LOGGED.match(_text(place))


def _text(place: ChunkSpan) -> str:
    chunk, start, end = place
    return chunk.text[start:end].lstrip("-*• ")


def _days(*texts: str) -> set[tuple[str, str]]:
    return {(date.first, date.last) for text in texts for date in find_dates(text)}
