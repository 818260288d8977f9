"""The facts of all chunks while their key elements are counted: as numbers, their texts on disk, since a Python object for
each fact and each of its words would be many times as large as the corpus."""

from array import array as numbers_array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from pipeline.base.arrow.build import array
from pipeline.base.arrow.columns import IntArray, ranges, run_starts, whole
from pipeline.base.arrow.lists import cut_lists
from pipeline.base.ids import content_id
from pipeline.base.schema import FACTS, KEY_ELEMENTS
from pipeline.base.storage.spill import Spill

ROWS_AT_ONCE = 8192
"""Rows of a part of the tables, and facts that are Python texts before they wait on disk; a constant, since the bytes of a
table follow its parts."""


class Quote(NamedTuple):
    """The sentence of a chunk that a fact was made from, as written, and where it is in the chunk's text."""

    text: str
    start: int
    end: int


class Stated:
    """Facts as chunks state them: the same words in several chunks are one fact. Their texts wait in ``spill``."""

    def __init__(self, spill: Spill) -> None:
        self._spill = spill
        self._row: dict[int, int] = {}
        """Id as a number, a third as large as its text, to the row of the fact."""
        self._new: list[tuple[str, str, Quote | None]] = []
        self._ids: list[Any] = []
        self._chunk: dict[str, int] = {}
        self._raw: dict[str, int] = {}
        self._stated = numbers_array("i"), numbers_array("i")
        """Rows of facts, and the numbers of the chunks that state them; repeats included, as in ``_carried``."""
        self._carried = numbers_array("i"), numbers_array("i")
        """Rows of facts, and the numbers of their raw key elements."""

    def add(self, chunk: str, text: str, raws: Iterable[str], quote: Quote | None = None) -> None:
        """Enter one fact of a chunk with its key elements as found; of several quotes the first chunk's is kept."""
        id = content_id("fact", text)
        known = len(self._row)
        row = self._row.setdefault(int(id, 16), known)
        if row == known:
            self._new.append((id, text, quote))
            if len(self._new) == ROWS_AT_ONCE:
                self._flush()
        self._stated[0].append(row)
        self._stated[1].append(self._chunk.setdefault(chunk, len(self._chunk)))
        numbers = [self._raw.setdefault(raw, len(self._raw)) for raw in raws]
        self._carried[0].extend([row] * len(numbers))
        self._carried[1].extend(numbers)

    @property
    def n_facts(self) -> int:
        return len(self._row)

    @cached_property
    def _chunks(self) -> tuple[IntArray, IntArray]:
        """The distinct chunks of each fact; nothing is added any more."""
        return _distinct(*self._stated)

    def counts(self) -> tuple[dict[str, int], dict[str, int]]:
        """Return in how many facts each raw key element is, and in how many chunks."""
        facts, raws = _distinct(*self._carried)
        rows, chunks = _joined(facts, *self._chunks)
        spread = np.unique(raws[rows] * max(len(self._chunk), 1) + chunks)
        return self._by_raw(raws), self._by_raw(spread // max(len(self._chunk), 1))

    def tables(self, canonical: Mapping[str, str], aliases: Mapping[str, Sequence[str]]) -> Iterator[tuple[Any, Any]]:
        """Yield the parts of the tables facts and key_elements. ``canonical`` gives the title of each raw key element
        that is kept, ``aliases`` the other spellings of each title. What is not needed any more is freed on the way."""
        titles = sorted(set(canonical.values()))
        number = {title: at for at, title in enumerate(titles)}
        title_of = np.array([number.get(canonical.get(raw, ""), -1) for raw in self._raw], np.int64)
        del number
        self._raw.clear()
        self._row.clear()
        facts, raws = _distinct(*self._carried)
        kept = title_of[raws] >= 0
        facts, carried = _distinct(facts[kept], title_of[raws[kept]])
        ids = array([content_id("key element", title) for title in titles], pa.string())
        self._flush()
        chunks = array(list(self._chunk), pa.string())
        fact_ids = pa.concat_arrays(self._ids)
        yield from self._facts(chunks, facts, ids, carried)
        order = np.argsort(carried, kind="stable")
        yield from self._key_elements(titles, aliases, ids, fact_ids, chunks, facts[order], carried[order])

    def _facts(self, chunks: Any, facts: IntArray, ids: Any, carried: IntArray) -> Iterator[tuple[Any, Any]]:
        start = 0
        for part in self._spill.batches():
            stop = start + part.num_rows
            yield (
                FACTS,
                FACTS.build(
                    **{name: part[name] for name in part.schema.names},
                    chunk_ids=_lists(*self._chunks, chunks, start, stop),
                    key_element_ids=_lists(facts, carried, ids, start, stop),
                ),
            )
            start = stop

    def _key_elements(
        self,
        titles: Sequence[str],
        aliases: Mapping[str, Sequence[str]],
        ids: Any,
        fact_ids: Any,
        chunks: Any,
        facts: IntArray,
        carried: IntArray,
    ) -> Iterator[tuple[Any, Any]]:
        for start in range(0, max(len(titles), 1), ROWS_AT_ONCE):
            stop = min(start + ROWS_AT_ONCE, len(titles))
            here = slice(*np.searchsorted(carried, [start, stop]))
            rows, places = _joined(facts[here], *self._chunks)
            others = [sorted({*aliases.get(title, ())} - {title}) for title in titles[start:stop]]
            yield (
                KEY_ELEMENTS,
                KEY_ELEMENTS.build(
                    id=ids.slice(start, stop - start),
                    title=array(titles[start:stop], pa.string()),
                    aliases=array(others, pa.list_(pa.string())),
                    fact_ids=_lists(carried, facts, fact_ids, start, stop),
                    chunk_ids=_lists(*_distinct(carried[here][rows], places), chunks, start, stop),
                    frequency=np.bincount(carried[here] - start, minlength=stop - start).astype(np.int64),
                ),
            )

    def _flush(self) -> None:
        quotes = [quote or (None, None, None) for _, _, quote in self._new]
        columns = {
            "id": array([id for id, _, _ in self._new], pa.string()),
            "text": array([text for _, text, _ in self._new], pa.string()),
            "quote": array([quote[0] for quote in quotes], pa.string()),
            "start": array([quote[1] for quote in quotes], pa.int64()),
            "end": array([quote[2] for quote in quotes], pa.int64()),
        }
        self._ids.append(columns["id"])
        self._spill.write(pa.RecordBatch.from_pydict(columns))
        self._new.clear()

    def _by_raw(self, raws: IntArray) -> dict[str, int]:
        return dict(zip(self._raw, np.bincount(raws, minlength=len(self._raw)).tolist(), strict=True))


def _distinct(owner: Any, value: Any) -> tuple[IntArray, IntArray]:
    """Return the distinct pairs by owner, those of one owner in the order in which they came."""
    a, b = np.asarray(owner, np.int64), np.asarray(value, np.int64)
    keys = a * (b.max(initial=0) + 1) + b
    order = np.argsort(keys, kind="stable")
    first = np.sort(order[run_starts(keys[order])])
    first = first[np.argsort(a[first], kind="stable")]
    return a[first], b[first]


def _joined(facts: IntArray, owner: IntArray, value: IntArray) -> tuple[IntArray, IntArray]:
    """Return, for each of ``facts`` and each value that is under it in ``owner`` (ascending), the position of the
    fact and the value."""
    first, last = np.searchsorted(owner, facts), np.searchsorted(owner, facts, side="right")
    return np.repeat(np.arange(len(facts)), last - first), value[ranges(first, last)]


def _lists(owner: IntArray, value: IntArray, values: Any, start: int, stop: int) -> Any:
    """Return the lists of ``values`` (by their numbers in ``value``) of the owners from ``start`` to ``stop``."""
    here = slice(*np.searchsorted(owner, [start, stop]))
    taken = values.take(array(value[here]))
    return cut_lists(owner[here] - start, stop - start, whole(taken))
