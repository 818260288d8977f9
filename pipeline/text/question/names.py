"""The capitalised names of a text."""

import re
import sys
from collections.abc import Collection, Iterable
from functools import lru_cache

from pipeline.text.lexicon.words import listed
from pipeline.text.scripts import UNSPACED, language_of, words_of

BETWEEN = listed("of the de du des la le les von van der den zu zum di da del do dos das al el bin ibn y")
"""Small words inside names."""
_POINTED = listed("st ste mt ft")
"""Words inside names with a point behind them, besides initials."""

WORD = re.compile(rf"[{UNSPACED}]+|(?:(?![{UNSPACED}])[^\W_])+(?:['’‐‑-](?:(?![{UNSPACED}])[^\W_])+)*")
_ASCII_WORD = re.compile(r"[a-zA-Z0-9]+(?:['-][a-zA-Z0-9]+)*")  # what it finds in ASCII text, much faster
_ASCII_CAPITAL = re.compile("(?<![a-zA-Z0-9])(?<![a-zA-Z0-9]['-])[A-Z]")
_JOINTS = re.compile("['’‐‑-]")
_POSSESSIVE = re.compile(r"['’]s?$")
_NUMBER = re.compile(r"(?:[vV]\.?)?(\d+(?:\.\d+)+)")
_DATE_OR_SUM = r"\d{1,2}\.\d{1,2}\.(?:\d\d){1,2}(?!\d|\.\d)|\d{1,3}(?:\.\d{3})+(?!\d|\.\d)"
_REFERENCE = r"[A-Z][A-Z-]*[A-Z][A-Z0-9-]*(?:/[\w.-]+)*/[A-Z]{0,4}\d[\w-]*"
"""A number under which an archive or an office keeps something: "DDGA/4", "BB-A/12b", "INV/2023/117"."""
_FLAG = r"-[A-Za-z](?!-)"
"""An option of a command that is one letter: "-r"."""
_IDENTIFIER = re.compile(
    rf"(?<![\w.@/-])(?:[A-Za-z]\w*_\w+|_+[a-z]\w+|[a-z]+[A-Z]\w*|[A-Za-z]\w*(?=\(\))|--[a-z][\w-]+|{_FLAG}|[a-z][\w-]*(?:\.[a-z][\w-]+)+|{_REFERENCE})(?!\w)"
    r"|(?<=`)[^`\n]{1,60}(?=`)"
    rf"|(?<![\w.,:/-])(?!{_DATE_OR_SUM})(?:[vV]\.?)?\d+(?:\.\d+)+(?![\w/-]|[.,:]\d)"
)


def names_in(text: str) -> list[str]:
    """Return the capitalised names of a text as written, in order, each once; a first word counts where it has a second."""
    return list(_names_in(text))


@lru_cache(maxsize=20_000)
def _names_in(text: str) -> tuple[str, ...]:
    """Return the names of a sentence, which several questions and several steps of one look at."""
    return tuple(dict.fromkeys(capital_runs(text, _function_words(text))))


@lru_cache(maxsize=20_000)
def _function_words(text: str) -> frozenset[str]:
    return words_of(language_of(text)).function


def opening_name(text: str, within: int) -> str:
    """Return the name that a text opens with, behind at most ``within`` characters; empty where it opens with none."""
    if not any(map(str.isupper, text[: within + 1])):
        return ""
    return next(iter(capital_runs(text, _function_words(text), within)), "")


def capital_runs(text: str, function: Collection[str], within: int = sys.maxsize) -> Iterable[str]:
    """Yield runs of capitalised words, small connectors inside; words of ``function`` begin none. What begins behind
    ``within`` characters is not looked at."""
    start, end, last = -1, 0, 0  # of the run, and where it or the small words behind it end
    at = 0  # where the word before begins
    named = small = False  # a word of the run, or one of the small words behind it, has more than one letter
    for match in _words_from_capitals(text):
        begins, ends = match.span()
        gap = text[last:begins]
        if start >= 0 and gap != " " and gap.strip(" -–") and not (gap == ". " and _takes_point(text[at:last])):
            if named:
                yield without_possessive(text[start:end])
            start = -1
        if start < 0 and begins > within:
            return
        word = match[0]
        if word[0].isupper() and (start >= 0 or word.casefold() not in function):
            if start < 0:
                start, named, small = begins, False, False
            named = named or small or ends - begins > 1
            end = last = ends
        elif start >= 0 and (word in BETWEEN or (word[0].isdigit() and last == end)):
            small, last = small or ends - begins > 1, ends
        elif start >= 0:
            if named:
                yield without_possessive(text[start:end])
            start = -1
        at = begins
    if start >= 0 and named:
        yield without_possessive(text[start:end])


def _takes_point(word: str) -> bool:
    """Return whether a word has a point behind it inside a name: an initial, "St."."""
    return (len(word) == 1 and word.isupper()) or word.casefold() in _POINTED


def _words_from_capitals(text: str) -> Iterable[re.Match[str]]:
    """Yield the words of a text that a run of capitalised ones may hold or end with; most others are passed over."""
    if not text.isascii():
        yield from WORD.finditer(text)
        return
    at = 0
    while capital := _ASCII_CAPITAL.search(text, at):
        for match in _ASCII_WORD.finditer(text, capital.start()):
            yield match
            at = match.end()
            word = match[0]
            if not (word[0].isupper() or word[0].isdigit() or word in BETWEEN):
                break


def identifiers_in(text: str) -> list[str]:
    """Return what a text writes as code is written, each once: ``max_size``, ``json.loads``, ``readLine``, ``close()``,
    ``--verbose``, ``-v``, names of files, what is between backticks; and numbers with points that are versions or sections ("3.0", "2.4.1"),
    no dates and no sums (``01.02.2003``, ``1.500``)."""
    return list(dict.fromkeys(_IDENTIFIER.findall(text)))


def number_in(identifier: str) -> str:
    """Return the number of an identifier that is a version or a section, without the v before it; empty where it is none."""
    return match[1] if (match := _NUMBER.fullmatch(identifier)) else ""


def is_flag(identifier: str) -> bool:
    """Return whether an identifier is an option of one letter, in which capitals count: ``-v`` and ``-V`` are two."""
    return len(identifier) == 2 and identifier[0] == "-" and identifier[1].isalpha()


def without_possessive(word: str) -> str:
    """Return a word without 's at its end."""
    return _POSSESSIVE.sub("", word)


def parts_of(text: str) -> list[str]:
    """Return the words of a text, those of hyphenated ones by themselves; single letters only where they are numerals, or an option."""
    if is_flag(text):
        return [text[1]]
    parts = (part for word in WORD.findall(text) for part in _JOINTS.split(word))
    return [part for part in parts if len(part) > 1 or part.isdigit() or (part and part in "VX")]
