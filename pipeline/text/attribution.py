"""Who speaks or writes at a place of a text, and when, as the labels of speakers and the heads of messages before it say."""

import re
from functools import cache
from typing import NamedTuple

from pipeline.text.lexicon.words import listed, sections
from pipeline.text.spans import line_end

BACK = 6_000
"""Characters before a place in which its speaker or message is looked for; a longer turn is nobody's for sure."""
HEAD_LINES = 12
"""Lines above a message that are read, at most."""
_DATE = r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}\.?"
_TIME = r"\d{1,2}[:.]\d{2}(?:[:.]\d{2}(?:[.,]\d{1,6})?)?(?:\s?[AaPp]\.?\s?[Mm]\.?)?Z?(?:[+-]\d\d:?\d\d)?"
_STAMPED = rf"\u200e?(?:[\[(\ue200](?:{_DATE},?[T\s]\s?)?{_TIME}[\])\ue201]|{_DATE},?[T\s]\s?(?:um |at |à )?{_TIME}|{_TIME}(?=\s?<))(?:\s?[-–—]|:)?(?:[^\S\n]+|(?=<))"
STAMP = re.compile(_STAMPED)
"""The date and time at the head of a message of a chat, or of a line of a log: "[12.03.24, 18:22:01] ", "3/12/24, 6:22 PM - ",
"18:22 <". U+E200 and U+E201 are brackets that an answer quotes (see ``query.evidence.citations``)."""
_LINE = re.compile(
    rf"^(?P<stamp>{_STAMPED})?"
    r"[>*<\s]{0,4}(?P<label>[^\W\d_][^:：\n]{0,40}?)\**\s?[:：>][ \t]*(?P<said>.*)$",
    re.MULTILINE,
)
_PAGE_HEAD = re.compile(r"^[^\s:：-][^:：\n]{0,120}\.(?:txt|rtf|odt|docx?|pdf)(?=[ \t]{2}|[ \t]*$)", re.MULTILINE)
"""The name of a file at the head of a page, alone or before two blanks. Pages of transcripts often repeat the end of the one before."""
_NAME = re.compile(r"[^\W\d_][\w.'’-]*(?: [^\W\d_][\w.'’-]*){0,3}")

_WHEN_AND_WHO = r"\d[\d./:, T-]{2,24}\s+[^\W\d_a-z][^\n:!?\[\]]{0,60}?\s*"
_TURN_HEAD = re.compile(rf"\[{_WHEN_AND_WHO}\]|[-–—=]{{2,}}\s*{_WHEN_AND_WHO}[-–—=]*")
"""A line that says when somebody wrote what is below it, and who: "[07:20 Ingrid]", "--- 08/05/2024 11:40 Client (Ana Gil)"."""
_ENTRY_HEAD = re.compile(
    r"(?:[-–—=*\[]+\s*)?\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}\]?,?\s+\d{1,2}[:.]\d\d(?::\d\d)?\b\]?[^\n.!?\d]{0,60}"
)
"""The same above an entry of a log, with its day and time, marked as such or not, and perhaps who wrote it."""


@cache
def _heads() -> dict[str, frozenset[str]]:
    return {name: frozenset(listed(words)) for name, words in sections("message_headers").items()}


def date_labels() -> frozenset[str]:
    """Return the words, in lower case, with which a line begins that says when: "date", "datum", "fecha"."""
    return _heads()["date"]


class HeadLine(NamedTuple):
    """A line of the head of a message or letter, ``text[start:end]``; ``kind`` is "from", "to", "copy", "date", "subject" or
    "other"."""

    kind: str
    start: int
    end: int


def heads_in(text: str) -> list[list[HeadLine]]:
    """Return the heads of messages and letters in a text, each as its lines; at most blank ones are between these."""
    kinds = {word: kind for kind, words in _heads().items() for word in words}
    found: list[list[HeadLine]] = []
    for line in _head_line().finditer(text):
        one = HeadLine(kinds[line["label"].casefold()], line.start("label"), line.end())
        if found and not text[found[-1][-1].end : line.start()].strip():
            found[-1].append(one)
        else:
            found.append([one])
    return found


@cache
def _head_line() -> re.Pattern[str]:
    labels = "|".join(map(re.escape, sorted(frozenset().union(*_heads().values()))))
    return re.compile(rf"^[>*\s]{{0,4}}(?P<label>{labels})\**\s?[:：]\**[ \t]*\S.*$", re.IGNORECASE | re.MULTILINE)


@cache
def _no_speakers() -> frozenset[str]:
    """Return the words at the head of a message that neither say who wrote it nor when."""
    return frozenset().union(*(_heads()[name] for name in ("to", "copy", "other", "subject")))


def attribution(text: str, at: int) -> str:
    """Return who says what is at a place of ``text``, and the date of the message that it is in: "Callum Whitty, Tue, 15 Apr
    2025"; empty where nothing says so.

    A label names a speaker where several lines of the text begin with it, and no page begins between; the head of a message
    ends what was before it.
    """
    begin = max(0, at - BACK)
    page = max((head.end() for head in _PAGE_HEAD.finditer(text, begin, at)), default=0)
    speaker = sent = sender = date = ""
    for line in reversed(list(_LINE.finditer(text, begin, line_end(text, at)))):
        label, said = line["label"].strip(), line["said"].strip()
        known = label.casefold()
        if known in _heads()["from"]:
            sender = said
            break
        if known in _heads()["date"]:
            date = date or said
        elif line.start() < page:
            continue
        elif not (speaker or date or known in _no_speakers()) and _is_speaker(label, text):
            speaker, sent = label, (line["stamp"] or "").strip(" [](),:-–—\t")
    return ", ".join(part for part in (speaker, sent, sender, date if sender else "") if part)


def message_head(text: str) -> dict[str, str]:
    """Return what the lines above a text that is one message say, by "from", "date" and "subject"; empty for a text that does not begin
    with such lines, or has more of them below."""
    kinds = {word: kind for kind, words in _heads().items() for word in words}
    found: dict[str, str] = {}
    for line in text.lstrip("\ufeff\n\r ").split("\n", HEAD_LINES):
        label, colon, said = line.partition(":")
        kind = kinds.get(label.strip().casefold(), "")
        if not (colon and kind):
            break
        if kind in ("from", "date", "subject"):
            found.setdefault(kind, said.strip())
    is_message = "@" in found.get("from", "") and len(found) > 1
    return found if is_message and len(_sender_line().findall(text)) == 1 else {}


@cache
def _sender_line() -> re.Pattern[str]:
    """Return the pattern of how a line of a message's head begins that says who wrote it."""
    senders = "|".join(map(re.escape, sorted(_heads()["from"])))
    return re.compile(rf"^(?:{senders})\s?:", re.IGNORECASE | re.MULTILINE)


def is_turn(line: str, text: str) -> bool:
    """Return whether a line of a text is what somebody says: a message behind its date and time, or behind the label of a speaker."""
    label = line.partition(":")[0].strip("*> \t")
    heads = _heads().values()
    return bool(STAMP.match(line)) or (
        ":" in line and not any(label.casefold() in some for some in heads) and _is_speaker(label, text)
    )


def is_turn_head(line: str) -> bool:
    """Return whether a line says when somebody wrote what is below it, and who."""
    return bool(_TURN_HEAD.fullmatch(line.rstrip()))


def is_entry_head(line: str) -> bool:
    """Return whether a line says the day and time of an entry of a log below it, and nothing else but who wrote it."""
    return bool(_ENTRY_HEAD.fullmatch(line))


def _is_speaker(label: str, text: str) -> bool:
    """Whether a label is a name, in capitals, that begins several lines."""
    if not _NAME.fullmatch(label) or not all(word[:1].isupper() or not word[:1].islower() for word in label.split()):
        return False
    begins = rf"^(?:{_STAMPED})?[>*<\s]{{0,4}}{re.escape(label)}\**\s?[:：>]"
    return len(re.findall(begins, text, re.MULTILINE)) > 1
