"""Where the command runs: names of files mean UTF-8 in every locale, and what is printed can give a terminal no orders."""

import codecs
import io
import json
import os
import re
import signal
import sys
from collections.abc import Sequence
from shutil import get_terminal_size
from textwrap import wrap
from types import FrameType
from typing import Any

from pipeline.base.release_memory import ARROW_POOL

CLEAR = "\r\x1b[K"
"""The control sequence that empties the line of a terminal; written before the text that replaces it."""
_GAP = re.compile(r"(?:^| ) +(?=\S)")
"""What is between two columns, or in front of the first."""
_ORDERS = re.compile(r"[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f-\x9f\u202d\u202e]|\r(?!\n)")


def use_utf8() -> None:
    """Start this process again in Python's UTF-8 mode where its locale would read names of files otherwise.

    In a locale such as C or de_DE.ISO-8859-1 a name would come out as other characters, or as none, and with it every
    id that rests on it. What is printed keeps the encoding of the place; what that cannot show is shown escaped.
    """
    if os.name != "posix" or sys.flags.utf8_mode or codecs.lookup(sys.getfilesystemencoding()).name == "utf-8":
        return
    shown = getattr(sys.stdout, "encoding", None) or "ascii"
    environment = {"PYTHONIOENCODING": f"{shown}:backslashreplace", **os.environ, "PYTHONUTF8": "1"}
    os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], environment)


def use_lean_allocator() -> None:
    """Have Arrow take memory by jemalloc, which gives back what other threads have freed, or for an index run from the one
    heap that this has for all threads. By Arrow's own default a run at two million tokens keeps 75 MB of what it has freed,
    by jemalloc 25 (measured). Arrow reads the variable once, when it is first imported, and knows jemalloc on Linux."""
    if sys.platform == "linux":
        os.environ.setdefault(ARROW_POOL, "system" if sys.argv[1:2] == ["index"] else "jemalloc")


def as_json(value: Any) -> str:
    """Return a value as JSON that people can read, too."""
    return json.dumps(value, ensure_ascii=False, indent=1)


def harmless(text: str) -> str:
    """Return a text in which control characters, and those that turn a line round, are U+FFFD."""
    return _ORDERS.sub("\ufffd", text)


class Styled(str):
    """Text with control sequences of our own around some of its parts, in which nothing else can order a terminal about."""

    def __new__(cls, parts: Sequence[str | tuple[str, str, str]]) -> "Styled":
        """Make it of parts: a text, or a text between the sequence that begins a style and the one that ends it."""
        shown = (
            harmless(part) if isinstance(part, str) else f"{part[0]}{harmless(part[1])}{part[2]}" for part in parts
        )
        return super().__new__(cls, "".join(shown))


class Printed(io.TextIOWrapper):
    """A stream that shows control characters of texts as U+FFFD, so that none of them moves the cursor, renames the
    window or fills the clipboard of who reads the output; what the stream's encoding lacks is shown escaped."""

    def write(self, text: str) -> int:
        """Write ``text``; as they are only styles of our own, and CLEAR at its start."""
        if isinstance(text, Styled):
            return super().write(str(text))
        own = CLEAR if text.startswith(CLEAR) else ""
        return super().write(own + harmless(text[len(own) :]))


def print_safely(json: bool) -> None:
    """Put streams that no text and no code page can upset in place of stdout and stderr.

    JSON is for programs: it is UTF-8 wherever it goes (RFC 8259), and stdout keeps its values as they are.
    """
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if not isinstance(stream, io.TextIOWrapper):
            continue
        encoding = "utf-8" if json else stream.encoding
        stream.reconfigure(encoding=encoding, errors="backslashreplace")
        if not json or name == "stderr":
            stream.flush()
            given = (stream.buffer, encoding, "backslashreplace")
            setattr(sys, name, Printed(*given, line_buffering=stream.line_buffering))


class StoppedBySignal(BaseException):
    """A signal asked the command to stop: what is under way is closed, and the command says what is left."""

    def __init__(self, number: int) -> None:
        name = "interrupted" if number == signal.SIGINT else f"stopped by {signal.Signals(number).name}"
        super().__init__(name)
        self.exit_code = 128 + number
        self.is_interrupt = number == signal.SIGINT


def stop_on_signals() -> None:
    """Turn Ctrl-C, SIGTERM and SIGHUP into StoppedBySignal, so that each ends with its message and closes its workers."""

    def stop(number: int, frame: FrameType | None) -> None:
        signal.signal(number, signal.SIG_DFL)  # a second one ends the process at once
        raise StoppedBySignal(number)

    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name) and signal.getsignal(getattr(signal, name)) != signal.SIG_IGN:
            signal.signal(getattr(signal, name), stop)


def folded(text: str) -> str:
    """Return a text whose lines fit the terminal, broken between words, each going on below where its last column begins; as
    it is where standard output is no terminal."""
    if not sys.stdout.isatty():
        return text
    width = get_terminal_size().columns
    return "\n".join(line for long in text.split("\n") for line in _fold(long, width))


def _fold(line: str, width: int) -> list[str]:
    if len(line) <= width:
        return [line]
    gaps = [gap.end() for gap in _GAP.finditer(line, 0, width * 2 // 3)]
    below = " " * (gaps[-1] if gaps else 0)
    return wrap(line, width, subsequent_indent=below, break_long_words=False, break_on_hyphens=False) or [line]


class Wrapped:
    """Breaks a text between words at the width of the terminal, as it comes; a line that is broken already starts anew."""

    def __init__(self, width: int) -> None:
        self._width, self._column, self._spaces, self._word = width, 0, "", ""

    def add(self, text: str) -> str:
        """Return what can be printed of ``text`` and of what was left before it."""
        shown = ""
        for letter in text:
            if letter not in " \n":
                self._word += letter
                continue
            shown += self.rest()
            if letter == " ":
                self._spaces += letter
            else:
                shown, self._spaces, self._column = shown + letter, "", 0
        return shown

    def rest(self) -> str:
        """Return the last word, on a new line where it does not fit; spaces before it go with the line they would end."""
        word, self._word = self._word, ""
        if not word:
            return ""
        spaces, self._spaces = self._spaces, ""
        if self._column and self._column + len(spaces) + len(word) > self._width:
            self._column = len(word)
            return f"\n{word}"
        self._column += len(spaces) + len(word)
        return f"{spaces}{word}"
