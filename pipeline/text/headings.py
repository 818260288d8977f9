"""Finds the headings of a text: Markdown's two kinds, numbered divisions such as "Chapter II", numbered titles such as "2.4. Subsequent
licences", and lines in capitals.

Formats with headings of their own (HTML, Word) are turned into text with Markdown headings, so they are found here too.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from pipeline.text.answering.markup import stretches
from pipeline.text.lexicon.sentences.sentence_words import SENTENCES

LONGEST = 120
"""Characters; a longer line is no heading."""


class Heading(NamedTuple):
    """A heading: where its first line begins, where its last line ends, its level from 1, and its words."""

    start: int
    end: int
    level: int
    title: str


_NUMBERED = re.compile(
    r"\s*(?P<number>\d{1,2}(?:\.\d{1,2}){0,3})(?P<point>\.?)[ \t]+(?P<title>[^\W\d_][^\r\n]{0,79}?)\s*"
)
_NUMBERED_BELOW = re.compile(r"\s*(?P<number>\d{1,2}(?:\.\d{1,2}){0,3})(?:(?<=\.\d)|(?<=\.\d\d)|[.)])[.)]?[ \t]")
_WORDS_OF_TITLE = 8
_SMALL_WORD = 4
"""Letters of a word that may be written small in a title whose words are written large."""
_ENDS_LIKE_A_SENTENCE = re.compile(r"[.!?,;]$")
_MARKUP = re.compile(
    r"`+(?P<code>[^`]+)`+|\[(?P<link>[^\]\[]*)\]\([^()\s]*\)"
    r"|\*{1,3}(?=\S)|(?<=\S)\*{1,3}|(?<!\w)_{1,3}(?=\w)|(?<=\w)_{1,3}(?!\w)|\s#+\s*$"
)
_BELOW = 80
"""Characters behind a line that show whether it is one of a list."""
_OFTEN = 3  # a line in capitals that comes back so often is a page header or a speaker, no heading


def find_headings(text: str) -> list[Heading]:
    """The headings of ``text`` in reading order; linear in its length.

    Numbered divisions and capitals count only where they are alone, between blank lines, and a line in capitals only
    where it has four letters at least and does not come back three times.
    """
    found = _outside_code(text, list(_candidates(text)))
    times = Counter(heading.title for heading in found if heading.level == 0)
    counted = [heading for heading in found if heading.level or times[heading.title] < _OFTEN]
    return [heading if heading.level else heading._replace(level=2) for heading in counted]


def _outside_code(text: str, headings: list[Heading]) -> list[Heading]:
    """Return headings without the lines of code that look like one: comments, and what ends a listing."""
    code = [(one.start, one.end) for one in stretches(text) if one.part == "code"] if headings else []
    if not code:
        return headings
    starts = [start for start, _ in code]
    return [one for one in headings if not (at := bisect_right(starts, one.start)) or code[at - 1][1] <= one.start]


def is_numbered_title(line: str, below: str) -> bool:
    """Return whether a line that is alone, ``below`` it the text behind a blank line, is the title of a numbered section: "2.4. Subsequent
    licences", "5. Combined Libraries.". One of several numbers that follow each other is an item of a list, but for "4.2." before a list
    that begins at 1, and one that ends in a full stop a sentence, unless its words are written large.
    """
    found = _NUMBERED.fullmatch(line)
    words = found["title"].split() if found else []
    if not found or not below.strip() or len(words) > _WORDS_OF_TITLE or words[-1][-1] in ",:;!?…。；：，、":
        return False
    number, next_one = found["number"], _NUMBERED_BELOW.match(below)
    if next_one and _are_of_one_list(number, next_one["number"]):
        return False
    if words[-1][-1] == ".":
        return all(word[0].isupper() for word in words if len(word) > _SMALL_WORD) and words[0][0].isupper()
    return not words[0][0].islower() and ("." in number or bool(found["point"]))


def _are_of_one_list(number: str, following: str) -> bool:
    """Return whether a number that follows another one is beside it; "1." behind "4.2." begins a list below it."""
    *above, last = following.split(".")
    return len(above) == number.count(".") and last != "1"


def anchored(title: str, heading: str) -> str:
    """Return what is above a passage: the title of its document, and " > " and the nearest heading where that is another."""
    same = heading.casefold() == title.casefold()
    return title if same or not heading else f"{title} > {heading}" if title else heading


def anchor_at(place: int, text: str, anchor: str) -> str:
    """Return what is above a place of a passage: its anchor, or the title in it with the last heading of the text up to there."""
    above = [heading.title for heading in find_headings(text) if heading.start <= place]
    return anchored(anchor.partition(" > ")[0], above[-1]) if above else anchor


def _candidates(text: str) -> Iterator[Heading]:
    """Headings as they come; lines in capitals have level 0, because whether they count is not known yet."""
    if "\r" in text and "\n" not in text:  # lines of old Macintosh files; every place stays the same
        text = text.replace("\r", "\n")
    for line in _line().finditer(text):
        if line["marks"] or line["rule"]:
            level = len(line["marks"]) if line["marks"] else 1 if line["rule"][0] == "=" else 2
            title = _plain(line["atx"] or line["under"])
            if title and (line["marks"] or _is_alone(text, line, after=False)):
                yield Heading(line.start(), line.end(), level, title)
        elif _is_alone(text, line):
            if not line["numbered"]:
                yield from _set_apart(line)
            elif is_numbered_title(line[0], text[line.end() : line.end() + _BELOW]):
                depth = line["numbered"].split()[0].rstrip(".").count(".")
                yield Heading(line.start(), line.end(), 2 + depth, " ".join(line[0].split()).rstrip("."))


def _set_apart(line: re.Match[str]) -> Iterator[Heading]:
    title = " ".join((line["division"] or line["east"] or line["capitals"]).split())
    if line["division"] or line["east"]:
        if len(title) < 20 or not _ENDS_LIKE_A_SENTENCE.search(title) or _titled().match(title):
            yield Heading(line.start(), line.end(), 1, title.rstrip(" .:–—-"))
    elif title.isupper() and sum(map(str.isalpha, title)) >= max(4, 0.6 * len(title)):
        yield Heading(line.start(), line.end(), 0, title)


def _is_alone(text: str, line: re.Match[str], after: bool = True) -> bool:
    """Whether the line before, and unless ``after`` is false the line after, is blank or missing."""
    above = text[max(0, line.start() - 80) : line.start()].rstrip(" \t")
    if above and not _ends_with_blank_line(above, line.start() <= 80):
        return False
    below = text[line.end() : line.end() + 80].replace("\r", "").replace("\t", "").replace(" ", "")
    return not after or below in ("", "\n") or below.startswith("\n\n")


def _ends_with_blank_line(above: str, whole: bool) -> bool:
    """``above`` is what is before a line; ``whole`` says that it reaches back to the start of the text."""
    lines = above.replace("\r", "").split("\n")
    return (len(lines) >= 3 or (whole and len(lines) == 2)) and not lines[-2].strip() and not lines[-1].strip()


def _plain(title: str) -> str:
    """A heading's words without Markdown's emphasis, links and closing marks."""
    return " ".join(_MARKUP.sub(lambda found: found["code"] or _plain(found["link"] or ""), title).split())


@cache
def _number() -> str:
    return rf"(?:[IVXLCDM]{{1,8}}|\d{{1,3}}|{SENTENCES.one_of('division_numbers')})"


@cache
def _line() -> re.Pattern[str]:
    division = rf"{SENTENCES.one_of('divisions')}\s{_number()}"
    return re.compile(
        r"^(?:"
        r"(?P<marks>\#{1,6})[ \t]+(?P<atx>[^\r\n]{1,120})"
        r"|(?P<under>[^\s#>|=*`~-][^\r\n]{0,119})\r?\n[ ]{0,3}(?P<rule>={3,}|-{3,})[ \t]*(?=\r?$)"
        r"|[ \t]{0,40}(?P<numbered>\d{1,2}(?:(?:\.\d{1,2}){1,3}\.?|\.)[ \t]+[^\W\d_][^\r\n]{0,79})"
        rf"|[ \t]{{0,40}}(?P<division>(?i:{division})\b[.:–—-]{{0,2}}[^\r\n]{{0,80}})"
        r"|[ \t]{0,40}(?P<east>第[0-9０-９一二三四五六七八九十百千〇零]{1,6}[章节節回巻卷部編编篇話话][^\r\n]{0,60})"
        r"|[ \t]{0,40}(?P<capitals>[^\W\d_a-z][^a-z\r\n\[\]|:;=]{2,78}[^\Wa-z_])[ \t]*"
        r")(?=\r?$)",
        re.MULTILINE,
    )


@cache
def _titled() -> re.Pattern[str]:
    """Return the pattern of a division whose title is behind its number, and may end in a full stop: "CHAPTER 29. Enter Ahab; to him,
    Stubb."; "Section 4. The tenant pays." may be a clause."""
    return re.compile(rf"(?:[^\Wa-z_]+|(?i:{SENTENCES.one_of('titled_divisions')}))\s(?i:{_number()})[.:]\s")
