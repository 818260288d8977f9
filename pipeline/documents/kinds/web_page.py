"""Reads HTML, which becomes plain text with Markdown headings and lists; every character knows its place in the file.

The page is cut into tags and text here, in one pass that is linear for any input: html.parser of the standard library takes
eight seconds for 30 KB of unclosed tags (Python 3.11.7, CVE-2025-6069).
"""

import html
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from pipeline.documents.kinds.main_text import main_text
from pipeline.documents.parsed import FormatOptions, Parsed, Read, one_line, readable_name
from pipeline.documents.places import MappedText, line_starts
from pipeline.documents.tables import write_row
from pipeline.text.headings import LONGEST
from pipeline.text.sentences import CELLS

_NAVIGATION = re.compile(
    r"""<nav\b|\brole\s*=\s*["']?navigation\b|\bclass\s*=\s*(?:["'](?:[^"']*\s)?)?(?:(?:doc)?nav(?:bar|header|footer|igation)?|breadcrumbs?|pagination|pager|toc|toctree-wrapper)(?=["'\s>])""",
    re.IGNORECASE,
)
"""How a page says that an element leads to other pages, and is no part of its text."""
_MAY_NAVIGATE = frozenset(("nav", "div", "table", "ul", "ol", "section", "header", "footer"))
_HIDDEN = frozenset(("script", "style", "template", "noscript", "svg", "math", "iframe", "object", "head"))
"""Elements whose content no reader sees; of the head only the title is read."""

_BLOCK = re.compile(
    "/?(?:address|article|aside|blockquote|body|caption|center|dd|details|dialog|div|dl|dt|fieldset|figcaption|figure|footer|form"
    "|frameset|h[1-6]|header|hr|html|legend|li|main|menu|nav|ol|option|p|pre|section|select|summary|table|tbody|tfoot|thead|title"
    "|tr|ul)"
)
_TAG_END = re.compile(r"""[^>"']*+(?:"[^"]*+"[^>"']*+|'[^']*+'[^>"']*+)*+>""")
_NAME = re.compile(r"</?([a-zA-Z][a-zA-Z0-9:-]{0,40})")
_SPACES = re.compile(r"[ \t\r\n\f\xa0]+")
_REFERENCE = re.compile(r"&(?:#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[^\t\n\f <&#;]{1,32};?)")  # as html.unescape() takes them
_HUGE_REFERENCE = re.compile(r"&#(?:0*[0-9]{8,}|[xX]0*[0-9a-fA-F]{7,});?")


def read_html(source: str, text: str, options: FormatOptions) -> Read:
    """One document. Its title is the <title>, else the first heading, else the file's name.

    Of ``options.web_pages`` "text" what the page marks as navigation is left out, unless it has nothing else; of "main" only
    the page's own text is read, without any menus and footers; the page as with "text" where none is found.
    """
    belongs = main_text(text) if options.web_pages == "main" else None
    page = _page(text, belongs, navigation=options.web_pages == "whole")
    if not page.text.text().strip():
        page = _page(text, belongs, navigation=True)
    title = one_line(page.title) or one_line(page.heading) or readable_name(source)
    parsed = Parsed(title, page.text.text(), places=page.text.places("line", 1, line_starts(text)))
    whole = options.web_pages == "main" and belongs is None
    yield parsed.noted("no main text was found, so the whole page is read") if whole else parsed


def _page(text: str, belongs: Callable[[str], bool] | None, navigation: bool = False) -> "_Page":
    page = _Page(belongs)
    for tag, content in _tokens(text, navigation):
        page.take(tag, content)
    page.end_block()
    return page


class _Piece(NamedTuple):
    """Text as it is read, and where the file has it; a reference such as &amp; is a piece by itself."""

    text: str
    start: int
    end: int


_BREAK, _CELL, _HEADER_CELL = _Piece("\n", -1, -1), _Piece(CELLS, -1, -1), _Piece(CELLS, -2, -2)
"""Signs between pieces: the end of a line, the beginning of a cell."""


_LINKS = frozenset({"¶", "#", "§", "🔗"})


def _without_link(pieces: list[_Piece]) -> list[_Piece]:
    """Return the text of a block without the sign behind it that is the link to itself, as pages of documentation have."""
    if len(pieces) > 1 and pieces[-1].text.strip() in _LINKS and any(piece.text.strip() for piece in pieces[:-1]):
        return pieces[:-1]
    return pieces


class _Page:
    """Collects blocks of text; list items and rows of a table follow each other on lines, other blocks as paragraphs, and so does a
    row of one cell among rows of several: it is a title of those below it, or a note."""

    def __init__(self, belongs: Callable[[str], bool] | None = None) -> None:
        self.text = MappedText()
        self._belongs = belongs
        """Whether a block is read; None: all are."""
        self._headings: list[tuple[list[_Piece], str]] = []
        """Headings that are read if the next block is."""
        self.title = self.heading = ""
        self._pieces: list[_Piece] = []
        self._filled = False
        """Whether the block that is being collected holds a character to read."""
        self._open = ""
        """The element that decides how the block is written: h1 to h6, li, tr, dt, pre, title, or "code" for a pre of code."""
        self._of_code = False
        """Whether the block is within an element that is said to be code."""
        self._last = ""
        """The element of the block before; "cell" for a row of one cell."""
        self._is_wide = False
        """Whether the block that is being collected has a cell over several columns or rows."""
        self._labels: list[str] | None = None
        """What the first row of the table calls its columns; empty where it does not, None before the first row."""

    def take(self, tag: str, content: _Piece) -> None:
        """Take a piece of text (no tag) or a tag: its name, with "/" in front where it closes, and the tag as it is."""
        if not tag:
            self._pieces.append(content)
            self._filled = self._filled or not content.text.isspace()
        elif tag in ("br", "/br"):
            self._pieces.append(_BREAK)
        elif tag in _CODE and self._open == "pre":
            self._open = "code"
        elif tag in ("td", "th"):
            if self._filled or self._open == "tr":
                self._pieces.append(_HEADER_CELL if tag == "th" else _CELL)
            if _SPANS.search(content.text):  # which label belongs to which cell is not known any more
                self._labels, self._is_wide = [], True
        elif _BLOCK.fullmatch(tag) and not self._stays_open(tag):
            self.end_block()
            self._open, self._is_wide = tag if tag in _SHAPED else "", False
            self._of_code = bool(_CODE_CLASS.search(content.text)) or (tag == "pre" and self._of_code)
            if tag == "pre" and self._of_code:
                self._open = "code"
            self._labels = None if tag == "table" else [] if tag == "/table" else self._labels

    def _stays_open(self, tag: str) -> bool:
        """Whether a block opens at the very start of a list item or inside a cell, and goes on with its line."""
        inner = tag.lstrip("/") in ("p", "div")
        return inner and (self._open == "tr" or (self._open == "li" and not self._filled))

    def end_block(self) -> None:
        """Write what was collected as a block."""
        pieces, shape, filled = _without_link(self._pieces), self._open, self._filled
        self._pieces, self._filled = [], False
        if not filled:
            return
        if shape == "title":
            self.title = self.title or "".join(piece.text for piece in pieces)
            return
        if self._belongs and not self._belongs("".join(piece.text for piece in pieces)):
            self._headings = [*self._headings, (pieces, shape)] if shape[:1] == "h" else []
            return
        for heading in self._headings:
            self._write_block(*heading)
        self._headings = []
        self._write_block(pieces, shape)

    def _write_block(self, pieces: list[_Piece], shape: str) -> None:
        kind = shape or "p"
        if shape == "tr" and len(_cells(pieces)) == 1:
            kind = "p" if self._is_wide else "cell"
        if self._last:
            self.text.insert("\n" if kind in ("li", "tr", "cell") and kind == self._last else "\n\n")
        self._last = kind
        if shape in ("pre", "code"):
            fence = "```" if shape == "code" else ""
            self.text.insert(f"{fence}\n" if fence else "")
            self._write_as_it_is(pieces)
            self.text.insert(f"\n{fence}" if fence else "")
        elif shape == "dt" and len(_read(pieces)) <= LONGEST:
            self.text.insert("###### ")
            self._write([_SPACE if piece is _BREAK else piece for piece in pieces])
        elif shape == "tr":
            self._write_row(pieces)
        elif shape[:1] == "h":
            if shape == "h1":
                self.heading = self.heading or "".join(piece.text for piece in pieces)
            self.text.insert("#" * int(shape[1]) + " ")
            self._write([_SPACE if piece is _BREAK else piece for piece in pieces])
        else:
            self.text.insert("- " if shape == "li" else "")
            self._write(pieces)

    def _write_as_it_is(self, pieces: list[_Piece]) -> None:
        """Write a block with its white space, without the line ends around it."""
        filled = [k for k, piece in enumerate(pieces) if piece.text.strip("\r\n")]
        for k in range(filled[0], filled[-1] + 1):
            text, start, _ = piece = pieces[k]
            first = len(text) - len(text.lstrip("\r\n")) if k == filled[0] else 0
            last = len(text.rstrip("\r\n")) if k == filled[-1] else len(text)
            self._add(text[first:last], piece, start + first)

    def _write_row(self, pieces: list[_Piece]) -> None:
        """Write the cells of a row, each behind the label of its column where the table's first row gives labels."""
        cells = _cells(pieces)
        labels = self._labels or []
        if self._labels is None:
            self._labels = [_read(cell) for cell in cells] if _HEADER_CELL in pieces and _CELL not in pieces else []
        write_row(self.text, labels, [_read(cell) for cell in cells], lambda k: self._write(cells[k]))

    def _write(self, pieces: list[_Piece]) -> None:
        """Write pieces with one space for any white space, and none at the ends of lines."""
        gap: _Piece | None = None
        begun = False
        for piece in pieces:
            if piece.start < 0:
                gap = _Piece(gap.text.rstrip(" ") + piece.text, -1, -1) if gap and piece is _BREAK else piece
                continue
            for words in _WORDS.finditer(piece.text):
                at = piece.start + words.start()
                if words.start() and not gap:
                    gap = _Piece(" ", at - 1, at)
                if gap and begun:
                    self._add(gap.text, gap, gap.start)
                self._add(_SPACES.sub(" ", words[0]), piece, at)
                gap, begun = None, True
            if not gap and piece.text[-1:] in _WHITE:
                gap = _Piece(" ", piece.start if len(piece.text) == 1 else piece.end - 1, piece.end)

    def _add(self, text: str, piece: _Piece, start: int) -> None:
        """Add text of a piece, from ``start`` in the file where the file has these very characters."""
        if piece.start < 0:
            self.text.insert(text)
        elif len(piece.text) == piece.end - piece.start:
            self.text.copy(text, start)
        else:
            self.text.replace(text, piece.start, piece.end)


def _cells(pieces: list[_Piece]) -> list[list[_Piece]]:
    """Return the pieces of each cell of a row."""
    cells: list[list[_Piece]] = [[]]
    for piece in pieces:
        if piece is _CELL or piece is _HEADER_CELL:
            cells.append([])
        else:
            cells[-1].append(piece)
    return cells if _read(cells[0]) else cells[1:]


def _read(pieces: list[_Piece]) -> str:
    return " ".join("".join(piece.text for piece in pieces).split())


_SPACE = _Piece(" ", -1, -1)
_WHITE = frozenset(" \t\r\n\f\xa0")
_WORDS = re.compile(r"[^ \t\r\n\f\xa0]+(?:[ \t\r\n\f\xa0][^ \t\r\n\f\xa0]+)*")
"""Words with one character of white space between them."""
_SPANS = re.compile(r"(?:col|row)span\s*=\s*[\"']?\s*(?!1\b)", re.IGNORECASE)
_SHAPED = frozenset(("h1", "h2", "h3", "h4", "h5", "h6", "li", "tr", "dt", "pre", "title"))
_ATTRIBUTES_COUNT = frozenset(("td", "th", "div", "pre"))
_CODE = frozenset(("code", "samp", "kbd"))
_CODE_CLASS = re.compile(
    r"\bclass\s*=\s*[\"']?[^\"'>]*(?:code|highlight|listing|screen|source|console|terminal|literal)", re.I
)
"""How pages say that what an element holds is code."""


def _tokens(text: str, navigation: bool) -> Iterator[tuple[str, _Piece]]:
    """Tags and pieces of text in their order, those of ``navigation`` where they are wanted. Every search that fails is remembered, so that none is made twice."""
    search = _MarkupSearch(text)
    place = 0
    while place < len(text):
        bracket = search.find("<", place)
        yield from _pieces(text, place, bracket)
        place = bracket
        if place >= len(text):
            return
        name = _NAME.match(text, place)
        if name:
            end = search.tag_end(name.end())
            tag = ("/" if text[place + 1] == "/" else "") + name[1].lower()
            if end and tag in _HIDDEN and not text.endswith("/>", place, end):
                yield from _title_within(tag, text, end, search)
                end = search.element_end(tag, end)
            elif end and not navigation and tag in _MAY_NAVIGATE and _NAVIGATION.search(text, place, end):
                end = search.balanced_end(tag, end) or end
            if end:
                yield tag, _Piece(text[place:end] if tag in _ATTRIBUTES_COUNT else "", place, end)
        elif text.startswith("<!--", place):
            end = search.find("-->", place + 4) + 3
        else:
            end = search.find(">", place) + 1 if text[place + 1 : place + 2] in ("!", "?", "/") else 0
        if not end:  # a bracket that opens nothing is text
            yield "", _Piece("<", place, place + 1)
        place = end or place + 1


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[str, _Piece]]:
    """The text between two tags, cut where references are."""
    at = start
    for found in _REFERENCE.finditer(text, start, end) if text.find("&", start, end) >= 0 else ():
        # html.unescape() raises on references of thousands of digits.
        read = html.unescape(_HUGE_REFERENCE.sub("\ufffd", found[0]))
        if read != found[0]:
            if at < found.start():
                yield "", _Piece(text[at : found.start()], at, found.start())
            yield "", _Piece(read, *found.span())
            at = found.end()
    if at < end:
        yield "", _Piece(text[at:end], at, end)


def _title_within(tag: str, text: str, start: int, search: "_MarkupSearch") -> Iterator[tuple[str, _Piece]]:
    if tag == "head":
        head = text[start : min(search.element_end(tag, start), start + 65536)]
        found = re.search(r"<title\b[^>]{0,1000}>([^<]{0,2000})", head, re.IGNORECASE)
        if found:
            yield "title", _BREAK
            yield from _pieces(head, *found.span(1))
            yield "/title", _BREAK


class _MarkupSearch:
    """Searches in one text that remember what is not there."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.missing: set[str] = set()
        self._unbalanced: set[str] = set()
        """Elements of which one is not closed: the ends of none are looked for again."""
        self._quotes_pair = True

    def find(self, sign: str, start: int) -> int:
        """Where ``sign`` is next; the end of the text where it is not."""
        found = -1 if sign in self.missing else self.text.find(sign, start)
        if found < 0:
            self.missing.add(sign)
        return found if found >= 0 else len(self.text)

    def tag_end(self, start: int) -> int:
        """The place behind the ">" that closes a tag, those in quotes passed over; 0 where there is none."""
        if self.find(">", start) == len(self.text):
            return 0
        end = _TAG_END.match(self.text, start) if self._quotes_pair else None
        # Where quotes do not pair up to the end of the text, they are ignored from there on.
        self._quotes_pair = end is not None
        return end.end() if end else self.text.find(">", start) + 1

    def element_end(self, name: str, start: int) -> int:
        """The place where ``</name`` is; where it is not, the end of the text for script and style, else ``start``."""
        if name not in self.missing:
            found = re.compile(rf"</{name}\b", re.IGNORECASE).search(self.text, start)
            if found:
                return found.start()
            self.missing.add(name)
        return len(self.text) if name in ("script", "style") else start

    def balanced_end(self, name: str, start: int) -> int:
        """Return the place behind the tag that closes an element whose first tag ends at ``start``; 0 where none does."""
        if name in self._unbalanced:
            return 0
        depth = 1
        for found in re.compile(rf"<(/?){name}\b", re.IGNORECASE).finditer(self.text, start):
            depth += -1 if found[1] else 1
            if not depth:
                return self.tag_end(found.end()) or found.end()
        self._unbalanced.add(name)
        return 0


def declared_encoding(data: bytes) -> str | None:
    """The encoding that a page names in its first kilobytes."""
    found = re.search(
        rb"""<(?:meta|\?xml)[^>]{0,200}?(?:charset|encoding)\s{0,4}=\s{0,4}["']?([A-Za-z0-9_:.-]{2,40})""", data[:4096]
    )
    return found[1].decode("ascii") if found else None
