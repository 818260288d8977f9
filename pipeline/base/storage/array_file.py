"""Files of arrays beside the tables of a large index: the run that publishes a generation writes them, questions map them.

They are made of tables and can be made again, so they are no tables; they are removed with their generation.
"""

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from numpy.typing import NDArray

from pipeline.base.errors import StoreError
from pipeline.base.storage.disk import disk_errors, link_or_copy
from pipeline.base.storage.mapped import map_arrays, write_arrays
from pipeline.base.store import Rows

MAPPED_FROM: Final = 20_000
"""Passages from which arrays are kept in files: what is smaller is made in less than a second."""

Arrays = Mapping[str, NDArray[Any]]
Tables = Mapping[str, Rows]
_LOG = logging.getLogger("graphstrata")


@dataclass(frozen=True)
class ArrayFile:
    """One such file. Small indexes have none: their arrays are made when they are opened."""

    name: str
    layout: int
    """Goes up when the arrays change; a file of another layout is made again."""
    tables: tuple[str, ...]
    """What it is made of; the first has a row for each passage."""
    make: Callable[[Tables], Iterable[tuple[str, NDArray[Any]]]]
    """Makes them one after the other, so that only those at work are in memory while the file is written."""

    def arrays(self, tables: Tables) -> Arrays:
        """The arrays for questions to ``tables``, of a large index mapped from its file. Where that cannot be used they are
        made in memory, and a line of the log says so."""
        if not self._is_for(tables):
            return dict(self.make(tables))
        path = tables[self.tables[0]].path.with_name(self.name)
        try:
            if (found := map_arrays(path, self._made_of(tables))) is not None:
                return found
            why = "it was made of other tables" if path.exists() else "it is not there"
        except StoreError as error:
            why = error.found
        _LOG.warning(
            f"{path} is not used ({why}): its arrays are made in memory by each process that opens the index;"
            " graphstrata index writes it again"
        )
        return dict(self.make(tables))

    def write(self, tables: Tables, folder: Path, before: Path | None, line: Callable[[str], None]) -> None:
        """Write the file of a large index into the folder of its generation, or link that of the generation in ``before``
        where its tables are the same. ``line`` gets a message where it cannot be written: questions are answered without it."""
        if not self._is_for(tables):
            return
        path, made_of = folder / self.name, self._made_of(tables)
        try:
            if _is_whole(path, made_of):
                return
            if before is not None and _is_whole(before / self.name, made_of):
                with disk_errors(path):
                    link_or_copy(before / self.name, path)
            else:
                write_arrays(path, self.make(tables), made_of)
        except StoreError as error:
            line(f"{self.name} is not written ({error.found}): each process that opens the index makes it in memory")

    def _is_for(self, tables: Tables) -> bool:
        rows = [tables[name].num_rows if name in tables else 0 for name in self.tables]
        return rows[0] >= MAPPED_FROM and min(rows) > 0

    def _made_of(self, tables: Tables) -> str:
        return " ".join([str(self.layout), *(tables[name].hash for name in self.tables)])


def _is_whole(path: Path, made_of: str) -> bool:
    try:
        return map_arrays(path, made_of) is not None
    except StoreError:  # a damaged file is made again
        return False
