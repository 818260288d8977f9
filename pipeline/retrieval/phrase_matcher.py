"""Known forms (token sequences) in a stream of tokens: every occurrence of every form, in one pass per length over arrays."""

from array import array as numbers_array
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.base.arrow.columns import IntArray
from pipeline.base.arrow.lists import Lists

Hashes = NDArray[np.uint64]

LONGEST = 16
"""Tokens; a longer form is a sentence and is never asked for in these words."""

_AT_ONCE = 65_536
_STEP = np.uint64(0x100000001B3)


def _mixed(values: Hashes) -> Hashes:
    """64 well-spread bits of each number (the finaliser of SplitMix64, Steele et al., OOPSLA 2014)."""
    values = values + np.uint64(0x9E3779B97F4A7C15)
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


class Forms:
    """A set of forms; form ``f`` is ``tokens[offsets[f]:offsets[f + 1]]``, tokens are rows of a vocabulary of ``n_tokens``.

    Sequences are compared by 64-bit rolling hashes: at a million forms and a billion tokens one false match in a hundred
    thousand corpora is expected.
    """

    def __init__(self, offsets: IntArray, tokens: IntArray, n_tokens: int) -> None:
        self.offsets, self.tokens = offsets, tokens
        self.lengths: IntArray = np.diff(offsets)
        self._keys = _mixed(np.arange(n_tokens + 1, dtype=np.uint64))
        self._opens = np.zeros(n_tokens + 1, dtype=bool)
        self._opens[tokens[offsets[:-1][self.lengths > 0]]] = True
        self._beginnings: list[Hashes] = []
        self._complete: list[tuple[Hashes, IntArray]] = []
        hashes = np.zeros(len(self.lengths), dtype=np.uint64)
        for n in range(1, min(LONGEST, int(self.lengths.max(initial=0))) + 1):
            long = self.lengths >= n
            hashes[long] = hashes[long] * _STEP + self._keys[tokens[offsets[:-1][long] + n - 1]]
            self._beginnings.append(np.unique(hashes[long]))
            exact = np.flatnonzero(self.lengths == n)
            order = np.argsort(hashes[exact], kind="stable")
            self._complete.append((hashes[exact][order], exact[order]))

    def find(self, stream: NDArray[Any], ends: NDArray[Any]) -> tuple[IntArray, IntArray]:
        """Where forms occur: (start, form) of every occurrence, by start and then longest first.

        ``ends[i]`` is where the sentence of token ``i`` ends, exclusive; no occurrence crosses it. A token of the stream
        that is in no vocabulary has the row ``n_tokens``.
        """
        starts = np.flatnonzero(self._opens[stream])
        hashes = np.zeros(len(starts), dtype=np.uint64)
        found: list[tuple[IntArray, IntArray]] = []
        for n, (beginnings, (complete, forms)) in enumerate(zip(self._beginnings, self._complete, strict=True), 1):
            inside = starts + n <= ends[starts]
            starts, hashes = starts[inside], hashes[inside]
            hashes = hashes * _STEP + self._keys[stream[starts + n - 1]]
            alive = _is_in(hashes, beginnings)
            starts, hashes = starts[alive], hashes[alive]
            whole = _is_in(hashes, complete)
            found.append((starts[whole], forms[np.searchsorted(complete, hashes[whole])]))
        if not found:
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
        start, form = (np.concatenate(parts) for parts in zip(*found, strict=True))
        order = np.lexsort((-self.lengths[form], start))
        return start[order], form[order]


def hashes_of(forms: Lists) -> Hashes:
    """The rolling hash of each form."""
    lengths = np.diff(forms.offsets)
    keys = _mixed(forms.items.astype(np.uint64))
    hashes = np.zeros(len(lengths), dtype=np.uint64)
    for n in range(int(lengths.max(initial=0))):
        long = np.flatnonzero(lengths > n)
        hashes[long] = hashes[long] * _STEP + keys[forms.offsets[long] + n]
    return hashes


class KnownForms:
    """Forms of an index, looked up by hash without being read: ``hashes`` ascend, and ``order`` are the rows they belong to."""

    def __init__(self, forms: Lists, hashes: Hashes, order: NDArray[Any]) -> None:
        self.forms, self._hashes, self._order = forms, hashes, order

    def length(self, form: int) -> int:
        """Words of a form."""
        return int(self.forms.offsets[form + 1] - self.forms.offsets[form])

    def find(self, rows: IntArray) -> Iterator[tuple[int, int]]:
        """(start, form) of every occurrence in a short text; a row that is no word of the index begins no form."""
        n = len(rows)
        keys = _mixed(rows.astype(np.uint64))
        hashes = np.zeros(n, dtype=np.uint64)
        for length in range(1, min(LONGEST, n) + 1 if len(self._hashes) else 1):
            hashes = hashes[: n - length + 1] * _STEP + keys[length - 1 :]
            places = np.searchsorted(self._hashes, hashes)
            for start in np.flatnonzero(self._hashes[np.minimum(places, len(self._hashes) - 1)] == hashes).tolist():
                place, wanted = int(places[start]), rows[start : start + length]
                while place < len(self._hashes) and self._hashes[place] == hashes[start]:
                    form = int(self._order[place])
                    if np.array_equal(self.forms[form], wanted):
                        yield start, form
                    place += 1


def _is_in(values: Hashes, known: Hashes) -> NDArray[np.bool_]:
    """Which values are in a sorted array."""
    if not len(known):
        return np.zeros(len(values), dtype=bool)
    places = np.searchsorted(known, values)
    places[places == len(known)] = 0
    return np.asarray(known[places] == values)


def without_overlap(starts: IntArray, lengths: IntArray) -> IntArray:
    """Places of the occurrences that a reader takes from left to right: at each token the longest, then on after it."""
    kept, end = numbers_array("q"), 0
    for first in range(0, len(starts), _AT_ONCE):  # as Python objects all of them are larger than the texts
        here = slice(first, first + _AT_ONCE)
        for place, (start, length) in enumerate(zip(starts[here].tolist(), lengths[here].tolist(), strict=True), first):
            if start >= end:
                kept.append(place)
                end = start + length
    return np.array(kept, dtype=np.int64)


def flat(sequences: Sequence[Sequence[int]]) -> tuple[IntArray, IntArray]:
    """Offsets and items of some sequences laid end to end."""
    lengths = np.fromiter((len(sequence) for sequence in sequences), dtype=np.int64, count=len(sequences))
    offsets = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths)])
    items = np.fromiter((item for sequence in sequences for item in sequence), dtype=np.int64, count=int(offsets[-1]))
    return offsets, items
