"""Which lines of a text are running text, which are code, and which only say how a page is set: fences and directives of
Markdown, MyST and reStructuredText, terms and listings of AsciiDoc."""

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

Part = Literal["text", "code", "heading", "mark"]
"""``mark`` is what a page is set by, and no reader sees: a directive, its options, a label."""

_FENCE = re.compile(r"[ \t]*(?P<fence>`{3,}|~{3,})[ \t]*(?P<info>[^`\n]*?)[ \t]*$")
_DIRECTIVE = re.compile(r"[ \t]*\.\. (?P<name>[\w:+.-]+?)::(?:[ \t]+(?P<about>\S.*?))?[ \t]*$")
_MARK = re.compile(r"[ \t]*(?:\.\. (?:_|\||\[)\S.*|\([\w.:-]+\)=|\.\.|:(?:maxdepth|orphan|hidden)\b.*)[ \t]*$")
"""Labels and targets of links."""
_OPTION = re.compile(r"[ \t]+:[\w-]+:(?:[ \t].*)?$|[ \t]*:(?:depth|local|caption|emphasize-lines|linenos)\b.*$")
_RULE = re.compile(r"[ \t]*={3,}(?:[ \t]+={3,})+[ \t]*$")
"""The line above and below a simple table of reStructuredText."""
_LITERAL = re.compile(r".*(?:^|[^:]|\s)::$")
"""What ends in two colons introduces code, where the lines below it are set in."""
_TERM = re.compile(r"(?!\.\. )\S.*[^:\s]::$")
"""A term of AsciiDoc, where what explains it begins in the line below."""
_ANCHOR = re.compile(r"\[\[[^\[\]\s][^\[\]]*\]\]")
_ADDS = re.compile(r"\+|\[\w[^\[\]]*\]")
"""Lines of AsciiDoc between paragraphs: what joins them, and attributes of the next one."""
_LISTING = re.compile(r"-{4,}$")
_CODELIKE = re.compile(r"\s|[$#>%] |.*(?:[;{}=|\\]|--\w|\(\))")
_CODE = re.compile(
    r"(?:code|code-block|code-cell|sourcecode|literalinclude|parsed-literal|prompt|doctest|testcode|ipython|math|graphviz|mermaid"
    r"|productionlist|eval-rst|click:\w+)$"
)
_SILENT = re.compile(
    r"(?:contents|toctree|currentmodule|module|py:module|py:currentmodule|auto\w+|image|figure|include|index|raw|only|meta|highlight"
    r"|versionadded|rst-class|default-role|testsetup|program)$"
)
"""Directives that show a reader nothing of their own, or what other files hold."""
_DEFINES = re.compile(
    r"(?:\w+:)?(?:data|function|class|method|attribute|property|option|confval|cmdoption|envvar|exception|describe|setting|macro|command)$"
)
"""Directives that say what is described below them."""


class Stretch(NamedTuple):
    """Some lines of a text: ``text[start:end]``."""

    start: int
    end: int
    part: Part


class _Line(NamedTuple):
    start: int
    end: int
    text: str
    indent: int


class _Fence(NamedTuple):
    first: int
    """Its line, or -1 where the text begins inside it."""
    last: int
    """The line that closes it, or behind the last line where none does."""
    info: str


def stretches(text: str) -> list[Stretch]:
    """Return the stretches of a text in its order; they hold all its characters but white space."""
    if not any(mark in text for mark in ("```", "~~~", "::", ")=", ".. ", "----\n")):
        return [Stretch(0, len(text), "text")]  # as most
    lines = _lines(text)
    parts: list[Part] = ["text"] * len(lines)
    fences = _fences(lines)
    for fence in fences:
        _enter_fence(lines, parts, fence)
    _enter_listings(lines, parts)
    fenced = frozenset(place for fence in fences for place in range(fence.first, fence.last + 1))
    _enter_directives(lines, parts, fenced)
    return _joined(lines, parts, frozenset(fence.first for fence in fences))


def _lines(text: str) -> list[_Line]:
    found = []
    at = 0
    for line in text.splitlines(keepends=True):
        said = line.rstrip()
        found.append(_Line(at, at + len(said), said, len(said) - len(said.lstrip())))
        at += len(line)
    return found


def _fences(lines: Sequence[_Line]) -> list[_Fence]:
    """Return the outer fences of some lines. A chunk may begin inside one, whose end then looks like a beginning: that is decided
    by what follows, where another one begins before it ends, or it does not end; unless blank lines around it say that it
    begins one, which then goes on behind the chunk."""
    found = _fences_from(lines, 0)
    if found and not found[0].info:
        first = found[0].first
        inner = range(first + 1, found[0].last)
        opens = any((fence := _FENCE.match(lines[at].text)) and fence["info"] for at in inner)
        unclosed = found[0].last >= len(lines) or (found[-1].last >= len(lines) and not found[-1].info)
        if opens or (unclosed and not _begins(lines, first)):
            return [_Fence(-1, first, ""), *_fences_from(lines, first + 1)]
    return found


def _begins(lines: Sequence[_Line], fence: int) -> bool:
    """Return whether a fence has a blank line before it, and none behind it."""
    before, behind = fence and not lines[fence - 1].text, fence + 1 < len(lines) and lines[fence + 1].text
    return bool(before and behind)


def _fences_from(lines: Sequence[_Line], at: int) -> list[_Fence]:
    found = []
    while at < len(lines):
        opening = _FENCE.match(lines[at].text)
        if not opening:
            at += 1
            continue
        first = at
        closes = re.compile(rf"[ \t]*{re.escape(opening['fence'])}{re.escape(opening['fence'][0])}*[ \t]*$")
        at += 1
        while at < len(lines) and not closes.match(lines[at].text):
            at += 1
        found.append(_Fence(first, at, opening["info"]))
        at += 1
    return found


def _enter_fence(lines: Sequence[_Line], parts: list[Part], fence: _Fence) -> None:
    """Enter a fence: code as a whole; of a directive in braces, such as a note, only its own lines and the fences in it."""
    last = min(fence.last, len(parts) - 1)
    directive = re.match(r"\{([\w:+.-]+)\}", fence.info)
    if not directive or _CODE.match(directive[1]):
        parts[max(fence.first, 0) : last + 1] = ["code"] * (last + 1 - max(fence.first, 0))
    elif _SILENT.match(directive[1]):
        parts[fence.first : last + 1] = ["mark"] * (last + 1 - fence.first)
    else:
        parts[fence.first] = "mark"
        if fence.last < len(parts):
            parts[last] = "mark"
        for inner in _fences_from(lines[: fence.last], fence.first + 1):
            _enter_fence(lines, parts, inner)


def _enter_listings(lines: Sequence[_Line], parts: list[Part]) -> None:
    """Enter what is between two equal lines of hyphens, close to both, and looks like code. A title in a box, the head of a
    table and sections between rules do not."""
    at = 0
    while at + 2 < len(lines):
        opens = _LISTING.match(lines[at].text) and lines[at + 1].text and parts[at] == "text"
        above = lines[at - 1].text if at else ""
        if not opens or (above and not _ADDS.fullmatch(above)):
            at += 1
            continue
        closes = (place for place in range(at + 2, len(lines)) if lines[place].text == lines[at].text)
        end = next(closes, 0)
        behind = lines[end + 1].text if end + 1 < len(lines) else ""
        inside = [line for line in lines[at + 1 : end] if line.text]
        near = end and lines[end - 1].text and (not behind or _ADDS.fullmatch(behind))
        if near and sum(bool(_CODELIKE.match(line.text)) for line in inside) * 2 >= len(inside):
            parts[at + 1 : end] = ["code"] * (end - at - 1)
            parts[at] = parts[end] = "mark"
            at = end
        at += 1


def _enter_directives(lines: Sequence[_Line], parts: list[Part], fenced: frozenset[int]) -> None:
    """Enter directives and labels outside of fences and in those that hold text, with the blocks that are set in below them."""
    at = 0
    while at < len(lines):
        line = lines[at]
        if parts[at] != "text":
            at += 1
            continue
        directive = _DIRECTIVE.match(line.text)
        if directive:
            name = directive["name"]
            defines = bool(_DEFINES.match(name)) and directive["about"]
            parts[at] = "heading" if defines else "mark"
            below = _below(lines, at)
            if _CODE.match(name) or _SILENT.match(name):
                parts[at + 1 : below] = ["code" if _CODE.match(name) else "mark"] * (below - at - 1)
            at += 1
            while at < below and (_OPTION.match(lines[at].text) or not lines[at].text):
                if lines[at].text:
                    parts[at] = "mark"
                at += 1
            at = max(at, below) if parts[below - 1] != "text" else at
        elif (
            _MARK.match(line.text)
            or _RULE.match(line.text)
            or (at in fenced and _OPTION.match(line.text))
            or _ANCHOR.fullmatch(line.text)
            or (line.text == "+" and at and lines[at - 1].text)
        ):
            parts[at] = "mark"
            at += 1
        elif _TERM.match(line.text) and at + 1 < len(lines) and lines[at + 1].indent > line.indent:
            parts[at] = "heading"
            at += 1
        elif _LITERAL.match(line.text) and _below(lines, at) > at + 1:
            below = _below(lines, at)
            parts[at] = "mark" if line.text.strip() == "::" else "text"
            parts[at + 1 : below] = ["code"] * (below - at - 1)
            at = below
        else:
            at += 1


def _below(lines: Sequence[_Line], at: int) -> int:
    """Return the line behind those that are set in below a line, blank ones between them included."""
    last = at
    for place in range(at + 1, len(lines)):
        if lines[place].text:
            if lines[place].indent <= lines[at].indent:
                break
            last = place
    return last + 1


def _joined(lines: Sequence[_Line], parts: Sequence[Part], apart: frozenset[int]) -> list[Stretch]:
    """Return neighbouring lines of one part as one stretch, but for headings and for fences, whose first lines are ``apart``.
    Code begins where its first line does."""
    found: list[Stretch] = []
    for place, (line, part) in enumerate(zip(lines, parts, strict=True)):
        if not line.text:
            continue
        if found and found[-1].part == part and part != "heading" and place not in apart:
            found[-1] = found[-1]._replace(end=line.end)
        else:
            anchor = _ANCHOR.match(line.text) if part == "heading" else None
            begins = anchor.end() if anchor else 0 if part == "code" else line.indent
            found.append(Stretch(line.start + begins, line.end, part))
    return found
