"""Metadata of a document as its row stores them: one JSON object, read by column."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from pipeline.text.dates import ENGLISH_MONTHS, find_dates

CSV_HEADER = "csv_header"
"""The first row of a CSV file without a column of text, as the file has it, by which its rows are printed and quoted."""
CSV_QUOTED = "csv_quoted"
"""The numbers of the columns, from 1 on, whose cells a row of such a file has in quotation marks, where these are not just those that
need them."""
DATE_HEADER = "date_header"
"""The date of a mail as its file writes it."""
TECHNICAL = frozenset({"encoding", "record", "microsoft_id", CSV_HEADER, CSV_QUOTED, DATE_HEADER})
"""Columns that say how a document was read, and nothing of what it is about."""
SIGNED, ADDRESSED = "signed", "addressed"
"""Who wrote a letter and to whom, as its signature and its greeting say."""
_WRITERS = ("from", "author", "authors", "sender", "speaker", SIGNED)
"""Columns that name whom a document is by."""
MOST_NAMED = 6
"""Addressees of a mail that are named beside its title; others are counted."""
LONGEST_LABEL = 200
"""Characters of a value that can be looked for; a longer one is a text."""
_DAY = re.compile(r"\b(\d{4})-(\d\d)(?:-\d\d)?(?:[T ]\d\d:[\d:.]+)?(?:Z|[+-]\d\d:?\d\d)?")


def read_metadata(stored: str | None) -> dict[str, Any]:
    """Return the values by column, in lower case; ``author.name`` for a value inside another."""
    return dict(_flat("", json.loads(stored or "{}") or {}))


def labels(stored: str | None) -> str:
    """Return the short values that a question may name, in one line: a customer, a status; of a date its month and year.

    Days are left out: as words they would be taken for the numbers of other things.
    """
    found = []
    for column, value in read_metadata(stored).items():
        if column not in TECHNICAL:
            values = value if isinstance(value, list) else [value]
            found += [str(one) for one in values if one is not None and not isinstance(one, bool)]
    return " ".join(_DAY.sub(_month_and_year, one) for one in found if len(one) <= LONGEST_LABEL)


def written_by(stored: str | None) -> str:
    """Return who wrote a document or says what it holds, as its metadata give it; empty where they do not."""
    found = read_metadata(stored) if stored else {}
    values = (found.get(column) for column in _WRITERS)
    return " ".join(str(one) for value in values for one in (value if isinstance(value, list) else [value]) if one)


def is_written(metadata: Mapping[str, Any]) -> bool:
    """Return whether some metadata name whom a document is by."""
    return any(name.casefold() in _WRITERS and value for name, value in metadata.items())


def sent_by(stored: str | None) -> str:
    """Return who sent a mail or wrote a letter, and its day, as its metadata give them: "Jane Hill, 2024-03-04"; empty for others."""
    senders, _ = _ends(stored)
    return ", ".join(filter(None, (*map(_called, senders[:1]), date_of(stored)))) if senders else ""


def correspondents(stored: str | None) -> tuple[list[str], list[str]]:
    """Return the names of who sent a mail or wrote a letter and of whom it is to, as its metadata give them; none for others."""
    senders, addressees = ([name for name, _ in ends if name] for ends in _ends(stored))
    return senders, addressees


def sent_from_to(stored: str | None) -> str:
    """Return who sent a mail or wrote a letter and to whom: "from Jane Hill to Tom Orr, Ann Lee and 4 others"; empty for others."""
    senders, addressees = (list(filter(None, map(_called, ends))) for ends in _ends(stored))
    if not senders:
        return ""
    more = len(addressees) - MOST_NAMED
    others = f" and {more} other{'s' if more > 1 else ''}" if more > 0 else ""
    to = f" to {', '.join(addressees[:MOST_NAMED])}{others}" if addressees else ""
    return f"from {', '.join(senders)}{to}"


def _ends(stored: str | None) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return the names and addresses of who sent a mail or wrote a letter and of whom it is to."""
    if not (stored and ('"from"' in stored or f'"{SIGNED}"' in stored)):
        return [], []
    found = read_metadata(stored)
    if SIGNED in found:
        return [(str(found[SIGNED]), "")], [(str(found.get(ADDRESSED) or ""), "")]
    sender, to = (str(found.get(name) or "") for name in ("from", "to"))
    if "@" not in sender:  # of a table that has a column of this name
        return [], []
    from email.utils import getaddresses  # what few corpora need

    return getaddresses([sender]), getaddresses([to]) if to else []


def _called(end: tuple[str, str]) -> str:
    return end[0] or end[1]


def mail_header(stored: str | None, name: str) -> str:
    """Return the line above a mail that says who sent it ("from") or when ("date"); empty for what is no mail."""
    found = read_metadata(stored) if sent_by(stored) else {}
    value = str(found.get(DATE_HEADER if name == "date" else name) or "")
    return f"{name.capitalize()}: {value}" if value else ""


def head_metadata(sender: str, written: str) -> dict[str, Any]:
    """Return the metadata of a text message, given what the lines above it say: from, and the date, as ISO 8601 where it is a day."""
    days = [one for one in find_dates(written) if one.first == one.last]
    dated = {"date": days[0].first if days else written, DATE_HEADER: written} if written else {}
    return {"from": sender, **dated}


def date_of(stored: str | None) -> str:
    """Return the date of a document, as its metadata gives it; empty where they give none."""
    return str(read_metadata(stored).get("date") or "") if stored and "date" in stored.lower() else ""


def full_title(title: str, stored: str | None) -> str:
    """Return what a text is under with the date of its document and, of a mail, who sent it to whom, as its metadata give them."""
    return title_with(title, date_of(stored), sent_from_to(stored))


def title_with(title: str, date: str, sent: str) -> str:
    """Return what a text is under with what is known of its document, unless it holds it: "Kitchen (2024-03-04, from Jane Hill)"."""
    known = [one for one in (date, sent) if one and one not in title]
    return f"{title} ({', '.join(known)})" if known else title


def _month_and_year(day: re.Match[str]) -> str:
    number = int(day[2])
    return f"{ENGLISH_MONTHS[number - 1] if 1 <= number <= 12 else ''} {day[1]}"


def _flat(prefix: str, values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from _flat(f"{prefix}{name}.".lower(), value)
        else:
            yield f"{prefix}{name}".lower(), value
