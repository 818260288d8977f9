"""pipeline/base/arrow/build.py: arrays as pyarrow's own constructors make them, without what these import."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.base.arrow.build import array, scalar, to_numpy
from pipeline.base.arrow.lists import list_array

WHOLE = st.integers(-(2**63), 2**63 - 1)
TEXT = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = [
    (pa.string(), st.none() | TEXT),
    (pa.int64(), st.none() | WHOLE),
    (pa.int32(), st.integers(-(2**31), 2**31 - 1)),
    (pa.float64(), st.none() | st.floats(allow_nan=False)),
    (pa.float64(), st.integers(-1000, 1000)),
    (pa.bool_(), st.none() | st.booleans()),
    (pa.list_(pa.string()), st.none() | st.lists(TEXT)),
    (pa.list_(pa.list_(pa.int64())), st.lists(st.lists(WHOLE))),
    (
        pa.struct({"a": pa.string(), "b": pa.list_(pa.int64())}),
        st.fixed_dictionaries({"a": TEXT, "b": st.lists(WHOLE)}),
    ),
]


@pytest.mark.parametrize(("type", "values"), VALUES, ids=lambda value: str(value)[:30])
@settings(deadline=None)
@given(data=st.data())
def test_python_values_become_what_pyarrow_makes_of_them(type: pa.DataType, values: Any, data: st.DataObject) -> None:
    listed = data.draw(st.lists(values))
    built = array(listed, type)
    built.validate(full=True)
    assert built == pa.array(listed, type)


@pytest.mark.parametrize("dtype", ["int64", "int32", "float64", "float32", "bool", "int16"])
def test_numpy_values_become_what_pyarrow_makes_of_them_and_come_back(dtype: str) -> None:
    values = np.array([0, 1, 1, 0, 1, 0, 0, 1, 1], dtype)
    wide = {"int16": pa.int64()}.get(dtype)
    assert array(values) == pa.array(values, wide)
    assert (to_numpy(array(values)[2:7]) == values[2:7]).all()
    assert (
        to_numpy(pa.chunked_array([array(values), array(values)[:3]])) == np.concatenate([values, values[:3]])
    ).all()
    assert len(to_numpy(array(values)[:0])) == 0


@pytest.mark.parametrize(
    ("values", "type"),
    [([1.5], pa.int64()), (["x"], pa.int64()), ([1], pa.string()), ([True, "x"], pa.bool_()), ([1], pa.bool_())],
)
def test_a_value_of_another_type_is_refused(values: list[Any], type: pa.DataType) -> None:
    with pytest.raises(TypeError):
        array(values, type)


@pytest.mark.parametrize(("values", "type"), [([2**40], pa.int32()), (np.array([2**40]), pa.int32())])
def test_a_number_that_does_not_fit_is_refused(values: Any, type: pa.DataType) -> None:
    with pytest.raises(OverflowError):
        array(values, type)


def test_scalars_and_lists() -> None:
    assert [scalar(value).as_py() for value in ("x", 1, 1.5, True)] == ["x", 1, 1.5, True]
    assert list_array(np.array([0, 2, 2, 3]), np.array([7, 8, 9])).to_pylist() == [[7, 8], [], [9]]
