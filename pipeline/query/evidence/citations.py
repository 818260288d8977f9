"""From evidence to sources: a sentence is found in its chunk, the chunk's place in its document, the document's file.

An answer cites ids of what it was offered; here they become numbered sources, and sentences without any are marked.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pipeline.base.store import Rows
from pipeline.documents.places import PLACE_COLUMNS, file_place
from pipeline.query.answer import NOT_SAID, Source
from pipeline.text.quotes import locate
from pipeline.text.sentences import split


@dataclass(frozen=True)
class Place:
    """A span of a chunk, or of a page from outside the corpus, whose address then stands as ``chunk_id``."""

    chunk_id: str
    start: int
    end: int


class Page(NamedTuple):
    """A text from outside the corpus that an answer may cite: a page that a web search found."""

    url: str
    title: str
    text: str


class Sources:
    """Numbers the passages of one answer in the order in which they are first cited; ``pages`` stand outside the corpus."""

    def __init__(self, chunks: Rows, documents: Rows, pages: Iterable[Page] = ()) -> None:
        self._chunks, self._documents = chunks, documents
        self._pages = {page.url: page for page in pages}
        self._found: dict[Place, int] = {}

    def number(self, place: Place) -> int:
        """Return the number of a passage, a new one when it was not cited before."""
        return self._found.setdefault(place, len(self._found) + 1)

    def listed(self) -> tuple[Source, ...]:
        """Return the sources in the order of their numbers."""
        rows = self._chunks.by_id([place.chunk_id for place in self._found], ["document_id", "start", "text", "anchor"])
        columns = ["title", "source", *PLACE_COLUMNS]
        documents = self._documents.by_id([row["document_id"] for row in rows.values()], columns)
        sources = []
        for place, number in self._found.items():
            if page := self._pages.get(place.chunk_id):
                quote = page.text[place.start : place.end]
                sources.append(Source(number, "", "", page.title, page.url, place.start, place.end, quote))
                continue
            chunk = rows[place.chunk_id]
            document = documents[chunk["document_id"]]
            found = file_place(document, chunk["start"] + place.start, chunk["start"] + place.end)
            sources.append(
                Source(
                    number=number,
                    chunk_id=place.chunk_id,
                    document_id=chunk["document_id"],
                    title=document["title"],
                    file=document["source"],
                    start=found.start,
                    end=found.end,
                    quote=chunk["text"][place.start : place.end],
                    place=found.label,
                    page=found.page,
                    record=found.record,
                    heading=chunk["anchor"],
                )
            )
        return tuple(sources)


def place_sentence(sentence: str, chunks: Sequence[tuple[str, str]]) -> Place | None:
    """Return where a sentence stands in one of the chunks (id, text), the first that holds it; None when in none."""
    for id, text in chunks:
        span = locate(sentence, text)
        if span:
            return Place(id, *span)
    return None


def nearest_sentence(statement: str, chunks: Sequence[tuple[str, str]]) -> Place | None:
    """Return the sentence of the chunks that shares most words with a statement, where none says it in those words."""
    wanted = set(_words(statement))
    best: tuple[float, int, int, Place] | None = None
    for order, (id, text) in enumerate(chunks):
        for start, end in split(text):
            words = set(_words(text[start:end]))
            shared = len(wanted & words)
            if not shared:
                continue
            score = shared / (len(wanted | words) ** 0.5)
            rank = (score, -order, -start, Place(id, start, end))
            if best is None or rank[:3] > best[:3]:
                best = rank
    return best[3] if best else None


Resolve = Callable[[str, str], Place | None]
"""From an id that was offered and the sentence that cites it to the passage it stands for; None when there is none."""

UNSUPPORTED = " [no source]"
"""What marks a sentence that rests on nothing that was offered."""

_ID = r"[A-Za-z]?\d{1,3}"
CITATION = re.compile(rf"[ \t]?[\[【]({_ID}(?:(?:[\s,;&–-]|and)+{_ID})*)[\]】]")
"""Ids in brackets as answers cite them, [p3] or [f1, c2]; bare numbers too, which no answer may bring along."""
_NUMBERS = re.compile(r"[ \t]*(?:\[\d+\])+")


def number_citations(text: str, places: Mapping[str, Place | None], sources: Sources) -> tuple[str, int]:
    """Replace ids in brackets by the numbers of their sources; ids that were not offered are removed and counted."""
    return cite(text, places, lambda id, _: places[id], sources)


def cite(text: str, offered: Collection[str], resolve: Resolve, sources: Sources) -> tuple[str, int]:
    """Replace ids in brackets by numbered sources; ids that were not offered are removed and counted.

    ``resolve`` is given the sentence with the id, so that of a long text that was offered the passage is cited that the
    sentence rests on. Sources are numbered in the order of the text.
    """
    bare, marks = _without(CITATION, text)
    spans = split(bare)
    removed = 0
    parts = []
    at = 0
    for match, place in marks:
        ids = [id.lower() for id in re.findall(_ID, match[1])]
        removed += sum(id not in offered for id in ids)
        sentence = bare[slice(*spans[_sentence_at(spans, bare, place)])] if spans else ""
        found = [resolve(id, sentence) for id in ids if id in offered]
        numbers = dict.fromkeys(sources.number(passage) for passage in found if passage is not None)
        space = match[0][: len(match[0]) - len(match[0].lstrip())] if numbers else ""
        parts += [text[at : match.start()], space, *(f"[{number}]" for number in numbers)]
        at = match.end()
    return _REPEATED.sub(r"\1", "".join([*parts, text[at:]])), removed


def keep_offered(text: str, offered: Collection[str]) -> tuple[str, int]:
    """Return a text whose ids in brackets were all offered, and how many others it had: for texts on the way to an answer."""
    removed = 0

    def kept(match: re.Match[str]) -> str:
        nonlocal removed
        ids = [id.lower() for id in re.findall(_ID, match[1])]
        known = list(dict.fromkeys(id for id in ids if id in offered))
        removed += sum(id not in offered for id in ids)
        return " " + "".join(f"[{id}]" for id in known) if known else ""

    return CITATION.sub(kept, text), removed


_REPEATED = re.compile(r"(\[\d+\])(?:[ \t]*\1)+")


def check_support(text: str) -> tuple[str, tuple[str, ...]]:
    """Return an answer with ``UNSUPPORTED`` behind each sentence that cites no numbered source, and those sentences.

    A citation supports the sentence in or right behind which it stands. Headings, lead-ins that end in a colon, and
    the sentence that the corpus does not say are no assertions and need none.
    """
    bare, marks = _without(_NUMBERS, text)
    spans = split(bare)
    supported = {_sentence_at(spans, bare, place) for _, place in marks} if spans else set()
    parts = []
    missing = []
    at = 0
    for position, (start, end) in enumerate(spans):
        sentence = bare[start:end]
        if position in supported or not _asserts(sentence):
            continue
        missing.append(" ".join(sentence.split()))
        stop = end + sum(len(match[0]) for match, place in marks if place <= start)
        parts += [text[at:stop], UNSUPPORTED]
        at = stop
    return "".join([*parts, text[at:]]), tuple(missing)


def _without(pattern: re.Pattern[str], text: str) -> tuple[str, list[tuple[re.Match[str], int]]]:
    """Return a text without what a pattern finds, and each finding with its place in the text without them."""
    parts: list[str] = []
    marks = []
    at = length = 0
    for match in pattern.finditer(text):
        parts.append(text[at : match.start()])
        length += match.start() - at
        marks.append((match, length))
        at = match.end()
    return "".join([*parts, text[at:]]), marks


def _sentence_at(spans: Sequence[tuple[int, int]], text: str, place: int) -> int:
    """Return the position of the sentence that a citation at ``place`` belongs to: the last that began before it.

    At the start of a line it belongs to the sentence that follows.
    """
    before = sum(start < place for start, _ in spans)
    opens = not text[:place].rpartition("\n")[2].strip("-*•># \t")
    return min(before, len(spans) - 1) if opens else max(before - 1, 0)


def _asserts(sentence: str) -> bool:
    core = sentence.strip(" \t-*•_>")
    if sentence.lstrip().startswith("#") or core.endswith((":", "：", "?", "？")) or core == NOT_SAID:
        return False
    closed = re.search(r"[.!…。！।؟۔][\"'”’»)\]」』*_]*$", sentence.rstrip())
    heading = sentence.strip().endswith("**") or (len(core.split()) <= HEADING_WORDS and not _ITEM.match(sentence))
    return bool(closed) or not heading


_ITEM = re.compile(r"\s*[-*•]\s|\s*\d+[.)]\s")
HEADING_WORDS = 6
"""Words up to which a line without a full stop is taken for a heading."""


def _words(text: str) -> list[str]:
    return [word.casefold() for word in re.findall(r"\w+", text) if len(word) > 2 or not word.isascii()]
