"""Arrays in one file that is opened without being read: an Arrow file of one row for each array, mapped into memory.

Such a file is made from tables that were published, for reading in places; it is no table, and can be made again.
"""

import os
from collections.abc import Iterable
from pathlib import Path
from threading import get_ident
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pipeline.base.arrow.build import array
from pipeline.base.storage.disk import disk_errors, finish

_SCHEMA = pa.schema([("name", pa.string()), ("type", pa.string()), ("items", pa.large_list(pa.uint8()))])
_KEY = b"graphstrata.made_of"


def write_arrays(path: Path, arrays: Iterable[tuple[str, NDArray[Any]]], made_of: str) -> None:
    """Write flat arrays of numbers, by name, whole or not at all; each is written and let go before the next is asked for.
    ``made_of`` says what they were made of."""
    schema = _SCHEMA.with_metadata({_KEY: made_of.encode()})
    with disk_errors(path):
        temporary = path.with_name(f".{path.name}.{os.getpid()}_{get_ident()}")
        try:
            with temporary.open("wb") as sink, pa.ipc.new_file(sink, schema) as writer:
                for name, values in arrays:
                    row = [array([name]), array([values.dtype.name]), _one_list(np.ascontiguousarray(values))]
                    writer.write_batch(pa.RecordBatch.from_arrays(row, schema=schema))
                    del values, row
            finish(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)


def map_arrays(path: Path, made_of: str) -> dict[str, NDArray[Any]] | None:
    """The arrays of a file, read from the disk as they are used; None where there is none, or one made of something else."""
    if not path.is_file():
        return None
    with disk_errors(path):
        file = pa.ipc.open_file(pa.memory_map(str(path)))
        if (file.schema.metadata or {}).get(_KEY) != made_of.encode() or file.schema.remove_metadata() != _SCHEMA:
            return None
        batches = map(file.get_batch, range(file.num_record_batches))
        return {
            name.as_py(): _numbers(items.values, type.as_py()) for [name], [type], items in (b.columns for b in batches)
        }


def _one_list(values: NDArray[Any]) -> pa.Array:
    items = pa.Array.from_buffers(pa.uint8(), values.nbytes, [None, pa.py_buffer(values)])
    ends = pa.py_buffer(np.array([0, values.nbytes], np.int64))
    return pa.Array.from_buffers(_SCHEMA.field("items").type, 1, [None, ends], children=[items])


def _numbers(items: pa.Array, type: str) -> NDArray[Any]:
    buffer = items.buffers()[1]
    return (
        np.frombuffer(buffer, type, len(items) // np.dtype(type).itemsize) if buffer is not None else np.zeros(0, type)
    )
