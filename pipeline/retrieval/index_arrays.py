"""What retrieval keeps of a corpus: its words, the names in it and where they are, as arrays that are columns of tables."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pipeline.base.arrow.build import array, to_numpy
from pipeline.base.arrow.columns import FloatArray, IntArray, whole
from pipeline.base.arrow.lists import Lists, list_array
from pipeline.base.schema import RETRIEVAL_FORMS, RETRIEVAL_NAMES, RETRIEVAL_PASSAGES, RETRIEVAL_TERMS


@dataclass(frozen=True)
class Passages:
    """N passages with V words and E names in them, in F written forms.

    Passages, words, names and forms are named by their rows.
    """

    terms: Sequence[str]
    """(V) folded words."""
    capitals: IntArray
    """(V) how often a word has a capital inside a sentence."""
    lowers: IntArray
    """(V) how often it is in lower case."""
    stems: IntArray
    """(V) number of its stem, from 0, in the order of first appearance."""
    families: IntArray
    """(V) number of its family, a wider circle than its stem: words that begin alike, "directed" and "director"."""
    stem_spread: IntArray
    """(V) number of passages with a word of the same stem."""
    postings: Lists
    """(V) the passages that hold a word, in text or anchor, each once, ascending."""
    counts: Lists
    """(V) how often each of them holds it."""

    titles: Sequence[str]
    """(E) names as given, or folded where they were read from capitals."""
    forms: Lists
    """(F) words of a form."""
    form_names: Lists
    """(F) names that a form means."""
    form_spread: IntArray
    """(F) number of passages that hold it, inside longer names too."""
    form_capital: FloatArray
    """(F) share of its occurrences that have a capital, 0 to 1: how surely a question in lower case means the name."""

    tokens: Lists
    """(N) words of a passage in reading order."""
    sentence_ends: Lists
    """(N) where its sentences end among its tokens, exclusive."""
    sentence_spans: Lists
    """(N) start and end of each sentence in the passage's characters, in turn."""
    names: Lists
    """(N) names in a passage or in its anchor, each once, ascending."""
    weights: Lists
    """(N) how much the passage is about each of them: 1 + ln(count), and ``OWN`` more where it is about the name."""
    mentions: Lists
    """(N) names in reading order, one for each occurrence."""
    mention_starts: Lists
    mention_ends: Lists
    """(N) the place: first token of the passage, and end, exclusive."""
    mention_shares: Lists
    """(N) 1 where the name itself occurs; less for a name that the one there implies."""
    subjects: Lists
    """(N) names that a passage is about: its anchor's, or the one that opens or dominates it."""
    subject_weights: Lists
    """(N) how surely; see ``pipeline.retrieval.indexing.passage_names``."""


COLUMNS = {
    table.name.removeprefix("retrieval_"): tuple(one.name for one in table.columns if one.name != "chunk_id")
    for table in (RETRIEVAL_PASSAGES, RETRIEVAL_TERMS, RETRIEVAL_NAMES, RETRIEVAL_FORMS)
}


def table_of(table: str, arrays: Mapping[str, Any]) -> pa.Table:
    """Return one of the tables ``passages`` (N rows), ``terms`` (V), ``names`` (E) and ``forms`` (F), rows in order, from the
    arrays of its columns."""
    return pa.table({name: _to_arrow(arrays[name]) for name in COLUMNS[table]})


def _to_arrow(values: Any) -> pa.Array:
    if isinstance(values, Lists):
        return list_array(values.offsets, _narrow(values.items))
    return array(_narrow(values) if isinstance(values, np.ndarray) else values, None if len(values) else pa.string())


def _narrow(values: NDArray[Any]) -> NDArray[Any]:
    """32 bits hold every row and every weight; they halve the file."""
    return values.astype(np.float32 if values.dtype.kind == "f" else np.int32, copy=False)


class StoredPassages:
    """The arrays of ``Passages`` as the tables have them: each is read when it is asked for, and not kept."""

    def __init__(self, read: Callable[[str, str], pa.ChunkedArray]) -> None:
        """``read``: returns a column of one of the tables of ``COLUMNS``."""
        self._read = read

    def __getattr__(self, name: str) -> Any:
        """Numbers have 32 bits: widen them before they are multiplied."""
        for table, columns in COLUMNS.items():
            if name in columns:
                return _from_arrow(self._read(table, name))
        raise AttributeError(name)


def _from_arrow(column: pa.ChunkedArray) -> Any:
    values = whole(column)
    if pa.types.is_list(values.type):
        offsets = to_numpy(values.offsets).astype(np.int64)
        return Lists(offsets - offsets[0], to_numpy(values.flatten()))
    return values.to_pylist() if pa.types.is_string(values.type) else to_numpy(values)
