"""Input in a bucket or on another store (fsspec): its files are copied in a stream, and again only when they changed.

A file is the same while its mark (its etag, else its checksum or time of change) and its size are. A copy that broke off
goes on where it ended, unless the file has changed meanwhile.
"""

import json
import os
import re
import unicodedata
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from pipeline.base.errors import InputError
from pipeline.base.files import Problem, jail, matches
from pipeline.base.ids import content_id
from pipeline.base.settings import InputSettings
from pipeline.base.storage.disk import disk_errors, write_whole

EXTRAS = {"s3": "s3", "s3a": "s3", "gs": "gs", "gcs": "gs", "az": "az", "abfs": "az", "abfss": "az"}
"""Which extra brings what reads addresses of a kind; the others are part of fsspec, or have a package of their own."""
AT_ONCE, TRIES, BLOCK = 8, 3, 1 << 20
"""Files copied at once, times that one is tried in a run, and bytes read at a time."""
_MARKS = ("ETag", "etag", "md5Hash", "checksum", "crc32c", "mtime", "LastModified", "last_modified")
_MARKS_LAST = ("updated", "modified", "created")
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)


def is_remote(folder: str) -> bool:
    """Return whether an input folder is an address and not a path."""
    return _ADDRESS.match(folder) is not None


class _Remote(NamedTuple):
    """A file of the store: where it is, and what says whether it changed."""

    path: str
    mark: str
    size: int


@dataclass(frozen=True)
class Mirror:
    """Copies of the files at ``address`` that match the patterns, in the folder ``files`` of ``folder``."""

    address: str
    folder: Path

    @property
    def files(self) -> Path:
        """The folder of the copies, under the names that the files have below the address."""
        return self.folder / "files"

    def fetch(self, settings: InputSettings, log: Callable[[str], None]) -> list[Problem]:
        """Bring the copies up to date; return the files that could not be copied. InputError where nothing can be listed."""
        system, found, problems = self._listed(settings)
        max_bytes = int(settings.max_file_mb * 1_000_000)
        for source, remote in list(found.items()):
            if remote.size > max_bytes:
                problems.append(
                    Problem(source, "", f"{remote.size / 1e6:.1f} MB, more than the limit of {max_bytes / 1e6:g} MB")
                )
                del found[source]
        before = self._known()
        changed = sorted(source for source, remote in found.items() if before.get(source) != [remote.mark, remote.size])
        changed += sorted(source for source in found.keys() - set(changed) if not (self.files / source).is_file())
        with disk_errors(self.folder):
            self.files.mkdir(parents=True, exist_ok=True)
            for source in before.keys() - found.keys():
                (self.files / source).unlink(missing_ok=True)
            if changed:
                log(f"{self.address}: {len(changed):,} of {len(found):,} files are new or changed")
            known = {source: mark for source, mark in before.items() if source in found and source not in changed}
            with ThreadPoolExecutor(AT_ONCE, "fetch") as threads:
                for source, problem in zip(
                    changed,
                    threads.map(lambda source: self._copied(system, source, found[source]), changed),
                    strict=True,
                ):
                    if problem:
                        problems.append(Problem(source, "", problem))
                        (self.files / source).unlink(missing_ok=True)
                    else:
                        known[source] = [found[source].mark, found[source].size]
                    if len(known) % 1000 == 0:
                        self._note(known)
            self._note(known)
        return sorted(problems, key=lambda problem: (problem.source, problem.reason))

    def count(self, settings: InputSettings) -> int:
        """Return how many files there are to read; InputError where nothing can be listed. Nothing is copied."""
        return len(self._listed(settings)[1])

    def _listed(self, settings: InputSettings) -> tuple[Any, dict[str, _Remote], list[Problem]]:
        system, root = _opened(self.address)
        try:
            listing: Mapping[str, Mapping[str, Any]] = system.find(root, detail=True)
        except Exception as error:
            raise _unreachable(self.address, error) from error
        included, excluded = matches(settings.patterns), matches(settings.exclude)
        found: dict[str, _Remote] = {}
        problems = []
        for path, about in sorted(listing.items()):
            source = unicodedata.normalize("NFC", path.removeprefix(root.rstrip("/")).lstrip("/"))
            if about.get("type") == "directory" or excluded(source) or not included(source):
                continue
            reason = self._refusal(source, found)
            if reason:
                problems.append(Problem(source, "", reason, "skipped"))
            else:
                found[source] = _Remote(path, _mark(about), int(about.get("size") or 0))
        if not found and not problems:
            raise InputError(
                f"no file to read at {self.address}",
                f"files must match one of: {', '.join(settings.patterns) or 'no pattern at all'}",
                "see that the address is right and holds texts, or set input.patterns",
            )
        return system, found, problems

    def _refusal(self, source: str, found: Mapping[str, _Remote]) -> str:
        if any(part.startswith(".") for part in source.split("/")):
            return "hidden file"
        if source in found:
            return "its name differs from another file's only in how accents are written"
        if any(parent.as_posix() in found for parent in Path(source).parents):
            return "its name continues that of another file, which no folder can hold"
        try:
            jail(self.files, source)
        except InputError as error:
            return error.found
        return ""

    def _copied(self, system: Any, source: str, remote: _Remote) -> str:
        """Copy a file; return why that failed, or an empty text."""
        part = self.folder / f"{content_id(source, remote.mark, remote.size)}.part"
        why = ""
        for _ in range(TRIES):
            try:
                with system.open(remote.path, "rb") as file, part.open("ab") as copy:
                    file.seek(copy.tell())
                    while block := file.read(BLOCK):
                        copy.write(block)
                if part.stat().st_size == remote.size:
                    target = self.files / source
                    target.parent.mkdir(parents=True, exist_ok=True)
                    os.replace(part, target)
                    return ""
                why = f"{part.stat().st_size:,} bytes came of {remote.size:,}"
                if part.stat().st_size > remote.size:
                    part.unlink()
            except Exception as error:  # noqa: BLE001 - each store has errors of its own; the row says which
                why = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        return f"cannot be read: {why}"

    def _known(self) -> dict[str, list[Any]]:
        try:
            known: dict[str, list[Any]] = json.loads((self.folder / "marks.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}  # nothing was copied yet, or it is not known what: then all is copied
        return known

    def _note(self, known: Mapping[str, list[Any]]) -> None:
        write_whole(self.folder / "marks.json", json.dumps(dict(sorted(known.items()))).encode())


def _opened(address: str) -> tuple[Any, str]:
    kind = address.partition("://")[0].lower()
    extra = EXTRAS.get(kind, "remote")
    if find_spec("fsspec") is None:
        raise _lacking(address, extra)
    import fsspec

    try:
        system, root = fsspec.core.url_to_fs(address)
    except ImportError as error:
        raise _lacking(address, extra) from error
    except Exception as error:
        raise _unreachable(address, error) from error
    return system, str(root)


def _mark(about: Mapping[str, Any]) -> str:
    found = next((about[name] for name in (*_MARKS, *_MARKS_LAST) if about.get(name) is not None), "")
    return str(found)


def _lacking(address: str, extra: str) -> InputError:
    return InputError(
        f"input.folder is {address}, and what reads such addresses is not installed",
        "no file was read",
        f"pip install 'graphstrata[{extra}]'",
    )


def _unreachable(address: str, error: Exception) -> InputError:
    return InputError(
        f"{address} cannot be listed: {' '.join(f'{type(error).__name__}: {error}'.split())[:300]}",
        "no file was read; the last published index is unchanged",
        "see that the address is right and that this machine may read there (its own credentials are used)",
    )
