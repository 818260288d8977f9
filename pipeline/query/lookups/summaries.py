"""What a question asks to summarise: the documents of a name or a date, "the meeting of 18 March 2025", and their sentences."""

import re
from collections.abc import Mapping, Sequence
from heapq import nsmallest
from itertools import islice
from pathlib import PurePosixPath

from pipeline.base.store import Rows
from pipeline.query.evidence.cited_context import ChunkSpan
from pipeline.query.lookups.meant_documents import names_of
from pipeline.query.lookups.sections import SectionFound, in_chunks
from pipeline.text.answering.blocks import units
from pipeline.text.dates import find_dates
from pipeline.text.keys import content_keys, keys_of
from pipeline.text.lexicon.questions.question_words import QUESTIONS
from pipeline.text.metadata import date_of
from pipeline.text.question.question import Question
from pipeline.text.question.scope.mention_questions import asked_summary
from pipeline.text.summary.sentence_ranking import rank_sentences
from pipeline.text.tokenizer import length

MOST = 6
"""Documents that are summarised together, at most; what means more of them is a question on the whole."""
SENTENCES = 12
"""Sentences of a summary without a model, at most."""
OF_ALL = 6
"""Documents of which something is said where a question asks for the whole and nothing recurs."""
OPENING = 4
"""Sentences of an introduction that are printed, at most."""
VERSIONS, OF_VERSION = 20, 2
"""Versions of a change log that are printed together, the first ones, and sentences or items of each, at most."""
LEAST_WORDS = 4
"""Words that a sentence has without its links, at least, to say something."""
_LINKS = re.compile(r"!?\[[^\[\]]*\]\([^()]*\)|<[^<>]*>|https?://\S+|`[^`<>]*<[^<>]*>`_+")
_LETTERS = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_BREAK = re.compile(r"\n[ \t]*\n")
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


def introduction(tables: Mapping[str, Rows]) -> tuple[SectionFound, list[ChunkSpan]] | None:
    """Return the document that says what the whole of the texts is, a README or an introduction in the folder that holds all but
    change logs and the like, with the sentences of its first paragraph."""
    table = tables["documents"].table(["id", "title", "source"]).to_pylist()
    folder_of = {one["id"]: PurePosixPath(one["source"]).parent for one in table}
    called = {one["id"]: _called(one["title"], one["source"]) for one in table}
    spoken_of = {folder_of[id] for id, names in called.items() if names.isdisjoint(QUESTIONS.set_of("set_aside"))}
    opens = QUESTIONS.set_of("introductions")
    found = [
        one
        for one in table
        if not called[one["id"]].isdisjoint(opens)
        and all(one_of.is_relative_to(folder_of[one["id"]]) for one_of in spoken_of)
    ]
    texts = tables["documents"].by_id([one["id"] for one in found], ["text"])
    for one in sorted(found, key=lambda one: ("readme" not in called[one["id"]], one["source"])):
        whole = SectionFound(one["id"], one["title"], one["source"], one["title"], 0, len(texts[one["id"]]["text"]))
        if opening := _first_paragraph(in_chunks(whole, tables)):
            return whole, opening
    return None


def overview_places(tables: Mapping[str, Rows]) -> list[tuple[SectionFound, list[ChunkSpan]]]:
    """Return what is said of the whole of some texts: how their introduction opens, then what says most of those documents that have
    most to say, in the order of their files; change logs, licences and the like last. OF_ALL documents at most."""
    first = introduction(tables)
    every = (
        SectionFound(row["id"], row["title"], row["source"], row["title"], 0, len(row["text"]))
        for part in tables["documents"].batches(["id", "title", "source", "text"])
        for row in part.to_pylist()
        if not first or row["id"] != first[0].document_id
    )
    longest = nsmallest(
        OF_ALL - bool(first), every, key=lambda one: (_is_aside(one), -one.end, one.source, one.document_id)
    )
    ordered = sorted(longest, key=lambda one: (_is_aside(one), one.source, one.document_id))
    return [*([first] if first else ()), *zip(ordered, summary_places(ordered, tables), strict=True)]


def version_places(
    versions: Sequence[SectionFound], tables: Mapping[str, Rows]
) -> list[tuple[SectionFound, list[ChunkSpan]]]:
    """Return for each of the first versions of a change log what it says first."""
    found = ((one, [place for place in in_chunks(one, tables) if _states(place)]) for one in versions)
    return [(one, places[:OF_VERSION]) for one, places in islice((one for one in found if one[1]), VERSIONS)]


def summary_places(documents: Sequence[SectionFound], tables: Mapping[str, Rows]) -> list[list[ChunkSpan]]:
    """Return for each document the sentences and items that say most of it, in its order."""
    found = []
    for one in documents:
        places = [place for place in in_chunks(one, tables) if _states(place)]
        ranked = rank_sentences([_text(place) for place in places], limit=SENTENCES // len(documents))
        found.append([places[at] for at, _ in sorted(ranked)])
    return found


def _states(place: ChunkSpan) -> bool:
    """Return whether a unit is a sentence or an item of a list, and no heading, field, line of a log, or nothing but links."""
    chunk, start, end = place
    is_said = units(chunk.text[start:end])[0].kind in ("prose", "item") and not _LOGGED.match(_text(place))
    return is_said and length(_LINKS.sub(" ", _text(place))) >= LEAST_WORDS


def _first_paragraph(places: Sequence[ChunkSpan]) -> list[ChunkSpan]:
    """Return the first sentences of a document that state something, up to the end of their paragraph, OPENING at most."""
    opening: list[ChunkSpan] = []
    for place in places:
        chunk, start, _ = place
        if opening and (
            not _states(place) or _BREAK.search(chunk.text[opening[-1][2] : start] if chunk is opening[-1][0] else "")
        ):
            break
        if _states(place) and not _text(place).startswith(">"):
            opening.append(place)
    return opening[:OPENING]


def _is_aside(document: SectionFound) -> bool:
    return not _called(document.title, document.source).isdisjoint(QUESTIONS.set_of("set_aside"))


def _called(title: str, source: str) -> frozenset[str]:
    """Return what a document is called by its title and its file, without numbers: "introduction" of "01_introduction.md"."""
    return frozenset(" ".join(_LETTERS.findall(name.casefold())) for name in (title, PurePosixPath(source).stem))


def _text(place: ChunkSpan) -> str:
    chunk, start, end = place
    return chunk.text[start:end].lstrip("-*• ")


def _days(*texts: str) -> set[tuple[str, str]]:
    return {(date.first, date.last) for text in texts for date in find_dates(text)}
