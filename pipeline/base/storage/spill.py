"""Rows that a stage needs again wait in a file instead of in memory: what a whole corpus has of them would fill it."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryFile

import pyarrow as pa


class Spill:
    """A file without a name in ``folder``, or among the system's temporary files where that cannot be written; it is
    gone as soon as it is closed or the process ends."""

    def __init__(self, folder: Path) -> None:
        self._file = TemporaryFile(dir=folder if os.access(folder, os.W_OK) else None)  # noqa: SIM115 (closed by batches)
        self._writer: pa.RecordBatchWriter | None = None
        self._batches: dict[int, list[int]] = {}
        self._written = 0

    def write(self, rows: pa.RecordBatch, part: int = 0) -> None:
        """Add rows to a part; all have the columns of the first."""
        if self._writer is None:
            options = pa.ipc.IpcWriteOptions(compression="zstd")
            self._writer = pa.ipc.new_file(self._file, rows.schema, options=options)
        self._writer.write_batch(rows)
        self._batches.setdefault(part, []).append(self._written)
        self._written += 1

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield the rows as they were written, then close; nothing can be written any more."""
        for _, rows in self.parts():
            yield from rows

    def parts(self) -> Iterator[tuple[int, Iterable[pa.RecordBatch]]]:
        """Yield each part, by number, with its rows as they were written, then close."""
        with self._file:
            if self._writer is not None:
                self._writer.close()
                reader = pa.ipc.open_file(self._file)
                for part, places in sorted(self._batches.items()):
                    yield part, map(reader.get_batch, places)
