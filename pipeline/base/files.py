"""Reads files from under one folder and from nowhere else: the path jail, the search by glob patterns, the bounded read.

Paths of input files ("sources") are relative, written with "/" and in Unicode's composed form (NFC) on every system, so
that the same corpus has the same sources whatever file system it came from.
"""

import errno
import os
import re
import stat
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Literal

from pipeline.base.errors import GraphstrataError, InputError, SettingsError

# Something else may have taken the file's place meanwhile: a pipe must not be waited for, nor a link followed.
_READ_ONLY = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)

PICTURES = frozenset({".png", ".jpg", ".jpeg", ".gif", ".tif", ".tiff", ".bmp", ".webp", ".heic"})
_OF_PICTURES = " (text in pictures has to be recognised by another program first)"


@dataclass(frozen=True)
class Problem:
    """A file or record that was not read, and why. ``key`` names the record within the file, "" for the whole file."""

    source: str
    key: str
    reason: str
    kind: Literal["failed", "skipped"] = "failed"


@dataclass(frozen=True)
class FoundFiles:
    """What a search found: ``sources`` sorted by code point, their endings last, and what matched or might have matched but is not read."""

    sources: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    others: str = ""
    """Files that match no pattern, counted by their endings: "3 .xlsx, 1 .rst"; empty where there are none."""


def jail(root: Path, relative: str | Path, error: type[GraphstrataError] = InputError) -> Path:
    """Return the absolute path of ``relative`` under ``root``, with symbolic links resolved; it need not exist yet.

    Raises ``error`` where the path is absolute, has "..", leaves the root through a link, runs in circles, cannot be a
    path, or names something that is neither a file nor a folder (device, FIFO, socket).
    """
    name = str(relative)
    if Path(name).anchor or name.startswith(("/", "\\")) or ".." in re.split(r"[/\\]", name):
        raise error(
            f"{_shown(name)} leads out of its folder", "paths are relative and have no ..", "name a file inside it"
        )
    try:
        home = root.resolve()
        path = (home / name).resolve()
        mode = path.stat().st_mode if path.exists() else stat.S_IFREG
    except (OSError, RuntimeError, ValueError) as problem:
        raise error(
            f"{_shown(name)} is no usable path: {_why(problem)}", "it must name a file", "rename it"
        ) from problem
    if not path.is_relative_to(home):
        raise error(
            f"{_shown(name)} is a link that leads out of its folder", "such links are not followed", "copy the file"
        )
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise error(f"{_shown(name)} is not a regular file", "devices, pipes and sockets are not read", "leave it out")
    return path


def find(folder: Path, patterns: Sequence[str], exclude: Sequence[str] = ()) -> FoundFiles:
    """Find the files under ``folder`` that match any of ``patterns`` and none of ``exclude``.

    Patterns are globs relative to the folder: ``*`` and ``?`` stay within a name, ``**`` spans folders, ``[ab]`` is a set;
    case is ignored, so that REPORT.TXT is found. An excluded folder is left out whole. Hidden files and folders (a leading
    dot), links that leave the folder and links to folders are reported as problems and not followed. Raises InputError
    where the folder is missing, unreadable, no folder or empty, or where nothing matches.
    """
    included, excluded = _matcher(patterns), _matcher(exclude)
    if not folder.exists():
        raise InputError(
            f"no input folder at {folder}", "the texts are read from there", "make it, or set input.folder"
        )
    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder", "input.folder names a folder of texts", "set input.folder")
    search = _Search(folder.resolve(), included, excluded)
    search.run()
    if not search.sources:
        raise InputError(
            f"no file to read in {folder}: {search.others_found()}",
            f"files must match one of: {', '.join(patterns) or 'no pattern at all'}",
            f"add texts{_OF_PICTURES if search.endings.keys() & PICTURES else ''}, or set input.patterns",
        )
    problems = sorted(search.problems, key=lambda problem: (problem.source, problem.reason))
    return FoundFiles(sorted(search.sources, key=_without_ending), problems, search.others())


def _without_ending(source: str) -> tuple[str, str]:
    """Return the sort key by which "notes.txt" is before its copies "notes (copy).txt" and "notes copy.txt", which are left out."""
    name = source.rpartition("/")[2].rpartition(".")
    return (source[: -len(name[2]) - 1] if name[1] and name[0] else source, source)


def read(folder: Path, source: str, max_bytes: int) -> bytes:
    """Return the bytes of a source that ``find`` gave.

    Raises InputError, whose ``found`` is a reason for this one file: gone, unreadable, no regular file, a way out of the
    folder, more than ``max_bytes``. Nothing is ever read beyond the limit, even of a file that grows meanwhile.
    """
    try:
        path = jail(folder, _on_disk(folder, source))
        handle = os.open(path, _READ_ONLY)
        with os.fdopen(handle, "rb") as file:
            state = os.fstat(handle)
            if not stat.S_ISREG(state.st_mode):
                raise InputError("not a regular file", "folders, devices and pipes are not read", "leave it out")
            data = file.read(max_bytes + 1) if state.st_size <= max_bytes else b""
    except FileNotFoundError as error:
        raise InputError("no longer there", "it vanished while it was to be read", "run again") from error
    except OSError as error:
        raise InputError(
            f"cannot be read: {error.strerror or error}", "it must be readable", "fix its permissions"
        ) from error
    if state.st_size > max_bytes or len(data) > max_bytes:
        size = max(state.st_size, len(data)) / 1e6
        raise InputError(
            f"{size:.1f} MB, more than the limit of {max_bytes / 1e6:g} MB", "", "split it, or raise input.max_file_mb"
        )
    return data


class _Search:
    """One walk through a folder. Links to folders are never entered, so it always ends."""

    def __init__(self, root: Path, included: re.Pattern[str], excluded: re.Pattern[str]) -> None:
        self.root, self.included, self.excluded = root, included, excluded
        self.sources: dict[str, str] = {}
        """Source to the name on disk."""
        self.problems: list[Problem] = []
        self.endings: Counter[str] = Counter()
        """Endings of the files that did not match."""

    def run(self) -> None:
        folders = [(self.root, "")]
        while folders:
            path, prefix = folders.pop()
            try:
                with os.scandir(path) as listing:
                    entries = sorted(listing, key=lambda entry: entry.name)
            except OSError as error:
                self._report(prefix.rstrip("/") or ".", f"folder cannot be read: {error.strerror or error}", "failed")
                continue
            for entry in entries:
                source = prefix + unicodedata.normalize("NFC", entry.name)
                if self._enters(entry, source):
                    folders.append((Path(entry.path), source + "/"))

    def _enters(self, entry: os.DirEntry[str], source: str) -> bool:
        """Note a file; say whether the entry is a folder to go on with."""
        if self.excluded.match(source):
            return False
        if entry.is_dir(follow_symlinks=False):
            if entry.name.startswith("."):
                self._report(source, "hidden folder", "skipped")
            return not entry.name.startswith(".")
        if entry.is_symlink() and os.path.isdir(entry.path):  # noqa: PTH112 - Path's own raises where the link leads to what is closed
            self._report(source, "link to a folder; links to folders are not followed", "skipped")
            return False
        if not self.included.match(source):
            self.endings[PurePosixPath(source).suffix.lower() or "no ending"] += 1
            return False
        reason = self._refusal(entry, source)
        if reason:
            self._report(source, reason, "skipped")
        else:
            self.sources[source] = entry.path
        return False

    def _refusal(self, entry: os.DirEntry[str], source: str) -> str:
        if entry.name.startswith("."):
            return "hidden file"
        if not source.isascii() and any("\ud800" <= letter <= "\udfff" for letter in source):
            return "its name is not valid Unicode: rename it"
        if source in self.sources:
            return f"its name differs from another file's only in how accents are written: {source}"
        try:
            path = jail(self.root, Path(entry.path).relative_to(self.root))
        except InputError as error:
            return error.found.removeprefix(f"{_shown(source)} ")
        return "" if path.is_file() else "link to nothing"

    def _report(self, source: str, reason: str, kind: Literal["failed", "skipped"]) -> None:
        self.problems.append(Problem(_shown(source), "", reason, kind))

    def others(self) -> str:
        """The commonest endings of files that did not match."""
        counts = sorted(self.endings.items(), key=lambda pair: (-pair[1], pair[0]))
        return ", ".join(f"{count:,} {ending}" for ending, count in counts[:6]) + (", ..." if len(counts) > 6 else "")

    def others_found(self) -> str:
        """What was there instead of a file to read."""
        listed = [self.others()] if self.endings else []
        listed += [f"{problem.source} ({problem.reason})" for problem in self.problems[:3]]
        return ", ".join(listed) or "it is empty"


def matches(patterns: Sequence[str]) -> Callable[[str], bool]:
    """Return whether a source matches any of the globs that ``find`` takes; SettingsError for a pattern that is broken."""
    matcher = _matcher(patterns)
    return lambda source: matcher.match(source) is not None


def _matcher(patterns: Sequence[str]) -> re.Pattern[str]:
    """One expression for all patterns; a pattern that is broken or could leave the folder raises SettingsError."""
    for pattern in patterns:
        if not pattern or pattern.startswith("/") or ".." in pattern.split("/") or "\\" in pattern:
            raise _bad_pattern(pattern)
        try:
            re.compile(_expression(pattern))
        except re.error as error:
            raise _bad_pattern(pattern) from error
    alternatives = "|".join(_expression(unicodedata.normalize("NFC", pattern)) for pattern in patterns)
    return re.compile(f"(?:{alternatives})\\Z" if patterns else r"(?!)", re.IGNORECASE | re.DOTALL)


def _bad_pattern(pattern: str) -> SettingsError:
    return SettingsError(
        f"glob pattern {pattern!r}", "patterns are relative to the input folder, written with /", "fix input.patterns"
    )


def _expression(pattern: str) -> str:
    parts = re.split(r"(/\*\*/|^\*\*/|/\*\*$|^\*\*$|\*+|\?|\[!?\]?[^\]/]+\])", pattern.removeprefix("./"))
    spans = {"/**/": "/(?:.+/)?", "**/": "(?:.+/)?", "/**": "/.+", "**": ".+", "?": "[^/]"}
    return "".join(spans.get(part) or _piece(part) for part in parts)


def _piece(part: str) -> str:
    if part.startswith("*"):
        return "[^/]*"
    if part.startswith("[") and len(part) > 2:
        content = part[1:-1].replace("\\", "\\\\").replace("[", "\\[")
        return f"[{'^' + content[1:] if content.startswith('!') else content.replace('^', chr(92) + '^')}]"
    return re.escape(part)


def _on_disk(folder: Path, source: str) -> Path:
    """The relative path whose names, composed, are those of ``source``; the source itself where there is none."""
    path = Path()
    for name in PurePosixPath(source).parts:
        step = path / name
        if name not in ("/", "..") and not os.path.lexists(folder / step) and (folder / path).is_dir():
            composed = unicodedata.normalize("NFC", name)
            entries = sorted(entry.name for entry in (folder / path).iterdir())
            same = [entry for entry in entries if unicodedata.normalize("NFC", entry) == composed]
            step = path / (same[0] if same else name)
        path = step
    return path


def _why(problem: Exception) -> str:
    """What the system says of a path, without the path: reasons are the same wherever the folder is."""
    circle = isinstance(problem, RuntimeError) or getattr(problem, "errno", None) == errno.ELOOP
    return "its links run in circles" if circle else getattr(problem, "strerror", None) or str(problem)


def _shown(name: str) -> str:
    """A name as it can be printed and stored anywhere."""
    return name.encode("utf-8", "backslashreplace").decode("utf-8").replace("\0", "\\0")
