"""The days and numbers that bound what a question asks of the rows of a table: in May, before 2 June 2024, over £500."""

import math
import re
from calendar import IllegalMonthError, monthrange
from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache, lru_cache
from typing import NamedTuple

from pipeline.text.dates import MONTH_NAMES, MONTHS, days_of_months, find_dates, is_year
from pipeline.text.lexicon.questions.question_words import QUESTIONS
from pipeline.text.numbers import decimal_mark, value_of

DATE, LIMIT = "\ue000", "\ue003"
"""How a question writes days and numbers, with the words that say how they bound."""
EARLIEST, LATEST = "0000-00-00", "9999-99-99"
"""The first and the last day where days have one bound."""
_SIGN = r"(?:[$€£¥]|[A-Z]{3} )?"
_DIGITS = rf"\d(?:[\d.,'’\u00a0\u202f]*\d)?(?: \d{{3}}(?!\d))*(?![\w/:-]|\.\d|(?:st|nd|rd|th|º|\.)? (?:of |de )?(?:{MONTH_NAMES})\b)"
_YEAR = re.compile(r"(?:19|20)\d\d")
WITHOUT_SPACES = frozenset({"zh", "ja"})
"""Languages in which words are found as parts of a question, and rows are compared with it character by character."""
_EAST_ASIAN_MONTHS = dict(
    zip(["一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二"], range(1, 13), strict=True)
)
_EAST_ASIAN_MONTH = re.compile(
    r"(?<![\d年])(?P<month>1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])月(?!\d|[一二三四五六七八九十])(?:份)?"
)
_MYRIADS = {"百": 100, "千": 1000, "万": 10_000, "亿": 10**8, "億": 10**8}
OF_KIND = re.compile(r"^\w+: ")
"""What is before words that bound a kind of column: "money: dearer than"."""
_LEAP_YEAR = 2024
"""The year by which the day before one without a year is found."""


class Days(NamedTuple):
    """The days that a question names: from ``first`` to ``last``, ISO 8601, without a year where it gives a month or a day of one
    alone; and the words that do so."""

    first: str
    last: str
    said: str

    is_bounded: bool = False
    """Whether it bounds them: "before May", not "in May"."""

    @property
    def has_year(self) -> bool:
        """Whether they are of a year, and not of any."""
        return len(self.first) == len(EARLIEST)

    @property
    def is_open(self) -> bool:
        """Whether they have one bound."""
        return self.first in EARLIEST or self.last in LATEST


class Limit(NamedTuple):
    """The numbers that a question asks for, from ``least`` to ``most``, without these where they are ``excluded``; and the words that
    say so. ``column`` is the kind of column that they are in ("money"), empty where that is not said."""

    least: float
    most: float
    excluded: bool
    column: str
    said: str

    def holds(self, value: float) -> bool:
        """Return whether a number is one of them; NaN is none."""
        return self.least < value < self.most if self.excluded else self.least <= value <= self.most


class RowBounds(NamedTuple):
    """What a question bounds, and its text with a sign in place of what says so; ``is_clear`` unless it says more of days or numbers
    than that, or it is not known which days it names."""

    text: str
    days: Days | None
    limit: Limit | None
    is_clear: bool
    part: str = ""
    """The short form of a quarter or half of a year that the text has, as cells do."""


@lru_cache(maxsize=64)
def bounds_of(question: str, language: str, are_cells: bool = False) -> RowBounds:
    """Return the bounds that a question in a language (ISO 639-1) sets. A quarter or half of a year is no bound with ``are_cells``, but
    has its short form in the text, "Q2", as cells and heads have it. Each way in which a question may be read asks this again."""
    part = ""
    if are_cells:
        question, part = _with_short_parts(question, language)
    limits = [*_limits_in(question, language)]
    text = question
    for start, end, _ in reversed(limits):
        text = f"{text[:start]} {LIMIT} {text[end:]}"
    text, days, is_clear = _dated(text, language, are_cells)
    return RowBounds(text, days, limits[0][2] if limits else None, is_clear and len(limits) < 2, part)


def _limits_in(question: str, language: str) -> Iterator[tuple[int, int, Limit]]:
    """Yield the limits of a question and their places, in its order; a number that may be a year, "up to 2020", is none."""
    mark, found = decimal_mark(language), list[tuple[int, int, Limit]]()
    for pattern, kind, column in _limit_patterns(language):
        for match in pattern.finditer(question):
            written = [number for number in (match["one"], match["other"]) if number]
            values = [value for number in written if (value := _value_of(number, mark)) is not None]
            is_money = bool(match["money"] or match["sign"])
            may_be_year = kind not in ("above", "below") and not is_money and all(map(_YEAR.fullmatch, written))
            if (
                len(values) < len(written)
                or may_be_year
                or any(a < match.end() and match.start() < b for a, b, _ in found)
            ):
                continue
            least = values[0] if kind in ("above", "at_least", "between") else -math.inf
            most = values[-1] if kind in ("below", "at_most", "between") else math.inf
            column = column or ("money" if is_money else "")
            found.append((*match.span(), Limit(least, most, kind in ("above", "below"), column, match[0].strip())))
    yield from sorted(found)


def _value_of(number: str, mark: str) -> float | None:
    """Return the value of a number; of "3万" that of 30,000."""
    times = _MYRIADS.get(number[-1], 1)
    value = value_of(number[:-1] if times > 1 else number, mark)
    return None if value is None else value * times


@cache
def _limit_patterns(language: str) -> list[tuple[re.Pattern[str], str, str]]:
    """Return what finds the limits of a kind ("above", "between"), longer forms first, and the kind of column that each says."""
    money = "|".join(QUESTIONS.by_language("units_of_money").get(language, ())) or "(?!)"
    behind = rf"(?P<money> ?[$€£¥]| (?:euros?|dollars?|{money})\b)?"
    opening, digits = r"(?<!\w)", _DIGITS
    if is_unspaced := language in WITHOUT_SPACES:
        opening, digits, behind = "", r"(?<![\d.,])\d(?:[\d.,]*\d)?[百千万亿億]?(?!\d)", "(?P<money> ?[元块円¥])?"
    found = []
    for kind in ("at_least", "at_most", "above", "below", "between"):
        for line in QUESTIONS.by_language(f"rows_{kind}").get(language, ()):
            column, forms = (line.split(": ", 1)) if OF_KIND.match(line) else ("", line)
            forms = forms if "<number>" in forms else f"(?:{forms}){'' if is_unspaced else ' '}<number>"
            for number in (rf"(?P<sign>{_SIGN}) ?(?P<one>{digits})", rf"{_SIGN} ?(?P<other>{digits})"):
                forms = forms.replace("<number>", number, 1)
            forms += "" if "(?P<other>" in forms else "(?P<other>(?!))?"
            found.append((re.compile(rf"{opening}(?:{forms}){behind}", re.IGNORECASE), kind, column))
    return found


def _dated(question: str, language: str, are_cells: bool) -> tuple[str, Days | None, bool]:
    """Return a question with a sign in place of the days that it names and what bounds them, these days, and whether that is clear."""
    parts = [] if are_cells else [*_parts_of_years(question, language)]
    named = sorted([*parts, *_runs_of_months(question, language)])
    dates = ((one.start, one.end, one.first, one.last) for one in find_dates(question))
    named += [one for one in dates if all(one[1] <= start or end <= one[0] for start, end, _, _ in named)]
    named.sort()
    named += [(start, end, day, day) for start, end, day in days_of_months(question)] if not named else []
    named = named or [*_months(question, language)]
    if not named:
        return question, None, True
    text, at = "", 0
    for start, end, _, _ in named:
        text += question[at:start] + DATE
        at = end
    text += question[at:]
    is_clear = not any("/" in question[a:b] and is_year((first, last)) for a, b, first, last in named)
    bound, kind = next(
        ((found, kind) for pattern, kind in _day_patterns(language) if (found := pattern.search(text))), (None, "")
    )
    before = text[: bound.start()].count(DATE) if bound else 0
    used = named[before : before + (2 if kind == "between_days" else 1)]
    first, last = _opened(kind, used[0][2], used[-1][3])
    if bound and kind == "from_day":  # from 1 to 15 July
        first = f"{first[:-2]}{int(bound['day']):02}" if first == last else ""
    said = bound[0].strip() if bound else DATE
    for start, end, _, _ in used:
        said = said.replace(DATE, question[start:end], 1)
    if bound:
        text = f"{text[: bound.start()]}{DATE}{text[bound.end() :]}"
    return text, Days(first, last, said, bound is not None), is_clear and bool(first and last) and text.count(DATE) == 1


def _parts_of_years(question: str, language: str) -> Iterator[tuple[int, int, str, str]]:
    """Yield the quarters and halves of years that a question names, of a year or of any."""
    for pattern, first, last, _ in _part_patterns(language):
        for match in pattern.finditer(question):
            year = match["before"] or match["behind"]
            yield (*match.span(), _of_year(year, f"{first:02}-01"), _of_year(year, f"{last:02}-31"))


def _with_short_parts(question: str, language: str) -> tuple[str, str]:
    """Return a question that says "Q2" for the second quarter, and this; empty where it names no part of a year."""
    part = ""
    for pattern, _, _, short in _part_patterns(language):
        if found := pattern.search(question):
            start, end = found.span("part")
            question, part = f"{question[:start]}{short}{question[end:]}", short
    return question, part


def _of_year(year: str | None, day: str) -> str:
    return f"{year}-{day}" if year else day


@cache
def _part_patterns(language: str) -> list[tuple[re.Pattern[str], int, int, str]]:
    """Return what finds each quarter and half of a year, its first and its last month, and its short form."""
    found = []
    for head, size in (("rows_quarters", 3), ("rows_halves", 6)):
        for number, forms in enumerate(QUESTIONS.by_language(head).get(language, ())):
            year = r"(?:19|20)\d\d(?![\d-])"
            part = rf"(?:(?P<before>{year})[ -])?(?P<part>{forms})(?:,? (?:\w+ ){{0,2}}?(?P<behind>{year}))?(?!\w)"
            part = rf"(?<!\w){part}"
            if language in WITHOUT_SPACES:
                part = rf"(?:(?P<before>(?:19|20)\d\d)年?度?(?:的|の)?)?(?P<part>{forms})(?P<behind>(?!))?"
            pattern = re.compile(part, re.IGNORECASE)
            found.append((pattern, number * size + 1, (number + 1) * size, forms.partition("|")[0]))
    return found


def _runs_of_months(question: str, language: str) -> Iterator[tuple[int, int, str, str]]:
    """Yield months behind each other that a question names together, of a year or of any: "April and May 2024"."""
    if any(pattern.search(question) for pattern in _month_patterns(language)[:-1]):
        return  # between two months
    for match in _run_pattern(language).finditer(question):
        first, last = MONTHS[match["one"].lower()], MONTHS[match["other"].lower()]
        if last == first + 1:
            yield (*match.span(), _of_year(match["year"], f"{first:02}-01"), _of_year(match["year"], f"{last:02}-31"))


@cache
def _run_pattern(language: str) -> re.Pattern[str]:
    both = "|".join(QUESTIONS.by_language("rows_and").get(language, ())) or "(?!)"
    run = rf"(?P<one>{MONTH_NAMES}) (?:{both}) (?P<other>{MONTH_NAMES})(?!\w)(?: (?P<year>(?:19|20)\d\d)(?!\d)|(?! \d))"
    return re.compile(rf"(?<!\w)(?<!\d )(?<!\d[.] ){run}", re.IGNORECASE)


def _months(question: str, language: str) -> Iterator[tuple[int, int, str, str]]:
    """Yield the months that a question names without a year behind a word that bounds: "in May", "before May"; in scripts without spaces
    wherever they are."""
    if language in WITHOUT_SPACES:
        for match in _EAST_ASIAN_MONTH.finditer(question):
            number = _EAST_ASIAN_MONTHS.get(match["month"]) or int(match["month"])
            yield (*match.span(), f"{number:02}-01", f"{number:02}-31")
        return
    for pattern in _month_patterns(language):
        for match in pattern.finditer(question):
            for group in filter(match.start, pattern.groupindex):
                number = MONTHS[match[group].lower()]
                yield (*match.span(group), f"{number:02}-01", f"{number:02}-31")
            return


@cache
def _month_patterns(language: str) -> list[re.Pattern[str]]:
    heads = ("rows_in_month", "rows_before", "rows_until", "rows_after", "rows_since")
    forms = "|".join(
        form for head in heads for form in QUESTIONS.by_language(head).get(language, ()) if "<" not in form
    )
    written = [form for form in QUESTIONS.by_language("rows_between_days").get(language, ()) if form[0] != "<"]
    for name in ("one", "other"):
        written = [form.replace("<date>", rf"(?P<{name}>{MONTH_NAMES})(?!\w)(?! \d)", 1) for form in written]
    alone = rf"(?:{forms or '(?!)'}) (?P<month>{MONTH_NAMES})(?!\w)(?! \d)"
    return [re.compile(rf"(?<!\w)(?:{form})", re.IGNORECASE) for form in (*written, alone)]


@cache
def _day_patterns(language: str) -> list[tuple[re.Pattern[str], str]]:
    """Return what finds the bounds of days: two of them, or one."""
    found = []
    for form in QUESTIONS.by_language("rows_between_days").get(language, ()):
        if form.count("<date>") == 2 and language not in WITHOUT_SPACES:
            form = form.replace("<date>", r"(?P<day>\d{1,2})\.?", 1).replace("<date>", DATE)
            found.append((re.compile(rf"(?<!\w){form}", re.IGNORECASE), "from_day"))
    for kind in ("between_days", "before", "until", "after", "since"):
        for form in QUESTIONS.by_language(f"rows_{kind}").get(language, ()):
            form = form.replace("<date>", DATE) if "<date>" in form else rf"(?:{form}) {DATE}"
            opening = "" if language in WITHOUT_SPACES else r"(?<!\w)"
            found.append((re.compile(f"{opening}{form}", re.IGNORECASE), kind))
    return found


def _opened(kind: str, first: str, last: str) -> tuple[str, str]:
    """Return the first and last of the days that are before, until, after or since some; empty ones for days before Christ."""
    size = len(first)
    if kind == "before":
        first, last = EARLIEST[-size:], _moved(first, -1)
    elif kind == "until":
        first = EARLIEST[-size:]
    elif kind == "after":
        first, last = _moved(last, 1), LATEST[-size:]
    elif kind == "since":
        last = LATEST[-size:]
    return first, last


def _moved(day: str, by: int) -> str:
    """Return the day before or after one, in the same form; a month has no more days than it has. Empty where that is no day of the
    calendar."""
    year, month, of_month = ([str(_LEAP_YEAR), *day.split("-")])[-3:] if day[:1] != "-" else ("", "", "")
    try:
        last = monthrange(int(year), int(month))[1]
        moved = date(int(year), int(month), min(int(of_month), last)) + timedelta(by)
    except (ValueError, OverflowError, IllegalMonthError):
        return ""
    return moved.isoformat()[-len(day) :]
