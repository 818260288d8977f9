"""pipeline/retrieval/lookup_arrays.py: what questions look up, made once for a large index and mapped from its file."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.base.errors import StoreError
from pipeline.base.storage import mapped
from pipeline.base.storage.mapped import map_arrays, write_arrays
from pipeline.retrieval import lookup_arrays as module
from pipeline.retrieval.index_arrays import Passages
from pipeline.retrieval.indexing.build import index_passages
from pipeline.retrieval.lookup_arrays import FILE, Terms, TextArray, lookup_arrays, opened

TEXTS = ["Ada Thorne keeps bees in Carrow.", "Bees keep honey; Ada Thorne sells it.", "Carrow is a port."]


def passages() -> Passages:
    return index_passages(TEXTS, ["Ada Thorne", "", "Carrow"])


def test_a_large_index_is_read_whole_once_and_mapped_from_then_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAPPED_FROM", 3)
    read: list[int] = []

    def whole() -> Passages:
        read.append(1)
        return passages()

    first, second = (opened(whole, 3, tmp_path, "state 1").flat() for _ in range(2))
    assert len(read) == 1
    assert [path.name for path in tmp_path.iterdir()] == [FILE]
    for name, values in lookup_arrays(passages()).flat().items():
        assert np.array_equal(first[name], values) and np.array_equal(second[name], values)
    opened(whole, 3, tmp_path, "state 2")  # the tables have changed
    assert len(read) == 2


def test_a_small_index_and_one_on_a_disk_that_takes_no_file_are_opened_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(passages, 3, tmp_path, "state")
    assert not list(tmp_path.iterdir())
    monkeypatch.setattr(module, "MAPPED_FROM", 3)

    def refuse(*_: object) -> None:
        raise StoreError("the file system is read-only")

    monkeypatch.setattr(mapped, "write_arrays", refuse)
    assert opened(passages, 3, tmp_path, "state").n_passages == 3
    assert not list(tmp_path.iterdir())


def test_a_file_of_another_origin_is_not_taken_and_one_that_is_cut_off_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / FILE
    write_arrays(path, {"numbers": np.arange(9)}, "these tables")
    found = map_arrays(path, "these tables")
    assert found is not None and found["numbers"].tolist() == list(range(9))
    assert map_arrays(path, "other tables") is None
    assert map_arrays(tmp_path / "none", "these tables") is None
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(StoreError):
        map_arrays(path, "these tables")


@settings(deadline=None, max_examples=60)
@given(st.lists(st.text(max_size=6), unique=True, max_size=12), st.text(max_size=4))
def test_words_are_found_by_their_letters_and_by_how_they_begin(words: list[str], other: str) -> None:
    arrays = lookup_arrays(index_passages([], []))
    order = np.array(sorted(range(len(words)), key=lambda row: words[row].encode()), dtype=np.int64)
    terms = Terms(type(arrays)(**{**vars(arrays), "terms": TextArray.of(words), "terms_sorted": order}))
    assert list(terms) == words
    assert all(terms[word] == row for row, word in enumerate(words))
    assert (other in terms) == (other in words)
    assert set(terms.beginning(other)) == {word for word in words if word.startswith(other)}


def test_the_forms_of_a_stem_lead_round_to_the_first() -> None:
    arrays = lookup_arrays(passages())
    terms = Terms(arrays)
    assert int(arrays.next_form[terms["keeps"]]) == terms["keep"]
    assert int(arrays.next_form[terms["keep"]]) == terms["keeps"]
    assert int(arrays.next_form[terms["carrow"]]) == terms["carrow"]
