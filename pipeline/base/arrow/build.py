"""Arrow arrays from Python and numpy values, without the import of pandas that pyarrow's own constructors cause.

``pa.array``, ``pa.scalar`` and every compute function that is handed a Python or numpy value import pandas once, to
recognise its Series: that takes longer than a question does. What is built here from buffers does not.
"""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow.lib import StringBuilder

NUMBERS: dict[pa.DataType, Any] = {
    pa.int64(): np.int64,
    pa.int32(): np.int32,
    pa.float64(): np.float64,
    pa.float32(): np.float32,
    pa.float16(): np.float16,
}
_ARROW = {np.dtype(number): type for type, number in NUMBERS.items()}


def array(values: Any, type: pa.DataType | None = None) -> Any:
    """Return an Arrow array of ``values``: a numpy array, an Arrow array, or a sequence with None for nulls.

    Types are strings, 32 and 64 bit numbers, 16 bit floats, booleans, lists of these, and records of them; without ``type`` that of a numpy array, or of
    the first value that is not None. TypeError for a value of another type, OverflowError for one that does not fit.
    """
    if isinstance(values, pa.Array | pa.ChunkedArray):
        return values if type is None or values.type == type else values.cast(type)
    if isinstance(values, np.ndarray) and values.dtype.kind in "iufb":
        return _from_numpy(values, type)
    listed = list(values)
    type = type or _type_of(next((value for value in listed if value is not None), ""))
    if pa.types.is_list(type):
        return _lists(listed, type)
    if pa.types.is_string(type):
        return _strings(listed)
    if pa.types.is_struct(type):
        fields = [array([row[field.name] for row in listed], field.type) for field in type]
        return pa.Array.from_buffers(type, len(listed), [None], children=fields)
    absent = [value is None for value in listed]
    filler = False if pa.types.is_boolean(type) else 0
    known = [filler if value is None else value for value in listed] if any(absent) else listed
    return _from_numpy(_numbers(known, type), type, np.array(absent) if any(absent) else None)


def scalar(value: str | int | float | bool) -> Any:
    """Return one value as an Arrow scalar, to compare a column with."""
    return array([value])[0]


def _type_of(value: object) -> pa.DataType:
    if isinstance(value, list | tuple):
        return pa.list_(_type_of(value[0] if value else ""))
    known = {str: pa.string(), bool: pa.bool_(), int: pa.int64(), float: pa.float64()}
    for kind, type in known.items():
        if isinstance(value, kind) and (kind is not int or not isinstance(value, bool)):
            return type
    if isinstance(value, np.generic):
        return _type_of(value.item())
    raise TypeError(f"no Arrow type for {value!r}")


def _strings(values: Sequence[str | None]) -> pa.Array:
    for kind in set(map(type, values)) - {str, type(None)}:
        if not issubclass(kind, str):
            raise TypeError(f"{next(value for value in values if type(value) is kind)!r} is no text")
    builder = StringBuilder()
    builder.append_values(values)
    return builder.finish()


def _lists(values: Sequence[Iterable[Any] | None], type: pa.DataType) -> pa.Array:
    rows = [() if row is None else row if isinstance(row, list | tuple) else list(row) for row in values]
    offsets = np.zeros(len(rows) + 1, np.int32)
    np.cumsum([len(row) for row in rows], out=offsets[1:])
    items = array(list(chain.from_iterable(rows)), type.value_type)
    absent = np.array([row is None for row in values], bool)
    nulls = _bits(~absent) if absent.any() else None
    return pa.Array.from_buffers(type, len(rows), [nulls, pa.py_buffer(offsets)], children=[items])


def _numbers(values: list[Any], type: pa.DataType) -> Any:
    found = np.array(values) if values else np.zeros(0, _numpy_type(type))
    allowed = "b" if pa.types.is_boolean(type) else "iu" if pa.types.is_integer(type) else "iuf"
    if found.dtype.kind not in allowed or found.ndim != 1:
        raise TypeError(f"values of {found.dtype} where {type} is declared, such as {values[0]!r}")
    return found


def _from_numpy(values: Any, type: pa.DataType | None, absent: Any = None) -> Any:
    nulls = None if absent is None else _bits(~absent)
    if values.dtype.kind == "b" and (type is None or pa.types.is_boolean(type)):
        return pa.Array.from_buffers(pa.bool_(), len(values), [nulls, _bits(values)])
    own = _ARROW.get(values.dtype)
    if own is None or (type is not None and own != type):
        target = type or (pa.float64() if values.dtype.kind == "f" else pa.int64())
        if target not in NUMBERS:
            return _from_numpy(values, own).cast(target)
        if pa.types.is_integer(target):
            if values.dtype.kind == "f":
                raise TypeError(f"values of {values.dtype} where {target} is declared")
            limits = np.iinfo(NUMBERS[target])
            if len(values) and (int(values.max()) > limits.max or int(values.min()) < limits.min):
                raise OverflowError(f"a value does not fit into {target}")
        values, own = values.astype(NUMBERS[target]), target
    buffer = pa.py_buffer(np.ascontiguousarray(values))
    return pa.Array.from_buffers(own, len(values), [nulls, buffer])


def _bits(flags: Any) -> pa.Buffer:
    return pa.py_buffer(np.packbits(np.asarray(flags, bool), bitorder="little"))


def to_numpy(column: Any) -> Any:
    """Return an Arrow column of numbers or booleans without nulls as a numpy array; without a copy where it is in one piece."""
    if isinstance(column, pa.ChunkedArray):
        parts = [to_numpy(chunk) for chunk in column.chunks]
        return parts[0] if len(parts) == 1 else np.concatenate([np.zeros(0, _numpy_type(column.type)), *parts])
    if column.null_count:
        raise ValueError(f"{column.null_count} nulls where numbers are needed")
    start, stop = column.offset, column.offset + len(column)
    buffer = column.buffers()[1]
    if buffer is None:
        return np.zeros(0, _numpy_type(column.type))
    if pa.types.is_boolean(column.type):
        return np.unpackbits(np.frombuffer(buffer, np.uint8), bitorder="little")[start:stop].astype(bool)
    return np.frombuffer(buffer, _numpy_type(column.type))[start:stop]


def _numpy_type(type: pa.DataType) -> Any:
    if pa.types.is_floating(type):
        return np.dtype(f"f{type.bit_width // 8}")
    return np.dtype(bool) if pa.types.is_boolean(type) else np.dtype(str(type))
