"""Rows that wait on disk come back as they were written, and leave nothing behind."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from pipeline.base.storage.spill import Spill


def batch(*texts: str) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict({"text": pa.array(texts, pa.string())})


def test_rows_come_back_in_the_parts_in_which_they_were_written(tmp_path: Path) -> None:
    spill = Spill(tmp_path)
    for part in (batch("a", "b"), batch(), batch("ü")):
        spill.write(part)
    assert [part.column("text").to_pylist() for part in spill.batches()] == [["a", "b"], [], ["ü"]]
    assert not list(tmp_path.iterdir())


def test_nothing_written_is_nothing_read_and_no_file_is_seen(tmp_path: Path) -> None:
    spill = Spill(tmp_path)
    assert not list(tmp_path.iterdir())
    assert not list(spill.batches())


def test_a_folder_that_cannot_be_written_does_not_matter(tmp_path: Path) -> None:
    spill = Spill(tmp_path / "missing")
    spill.write(batch("a"))
    assert [part.num_rows for part in spill.batches()] == [1]


def test_rows_can_be_read_again_and_not_be_added_to(tmp_path: Path) -> None:
    spill = Spill(tmp_path)
    spill.write(batch("a"))
    assert list(spill.batches()) == list(spill.batches())
    with pytest.raises(ValueError, match="closed"):
        spill.write(batch("b"))


def test_flat_arrays_of_any_lengths_come_back_as_they_were_written() -> None:
    spill = Spill()
    for n in (3, 0):
        spill.write_arrays({"numbers": np.arange(n, dtype=np.int32), "flags": np.ones(2 * n, bool)})
    found = [{name: values.tolist() for name, values in arrays.items()} for arrays in spill.arrays()]
    assert found == [{"numbers": [0, 1, 2], "flags": [True] * 6}, {"numbers": [], "flags": []}]


def test_rows_of_one_part_come_together_whenever_they_were_written(tmp_path: Path) -> None:
    spill = Spill(tmp_path)
    for part, text in ((2, "c"), (0, "a"), (2, "d"), (0, "b")):
        spill.write(batch(text), part)
    found = {part: [row for rows in batches for row in rows["text"].to_pylist()] for part, batches in spill.parts()}
    assert found == {0: ["a", "b"], 2: ["c", "d"]}
