"""Finds headings, paragraphs and running heads of a PDF by the size of its type and where its lines are on the page.

A heading is a line in larger type than most of the text, or one in bold type that is a paragraph of its own. A running head is the
highest or lowest line of a page that comes back, but for its numbers, on other pages.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import pairwise
from typing import NamedTuple

from pipeline.documents.office.pdf_tables import PageCell, Table, runs_of

_LARGER = 1.08
"""Times the size of most of the text from which on a line is in larger type."""
_LONGEST, _LINES = 120, 3
"""Characters and lines of the longest heading; more in larger type is a text."""
_GAP = 1.25
"""Times the usual distance of lines from which on a paragraph begins."""
_CLOSEST = 0.5
"""Sizes of the type that are less than the distance of two lines."""
_SAME_LINE = 2.0
"""Points by which what is on one line differs in height."""
_SAME_ITEM = 0.5
"""Sizes of the type by which the sign of an item of a list is above or below its line, at most."""
_RECURS = 3
"""Pages on which a running head is, at least."""
_DIVIDED = re.compile(r"(?P<left>[^\W\d_]+)(?P<mark>[-\u2010\u00ad])[ \t]*\r?\n[ \t]*(?P<right>[^\W\d_A-Z]+)")
"""A word whose end is on the next line, in small letters."""
_TIES = frozenset({"and", "or", "to", "und", "oder", "bis", "et", "ou", "y", "o", "e", "en", "of", "i"})
"""Words before which a hyphen stands for what two words have in common: "first- and second-class"."""
_DEEPEST = 6
"""The deepest level of a heading."""
_AT_END = re.compile(r"(?:(\d{1,4})\s+\D.*|.*\D\s+(\d{1,4}))$")
"""A number before or behind other words of a line."""
_NUMBER = re.compile(r"\d+|\b[ivxlc]+\b")
_NO_HEADING = re.compile(r"[.,;:…]$|^[•·▪◦–-]\s|^\W*\w?\W*$|^[\W\d]*$|(?:[ ]?[.·…]){4}")
"""Lines that end as sentences do, items of lists, single letters, numbers and signs, lines of a table of contents."""
_ITEM = re.compile(r"[•·▪◦–*-]\s|\(?\w{1,2}[.)]\s")
"""How an item of a list begins."""


class PageLine(NamedTuple):
    """A line of a page, ``text[start:end]``: its height in points, the size of most of its type, whether all of it is bold and
    whether all its letters have one width, as those of code do."""

    start: int
    end: int
    height: float
    size: float
    bold: bool
    code: bool


_TYPE = slice(3, None)
"""Where a line says what type it is in."""


class Edit(NamedTuple):
    """What is written in place of ``text[start:end]`` of a page."""

    start: int
    end: int
    text: str


class LaidOut(NamedTuple):
    """A page as it was read: its text, its lines, and those of its lines that are rows of tables."""

    text: str
    lines: Sequence[PageLine]
    tables: Sequence[Table]

    def prose(self) -> list[PageLine]:
        """The lines that are no rows of tables."""
        spans = [(table[0][0].start, table[-1][-1].end) for table in self.tables]
        return [line for line in self.lines if not any(low < line.end and line.start < high for low, high in spans)]


def lines_of(text: str, cells: Sequence[PageCell]) -> list[PageLine]:
    """The lines of a page's text that hold any of its pieces."""
    lines, at, k = [], 0, 0
    for line in text.splitlines(keepends=True):
        own = []
        while k < len(cells) and cells[k].start < at + len(line):
            own.append(cells[k])
            k += 1
        words = line.strip()
        if own and words:
            start = at + line.index(words)
            sizes = Counter[float]()
            for cell in own:
                sizes[round(2 * cell.size) / 2] += cell.end - cell.start
            size = min(sizes, key=lambda size: (-sizes[size], -size))
            bold, code = all(cell.bold for cell in own), all(cell.code for cell in own)
            lines.append(PageLine(start, start + len(words), own[0].height, size, bold, code))
        at += len(line)
    return lines


def edits(pages: Sequence[LaidOut], title: str) -> list[list[Edit]]:
    """Return for each page what makes its headings Markdown's, parts its paragraphs by blank lines and joins words that a line's
    end divides, without running heads.

    A running head stays where it is first, unless the title or a heading says the same.
    """
    body = _BodyType.of(pages)
    heads = _running_heads(pages)
    found = [list(_headings(page, own, body)) for page, own in zip(pages, heads, strict=True)]
    sizes = sorted({run[0].size for runs in found for run in runs if run[0].size > body.size}, reverse=True)
    said = [_words(title)]
    for page, runs in zip(pages, found, strict=True):
        said += [_words(page.text[run[0].start : run[-1].end]) for run in runs]
    seen: set[str] = set()
    known = frozenset[str]().union(*(_words(_DIVIDED.sub(" ", page.text)) for page in pages))
    result = []
    for page, own, runs in zip(pages, heads, found, strict=True):
        dropped = []
        for line in own:
            key = _recurring(page.text[line.start : line.end])
            if key in seen or any(2 * len(_words(key) & words) >= len(_words(key)) for words in said):
                dropped.append(line)
            seen.add(key)
        level = {size: min(number, _DEEPEST) for number, size in enumerate(sizes, 1)}
        last = min(len(sizes) + 1, _DEEPEST)
        headings = {run[0].start: (run, level.get(run[0].size, last)) for run in runs}
        result.append(list(_edits(page, dropped, headings, known)))
    return result


class _BodyType(NamedTuple):
    """The type of most of the text."""

    size: float
    bold: bool
    code: bool

    @classmethod
    def of(cls, pages: Iterable[LaidOut]) -> "_BodyType":
        types = Counter[_BodyType]()
        for page in pages:
            for line in page.lines:
                types[cls(line.size, line.bold, line.code)] += line.end - line.start
        return min(types, key=lambda body: (-types[body], body), default=cls(0.0, False, False))


def _running_heads(pages: Sequence[LaidOut]) -> list[list[PageLine]]:
    """Return of each page the lines that are above or below all others and recur so, at the same height, on _RECURS pages."""
    outer = []
    for page in pages:
        heights = sorted({line.height for line in page.prose()})
        ends = {*heights[-1:], *heights[:1]} if len(heights) > 1 else set()
        outer.append([line for line in page.prose() if any(abs(line.height - end) <= _SAME_LINE for end in ends)])
    pages_of: dict[tuple[object, int], set[int]] = defaultdict(set)
    for number, (page, lines) in enumerate(zip(pages, outer, strict=True)):
        for line in lines:
            for key in _keys(page, line, number):
                pages_of[key].add(number)
    return [
        [line for line in lines if any(len(pages_of[key]) >= _RECURS for key in _keys(page, line, number))]
        for number, (page, lines) in enumerate(zip(pages, outer, strict=True))
    ]


def _keys(page: LaidOut, line: PageLine, number: int) -> list[tuple[object, int]]:
    """Return what is the same of a running head on all its pages: its words, or how far the number at its end is from that of
    the page; and its height."""
    text, height = page.text[line.start : line.end], round(line.height / _SAME_LINE)
    found = _AT_END.match(text)
    counted = [(int(found[1] or found[2]) - number, height)] if found else []
    return [(_recurring(text), height), *counted]


def _recurring(text: str) -> str:
    """Return a line without what differs from page to page."""
    return _NUMBER.sub("#", " ".join(text.casefold().split()))


def _words(text: str) -> frozenset[str]:
    return frozenset(word for word in re.findall(r"[^\W\d_]+", text.casefold()))


def _headings(page: LaidOut, heads: Sequence[PageLine], body: _BodyType) -> Iterator[list[PageLine]]:
    """Yield the lines of each heading of a page with these running heads."""
    lines = [line for line in page.prose() if line not in heads]
    usual = _usual_distance(lines)
    before: PageLine | None = None
    for run in _runs(lines, usual):
        words = page.text[run[0].start : run[-1].end]
        larger = run[0].size >= _LARGER * body.size
        bold = run[0].bold > body.bold and run[0].size >= body.size and (not before or _apart(before, run[0], usual))
        if (
            (larger or bold)
            and run[0].code <= body.code
            and len(run) <= _LINES
            and len(words) <= _LONGEST
            and not _NO_HEADING.search(words)
        ):
            yield run
        before = run[-1]


def _runs(lines: Sequence[PageLine], usual: float) -> Iterator[list[PageLine]]:
    """Yield runs of lines in one type without a gap between them."""
    return runs_of(lines, lambda above, line: _apart(above, line, usual) or above[_TYPE] != line[_TYPE])


def _usual_distance(lines: Sequence[PageLine]) -> float:
    """Return the distance of lines that a quarter of neighbours have at most, in sizes of their type; 0 where there are none."""
    steps = [(above.height - below.height) / above.size for above, below in pairwise(lines) if above.size == below.size]
    steps = sorted(step for step in steps if step > _CLOSEST)
    return steps[len(steps) // 4] if steps else 0.0


def _apart(above: PageLine, below: PageLine, usual: float) -> bool:
    """Return whether there is more room between two lines than usual."""
    return bool(usual) and above.height - below.height > _GAP * usual * max(above.size, below.size)


def _edits(
    page: LaidOut,
    dropped: Sequence[PageLine],
    headings: Mapping[int, tuple[Sequence[PageLine], int]],
    known: Set[str],
) -> Iterator[Edit]:
    """Yield what makes ``headings``, by where they begin, headings of a level, parts paragraphs, joins divided words as
    the other ``known`` words of the document show, and leaves lines out."""
    for line in dropped:
        end = min(line.end + 1, len(page.text))
        yield Edit(len(page.text[: line.start].rstrip()) if end == len(page.text) else line.start, end, "")
    kept = [line for line in page.prose() if line not in dropped]
    usual = _usual_distance([line for line in kept if not _is_sign(page, line)])
    of_heading = {line.start: run[0].start for run, _ in headings.values() for line in run}
    above: PageLine | None = None
    item = False
    for number, line in enumerate(kept, 1):
        below = kept[number] if number < len(kept) else None
        heading, heading_above = of_heading.get(line.start), of_heading.get(above.start) if above else None
        if above and heading is not None and heading == heading_above:
            yield Edit(above.end, line.start, " ")
        elif below and _is_sign(page, line) and abs(line.height - below.height) <= _SAME_ITEM * line.size:
            yield Edit(line.start, below.start, "- ")
            item = True
            continue
        elif above and not item and (heading is not None or heading_above is not None or _apart(above, line, usual)):
            yield Edit(line.start, line.start, "" if _ITEM.match(page.text, line.start, line.end) else "\n")
        elif above and heading is None:
            yield from _joined(page, above, line, known)
        if heading is not None and heading != heading_above:
            yield Edit(line.start, line.start, "#" * headings[heading][1] + " ")
        elif heading is None and page.text.startswith("#", line.start):
            yield Edit(line.start, line.start, " ")  # a comment in code is no heading
        above, item = line, False


def _joined(page: LaidOut, above: PageLine, line: PageLine, known: Set[str]) -> Iterator[Edit]:
    """Yield what joins a word that is divided between two lines; its hyphen stays where the document has both parts as words,
    and not the whole."""
    divided = _DIVIDED.search(page.text, above.start, line.end)
    if divided is None or divided.start("right") != line.start or divided["right"] in _TIES:
        return
    left, right = divided["left"].casefold(), divided["right"].casefold()
    kept = left + right not in known and {left, right} <= known
    yield Edit(divided.end("mark" if kept else "left"), line.start, "")


def _is_sign(page: LaidOut, line: PageLine) -> bool:
    """Return whether a line is but the sign of an item of a list, which is in another type than the item."""
    return line.end - line.start == 1 and not page.text[line.start].isalnum()
