"""The input files of one run: which there are, a hash over all of their contents, and their bytes one after the other."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from pipeline.base.errors import InputError
from pipeline.base.files import FoundFiles, Problem, find, read
from pipeline.base.settings import InputSettings


class InputFile(NamedTuple):
    """One file that was read."""

    source: str
    data: bytes


@dataclass(frozen=True)
class InputFiles:
    """The files under ``folder`` that match the settings, in the order of their paths."""

    folder: Path
    settings: InputSettings
    unread: tuple[Problem, ...] = ()
    """Files that could not be brought into the folder."""

    @cached_property
    def found(self) -> FoundFiles:
        """Paths of the files, and what matched but is not read; InputError when there is nothing to read."""
        return find(self.folder, self.settings.patterns, self.settings.exclude)

    @cached_property
    def hash(self) -> str:
        """Content hash over all paths and bytes: two folders that read the same have the same."""
        digest = blake2b(digest_size=16)
        for item in self:
            content = item.data if isinstance(item, InputFile) else item.reason.encode("utf-8", "replace")
            digest.update(f"{item.source}\0{len(content)}\0".encode("utf-8", "surrogatepass"))
            digest.update(content)
        return digest.hexdigest()

    def __iter__(self) -> Iterator[InputFile | Problem]:
        """Yield each file's bytes, or why it cannot be read; one file is in memory at a time."""
        yield from self.unread
        yield from self.found.problems
        limit = int(self.settings.max_file_mb * 1_000_000)
        for source in self.found.sources:
            try:
                data = read(self.folder, source, limit)
            except InputError as error:
                yield Problem(source, "", error.found)
                continue
            yield InputFile(source, data)
