"""Reads subtitles (.srt, .vtt): what is said, speaker by speaker, and the time at which it is said."""

import html
import re
from collections.abc import Iterator
from typing import NamedTuple

from pipeline.base.files import Problem
from pipeline.documents.parsed import FormatOptions, Parsed, Read, readable_name
from pipeline.documents.places import MappedText

_TIMING = re.compile(
    r"^[ \t]*(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,]\d{1,3}[ \t]+-->[ \t]+(?:\d{1,3}:)?\d{1,2}:\d{2}[.,]\d{1,3}[^\n]*$",
    re.M,
)
_LINE = re.compile(r"[^\r\n]+")
_TAG = re.compile(r"<[^<>\n]{0,200}>|\{\\[^{}\n]{0,200}\}")
_VOICE = re.compile(r"<v(?:\.[^\s>]*)?[ \t]+([^<>\n]{1,100})>")
_NUMBER = re.compile(r"[ \t]*\d+[ \t]*")
_ENDS = re.compile(r"[.!?。！？…][\"'”’)\]]*$")
_LONGEST_END = 8
"""Characters of a line among which the end of its sentence is looked for."""


class _Cue(NamedTuple):
    """One caption: when it begins, and where its lines are in the file."""

    time: str
    lines: list[tuple[int, int]]


def read_subtitles(source: str, text: str, options: FormatOptions) -> Read:
    """One document. Captions that go on in the middle of a sentence are one paragraph; a new speaker begins another.

    A place is the time of a caption: "time 00:12:31". Marks of style and position are left out.
    """
    if "\n" not in text:
        text = text.replace("\r", "\n")  # all lines end with CR, as on old systems
    if _TIMING.search(text) is None:
        yield Problem(
            source, "", "no caption in it: none of its lines gives times, such as 00:00:01,000 --> 00:00:02,000"
        )
        return
    said = MappedText()
    breaks, labels = [], []
    speaker = ""
    ended = True
    for cue in _cues(text):
        breaks.append(cue.lines[0][0])
        labels.append(f"time {cue.time}")
        for start, end in cue.lines:
            voice = _VOICE.match(text, start, end)
            new = voice is not None and voice[1].strip() != speaker
            said.insert("" if not said.length else "\n\n" if new or ended else " ")
            if voice is not None and new:
                speaker = voice[1].strip()
                said.copy(voice[1].rstrip(), voice.start(1))
                said.insert(": ")
            _copy_plain(said, text, start, end)
            ended = False
        end = cue.lines[-1][1]
        ended = _ENDS.search(text, max(end - _LONGEST_END, 0), end) is not None and "\n" in text[end : end + 4]
    yield Parsed(readable_name(source), said.text(), places=said.places("time", 1, breaks, labels))


def _cues(text: str) -> Iterator[_Cue]:
    found = list(_TIMING.finditer(text))
    for place, timing in enumerate(found):
        end = found[place + 1].start() if place + 1 < len(found) else len(text)
        block = re.compile(r"\r?\n[ \t]*\r?\n").search(text, timing.end(), end)
        lines = [
            (line.start(), line.end()) for line in _LINE.finditer(text, timing.end(), block.start() if block else end)
        ]
        if block is None and place + 1 < len(found) and lines and _NUMBER.fullmatch(text, *lines[-1]):
            lines.pop()  # the number of the next caption, without a blank line before it
        lines = [line for line in lines if _TAG.sub("", text[slice(*line)]).strip()]
        if lines:
            hours = int(timing[1] or 0)
            yield _Cue(f"{hours:02}:{int(timing[2]):02}:{timing[3]}", lines)


def _copy_plain(said: MappedText, text: str, start: int, end: int) -> None:
    """Copy a line without its marks; a reference such as &amp; is its character."""
    at = start
    for mark in [*_TAG.finditer(text, start, end), None]:
        to = mark.start() if mark else end
        while (reference := text.find("&", at, to)) >= 0:
            said.copy(text[at:reference], at)
            close = text.find(";", reference, min(to, reference + 12))
            plain = html.unescape(text[reference : close + 1]) if close > 0 else "&"
            at = close + 1 if close > 0 else reference + 1
            said.replace(plain, reference, at)
        said.copy(text[at:to], at)
        at = mark.end() if mark else to
