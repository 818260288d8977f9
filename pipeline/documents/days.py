"""The day of a document whose file has no metadata for it: "Date: 5 March 2025" in its first lines, or the day in its name."""

import re
from collections.abc import Mapping
from datetime import date
from pathlib import PurePosixPath

from pipeline.documents.parsed import Parsed, Scalar
from pipeline.text.attribution import HEAD_LINES, date_labels
from pipeline.text.dates import DayOrder, day_order_in, find_dates, in_order

_LABELLED = re.compile(r"^[\s>*_+|-]*(?P<label>[^\W\d_]+)[\s*_]*[:：|][\s*_]*(?P<said>\S[^|\n]*)", re.MULTILINE)
"""A line such as "Date: 5 March 2025", "- **Date:** ..." or the row "| Date | ... |" of a table."""
_LONGEST_SAID = 200
_WEEKDAY = re.compile(r"(?:[^\W\d_]+[.,]?\s+){0,3}")
"""What may be before the day in such a line: "Wednesday, ", "am Mittwoch, dem "."""
_NAMED = re.compile(r"(\d{4})(-?)(\d\d)\2(\d\d)(?=T\d|[\W_]|\Z)")
_NAMED_AT_END = re.compile(r"(?:.*[\W_])?(\d{4})(-)(\d\d)-(\d\d)")
_YEARS = range(1900, 2100)
"""Years in which eight digits that begin a name are a day; 05032025 is none then, whichever way it is read."""


def dated(parsed: Parsed, source: str) -> Parsed:
    """Return a document with its day as ``date``, in ISO form, where its metadata have none and something else tells it.

    Metadata go first, also those with another word for date (datum, fecha), then the first lines of the text, then the name of the
    file. A record of a file is none of that: the days of records are in their columns.
    """
    if parsed.key or any(name.casefold() == "date" and value for name, value in parsed.metadata.items()):
        return parsed
    day = _day_of_metadata(parsed.metadata) or _day_above(parsed.text) or day_of_name(source)
    if day:
        parsed.metadata["date"] = day
    return parsed


def day_of_name(source: str) -> str:
    """Return the ISO day that begins the name of a file, as in 2025-03-05-kickoff.md or 20250305_kickoff.md, or ends it, as in
    kickoff-2025-03-05.md; empty where none does."""
    name = PurePosixPath(source).stem
    found = _NAMED.match(name) or _NAMED_AT_END.fullmatch(name)
    if not found or int(found[1]) not in _YEARS:
        return ""
    try:
        return date(int(found[1]), int(found[3]), int(found[4])).isoformat()
    except ValueError:  # a day that the calendar has not
        return ""


def _day_of_metadata(metadata: Mapping[str, Scalar]) -> str:
    said = (value for name, value in metadata.items() if name.casefold() in date_labels())
    return next(filter(None, (_day(str(value)) for value in said if value)), "")


def _day_above(text: str) -> str:
    """Return the day of the only line that says when, among the first of a text; empty where lines further down name other days: then
    each belongs to a part of it."""
    order = day_order_in(text)
    head = "\n".join(text.lstrip("\ufeff\n\r ").split("\n", HEAD_LINES)[:HEAD_LINES])
    if not _days_said(head, order):
        return ""
    days = set(_days_said(text, order))
    return days.pop() if len(days) == 1 else ""


def _days_said(text: str, order: DayOrder | None) -> list[str]:
    """Return the days that the lines of a text name which begin with a word for date."""
    found = (line for line in _LABELLED.finditer(text) if line["label"].casefold() in date_labels())
    return [day for line in found if (day := _day(in_order(line["said"][:_LONGEST_SAID].strip(), order)))]


def _day(said: str) -> str:
    """Return the day that a text begins with, perhaps below the name of a weekday; empty where it names another span of time."""
    days = find_dates(said)
    opens = days and _WEEKDAY.fullmatch(said, 0, days[0].start)
    return days[0].first if opens and days[0].first == days[0].last else ""
