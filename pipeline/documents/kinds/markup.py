"""Reads reStructuredText and Org: the text as it is in the file, its headings as Markdown headings."""

import re
from collections.abc import Callable

from pipeline.documents.parsed import FormatOptions, Parsed, Read, one_line, readable_name
from pipeline.documents.places import MappedText, line_starts

_UNDERLINED = re.compile(
    r"(?:^(?P<over>([=\-`:.'\"~^_*+#<>])\2{2,})[ \t]*\n)?"
    r"^[ \t]*(?P<title>\S[^\n]{0,200}?)[ \t]*\n(?P<under>([=\-`:.'\"~^_*+#<>])\5{2,})[ \t]*$",
    re.M,
)
_STARS = re.compile(
    r"^(?P<stars>\*{1,6})[ \t]+(?:(?:TODO|DONE)[ \t]+)?(?P<title>\S[^\n]*?)(?:[ \t]+:[\w:]+:)?[ \t]*$", re.M
)
_ORG_TITLE = re.compile(r"^#\+title:[ \t]*(\S[^\n]*?)[ \t]*$", re.M | re.I)
_KEYWORD = re.compile(r"^#\+(author|date|filetags):[ \t]*(\S[^\n]*?)[ \t]*$", re.M | re.I)


def read_rst(source: str, text: str, options: FormatOptions) -> Read:
    """One document of reStructuredText. Levels of headings follow from their underlines, in order of appearance."""
    styles: list[str] = []

    def heading(match: re.Match[str]) -> int:
        under, over = match["under"], match["over"]
        if len(under) < len(match["title"].strip()) or (over is not None and over[0] != under[0]):
            return 0
        style = f"{'both' if over else 'under'}{under[0]}"
        if style not in styles:
            styles.append(style)
        return min(styles.index(style) + 1, 6)

    yield _document(source, text, _UNDERLINED, heading, {})


def read_org(source: str, text: str, options: FormatOptions) -> Read:
    """One document of Org. Its title is that of ``#+TITLE``, its author, date and tags are metadata."""
    own = {match[1].lower(): match[2] for match in _KEYWORD.finditer(text)}
    named = _ORG_TITLE.search(text)
    metadata = {"tags" if key == "filetags" else key: value.strip("<>: ") for key, value in sorted(own.items())}
    yield _document(source, text, _STARS, lambda match: len(match["stars"]), metadata, named[1] if named else "")


def _document(
    source: str,
    text: str,
    headings: re.Pattern[str],
    level_of: Callable[[re.Match[str]], int],
    metadata: dict[str, str],
    title: str = "",
) -> Parsed:
    """The text with ``# `` before each heading in place of what marks it in the file; level 0 is none."""
    read = MappedText()
    at = 0
    for match in headings.finditer(text):
        level = level_of(match)
        if not level:
            continue
        title = title or match["title"]
        read.copy(text[at : match.start()], at)
        read.insert("#" * level + " ")
        read.copy(match["title"], match.start("title"))
        at = match.end()
    read.copy(text[at:], at)
    places = read.places("line", 1, line_starts(text))
    return Parsed(one_line(title) or readable_name(source), read.text(), dict(metadata), places=places)
