"""The passages of each word, and how often they hold it: found block by block of passages, and put together by ranges of words."""

import itertools
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
import pyarrow as pa

from pipeline.base.arrow.build import array, to_numpy
from pipeline.base.arrow.columns import IntArray
from pipeline.base.arrow.lists import Lists, by_row
from pipeline.base.storage.spill import Spill
from pipeline.retrieval.indexing.passage_words import PassageWords, Spills
from pipeline.retrieval.indexing.term_stems import stem_numbers
from pipeline.text.tokenizer import fold_word, words

POSTINGS_AT_ONCE: Final = 1 << 20
"""About how many postings are in memory together, a constant: parts of tables follow it."""


class Postings(NamedTuple):
    """Postings on disk, and of each word its stem's number and passages."""

    found: Spill
    """Words, passages and counts, in the order of words within each block of passages."""
    n_each: IntArray
    """(V) number of passages."""
    stems: IntArray
    stem_spread: IntArray

    def parts(self, spills: Spills) -> Iterator[tuple[slice, Lists, Lists]]:
        """Yield some words at a time, with their passages, ascending, and the counts there."""
        part_of = (np.cumsum(self.n_each) - self.n_each) // POSTINGS_AT_ONCE
        found = self.found if part_of.max(initial=0) == 0 else _by_part(self.found, part_of, spills())
        first = 0
        for part, batches in found.parts():
            last = int(np.searchsorted(part_of, part, side="right"))
            yield slice(first, last), *_by_word(pa.Table.from_batches(batches), first, last)
            first = last


def _by_word(rows: pa.Table, first: int, last: int) -> tuple[Lists, Lists]:
    """The passages and the counts of the words from ``first`` to ``last``, of rows in the order of passages."""
    terms = to_numpy(rows["term"])
    order = np.argsort(terms, kind="stable")
    passages, counts = (
        by_row(terms[order] - first, to_numpy(rows[name])[order], last - first) for name in ("passage", "count")
    )
    return passages, counts


def _by_part(found: Spill, part_of: IntArray, sorted_out: Spill) -> Spill:
    for batch in found.batches():
        parts = part_of[to_numpy(batch["term"])]
        cuts = [0, *(np.flatnonzero(np.diff(parts)) + 1).tolist(), len(parts)]
        for start, stop in itertools.pairwise(cuts):
            if start < stop:
                sorted_out.write(batch.slice(start, stop - start), int(parts[start]))
    return sorted_out


def find_postings(read: PassageWords, outside: Sequence[str], spills: Spills) -> Postings:
    """Find the words of each passage, and those ``outside`` its text that it is found by, some passages at a time."""
    n, n_terms = max(1, len(outside)), len(read.terms)
    added = [(row, read.row_of[fold_word(word)]) for row, line in enumerate(outside) for word in words(line)]
    extra = np.array(added, dtype=np.int64).reshape(-1, 2)
    stems = stem_numbers(read)
    spread, n_each = np.zeros(n_terms, np.int64), np.zeros(n_terms, np.int64)
    found = spills()
    for block in read.blocks():
        own = slice(*np.searchsorted(extra[:, 0], [block.start, block.stop]))
        keys = block.stream.astype(np.int64) * n + block.passage()
        pairs, count = np.unique(np.concatenate([keys, extra[own, 1] * n + extra[own, 0]]), return_counts=True)
        terms, passages = np.divmod(pairs, n)
        columns = {"term": terms, "passage": passages, "count": count}
        found.write(pa.RecordBatch.from_pydict({name: array(some.astype(np.int32)) for name, some in columns.items()}))
        n_each += np.bincount(terms, minlength=n_terms)
        spread += np.bincount(np.unique(stems[terms] * n + passages) // n, minlength=n_terms)
    return Postings(found, n_each, stems, spread[stems])
