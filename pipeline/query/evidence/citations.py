"""From evidence to sources: a sentence is found in its chunk, the chunk's place in its document, the document's file.

An answer cites ids of what it was offered; here they become numbered sources, sentence by sentence.
"""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

from pipeline.base.store import Rows
from pipeline.base.task import GAP, NOT_SAID_OF
from pipeline.documents.chunk_documents import with_documents
from pipeline.documents.places import PLACE_COLUMNS, file_place, quotable
from pipeline.documents.table_rows import quoted_row
from pipeline.query.answer import Carry, Grounds, Place, Sentence, Source
from pipeline.text.answering.blocks import units
from pipeline.text.answering.support import SUPPORTED
from pipeline.text.headings import anchor_at
from pipeline.text.metadata import sent_by
from pipeline.text.quotes import locate
from pipeline.text.sentences import CELLS, CLOSED_STATEMENT, CLOSING_MARKS, END_MARKS, split


class Page(NamedTuple):
    """A text from outside the corpus that an answer may cite: a page that a web search found, or the part of it that it found."""

    url: str
    title: str
    text: str


Behind = Callable[[tuple[str, ...]], Grounds]
"""From ids that a sentence cites to what it was written from."""


class Sources:
    """Numbers the passages of one answer in the order in which they are first cited; ``pages`` are outside the corpus.

    ``carry`` chooses the spans that carry a sentence; without it a sentence keeps the passages that its ids stand for.
    ``behind`` returns what a sentence that cites some ids was written from.
    """

    def __init__(
        self,
        chunks: Rows,
        documents: Rows,
        pages: Iterable[Page] = (),
        carry: Carry | None = None,
        behind: Behind = lambda ids: (),
    ) -> None:
        self._chunks, self._documents, self.carry, self.behind = chunks, documents, carry, behind
        self._pages = {page.url: page for page in pages}
        self._found: dict[Place, int] = {}

    def number(self, place: Place) -> int:
        """Return the number of a passage, a new one when it was not cited before."""
        return self._found.setdefault(place, len(self._found) + 1)

    def listed(self) -> tuple[Source, ...]:
        """Return the sources in the order of their numbers."""
        ids, columns = [place.chunk_id for place in self._found], ["title", "source", "metadata", *PLACE_COLUMNS]
        rows = with_documents(ids, self._chunks, self._documents, ["start", "text", "anchor"], columns)
        sources = []
        for place, number in self._found.items():
            if page := self._pages.get(place.chunk_id):
                quote = page.text[place.start : place.end]
                sources.append(Source(number, "", "", page.title, page.url, place.start, place.end, quote))
                continue
            chunk, document = rows[place.chunk_id]
            whole = chunk["text"][place.start : place.end]
            start = chunk["start"] + place.start
            row = quoted_row(document, whole, start)
            low, high = quotable(document, whole, start)
            quote, found = row or (whole[low:high], file_place(document, start + low, start + high))
            sources.append(
                Source(
                    number=number,
                    chunk_id=place.chunk_id,
                    document_id=chunk["document_id"],
                    title=document["title"],
                    file=document["source"],
                    start=found.start,
                    end=found.end,
                    quote=quote,
                    place=found.label,
                    page=found.page,
                    record=found.record,
                    within=found.within,
                    heading=anchor_at(place.start, chunk["text"], chunk["anchor"]),
                    by=sent_by(document["metadata"]),
                )
            )
        return tuple(sources)


def place_sentence(sentence: str, chunks: Sequence[tuple[str, str]]) -> Place | None:
    """Return where a sentence, or a row of a table by its cells, is in one of the chunks (id, text), the first that holds it;
    None when in none."""
    for id, text in chunks:
        span = locate(sentence, text) or _locate_row(sentence, text)
        if span:
            closing = _CLOSING.match(text, span[1])
            return Place(id, span[0], closing.end() if closing and sentence.endswith(closing[0]) else span[1])
    return None


_STOPPED = re.compile(rf"[{END_MARKS}]+[{CLOSING_MARKS}*_]*\Z")
_STOP = 8
"""Characters before a citation in which a full stop and what closes behind it are looked for."""
_CLOSING = re.compile(rf"[{END_MARKS}]+[{CLOSING_MARKS}]*")


def _locate_row(row: str, text: str) -> tuple[int, int] | None:
    """Return the span of the line of a text that has the cells of a row, each perhaps behind the name of its column."""
    cells = [cell.strip() for cell in row.split(CELLS) if cell.strip()]
    at = 0
    for line in text.splitlines(keepends=True) if len(cells) > 1 else ():
        row_cells = [cell.strip() for cell in line.split(CELLS)]
        if len(row_cells) == len(cells) and all(
            a == b or a.endswith(f": {b}") for a, b in zip(row_cells, cells, strict=True)
        ):
            return at, at + len(line.rstrip())
        at += len(line)
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
"""From an id that was offered and the sentence that cites it to the passage it means; None when there is none."""


class Cited(NamedTuple):
    """An answer's text with the numbers of its sources, its sentences, and how many citations were removed."""

    text: str
    sentences: tuple[Sentence, ...]
    removed: int


_ID = r"[A-Za-z]?\d+"
_SEPARATOR = r"(?:[\s,;&–-]|and)+"
_IDS = rf"{_ID}(?:{_SEPARATOR}{_ID})*"
BRACKETED = re.compile(rf"[ \t]?(?P<twice>\[)?[\[【]\s*(?P<ids>{_IDS})\s*[\]】](?(twice)\])")
"""What has the form of a citation: ids in brackets as answers cite them, [p3] or [f1, c2], and bare numbers, which no
answer may bring along."""
_TICKED = rf"`?{_ID}`?"
_OTHERWISE = re.compile(
    rf"(?:[\[(【]|<sup>)\s*\^?(?:[a-z]+:?\s+)?(?P<ids>{_TICKED}(?:{_SEPARATOR}{_TICKED})*)\s*(?:[†,;|][^\])】<\n]{{0,40}})?(?:[\])】]|</sup>)",
    re.IGNORECASE,
)
"""Forms in which some models cite in place of it: (p3), [^p3], [source p3], [`p3`], 【p3†source】, <sup>p3</sup>."""
_GUARDS = {"[": "\ue200", "]": "\ue201", "【": "\ue202", "】": "\ue203"}
"""Private characters that stand for brackets which are quoted from a source, so that code keeps its ``a[0]``."""
_APART = "\ue204"
_CODE = "\ue205"
"""What is before and behind code that is quoted."""
_GUARD = str.maketrans(_GUARDS)
_UNGUARD = str.maketrans({guard: bracket for bracket, guard in _GUARDS.items()} | {_APART: None, _CODE: None})
_SHOWN = _UNGUARD | {ord(_APART): "\u2060"}
_SAME_LENGTH = _UNGUARD | {ord(_APART): "0"}
"""For where sentences end: a footnote that is kept apart is a number in brackets there, too."""
_NUMBERED = re.compile(r"(`[^`]*`)|([\[【])(?=[\s,\d]*\d[\s,\d]*[\]】])")


def guarded(text: str, is_code: bool = False) -> str:
    """Return a verbatim text so that nothing in it is taken for a citation; ``cite`` gives its brackets back.

    A number in brackets that the source itself has, as of its footnotes, gets a word joiner (U+2060, of no width) behind
    the opening one, so that neither people's programs nor a page take it for the number of a source; code never. A block of
    code is cited as a whole, also where only its indentation shows that it is code.
    """
    marked = f"{_CODE}{text}{_CODE}" if is_code else _NUMBERED.sub(lambda found: found[1] or found[2] + _APART, text)
    return marked.translate(_GUARD)


def as_heading(title: str) -> str:
    """Return a title as a heading within an answer."""
    return f"**{guarded(title)}**"


class _Read(NamedTuple):
    """A text without anything that has the form of a citation; the offered ids with where in it they were, in order."""

    bare: str
    marks: list[tuple[int, list[str]]]
    """Place in the bare text, and ids."""
    removed: int
    code: list[tuple[int, int]]
    """Spans of the bare text that are blocks of code, quoted as they are."""


def _read(text: str, offered: Collection[str]) -> _Read:
    """Take citations out of a text. Only ids that were offered are citations; what else has their form is removed, also
    what takes that form when something inside it is removed: ``[[x9]1]`` does not become ``[1]``."""
    if not any(id.lower() in offered for match in BRACKETED.finditer(text) for id in re.findall(_ID, match["ids"])):
        text = _OTHERWISE.sub(lambda match: _as_bracketed(match, offered), text)
    bare, marks, removed = text, list[tuple[int, list[str]]](), 0
    while matches := list(BRACKETED.finditer(bare)):
        first = bare is text
        for match in matches:
            ids = [id.lower() for id in re.findall(_ID, match["ids"])]
            known = [id for id in ids if first and (id in offered or id == GAP)]
            removed += len(ids) - len(known)
            if known:
                marks.append((match.start(), known))
        spans = [match.span() for match in matches]
        marks = [(at - _length_before(at, spans), ids) for at, ids in marks]
        bounds = [0, *chain.from_iterable(spans), len(bare)]
        bare = "".join(bare[a:b] for a, b in zip(bounds[::2], bounds[1::2], strict=True))
    signs = [(at, at + 1) for at, char in enumerate(bare) if char == _CODE]
    marks = [(at - _length_before(at, signs), ids) for at, ids in marks]
    places = [at - passed for passed, (at, _) in enumerate(signs)]
    return _Read(bare.replace(_CODE, ""), marks, removed, list(zip(places[::2], places[1::2], strict=False)))


def _length_before(at: int, spans: Iterable[tuple[int, int]]) -> int:
    """Return how many of the characters before a place are in some spans."""
    return sum(min(b, at) - min(a, at) for a, b in spans)


def _as_bracketed(match: re.Match[str], offered: Collection[str]) -> str:
    """Return ids that a text cites in another form in brackets; the text as it is where one of them was not offered."""
    ids = re.findall(_ID, match["ids"])
    return f"[{', '.join(ids)}]" if all(id.lower() in offered for id in ids) else match[0]


class _Citation(NamedTuple):
    """Ids that a text cites at a place, the sentence that they belong to, and the passages that they mean."""

    place: int
    owner: int
    ids: Sequence[str]
    passages: Sequence[Place]


def cite(text: str, offered: Collection[str], resolve: Resolve, sources: Sources) -> Cited:
    """Replace ids in brackets by numbered sources; what was not offered is removed and counted. A sentence with GAP in place
    of ids asserts nothing: it says what the answer leaves open.

    ``resolve`` is given the sentence with the id, so that of a long text that was offered the passage is cited that the
    sentence rests on. A citation belongs to the sentence in or right behind which it is, at the start of a line to the
    one that follows. Sources are numbered in the order of the text.
    """
    bare, marks, removed, code = _read(text, offered)
    spans = _ended_by(marks, sentence_spans(bare.translate(_SAME_LENGTH), code), bare)
    said = [bare[start:end].translate(_UNGUARD) for start, end in spans]
    citations = []
    for place, ids in marks:
        owner = _sentence_at(spans, bare, place, code)
        meant = (resolve(id, said[owner] if said else "") for id in ids if id != GAP)
        citations.append(_Citation(place, owner, ids, [passage for passage in meant if passage is not None]))
    left_open = {one.owner for one in citations if GAP in one.ids}
    carried: dict[int, float] = {}
    if sources.carry:
        cited = {one.owner for one in citations if one.passages}
        claims = [
            _asserts(bare[start:end])
            and len(_words(one)) >= (SHORT_CLAIM_WORDS if _goes_on(bare, spans, at, cited) else CLAIM_WORDS)
            for at, ((start, end), one) in enumerate(zip(spans, said, strict=True))
        ]
        citations, carried = _carried(citations, spans, said, claims, sources.carry, sources.behind)
    copied = _Copy(bare, spans)
    numbers: list[dict[int, None]] = [{} for _ in spans]
    at, here = -1, dict[int, None]()  # the place of the citation before, and the numbers written there
    for place, owner, _, passages in sorted(citations, key=lambda one: one.place):
        shown = dict.fromkeys(sources.number(passage) for passage in passages)
        at, here = place, here if place == at else {}
        copied.go_on(place)
        if spans:
            numbers[owner].update(shown)
        if new := [number for number in shown if number not in here]:
            opens = not place or bare[place - 1].isspace() or here
            copied.write(("" if opens else " ") + "".join(f"[{number}]" for number in new))
        here |= shown
    copied.go_on(len(bare))
    sentences = tuple(
        Sentence(
            start,
            end,
            tuple(cited),
            (at not in left_open or bool(cited)) and _asserts(bare[slice(*span)]),
            carried.get(at, 0.0 if sources.carry else None),
        )
        for at, ((start, end), cited, span) in enumerate(zip(copied.bounds, numbers, spans, strict=True))
    )
    return Cited("".join(copied.parts).translate(_SHOWN), sentences, removed)


def _goes_on(text: str, spans: Sequence[tuple[int, int]], at: int, cited: Collection[int]) -> bool:
    """Return whether the sentence behind one cites something, in the same line."""
    return at + 1 in cited and "\n" not in text[spans[at][1] : spans[at + 1][0]]


def _carried(
    citations: Sequence[_Citation],
    spans: Sequence[tuple[int, int]],
    said: Sequence[str],
    claims: Sequence[bool],
    carry: Carry,
    behind: Behind,
) -> tuple[list[_Citation], dict[int, float]]:
    """Return citations that mean the spans that carry their sentence, at its last one, and by sentence how well these do; one
    more for each of the ``claims`` that cites nothing though the corpus says it."""
    found = list(citations)
    carried: dict[int, float] = {}
    for owner, (_, end) in enumerate(spans):
        mine = [at for at, one in enumerate(citations) if one.owner == owner]
        cited = list(dict.fromkeys(passage for at in mine for passage in citations[at].passages))
        if not (cited or (claims[owner] and not mine)):
            continue
        ids = tuple(dict.fromkeys(id for at in mine for id in citations[at].ids if id != GAP))
        chosen, support = carry(said[owner], cited, behind(ids))
        if mine or support >= SUPPORTED:
            carried[owner] = support
        for at in mine:
            found[at] = citations[at]._replace(passages=chosen if at == mine[-1] else ())
        if not mine and support >= SUPPORTED:
            found.append(_Citation(end, owner, (), chosen))
    return found, carried


class _Copy:
    """A text that is copied piece by piece with something written between, and where its sentences are in the copy."""

    def __init__(self, text: str, spans: Sequence[tuple[int, int]]) -> None:
        self._text, self._spans = text, spans
        self.parts: list[str] = []
        self.bounds = [[0, 0] for _ in spans]
        self._at = self._length = 0

    def write(self, piece: str) -> None:
        """Write what the text does not have."""
        self.parts.append(piece)
        self._length += len(piece)

    def go_on(self, until: int) -> None:
        """Copy the text up to a place."""
        moved = self._length - self._at
        for place, (start, end) in enumerate(self._spans):
            if self._at <= start < until or (start == until == len(self._text)):
                self.bounds[place][0] = start + moved
            if self._at < end <= until:
                self.bounds[place][1] = end + moved
        self.write(self._text[self._at : until])
        self._at = until


def _ended_by(
    marks: Iterable[tuple[int, list[str]]], spans: Sequence[tuple[int, int]], text: str
) -> list[tuple[int, int]]:
    """Return the spans of sentences, in two where a citation ends a line inside one, rows of a file that end in no mark, or
    is behind a full stop: what follows may begin in lower case."""
    ends = sorted(
        {
            place
            for place, _ in marks
            if text[place : place + 1] == "\n"
            or (_STOPPED.search(text, max(place - _STOP, 0), place) and text[place:].strip())
        }
    )
    found = []
    for start, end in spans:
        inside = [place for place in ends if start < place < end]
        bounds = (
            [start, *(text.index(text[place:].lstrip()[:1], place) for place in inside), end]
            if inside
            else [start, end]
        )
        stops = [*inside, end]
        found += list(zip(bounds, stops, strict=False))
    return found


def sentences_with_ids(text: str, offered: Collection[str]) -> list[tuple[str, tuple[str, ...]]]:
    """Return the sentences of a text, each with those ids in brackets that belong to it and were offered."""
    bare, marks, _, code = _read(text, offered)
    spans = sentence_spans(bare.translate(_SAME_LENGTH), code)
    ids: list[dict[str, None]] = [{} for _ in spans]
    for place, found in marks if spans else ():
        ids[_sentence_at(spans, bare, place, code)].update(dict.fromkeys(id for id in found if id != GAP))
    return [(bare[start:end].translate(_UNGUARD), tuple(own)) for (start, end), own in zip(spans, ids, strict=True)]


def keep_offered(text: str, offered: Collection[str]) -> tuple[str, int]:
    """Return a text whose ids in brackets were all offered, or are GAP, and how many others it had: for texts on the way to an
    answer."""
    bare, marks, removed, _ = _read(text, offered)
    parts = []
    at = 0
    for place, ids in marks:
        parts += [bare[at:place], " ", *(f"[{id}]" for id in dict.fromkeys(ids))]
        at = place
    return "".join([*parts, bare[at:]]), removed


def sentence_spans(text: str, code: Sequence[tuple[int, int]] = ()) -> list[tuple[int, int]]:
    """Return the spans of the sentences of an answer; a block of code is one, and neither a row of a table nor a heading goes on.

    ``code`` are spans that are known to be blocks of code; others are found by their fences.
    """
    bounds = [0, *chain.from_iterable(code), len(text)]
    between = zip(bounds[::2], bounds[1::2], strict=True)
    return sorted([*code, *((at + a, at + b) for at, end in between for a, b in _spans_between(text[at:end]))])


def _spans_between(text: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    every = units(text)
    for unit in every:
        if unit.kind == "code" or (unit.kind == "row" and text[unit.start] == "|"):  # a row is cited as a whole
            spans.append((unit.start, unit.end))
            continue
        ends = [unit.start + place for row in _ROW.finditer(text[unit.start : unit.end]) for place in row.span()]
        for start, end in pairwise([unit.start, *ends, unit.end]):
            spans += [(start + a, start + b) for a, b in split(text[start:end])]
    for heading in _BOLD.finditer(text):
        start, end = heading.span()
        if any(unit.kind == "code" and unit.start <= start < unit.end for unit in every):
            continue
        behind = [(len(text) - len(text[end:].lstrip()), b) for a, b in spans if a < end < b]
        spans = sorted([*((a, b) for a, b in spans if b <= start or a >= end), (start, end), *behind])
    return spans


_ROW = re.compile(rf"^.*{re.escape(CELLS)}.*\n?", re.M)
_BOLD = re.compile(r"^(?:- )?\*\*[^*\n]+\*\*$", re.M)
"""A heading in bold, in a line of its own."""


FENCES = ("```", "~~~")
"""What code between fences ends with; a citation is in the line below."""


def _sentence_at(spans: Sequence[tuple[int, int]], text: str, place: int, code: Sequence[tuple[int, int]]) -> int:
    """Return the position of the sentence that a citation at ``place`` belongs to: the last that began before it.

    At the start of a line it belongs to the sentence that follows, unless code ends before it.
    """
    before = sum(start < place for start, _ in spans)
    said = text[:place].rstrip()
    is_below_code = said.endswith(FENCES) or any(end == len(said) for _, end in code)
    opens = not text[:place].rpartition("\n")[2].strip("-*•># \t") and not is_below_code
    return min(before, len(spans) - 1) if opens else max(before - 1, 0)


def _asserts(sentence: str) -> bool:
    core = sentence.strip(" \t-*•_>")
    if sentence.lstrip().startswith("#") or core.endswith((":", "：", "?", "？")) or core.startswith(NOT_SAID_OF):
        return False
    if not any(char.isalnum() for char in core):
        return False
    closed = CLOSED_STATEMENT.search(sentence.rstrip())
    heading = sentence.strip().endswith("**") or (len(core.split()) <= HEADING_WORDS and not _ITEM.match(sentence))
    return bool(closed) or not heading


_ITEM = re.compile(r"\s*[-*•]\s|\s*\d+[.)]\s|\s*\|")
CLAIM_WORDS = 4
"""Words from which on a sentence that cites nothing says enough to be looked for in the corpus."""
SHORT_CLAIM_WORDS = 2
"""The same where the next sentence of its line cites something: both are of one paragraph of the text."""
HEADING_WORDS = 6
"""Words up to which a line without a full stop is taken for a heading."""


def _words(text: str) -> list[str]:
    return [word.casefold() for word in re.findall(r"\w+", text) if len(word) > 2 or not word.isascii()]
