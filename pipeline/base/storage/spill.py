"""Rows that a stage needs again wait in a file instead of in memory: what a whole corpus has of them would fill it."""

import os
import weakref
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

import pyarrow as pa
from numpy.typing import NDArray

from pipeline.base.arrow.build import to_numpy
from pipeline.base.arrow.lists import list_array


def _let_go(file: IO[bytes]) -> None:
    """Close a file that nobody has any more; what had no room on a full disk nobody needs."""
    with suppress(OSError):
        file.close()


class Spill:
    """A file without a name in ``folder``, or among the system's temporary files where that cannot be written or none is
    given; it is gone as soon as nobody has it any more. Nothing can be written once it was read."""

    def __init__(self, folder: Path | None = None) -> None:
        self._file = TemporaryFile(dir=folder if folder and os.access(folder, os.W_OK) else None)  # noqa: SIM115
        weakref.finalize(self, _let_go, self._file)
        self._writer: pa.RecordBatchWriter | None = None
        self._batches: dict[int, list[int]] = {}
        self._written = 0

    def write(self, rows: pa.RecordBatch, part: int = 0) -> None:
        """Add rows to a part; all have the columns of the first."""
        if self._writer is None:
            self._writer = pa.ipc.new_file(self._file, rows.schema, options=pa.ipc.IpcWriteOptions(compression="lz4"))
        self._writer.write_batch(rows)
        self._batches.setdefault(part, []).append(self._written)
        self._written += 1

    def write_arrays(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Add a batch of one row: flat arrays, which may differ in length."""
        columns = [list_array([0, len(values)], values) for values in arrays.values()]
        self.write(pa.RecordBatch.from_arrays(columns, list(arrays)))

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield the rows of all parts as they were written, part by part."""
        for _, rows in self.parts():
            yield from rows

    def arrays(self) -> Iterator[dict[str, NDArray[Any]]]:
        """Yield what ``write_arrays`` was given."""
        for batch in self.batches():
            yield {name: to_numpy(batch[name].flatten()) for name in batch.schema.names}

    def parts(self) -> Iterator[tuple[int, Iterable[pa.RecordBatch]]]:
        """Yield each part, by number, with its rows as they were written."""
        if self._writer is not None:
            self._writer.close()
            reader = pa.ipc.open_file(self._file)
            for part, places in sorted(self._batches.items()):
                yield part, map(reader.get_batch, places)
