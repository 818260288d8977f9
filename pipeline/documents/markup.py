"""Reads HTML and Markdown. HTML becomes plain text with Markdown headings; Markdown stays as it is.

HTML is cut into tags and text here, in one pass that is linear for any input: html.parser of the standard library takes
eight seconds for 30 KB of unclosed tags (Python 3.11.7, CVE-2025-6069).
"""

import html
import re
from collections.abc import Iterator
from itertools import accumulate

from pipeline.base.files import Problem
from pipeline.documents.encoding import clean
from pipeline.documents.parsed import FormatOptions, Parsed, Read, metadata_of, name_of, one_line, readable_name
from pipeline.text.headings import find_headings

_HIDDEN = frozenset(("script", "style", "template", "noscript", "svg", "math", "iframe", "object", "head"))
"""Elements whose content no reader sees; of the head only the title is kept."""

_BLOCK = re.compile(
    "/?(?:address|article|aside|blockquote|body|caption|center|dd|details|dialog|div|dl|dt|fieldset|figcaption|figure|footer|form"
    "|frameset|h[1-6]|header|hr|html|legend|li|main|menu|nav|ol|option|p|pre|section|select|summary|table|tbody|tfoot|thead|title"
    "|tr|ul)"
)
_TAG_END = re.compile(r"""[^>"']*+(?:"[^"]*+"[^>"']*+|'[^']*+'[^>"']*+)*+>""")
_NAME = re.compile(r"</?([a-zA-Z][a-zA-Z0-9:-]{0,40})")
_SPACES = re.compile(r"[ \t\r\n\f\xa0]+")
_HUGE_REFERENCE = re.compile(r"&#(?:0*[0-9]{8,}|[xX]0*[0-9a-fA-F]{7,});?")


def read_html(source: str, text: str, options: FormatOptions) -> Read:
    """One document. Its title is the <title>, else the first heading, else the file's name."""
    page = _Page()
    for tag, content in _tokens(text):
        page.take(tag, content)
    page.end_block()
    headings = [block[2:] for block in page.blocks if block.startswith("# ")]
    title = one_line(page.title) or one_line(headings[0] if headings else "") or readable_name(source)
    yield Parsed(title, page.text())


class _Page:
    """Collects blocks of text; list items and rows of a table follow each other on lines, other blocks as paragraphs."""

    def __init__(self) -> None:
        self.blocks: list[str] = []
        self.title = ""
        self._shapes: list[str] = []
        self._inline: list[str] = []
        self._filled = False
        """Whether the block that is being collected holds a character to read."""
        self._open = ""
        """The element that decides how the block is written: h1 to h6, li, tr, pre, title."""

    def take(self, tag: str, content: str) -> None:
        """Take a piece of text (no tag) or a tag: its name, with "/" in front where it closes."""
        if not tag:
            self._inline.append(content)
            self._filled = self._filled or not content.isspace()
        elif tag in ("br", "/br"):
            self._inline.append("\n" if self._open == "pre" else "\v")
        elif tag in ("td", "th") and self._filled:
            self._inline.append(" | ")
        elif _BLOCK.fullmatch(tag) and not self._stays_open(tag):
            self.end_block()
            self._open = tag if tag in _SHAPED else ""

    def _stays_open(self, tag: str) -> bool:
        """Whether a block stands at the very start of a list item or inside a cell, and goes on with its line."""
        inner = tag.lstrip("/") in ("p", "div")
        return inner and (self._open == "tr" or (self._open == "li" and not self._filled))

    def end_block(self) -> None:
        """Write what was collected as a block."""
        content = "".join(self._inline)
        shape = self._open
        self._inline, self._filled = [], False
        if shape == "pre":
            text = content.replace("\v", "\n").strip("\r\n")
        else:
            lines = (_SPACES.sub(" ", line).strip() for line in content.split("\v"))
            text = "\n".join(lines).strip()
        if not text.strip():
            return
        if shape == "title" and not self.title:
            self.title = text
            return
        if shape[:1] == "h":
            text = "#" * int(shape[1]) + " " + " ".join(text.split())
        self.blocks.append(f"- {text}" if shape == "li" else text)
        self._shapes.append(shape)

    def text(self) -> str:
        """All blocks, with blank lines between them."""
        pieces = []
        for place, block in enumerate(self.blocks):
            tight = self._shapes[place] in ("li", "tr") and self._shapes[place] == self._shapes[place - 1]
            pieces.append(block if not place else ("\n" if tight else "\n\n") + block)
        return "".join(pieces)


_SHAPED = frozenset(("h1", "h2", "h3", "h4", "h5", "h6", "li", "tr", "pre", "title"))


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    """Pairs of tag and text, one of them "". Every search that fails is remembered, so that none is made twice."""
    search = _Search(text)
    place = 0
    while place < len(text):
        bracket = search.find("<", place)
        if bracket > place:
            yield "", _unescaped(text[place:bracket])
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
            if end:
                yield tag, ""
        elif text.startswith("<!--", place):
            end = search.find("-->", place + 4) + 3
        else:
            end = search.find(">", place) + 1 if text[place + 1 : place + 2] in ("!", "?", "/") else 0
        if not end:  # a bracket that opens nothing is text
            yield "", "<"
        place = end or place + 1


def _title_within(tag: str, text: str, start: int, search: "_Search") -> Iterator[tuple[str, str]]:
    if tag == "head":
        head = text[start : min(search.element_end(tag, start), start + 65536)]
        found = re.search(r"<title\b[^>]{0,1000}>([^<]{0,2000})", head, re.IGNORECASE)
        if found:
            yield from (("title", ""), ("", _unescaped(found[1])), ("/title", ""))


class _Search:
    """Searches in one text that remember what is not there."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.missing: set[str] = set()
        self._quotes_pair = True

    def find(self, wanted: str, start: int) -> int:
        """Where ``wanted`` next stands; the end of the text where it does not."""
        found = -1 if wanted in self.missing else self.text.find(wanted, start)
        if found < 0:
            self.missing.add(wanted)
        return found if found >= 0 else len(self.text)

    def tag_end(self, start: int) -> int:
        """The place behind the ">" that closes a tag, those in quotes passed over; 0 where there is none."""
        if self.find(">", start) == len(self.text):
            return 0
        end = _TAG_END.match(self.text, start) if self._quotes_pair else None
        # Where quotes do not pair up to the end of the text, they are not heeded from there on.
        self._quotes_pair = end is not None
        return end.end() if end else self.text.find(">", start) + 1

    def element_end(self, name: str, start: int) -> int:
        """The place where ``</name`` stands; for script and style the end of the text, else ``start``, where it does not."""
        if name not in self.missing:
            found = re.compile(rf"</{name}\b", re.IGNORECASE).search(self.text, start)
            if found:
                return found.start()
            self.missing.add(name)
        return len(self.text) if name in ("script", "style") else start


def _unescaped(text: str) -> str:
    # html.unescape() raises on references of thousands of digits.
    return html.unescape(_HUGE_REFERENCE.sub("\ufffd", text)) if "&" in text else text


def declared_encoding(data: bytes) -> str | None:
    """The encoding that a page names in its first kilobytes."""
    found = re.search(
        rb"""<(?:meta|\?xml)[^>]{0,200}?(?:charset|encoding)\s{0,4}=\s{0,4}["']?([A-Za-z0-9_:.-]{2,40})""", data[:4096]
    )
    return found[1].decode("ascii") if found else None


# --- Markdown -------------------------------------------------------------------------------------------------------

_FRONT_MATTER = re.compile(r"---[ \t]*\r?\n(.{0,32768}?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL)


def read_markdown(source: str, text: str, options: FormatOptions) -> Read:
    """One document, its text as it stands but for front matter, which becomes metadata.

    The title is the front matter's, else the first heading of level 1, else the file's name.
    """
    front, start, reason = _front_matter(text, options)
    if reason:
        yield Problem(source, "front matter", f"kept as text, since it is not valid YAML: {reason}", "skipped")
    body = text[start:]
    own = front.get(options.title_column)
    first = next((heading.title for heading in find_headings(body) if heading.level == 1), "")
    title = one_line(name_of(own)) if isinstance(own, str | int | float) else ""
    values = {name_of(key): value for key, value in front.items() if key != options.title_column}
    metadata = metadata_of(values, tuple(values))
    parsed = Parsed(title or one_line(first) or readable_name(source), body, metadata)
    yield (
        parsed.noted(f"the text begins at character {start} of the file, behind the front matter") if start else parsed
    )


def _front_matter(text: str, options: FormatOptions) -> tuple[dict[object, object], int, str]:
    """The values of YAML front matter, where the text behind it starts, and what is wrong with it."""
    found = _FRONT_MATTER.match(text)
    if not found:
        return {}, 0, ""
    import yaml

    block = found[1]
    if _bracket_depth(block) > options.max_depth:  # the scanner's time grows with the square of the depth
        return {}, 0, f"nested more than {options.max_depth} levels deep"
    try:
        if any(isinstance(token, yaml.AliasToken) for token in yaml.scan(block)):  # each can double what is in memory
            return {}, 0, "aliases are not read"
        content = yaml.safe_load(block)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001  its constructors raise KeyError, IndexError, AttributeError and others
        reason = clean(" ".join(str(error).split())[:200])[0]
        return {}, 0, reason if isinstance(error, yaml.YAMLError) else f"{type(error).__name__}: {reason}"
    return (content, found.end(), "") if isinstance(content, dict) else ({}, 0, "")


def _bracket_depth(text: str) -> int:
    """Levels of brackets, those in quoted values counted too."""
    steps = (1 if bracket in "[{" else -1 for bracket in re.findall(r"[\[\]{}]", text))
    return max(accumulate(steps), default=0)
