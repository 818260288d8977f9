"""The blocks of a text as a reader sees them: headings, paragraphs, list items, tables, code, and turns of speech."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, groupby, takewhile
from typing import Literal, NamedTuple

from pipeline.text.answering.markup import stretches
from pipeline.text.attribution import is_turn, is_turn_head
from pipeline.text.extraction.letters import closes
from pipeline.text.headings import is_numbered_title
from pipeline.text.sentences import CELLS, CLOSING_MARKS, END_MARKS, paragraphs, split

Kind = Literal["heading", "prose", "item", "row", "code", "mark", "signature"]
"""What a page is set by (see ``markup``) is a ``mark``; a ``signature`` is below a mail or letter, and one unit."""

_HEADING = re.compile(r"#{1,6}\s|={3,}$|-{3,}$")
_UNDERLINED = re.compile(r"[^\n]+\n[ ]{0,3}(?:={3,}|-{3,})[ \t]*")
_ITEM = re.compile(
    r"(?:[-*–+]\s+|—\s+(?=[a-zß-ÿа-яё\d])|[•▪◦‣\x7f]\s*|\[[ xX✓]?\]\s+|(?:\(?\d{1,3}[.)、]|\(?[a-z]\))\s*)\S|[一二三四五六七八九十]+、"
)
_TITLED = re.compile(r"((?:\d{1,3}|[IVX]+)[.)][ \t]+[^\n]{1,48}[^\s.,:;!?…])\n(?=[^\W\d_])")
"""A short numbered line above text that begins at the margin: the title of a section of minutes or statutes."""
_RUN_IN = re.compile(
    r"((?P<bold>\*\*|__)(?:\d{1,2}[.)] )?[^*_\n.?!]{1,60}\.(?P=bold)(?=\s+\S)"
    r"|\d{1,2}\.\s+[^\W\d_a-z][^\W\d_]*(?:[ -][^\W\d_]+){0,2}\.(?=\s+[^\W_a-z]))\s+"
)
"""How a paragraph begins that has its title in its first line: "**4. Bees.** The family ...", "2. Figures. Colin ..."."""
_TITLE = re.compile(r"\d{1,3}[.)]\s+(\*\*|__)[^*_\n]{1,60}\1[.:]?")
_CLOSED = re.compile(rf"[{END_MARKS}:：;；,，][{CLOSING_MARKS}*_）]*$")
_GREETING = re.compile(r"[^\W\d_][^\s,]{0,24}(?:[ ][^\s,]{1,24}){0,4},$")
"""A short line that ends in a comma, alone above a text: whom a letter greets. It is no statement, and read as a heading is."""
_SIGNED = re.compile(r"[^\W\d_][^\W\d_]*(?: [^\W\d_]+){0,4},?\n(?:[^\W\d_a-z][\w.'’-]*)(?: [^\W\d_a-z][\w.'’-]*){0,3}")
"""How a letter ends: "Kind regards," and a name in the line below it, alone."""
_POST = re.compile(r"[^\W\d_a-z][\w'’-]*\.?(?: [^\W\d_a-z][\w'’-]*\.?){1,3}\n[^\n]+")
"""A name, and in the line below it what its bearer is: they are no heading of what follows."""
_POSTS = re.compile(r"[^\n()]{2,60}\([^()\n]{2,40}\)[,;]? ")
"""How a line begins that names people with their posts: "Ada Berg (chair), Ben Orr (treasurer)"."""
_VALUE = re.compile(r"[^\W\d_][\w ./-]{0,30}: ?[`*\"'“„«\d<($€£¥{\[~+-]")
"""A short line that gives a value: "Default: `False`". It is a statement, and no heading."""
_COLUMNS = re.compile(r"[^\s.,:;!?…](?<!^[-*+•–])(?: {2,}|\t+)\S")
"""What parts the cells of a row that is aligned by blanks; those behind the sign of a list item part nothing."""
_FIELD = re.compile(r"[^\W\d_][\w ./-]{0,30}: ?\S")
"""How a line begins that gives a field of a record: its name and a colon."""
_FIELD_IN_BOLD = re.compile(r"(?:\*\*|__)[^\W\d_][\w ./-]{0,30}(?::(?:\*\*|__)|(?:\*\*|__):) ?[^\s*_]")
"""How a line begins that gives a field whose name is in bold face: "**Status:** closed"."""
_PART = re.compile(r"[^:\n]*\d")
"""What is before the colon of a title that has its number there: "Part 2: The bridge"."""
_FIELDS = 3
"""Lines of fields from which on a paragraph is taken for a record."""
_SIGNATURE = re.compile(r"^(?P<mark>-- ?)\n(?P<lines>(?:(?!>)[^\n]*\S[^\n]*(?:\n|\Z))+)", re.MULTILINE)
"""What is below a line of two hyphens up to the next blank one: who wrote a mail, as what, and where that is reached."""
_SHORT_LINE = re.compile(r"^[^\W\d_][^\n:;?]{0,38}$", re.MULTILINE)
"""A line that may close a letter: "With kind regards,"."""
_BELOW = re.compile(r"[ \t]*\n(?:[ \t]*\n)?(?P<lines>[^\n]*\S[^\n]*(?:\n[^\n]*\S[^\n]*)*)")
"""The lines below one, or below the blank one that is there, up to the next blank one."""
_SIGNER = re.compile(r"[^\W\d_a-z][\w.'’-]*(?: [^\W\d_a-z][\w.'’-]*){0,4},?")
"""A line that is a name, with the letters of a degree or without."""
_POST_LINE = re.compile(r"(?!P\.?\s?[SD]\b)[\w\"“„«(+][^\n]{0,69}(?<![?!.:,;])")
"""A line below the name in a signature: what its bearer is, of what, and where that is reached. A postscript is none."""
RULE = re.compile(r"[\s|:+-]+$")
"""A line that only separates the head of a table from its rows."""
SIGNATURE_LINES = 6
"""Lines of a signature that no line of hyphens begins, at most."""
BLOCK_WORDS = 140
"""Words of a list, table or code that is printed as a whole."""
PARAGRAPH = 3
"""Sentences from which on a numbered item is a paragraph, in a list too long to be printed as a whole: its sentences are units."""
LINES = 3
"""Short lines one below the other from which on they are a list."""
HEADING_CHARACTERS = 80
"""Longest line that may be a heading without a mark."""


class Unit(NamedTuple):
    """A piece of a text that can be printed by itself: ``text[start:end]``.

    Units are sentences, list items, table rows, headings, and whole blocks of code. Those with one ``block`` belong
    together: the sentences of a paragraph, the items of a list, the rows of a table.
    """

    start: int
    end: int
    kind: Kind
    block: int


@lru_cache(maxsize=256)
def units(text: str) -> tuple[Unit, ...]:
    """Return the units of a text in its order; they do not overlap and leave out nothing but white space."""
    pieces: list[tuple[int, int, Kind]] = []
    for start, end, part in stretches(text):
        if part != "text":
            pieces.append((start, end, part))
            continue
        for a, b, mark in _parted_by_signatures(text, start, end):
            if mark is not None:
                pieces += (
                    [(a, a + len(mark), "mark"), (a + len(mark) + 1, b, "signature")] if mark else [(a, b, "signature")]
                )
                continue
            spans = (span for c, d in paragraphs(text[a:b]) for span in _lines(text, a + c, a + d))
            pieces += [(begin, stop, _kind(text, begin, stop)) for begin, stop in spans]
    found: list[Unit] = []
    block = -1
    before: Kind | None = None
    last = 0
    parted = _with_paragraphs(text, _with_values(text, _with_lists(text, pieces)))
    for begin, stop, kind in _with_titles(text, parted):
        blank = text.count("\n", last, begin) > 1
        if kind not in ("item", "row") or kind != before or (blank and kind == "row"):
            block += 1
        if kind == "prose":
            found += [Unit(begin + a, begin + b, kind, block) for a, b in _sentences(text[begin:stop])]
        else:
            found.append(Unit(begin, stop, kind, block))
        before, last = kind, stop
    return tuple(found)


def _parted_by_signatures(text: str, start: int, end: int) -> Iterator[tuple[int, int, str | None]]:
    """Yield the signatures of mails and letters in a stretch of a text, each with the line of hyphens that it begins with, empty where
    there is none, and what is between, with None."""
    marked = _SIGNATURE.finditer(text, start, end) if "--" in text else ()
    found = [(one.start(), one.start("lines") + len(one["lines"].rstrip()), one["mark"]) for one in marked]
    closing = (line.end() for line in _SHORT_LINE.finditer(text, start, end) if closes(line[0]))
    found += [(*span, "") for place in closing if (span := _signature_below(text, place, end))]
    for begin, stop, mark in sorted(found):
        if begin >= start:
            yield start, begin, None
            yield begin, stop, mark
            start = stop
    yield start, end, None


def _signature_below(text: str, place: int, end: int) -> tuple[int, int] | None:
    """Return the span of the signature below the line that ends at a place: a name, and lines that say what its bearer is; below the
    first name by which he signs it may be given in full, "Jean" above "Mrs J. Orr". None where there is none."""
    below = _BELOW.match(text, place, end)
    if below and _SIGNER.fullmatch(below["lines"].strip()):
        signed = below["lines"].strip()
        below = _BELOW.match(text, below.end(), end)
        if not below or not any(word[0] == signed[0] for word in below["lines"].partition("\n")[0].split()):
            return None
    lines = below["lines"].split("\n") if below else []
    said = list(takewhile(_POST_LINE.fullmatch, (line.strip() for line in lines)))
    if not below or not 1 < len(said) <= SIGNATURE_LINES or not _SIGNER.fullmatch(said[0]):
        return None
    return below.start("lines"), below.start("lines") + len("\n".join(lines[: len(said)]).rstrip())


def _sentences(paragraph: str) -> list[tuple[int, int]]:
    """Return the sentences of a paragraph; the first with the title before it in a numbered one: "2. **Water.** The pipe leaks."."""
    found = split(paragraph)
    if len(found) > 1 and _TITLE.fullmatch(paragraph, *found[0]):
        found[:2] = [(found[0][0], found[1][1])]
    return found


def _with_lists(text: str, pieces: Sequence[tuple[int, int, Kind]]) -> list[tuple[int, int, Kind]]:
    """Return pieces of which short lines one below the other, without a blank one between, are items of a list, as those of a recipe
    are, and no headings; but for the first, where it gives no number and the others may be below it."""
    found = list(pieces)
    at = 0
    while at < len(found):
        end = at
        while end < len(found) and found[end][2] == "heading" and (end == at or _is_next_line(text, found, end)):
            end += 1
        lines = found[at:end]
        if len(lines) >= LINES and not any(_HEADING.match(text, start, stop) for start, stop, _ in lines):
            titled = not text[lines[0][0]].isdigit()
            if end < len(found) and found[end][2] == "prose" and _is_next_line(text, found, end):
                start, stop, _ = found[end]
                end += stop - start <= HEADING_CHARACTERS and not _CLOSED.search(text, start, stop)
            found[at + titled : end] = [(start, stop, "item") for start, stop, _ in found[at + titled : end]]
        at = max(end, at + 1)
    return found


def _with_values(text: str, pieces: Sequence[tuple[int, int, Kind]]) -> list[tuple[int, int, Kind]]:
    """Return pieces of which those short lines are prose that are all there is below a marked heading: "closed" below "## Status"."""
    marked = [
        kind == "heading" and bool(_HEADING.match(text, start, stop) or _UNDERLINED.fullmatch(text, start, stop))
        for start, stop, kind in pieces
    ]
    alone = [above and behind for above, behind in zip([False, *marked], [*marked[1:], True], strict=False)]
    return [
        (start, stop, "prose" if kind == "heading" and is_value and not is_marked else kind)
        for (start, stop, kind), is_value, is_marked in zip(pieces, alone, marked, strict=False)
    ]


def _with_paragraphs(text: str, pieces: Sequence[tuple[int, int, Kind]]) -> list[tuple[int, int, Kind]]:
    """Return pieces of which those items are prose that have PARAGRAPH sentences in a list longer than BLOCK_WORDS, as the
    numbered paragraphs of minutes and decisions have, and all items of a list where each begins with a title."""
    found: list[tuple[int, int, Kind]] = []
    for is_list, run in groupby(pieces, lambda piece: piece[2] == "item"):
        some = list(run)
        if is_list and all(_RUN_IN.match(text, start, stop) for start, stop, _ in some):
            some = [(start, stop, "prose") for start, stop, _ in some]
        elif is_list and sum(len(text[start:stop].split()) for start, stop, _ in some) > BLOCK_WORDS:
            some = [(a, b, "prose" if len(split(text[a:b])) >= PARAGRAPH else kind) for a, b, kind in some]
        found += some
    return found


def _with_titles(text: str, pieces: Sequence[tuple[int, int, Kind]]) -> Iterator[tuple[int, int, Kind]]:
    """Yield pieces of which the title is a heading that prose has in its first line."""
    for start, stop, kind in pieces:
        if kind == "prose" and (title := _RUN_IN.match(text, start, stop)):
            yield start, title.end(1), "heading"
            start = title.end()
        yield start, stop, kind


def _is_next_line(text: str, pieces: Sequence[tuple[int, int, Kind]], place: int) -> bool:
    return text.count("\n", pieces[place - 1][1], pieces[place][0]) == 1


def _lines(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the lines of a paragraph of which each has cells or is a field of a record; its title, a numbered line, or the line that
    says who wrote it and when, and what is below it; or the paragraph as it is."""
    titled = _TITLED.match(text, start, end)
    if titled:
        return [titled.span(1), *_lines(text, titled.end(), end)]
    lines = text[start:end].splitlines(keepends=True)
    if is_turn_head(lines[0]):
        behind = start + len(lines[0])
        return [(start, start + len(lines[0].rstrip())), *(_lines(text, behind, end) if behind < end else [])]
    fields = len(lines) >= _FIELDS and all(map(_FIELD.match, lines))
    if len(lines) < 2 or not (fields or all(CELLS in line for line in lines) or all(map(_COLUMNS.search, lines))):
        return [(start, end)]
    ends = list(accumulate(map(len, lines), initial=start))
    return [(a, a + len(line.rstrip())) for a, line in zip(ends, lines, strict=False)]


def _kind(text: str, start: int, end: int) -> Kind:
    line = text[start:end]
    if is_turn_head(line):
        return "heading"
    if (line[0] == "|" and line.count("|") > 1) or ("\n" not in line and (CELLS in line or _COLUMNS.search(line))):
        return "row"
    if _HEADING.match(line):
        return "heading"
    if line[0] == ">":
        return "heading" if _GREETING.fullmatch(line.lstrip("> ")) else "prose"
    before = text[:start].rstrip(" \t\r")
    alone = (not before or before.endswith("\n")) and text[end : end + 3].lstrip(" \t\r")[:1] in ("\n", "")
    if _ITEM.match(line):
        titled = _TITLED.match(text, start) or (alone and is_numbered_title(line, text[end : end + HEADING_CHARACTERS]))
        return "heading" if titled or _UNDERLINED.fullmatch(line) else "item"
    if _SIGNED.fullmatch(line):
        return "prose" if _POST.fullmatch(line) else "heading"
    short = len(line) <= HEADING_CHARACTERS and "\n" not in line and not _VALUE.match(line)
    if not short or not alone or (_CLOSED.search(line) and not _GREETING.match(line)):
        return "prose"
    gives_several = (_FIELD.match(line) and "," in line) or _POSTS.match(line)  # "Present: Ada, Ben and Cora"
    return "prose" if gives_several or _is_field(line, before, text[end:]) or is_turn(line, text) else "heading"


def _is_field(line: str, before: str, behind: str) -> bool:
    """Return whether a line gives a field and is no title: its name is in bold face, it is below another field, or it is not the first
    line and is above another one or alone below a marked heading."""
    if _FIELD_IN_BOLD.match(line):
        return True
    if not _FIELD.match(line) or not before:
        return False
    if _FIELD.match(before[:-1].rpartition("\n")[2]):
        return True
    is_above = _FIELD.match(behind.lstrip(" \t\r")[1:].partition("\n")[0])
    is_below = _HEADING.match(before.rstrip().rpartition("\n")[2])
    return not _PART.match(line.partition(":")[0]) and bool(is_above or is_below)


def columns_above(text: str, place: int) -> str:
    """Return the head of the table that a place of a text is in, where it is above that place; empty where there is none."""
    found = units(text)
    here = next((unit for unit in found if unit.start <= place < unit.end and unit.kind == "row"), None)
    rows = [unit for unit in found if here is not None and unit.block == here.block]
    lines = [text[unit.start : unit.end] for unit in rows[:2]]
    if len(rows) < 2 or place < rows[1].start or not RULE.match(lines[1]):
        return ""
    return " ".join(lines[0].split()).strip("| ")


def with_columns(above: str, text: str, place: int) -> str:
    """Return what is shown above a place of a text, and behind it the head of the table that the place is in, if any."""
    columns = columns_above(text, place)
    return f"{above}; columns: {columns}" if columns else above
