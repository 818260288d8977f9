"""Rows that a stage needs again wait in a file instead of in memory: what a whole corpus has of them would fill it."""

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryFile

import pyarrow as pa


class Spill:
    """A file without a name in ``folder``, or among the system's temporary files where that cannot be written; it is
    gone as soon as it is closed or the process ends."""

    def __init__(self, folder: Path) -> None:
        self._file = TemporaryFile(dir=folder if os.access(folder, os.W_OK) else None)  # noqa: SIM115 (closed by batches)
        self._writer: pa.RecordBatchWriter | None = None

    def write(self, rows: pa.RecordBatch) -> None:
        """Add rows; all have the columns of the first."""
        if self._writer is None:
            options = pa.ipc.IpcWriteOptions(compression="zstd")
            self._writer = pa.ipc.new_stream(self._file, rows.schema, options=options)
        self._writer.write_batch(rows)

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield the rows as they were written, then close; nothing can be written any more."""
        with self._file:
            if self._writer is not None:
                self._writer.close()
                self._file.seek(0)
                yield from pa.ipc.open_stream(self._file)
