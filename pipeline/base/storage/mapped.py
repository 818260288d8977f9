"""Arrays in one file that is opened without being read: an Arrow file of one row, one list a column, mapped into memory.

Such a file is made from tables that were published, for reading in places; it is no table, and can be made again.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from threading import get_ident
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pipeline.base.storage.disk import disk_errors, finish

_TYPES = {np.dtype(kind): getattr(pa, kind)() for kind in ("int32", "int64", "uint8", "float16", "float32", "float64")}
_KEY = b"graphstrata.made_of"


def write_arrays(path: Path, arrays: Mapping[str, NDArray[Any]], made_of: str) -> None:
    """Write flat arrays of numbers, whole or not at all; ``made_of`` says what they were made of."""
    columns = {name: _one_list(np.ascontiguousarray(values)) for name, values in arrays.items()}
    fields = [pa.field(name, column.type) for name, column in columns.items()]
    batch = pa.RecordBatch.from_arrays(
        list(columns.values()), schema=pa.schema(fields, metadata={_KEY: made_of.encode()})
    )
    with disk_errors(path):
        temporary = path.with_name(f".{path.name}.{os.getpid()}_{get_ident()}")
        try:
            with temporary.open("wb") as sink, pa.ipc.new_file(sink, batch.schema) as writer:
                writer.write_batch(batch)
            finish(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)


def map_arrays(path: Path, made_of: str) -> dict[str, NDArray[Any]] | None:
    """The arrays of a file, read from the disk as they are used; None where there is none, or one made of something else."""
    if not path.is_file():
        return None
    with disk_errors(path):
        file = pa.ipc.open_file(pa.memory_map(str(path)))
        if (file.schema.metadata or {}).get(_KEY) != made_of.encode() or file.num_record_batches != 1:
            return None
        batch = file.get_batch(0)
        return {name: _numbers(batch.column(place)) for place, name in enumerate(batch.schema.names)}


def _one_list(values: NDArray[Any]) -> pa.Array:
    items = pa.Array.from_buffers(_TYPES[values.dtype], len(values), [None, pa.py_buffer(values)])
    ends = pa.py_buffer(np.array([0, len(values)], np.int64))
    return pa.Array.from_buffers(pa.large_list(items.type), 1, [None, ends], children=[items])


def _numbers(column: pa.Array) -> NDArray[Any]:
    items = column.values
    kind = next(kind for kind, type in _TYPES.items() if type == items.type)
    buffer = items.buffers()[1]
    return np.frombuffer(buffer, kind, len(items)) if buffer is not None else np.zeros(0, kind)
