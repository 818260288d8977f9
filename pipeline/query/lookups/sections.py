"""What a numbered section says: "What does section 4.1 say?", "Was steht in § 3?" are answered by that section, word for word.

Readers of contracts, statutes and manuals ask so. No ranking of passages by their words finds a number.
"""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cache
from itertools import accumulate
from typing import NamedTuple

from pipeline.base.store import Rows
from pipeline.query.evidence.cited_context import ChunkSpan, chunks_by_document, read_chunks
from pipeline.query.lookups.change_logs import as_parts, change_logs, versions_between, versions_of
from pipeline.query.lookups.meant_documents import meant_documents, names_of
from pipeline.retrieval.chunk_search import Finder
from pipeline.text.answering.blocks import Unit, units
from pipeline.text.answering.markup import stretches
from pipeline.text.lexicon.questions.question_words import QUESTIONS
from pipeline.text.question.question import Question
from pipeline.text.scripts import is_unspaced, words_of
from pipeline.text.sentences import paragraphs
from pipeline.text.tokenizer import length, words

WINDOW = 12_000
"""Characters of a section that are read, at most."""
LOOKED_AT = 2000
"""Chunks with the number whose documents are looked through, in the order of the index."""
MOST = 5
"""Sections of one number that are printed, at most."""
VERSION = "version"
"""What the noun of a section is taken for whose heading is a version."""
SEVERAL = 2
"""Versions between which a question asks what changed."""
_WORD = re.compile(r"[^\W_]+")
_STEM = 3
"""Letters by which two forms of such a word are recognised as one: "articolo", "articoli"."""
_NUMBER = r"[A-Z](?:\.\d{1,2})+|\d{1,3}(?:\.\d{1,3})*[a-z]?|[IVXLC]{1,7}"
_NOUNS = "(?:§§?|<<section_nouns>>)"
_BEFORE_VERSION = r"(?:<<version_nouns>>\s)?v?"
_REFERENCE = rf"(?i)(?<!\w)(?P<noun>{_NOUNS})\.?\s?(?P<number>{_NUMBER})(?!\w)(?!\.\d)"
"""A section's number with the word before it."""
_OPENS = rf"(?i)(?:{_NOUNS}\.?\s?)?({_NUMBER})(?!\w)"
_ONE_VERSION = rf"(?i)(?<![\w.]){_BEFORE_VERSION}(?P<number>\d+(?:\.\d+)+)(?!\w|\.\d)"
"""A version with the word before it."""
_EASTERN = re.compile(r"第\s?(?P<number>[0-9０-９]{1,3}|[一二三四五六七八九十百]{1,5})\s?(?P<noun>[条條章节節款項项])")


class SectionAsked(NamedTuple):
    """The number of a section that is asked for, the word before it ("section", "§"), and what else the question says."""

    number: str
    noun: str
    rest: str


class SectionFound(NamedTuple):
    """A section of a document: its heading, empty for a clause without one; the span of what it says in the text of the document."""

    document_id: str
    title: str
    source: str
    """The path of its file."""
    heading: str
    start: int
    end: int
    noun: str = ""
    """What it calls itself: "Article", "§"."""


def asked_section(question: Question) -> SectionAsked | None:
    """Return the section of which a question asks what it says; None where it asks for something else, or of several."""
    text = question.text
    found = [*QUESTIONS.compiled(_REFERENCE).finditer(text), *_EASTERN.finditer(text)]
    if not found:
        return _asked_version(text)
    if len(found) != 1:
        return None
    number, noun = found[0]["number"], found[0]["noun"]
    around = f"{text[: found[0].start()]} {text[found[0].end() :]}"
    if _saying_unspaced().fullmatch(around):
        return SectionAsked(number, noun, "")
    rest = [word for word in _WORD.findall(around) if word.casefold() not in _saying()]
    return SectionAsked(number, noun, " ".join(rest))


def _asked_version(text: str) -> SectionAsked | None:
    """Return the section of a change log, "What is new in 2.1?", whose heading is a version."""
    found = [*QUESTIONS.compiled(_ONE_VERSION).finditer(text)]
    if len(found) != 1:
        return None
    words = _WORD.findall(f"{text[: found[0].start()]} {text[found[0].end() :]}")
    changing = QUESTIONS.set_of("what_changed")
    rest = [word for word in words if word.casefold() not in _saying() | changing]
    asks = any(word.casefold() in changing for word in words)
    return SectionAsked(found[0]["number"], VERSION, " ".join(rest)) if asks else None


def _latest_version(text: str, tables: Mapping[str, Rows]) -> SectionAsked | None:
    """Return the section of the greatest version that a change log has, where a question asks for the last one or what it brought."""
    spoken = {word.casefold(): word for word in _WORD.findall(text)}
    nouns, latest, changing = map(QUESTIONS.set_of, ("version_nouns", "latest", "what_changed"))
    if nouns.isdisjoint(spoken) or latest.isdisjoint(spoken):
        return None
    logs = change_logs(tables).values()
    versions = [one.number for log in logs for one in versions_of(log["text"])]
    if not versions:
        return None
    left_out, named = _saying() | changing | nouns | latest, " ".join(map(names_of, logs)).casefold()
    rest = [word for even, word in spoken.items() if even not in left_out and even in named]
    return SectionAsked(max(versions, key=as_parts), VERSION, " ".join(rest))


def find_versions(question: Question, tables: Mapping[str, Rows]) -> list[SectionFound]:
    """Return the sections of the versions whose changes a question asks for together, in the order of their change log: "What changed
    over the versions?", "between 1.0 and 2.0", "since 1.1". Empty where it asks for something else, or no change log has them."""
    found = QUESTIONS.compiled(_ONE_VERSION).finditer(question.text)
    bounds = sorted({match["number"] for match in found}, key=as_parts)
    over = QUESTIONS.compiled(r"(?i)(?<!\w)<<over_versions>>(?!\w)").search(question.text)
    words = {word.casefold() for word in _WORD.findall(question.text)}
    since = len(bounds) == 1 and not words.isdisjoint(QUESTIONS.set_of("since_version"))
    changing = QUESTIONS.set_of("what_changed")
    if words.isdisjoint(changing) or not (since or len(bounds) == SEVERAL or (over and not bounds)):
        return []
    said = f"{over[0] if over else ''} {' '.join(bounds)}".casefold()
    known = changing | _saying() | words_of(question.language).function | QUESTIONS.set_of("version_nouns")
    rest = words - known - QUESTIONS.set_of("since_version") - set(_WORD.findall(said))
    logs = change_logs(tables).values()
    meant = [log for log in logs if rest <= set(_WORD.findall(names_of(log).casefold()))]
    return [
        SectionFound(log["id"], log["title"], log["source"], one.heading, one.start, one.end, VERSION)
        for log in meant
        for one in versions_between(versions_of(log["text"]), bounds)
    ]


def find_sections(question: Question, tables: Mapping[str, Rows], finder: Finder) -> list[SectionFound]:
    """Return the sections that a question asks for; of the documents that the rest of the question names, where it says more. Empty
    where it asks for no section, or no document has it."""
    asked = asked_section(question) or _latest_version(question.text, tables)
    if asked is None:
        return []
    opening = _opening(asked)
    eastern = _EASTERN.fullmatch(f"第{asked.number}{asked.noun}")
    chunks = finder.holding(words(eastern[0] if eastern else asked.number), LOOKED_AT)
    of_chunks = tables["chunks"].by_id(chunks, ["document_id"])
    ids = list(dict.fromkeys(of_chunks[id]["document_id"] for id in chunks))
    rows = tables["documents"].by_id(ids, ["title", "source", "text"])
    read = {id: _sections(id, rows[id], opening) for id in ids}
    having = {id: rows[id] for id, sections in read.items() if sections}
    found = [one for id in meant_documents(asked.rest.split(), having, question.language) for one in read[id]]
    so_called = [one for one in found if one.noun[:_STEM].casefold() == asked.noun[:_STEM].casefold()]
    return (so_called or found)[:MOST]


def in_chunks(section: SectionFound, tables: Mapping[str, Rows]) -> list[ChunkSpan]:
    """Return what a section says as the units of the chunks that hold it, in its order; what two chunks share is of the one that has
    it whole, or, where none has, of the first."""
    spans = chunks_by_document([section.document_id], tables)[section.document_id]
    holding = [one for one in spans if one[1] < section.end and section.start < one[2]]
    read = read_chunks([id for id, _, _ in holding], tables)
    next_starts = [chunk.start for chunk in read[1:]] + [section.end]
    places, reached = [], section.start
    for chunk, next_start in zip(read, next_starts, strict=True):
        for unit in units(chunk.text):
            start, end = chunk.start + unit.start, chunk.start + unit.end
            is_cut = end == chunk.end and next_start <= start
            if section.start <= start and end <= section.end and reached < end and not is_cut and unit.kind != "mark":
                new = max(unit.start, reached - chunk.start)
                places.append((chunk, unit.end - len(chunk.text[new : unit.end].lstrip()), unit.end))
                reached = end
    return places


def fitting(places: Sequence[ChunkSpan], n_words: int) -> Sequence[ChunkSpan]:
    """Return the first units that have so many words together, at least one."""
    so_far = accumulate(length(chunk.text[start:end]) for chunk, start, end in places)
    return places[: max(sum(words <= n_words for words in so_far), 1)]


def _opening(asked: SectionAsked) -> re.Pattern[str]:
    """Return the pattern of a line that opens a section: its number, with or without a word before it."""
    if _EASTERN.fullmatch(f"第{asked.number}{asked.noun}"):
        return re.compile(rf"^[ \t#*]*第\s?{asked.number}\s?{asked.noun}", re.MULTILINE)
    if asked.noun == VERSION:
        before = QUESTIONS.compiled(_BEFORE_VERSION).pattern
        return re.compile(rf"^[ \t#*\[]*{before}{re.escape(asked.number)}(?:\.\d+)*(?![\w.])", re.I | re.M)
    nouns = QUESTIONS.compiled(_NOUNS).pattern
    noun = rf"{nouns}\.?\s?" if asked.number.isalpha() else rf"(?:{nouns}\.?\s?)?"
    number = rf"{re.escape(asked.number)}(?:[.):]?(?:[ \t*–—-]|$)|[.)]?\*)"
    return re.compile(rf"^[ \t#*]*{noun}{number}", re.IGNORECASE | re.MULTILINE)


def _sections(id: str, document: Mapping[str, str], opening: re.Pattern[str]) -> list[SectionFound]:
    """Return the sections of a document that a line opens, several where its parts are numbered each by itself: those below a heading,
    and clauses that call themselves one ("Art. 5"); where there are neither, paragraphs with that number, of one that a list may have
    the first. None of those without a text, as in a table of contents."""
    sections, numbered, text = list[SectionFound](), list[SectionFound](), document["text"]
    lines = [*opening.finditer(text)]
    code = [one for one in stretches(text) if one.part == "code"] if lines else []
    for line in lines:
        if any(one.start <= line.start() < one.end for one in code):
            continue
        window = text[line.start() : line.start() + WINDOW]
        # no underlines of headings
        first, *further = (unit for unit in units(window) if _line(window, unit).strip("-=_ "))
        heading, said = first.kind == "heading", list(_said(window, first, further))
        if not (_marks(window, first) or _is_apart(text, line)) or all(unit.kind == "heading" for unit in said):
            continue  # in the middle of a paragraph, or a list of contents
        start, end = (line.start() + place for place in (said[0].start, said[-1].end))
        called = QUESTIONS.compiled(_REFERENCE).search(line[0]) or _EASTERN.search(line[0])
        noun = called["noun"] if called else ""
        named = _line(window, first) if heading else ""
        found = SectionFound(id, document["title"], document["source"], named, start, end, noun)
        (sections if heading or called else numbered).append(found)
    return sections or (numbered if numbered and "." in _number(text[numbered[0].start :]) else numbered[:1])


def _is_apart(text: str, line: re.Match[str]) -> bool:
    """Return whether a line is below a blank one, or opens a paragraph with a number of several parts, as clauses do: "4.2 The tenant"."""
    above = text[: line.start()].rstrip(" \t\r")
    if not above or above.endswith(("\n\n", "\n\r\n")):
        return True
    number = line.end() - len(line[0].lstrip())
    begins, ends = max(above.rfind("\n\n"), above.rfind("\n\r\n"), 0), text.find("\n", line.end())
    spans = paragraphs(text[begins : ends if ends >= 0 else None])
    return "." in _number(line[0].lstrip()) and any(begins + start == number for start, _ in spans)


def _said(text: str, first: Unit, further: Sequence[Unit]) -> Iterator[Unit]:
    """Yield what a section says: all up to the heading, or the clause with a number of its own, that is not below it."""
    opens, passed = _number(_line(text, first)), set[str]()
    marks = _marks(text, first)
    if first.kind != "heading":
        yield first
    for unit in further:
        line = _line(text, unit)
        number = _number(line)
        if unit.kind == "heading":
            below = number.startswith(f"{opens}.") if number else _marks(text, unit) > marks > 0
            if not below:
                return
        elif first.kind != "heading" and (QUESTIONS.compiled(_REFERENCE).match(line) or _EASTERN.match(line)):
            return
        is_counted = first.kind != "heading" or (not marks and "." in opens and "." in number)
        if unit.kind != "heading" and is_counted and _ends(opens, number, passed):
            return
        passed.add(number)
        yield unit


def _ends(number: str, other: str, passed: Set[str]) -> bool:
    """Return whether a section ends before another number: 4 before 5, 4.2 before 4.3, 4.4 and 5.1, and before 5 unless a list in it
    has come to 4."""
    one, two = number.split("."), other.split(".")
    if not all(part.isdigit() for part in one + two):
        return False
    if len(two) == 1:
        return int(two[0]) == int(one[0]) + 1 and (len(one) == 1 or one[0] not in passed)
    apart = next((int(b) - int(a) for a, b in zip(one, two, strict=False) if a != b), 0)
    return apart > 0


def _line(text: str, unit: Unit) -> str:
    return text[unit.start : unit.end].strip().strip("#* \t")


def _marks(text: str, unit: Unit) -> int:
    said = text[unit.start : unit.end].lstrip()
    return len(said) - len(said.lstrip("#"))


def _number(line: str) -> str:
    found = QUESTIONS.compiled(_OPENS).match(line)
    return found[1] if found else ""


@cache
def _saying() -> frozenset[str]:
    """Return the words by which one asks what a text says, and nothing else."""
    return frozenset(word for word in QUESTIONS.of_all("what_it_says") if not is_unspaced(word))


@cache
def _saying_unspaced() -> re.Pattern[str]:
    """Return the pattern of a text of nothing but such words, in scripts without spaces."""
    words = filter(is_unspaced, QUESTIONS.of_all("what_it_says"))
    return re.compile(rf"(?:{'|'.join(words)}|[\s?？。])*")
