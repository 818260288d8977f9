"""Finds dates in running text: days, months, years, ranges, decades and centuries, each as the first and last day it covers.

Month names are known in ten languages. A bare number is a year only where its surroundings say so, because "1,500 men",
"1500 men" and "page 1500" are more frequent than they look. Years before Christ have no ISO day here and are left out.
"""

import re
from calendar import monthrange
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from pipeline.text.lexicon.words import listed, sections

DayOrder = Literal["day", "month"]
"""Which is first in 03/04/2024."""


class DateSpan(NamedTuple):
    """A date in a text: ``text[start:end]`` names the days from ``first`` to ``last``, both ISO 8601 and inclusive."""

    start: int
    end: int
    first: str
    last: str


_LISTS = sections("date_words")
_MONTH_LINES = _LISTS["months"].splitlines()
MONTHS = {word: number for number, line in enumerate(_MONTH_LINES, 1) for word in line.split()}
"""Month names, lower case, to 1-12: English, German, French, Spanish, Italian, Portuguese, Dutch, Russian, Polish, Arabic."""
MONTH_NAMES = "|".join(sorted(MONTHS, key=len, reverse=True))
"""The same as a pattern, the longest first."""
_NOT_MONTHS = listed(_LISTS["not_months"])
ENGLISH_MONTHS = tuple(line.split()[0].capitalize() for line in _MONTH_LINES)
"""January to December."""

_ORDINALS = _LISTS["ordinals"].split()
# A year follows these almost always; the weak ones only where no count of things is meant.
_CUES = listed(_LISTS["before_years"])
_ARTICLES = listed("the a an")
_WEAK_CUES = _ARTICLES | listed(_LISTS["may_be_before_years"])
_BETWEEN = listed(_LISTS["before_ranges"])
_UNITS = listed(_LISTS["counted"])
_YEAR_WORDS = listed(_LISTS["means_year"])
_SMALL_WORDS = listed(_LISTS["after_years"])
_GERMAN_SMALL_WORDS = listed(_LISTS["after_german_years"])
_CENTURY_WORDS = r"(?:st|nd|rd|th)?[\s-]{1,2}(?:century|centuries)|\.\s?(?:Jahrhunderts?|Jh\.)|\s?世[紀纪]"
_CENTURY_HINTS = ("entur", "ENTUR", "ahrh", "Jh.", "世", "iècle", "век", "wiek", "iglo", "éculo", "ecolo")
_CENTURY = re.compile(rf"(?<![\d.,A-Za-z])(\d{{1,2}})(?:{_CENTURY_WORDS})", re.IGNORECASE)
_ORDINAL_CENTURY = re.compile(r"\b([a-z]+th|first|second|third|twenty-first)[\s-]{1,2}centur(?:y|ies)\b", re.IGNORECASE)
_ROMAN_CENTURY = re.compile(
    r"(?<!\w)([IVX]{1,5})(?:e|er|è|ème|º)?\s(?:siècles?|век[аеу]?|wieku?)\b|\b(?:siglo|século|secolo)\s([IVX]{1,5})(?!\w)"
)
_ISO = re.compile(r"(\d(?<![\w-]\d)\d{3})([-/])(\d{1,2})\2(\d{1,2})(?![\d-])")
_DOTTED = re.compile(r"(\d(?<![\w.]\d)\d?)([./])\s?(\d{1,2})\2\s?(\d{4})(?!\d)")
_SLASHED = re.compile(rf"\s*{_DOTTED.pattern}(?:\s*$|(,?[T\s]\s?\d{{1,2}}:\d\d.*))")
"""A cell that is such a day, perhaps with a time."""
_EAST_ASIAN = re.compile(r"(?<!\d)(\d{3,4})\s?年(代)?(?:\s?(\d{1,2})\s?月(?:\s?(\d{1,2})\s?[日号號])?)?")
_THREE_DIGITS = re.compile(r"\d\d\d")
_JOINED = re.compile(r"\d[-/.]\s?\d")
"""In every date written in numbers, and in few other sentences."""
_YEAR = re.compile(r"\d(?<![\w.,/$€£¥#:+'’]\d)\d{2,3}(?![\d年%°])(?![.,:]\d)")
"""This and the search for three digits begin with a set, by which all other characters are passed over at once."""
_MONTH_BEFORE = re.compile(
    r"(?:(?<!\w)(\d{1,2})(?:st|nd|rd|th|er|re|º|\.)?(?:\s?[-–]\s?(\d{1,2})\.?)?\s+(?:of\s+|de\s+|d['’])?)?"
    r"(?<![^\W\d_])([^\W\d_]{3,12})\.?(?:\s+(\d{1,2})(?:st|nd|rd|th)?(?:\s?[-–]\s?(\d{1,2}))?)?,?\s+(?:de\s+|del\s+|of\s+)?$"
)
_LETTERS = re.compile(r"[^\W\d_]+")
_LAST_WORD = re.compile(r"([^\W\d_][^\W\d_'’]*)\.?\s*$")
_LISTED = re.compile(r"\d{4}\)?(?:,|,? (?:and|or|und|oder|et|ou|y|o|и|или))\s*$")
_RANGE = re.compile(
    r"\s?[-–—]\s?(\d{4})(?!\w)|[-–—](\d{2})(?!\w)(?!\s[A-Z])"
    r"|\s(?:to|until|till|through|bis|à|a|al|по|до)\s(?:the year )?(\d{4})(?![\w])"
)
_BETWEEN_RANGE = re.compile(r"\s(?:and|und|et|y|e|и)\s(\d{4})(?![\w])")
_DECADE = re.compile(r"['’]?s(?!\w)|er(?=\s|$)|-х(?!\w)")
_BEFORE_CHRIST = re.compile(r"\s?(?:BCE?\b|B\.\s?C|b\.\s?c\.|v\.\s?Chr|av\.\s?J|a\.\s?C\.|до\sн)")
_NEXT_WORD = re.compile(r"[\s-]?([^\W\d_]+)")
_WRITTEN_DAYS = re.compile(r"(\d{4})(?:-(0?[1-9]|1[0-2])(?:-(\d{1,2}))?)?(?:[T ]\d.*)?")
_WRITTEN_ISO = re.compile(r"-?\d{4}(?:-\d\d(?:-\d\d)?)?(?=T|\s|$)")
_DAY_OF_MONTH = re.compile(
    rf"(?<!\w)(?:\d{{1,2}}(?:st|nd|rd|th|er|º|\.)? (?:of |de )?(?:{MONTH_NAMES})"
    rf"|(?=(?-i:[A-Z]))(?:{MONTH_NAMES})\.? \d{{1,2}}(?:st|nd|rd|th)?)(?!\w)",
    re.IGNORECASE,
)
_ROMAN = {"I": 1, "V": 5, "X": 10}


def find_dates(text: str) -> list[DateSpan]:
    """Return the dates of ``text`` in reading order, not overlapping; ``first`` <= ``last`` always."""
    found = [*_centuries(text)]
    if _THREE_DIGITS.search(text):
        found += [*_numeric(text), *_years(text)]
    if len(found) > 1:
        found.sort(key=lambda span: (span.start, -span.end))
    kept: list[DateSpan] = []
    for span in found:
        if not kept or span.start >= kept[-1].end:
            kept.append(span)
    return kept


def iso_date(text: str) -> str | None:
    """Return the ISO date of a year, a month or a day that ``text`` is, but for a time of day; None where it is none."""
    found = _WRITTEN_ISO.match(text.strip())
    return found.group() if found else None


def days_in(text: str, alone: bool = False) -> tuple[str, str] | None:
    """Return the first and last day of the first date of a short text, ISO 8601, or None; of what is nothing but one date, if it must
    be ``alone``. Of a month or year by itself, as of "2024-03", these are its first and last day."""
    if match := _WRITTEN_DAYS.fullmatch(text.strip()):
        year, month, day = match.groups()
        last = int(day) if day else monthrange(max(int(year), 1), int(month or 12))[1]
        return f"{year}-{int(month or 1):02}-{int(day or 1):02}", f"{year}-{int(month or 12):02}-{last:02}"
    found = find_dates(text)
    rest = text[: found[0].start] + text[found[0].end :] if found else text
    if not found or (alone and (len(found) > 1 or any(map(str.isalpha, rest)))):
        return None
    return found[0].first, found[0].last


def day_order(cells: Iterable[str], usual: DayOrder | None = None) -> DayOrder | None:
    """Return which of the first two numbers of days such as 03/04/2024 is the day in the cells of a column: what is ``usual`` where none of
    them shows it; None where some show the other order."""
    found = [match for cell in cells if (match := _SLASHED.match(cell))]
    is_day_first = any(int(one[1]) > 12 for one in found)
    if is_day_first == any(int(one[3]) > 12 for one in found):
        return None if is_day_first else usual
    return "day" if is_day_first else "month"


def day_order_in(text: str) -> DayOrder | None:
    """Return the same of all such days of a text."""
    return day_order(match[0] for match in _DOTTED.finditer(text) if match[2] == "/") if "/" in text else None


def in_order(cell: str, order: DayOrder | None) -> str:
    """Return a cell with a day such as 03/04/2024, and perhaps a time behind it, with that day in ISO form; as it is where the order is not
    known."""
    found = _SLASHED.match(cell) if order else None
    if not found:
        return cell
    day, month = (1, 3) if order == "day" else (3, 1)
    return f"{found[4]}-{int(found[month]):02}-{int(found[day]):02}{found[5] or ''}"


def in_one_order(cells: Sequence[str], usual: DayOrder | None = None) -> list[str]:
    """Return the cells of a column with days such as 03/04/2024 in ISO form, where one cell of it shows whether the day is before the
    month and none shows the other order, or where none shows either and one is ``usual``; else as they are."""
    if not _SLASHED.match(next(filter(None, map(str.strip, cells)), "")):
        return list(cells)  # as most columns
    order = day_order(cells, usual)
    return [in_order(cell, order) for cell in cells]


def is_of_order(cell: str) -> bool:
    """Return whether a cell is a day such as 03/04/2024, of which only others of its column may show what comes first."""
    return bool(_SLASHED.match(cell)) and "/" in cell


def names_day(text: str) -> bool:
    """Return whether a text names a day of a month, of whatever year: "7 December", "am 7. Dezember"."""
    return bool(_DAY_OF_MONTH.search(text))


def days_of_months(text: str) -> list[tuple[int, int, str]]:
    """Return the days of a month that a text names without a year, each with its span and as "05-31"."""
    dated = find_dates(text)
    found = []
    for match in _DAY_OF_MONTH.finditer(text):
        number, month = re.search(r"\d+", match[0]), re.search(MONTH_NAMES, match[0], re.IGNORECASE)
        if number and month and not any(one.start <= match.start() < one.end for one in dated):
            found.append((*match.span(), f"{MONTHS[month[0].lower()]:02}-{int(number[0]):02}"))
    return found


def days_said(text: str) -> list[str]:
    """Return the days that a text names, as it writes them, with their years or without: "28 March"."""
    dated = [(one.start, one.end) for one in find_dates(text) if one.first == one.last]
    return [text[start:end] for start, end in (*dated, *((start, end) for start, end, _ in days_of_months(text)))]


def is_day(said: str, day: str) -> bool:
    """Return whether a day as a text writes it is a day (ISO 8601); one without a year is that of every year."""
    found = find_dates(said) or find_dates(f"{said} {day[:4]}")
    return any(one.first == one.last == day for one in found)


def is_year(days: tuple[str, str]) -> bool:
    """Return whether days are a whole year, of which no more is known: 5/6/1944 is a day in May or in June."""
    return days == (f"{days[0][:4]}-01-01", f"{days[0][:4]}-12-31")


def _numeric(text: str) -> Iterator[DateSpan]:
    joined = _JOINED.search(text)
    for match in _ISO.finditer(text) if joined else ():
        yield from _day(match, int(match[1]), int(match[3]), int(match[4]))
    for match in _DOTTED.finditer(text) if joined else ():
        one, two, year = int(match[1]), int(match[3]), int(match[4])
        if match[2] == "." or one > 12 or one == two:
            yield from _day(match, year, two, one)
        elif two > 12:
            yield from _day(match, year, one, two)
        else:  # 5/6/1944 is a day in May or in June: only the year is sure
            yield from _span(match.start(), match.end(), year, year)
    if "年" in text:
        for match in _EAST_ASIAN.finditer(text):
            year = int(match[1])
            if match[3]:
                yield from _month(match.start(), match.end(), year, int(match[3]), *_days(match[4], None))
            else:
                yield from _span(match.start(), match.end(), year, year + 9 if match[2] and year % 10 == 0 else year)


def _day(match: re.Match[str], year: int, month: int, day: int) -> Iterator[DateSpan]:
    return _month(match.start(), match.end(), year, month, day, day)


def _centuries(text: str) -> Iterator[DateSpan]:
    if not any(map(text.__contains__, _CENTURY_HINTS)):
        return
    for match in _CENTURY.finditer(text):
        yield from _century(match, int(match[1]), text)
    for match in _ORDINAL_CENTURY.finditer(text):
        if match[1].lower() in _ORDINALS:
            yield from _century(match, _ORDINALS.index(match[1].lower()) + 1, text)
    for match in _ROMAN_CENTURY.finditer(text):
        yield from _century(match, _roman(match[1] or match[2]), text)


def _century(match: re.Match[str], number: int, text: str) -> Iterator[DateSpan]:
    if 1 <= number <= 21 and not _BEFORE_CHRIST.match(text, match.end()):
        yield from _span(match.start(), match.end(), number * 100 - 99, number * 100)


def _roman(numeral: str) -> int:
    values = [_ROMAN[letter] for letter in numeral]
    following = [*values[1:], 0]
    return sum(-value if value < after else value for value, after in zip(values, following, strict=True))


def _years(text: str) -> Iterator[DateSpan]:
    """Dates written around a year of three or four digits."""
    taken = 0
    for match in _YEAR.finditer(text):
        start, end = match.span()
        if start < taken or _BEFORE_CHRIST.match(text, end):
            continue
        for span in _around(text, start, end, int(match[0])):
            taken = span.end
            yield span


def _around(text: str, start: int, end: int, year: int) -> Iterator[DateSpan]:
    before = text[max(0, start - 36) : start]
    named = None if MONTHS.keys().isdisjoint(map(str.lower, _LETTERS.findall(before))) else _MONTH_BEFORE.search(before)
    if named and named[3].lower() in MONTHS and (named[1] or named[4] or named[3] not in _NOT_MONTHS):
        days = _days(named[1] or named[4], named[2] or named[5])
        at = named.start() if days[0] else named.start(3)
        yield from _month(start - len(before) + at, end, year, MONTHS[named[3].lower()], *days)
        return
    if year >= 1000 and year % 10 == 0 and (decade := _DECADE.match(text, end)):
        yield from _span(start, decade.end(), year, year + (99 if year % 100 == 0 and year < 1900 else 9))
        return
    word = _LAST_WORD.search(before, before.rstrip().rfind(" ") + 1)
    cue = word[1].lower() if word else ""
    until = _BETWEEN_RANGE.match(text, end) if cue in _BETWEEN else None
    until = until or _RANGE.match(text, end)
    last = _last_of_range(year, until[until.lastindex or 1]) if until else 0
    if until and last and (year >= 1000 or cue in _CUES):
        yield from _span(start, until.end(), year, last)
    elif _is_year(text, before, cue, start, end, year):
        yield from _span(start, end, year, year)


def _days(first: str | None, last: str | None) -> tuple[int, int]:
    """Day numbers, 0 where only a month is named."""
    return (int(first), int(last or first)) if first else (0, 0)


def _last_of_range(year: int, written: str) -> int:
    """Year in which a range ends; 0 where the number after the dash is not such a year."""
    last = year // 100 * 100 + int(written) if len(written) == 2 else int(written)
    return last if year < last <= min(2100, year + 1000) else 0


def _is_year(text: str, before: str, cue: str, start: int, end: int, year: int) -> bool:
    """Whether the words around a bare number make it a year."""
    after = _NEXT_WORD.match(text, end)
    next_word = after[1] if after else ""
    lower = next_word.lower()
    if lower in _YEAR_WORDS:
        return True
    if lower in _UNITS or not 100 <= year <= 2100 or before.endswith("/"):
        return False
    small = not next_word or lower in _SMALL_WORDS
    if year < 1000:
        return end - start == 3 and small and (cue in _CUES or before.rstrip().endswith("("))
    if cue in _CUES:
        return small or year % 100 != 0 or not next_word.islower() or not lower.endswith("s")
    counted = next_word.islower() and lower.endswith(("s", "en"))
    if cue in _WEAK_CUES:
        return (small or not counted) and (year % 100 != 0 or cue in _ARTICLES)
    left = before.rstrip()
    if (
        _LISTED.search(before)
        or left.endswith(("(", "[", "–", "—"))
        or (left.endswith(",") and text[end : end + 1] in ",;).")
    ):
        return True
    if next_word and not counted and year > 1600 and year % 50 != 0 and (cue.islower() or left.endswith(("'", "’"))):
        return True  # an adjective's place: a lost 1920 drama
    if lower in _GERMAN_SMALL_WORDS and year % 50 != 0:
        return True  # Johanna führte 1429 ein Heer
    opens = not left or left[-1] in ".!?"
    return opens and (text[end : end + 1] == "," or (next_word.islower() and not counted))


def _month(start: int, end: int, year: int, month: int, first: int, last: int) -> Iterator[DateSpan]:
    """A day, a run of days or a whole month (``first`` 0); nothing where the calendar has no such day."""
    if not (1 <= year <= 2100 and 1 <= month <= 12):
        return
    length = monthrange(max(year, 1), month)[1]
    if first == 0:
        first, last = 1, length
    if 1 <= first <= last <= length:
        yield DateSpan(start, end, f"{year:04d}-{month:02d}-{first:02d}", f"{year:04d}-{month:02d}-{last:02d}")


def _span(start: int, end: int, first: int, last: int) -> Iterator[DateSpan]:
    if 1 <= first <= last <= 2200:
        yield DateSpan(start, end, f"{first:04d}-01-01", f"{last:04d}-12-31")
