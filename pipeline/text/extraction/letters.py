"""Who wrote a letter, to whom, and when, where no line says "From": by its greeting, its signature and the day above it."""

import re
from functools import cache
from typing import Final, NamedTuple

from pipeline.text.attribution import heads_in
from pipeline.text.dates import day_order_in, find_dates, in_order
from pipeline.text.lexicon.words import sections

ABOVE: Final = 30
"""Lines of a letter, blank ones aside, in which it greets whom it is to: below its address, the day and the subject."""
BELOW: Final = 15
"""Last lines of a letter, blank ones aside, among which its signature is: above a post, an enclosure, a postscript."""
LONGEST: Final = 60
"""Characters of a line that only greets, names, ends a letter or says when."""
_NAME: Final = re.compile(
    r"[^\W\d_][\w'’-]*\.?(?:(?: (?:&|and|und|et|y|e|и|de|van|von|der|la)(?= ))? [^\W\d_][\w'’-]*\.?){0,4}"
)


class SignedLetter(NamedTuple):
    """What the first and last lines of a letter say; what they do not say is empty."""

    writer: str
    addressee: str
    day: str
    """In ISO form."""


def letter_of(text: str) -> SignedLetter | None:
    """Return the ends of a text that is one letter, as they are written; None for any other: it greets somebody once, near its
    beginning, and is signed: below such words as "Yours sincerely", or with a name as its last line. Where lines above say "From", they
    say it."""
    if any(line.kind == "from" for head in heads_in(text) for line in head):
        return None
    lines = [line.strip(" \t>*_\ufeff") for line in text.splitlines() if line.strip()]
    greetings = [place for place, line in enumerate(lines) if _greeting().match(line) and _is_short(line, ".?;")]
    if len(greetings) != 1 or greetings[0] >= ABOVE:
        return None
    writer = _signed(lines[greetings[0] + 1 :])
    if not writer:
        return None
    return SignedLetter(writer, _greeted(lines[greetings[0]]), _day(lines[: greetings[0]], text))


def closes(line: str) -> bool:
    """Return whether a line that is not empty ends a letter or a mail: "Yours sincerely,", "With kind regards"."""
    return bool(_closings().match(line)) or line.split()[-1].strip(",.!").casefold() in _phrases("closing_ends")


def _is_short(line: str, ends: str) -> bool:
    return len(line) <= LONGEST and not line.endswith(tuple(ends))


def _greeted(line: str) -> str:
    """Return whom a greeting names, with what precedes the name: "Mrs Hallam"; empty where it names nobody: "Dear both"."""
    last = line.strip(" ,!:-–—").rpartition(", ")[2]
    opening = _greeting().match(last)
    said = last[opening.end() :].strip() if opening else last
    is_name = _NAME.fullmatch(said) and said[0].isupper() and said.split()[-1][0].isupper()
    return said if is_name and not set(said.casefold().split()) & _phrases("nobody") else ""


def _signed(lines: list[str]) -> str:
    """Return the name that ends the lines below a greeting; empty where none does."""
    last = lines[-BELOW:]
    for place in reversed(range(len(last))):
        line = last[place]
        if len(line) > LONGEST:
            continue
        closing = _closings().match(line)
        beside = line[closing.end() :].strip(" ,!.-–—") if closing else ""
        if beside and _is_name(beside):
            return beside
        below = last[place + 1].strip(" ,-–—~") if place + 1 < len(last) else ""
        if _is_name(below) and (closes(line) or line.endswith(",")):
            return below
    return last[-1].strip(" ,-–—~") if len(last) > 1 and _is_name(last[-1]) else ""


def _is_name(line: str) -> bool:
    bare = line.strip(" ,-–—~")
    return len(bare) <= LONGEST and bool(_NAME.fullmatch(bare)) and bare[0].isupper() and bare.split()[-1][0].isupper()


def _day(lines: list[str], text: str) -> str:
    """Return the only day that the lines above a greeting say, alone or behind a place; empty for none or several."""
    order = day_order_in(text)
    said = [in_order(line, order) for line in lines if len(line) <= LONGEST]
    days = {
        date.first
        for line in said
        for date in find_dates(line)
        if date.first == date.last and len(line) - (date.end - date.start) <= LONGEST // 2
    }
    return days.pop() if len(days) == 1 else ""


@cache
def _phrases(head: str) -> frozenset[str]:
    return frozenset(sections("letters")[head].splitlines())


@cache
def _greeting() -> re.Pattern[str]:
    return re.compile(rf"(?:{_either('salutations')})(?=[\s,!]|$)", re.IGNORECASE)


@cache
def _closings() -> re.Pattern[str]:
    return re.compile(rf"(?:{_either('closings')})\s?(?:[,!.–—-]|$)", re.IGNORECASE)


def _either(head: str) -> str:
    return "|".join(map(re.escape, sorted(_phrases(head), key=len, reverse=True)))
