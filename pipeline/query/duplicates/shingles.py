"""Runs of words that documents share, as hashes: which documents may be near-duplicates, without comparing all pairs.

Of each document the shingles (runs of SIZE words) whose hash falls into a fixed part of all hashes are kept, so that those
of two documents can be compared, also where one is inside the other (Broder 1997, "mod m" sketches).
"""

import numpy as np
from numpy.typing import NDArray

from pipeline.base.arrow.build import to_numpy
from pipeline.base.arrow.columns import whole
from pipeline.base.arrow.lists import Lists, lengths
from pipeline.base.store import Rows

SIZE = 6
"""Words of a shingle."""
SAMPLED = 8
"""One shingle in so many is kept of a document that has more than FEW of them."""
FEW = 64
NEIGHBOURS = 8
"""Documents with the same shingle, in their order, that each is paired with: boilerplate pairs a few, not all."""
_CHUNKS = 4096
_FACTOR = np.uint64(0x9E3779B97F4A7C15)

Hashes = NDArray[np.uint64]


def token_lists(column: object) -> Lists:
    """Return a column of token lists as one array and offsets."""
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths(column))])
    return Lists(offsets, to_numpy(whole(column).flatten()))


def shingles_of(tokens: Lists) -> tuple[NDArray[np.int64], Hashes]:
    """Return the shingles of some lists of tokens, in order: the list of each, and its hash."""
    n = len(tokens.items) - SIZE + 1
    if n <= 0:
        return np.zeros(0, np.int64), np.zeros(0, np.uint64)
    rows = tokens.rows()
    whole_ones = rows[:n] == rows[SIZE - 1 :]
    words = (tokens.items.astype(np.uint64) + np.uint64(1)) * _FACTOR
    hashes = np.zeros(n, np.uint64)
    for place in range(SIZE):
        hashes = (hashes ^ words[place : place + n]) * _FACTOR
        hashes ^= hashes >> np.uint64(29)
    return rows[:n][whole_ones], hashes[whole_ones]


def sketches(passages: Rows, documents: NDArray[np.int64], n_documents: int) -> tuple[NDArray[np.int64], Hashes]:
    """Return the shingles that are kept of each document, sorted by hash and document, each once: their documents and hashes.

    ``documents`` gives the row of the document of each chunk.
    """
    counts = np.zeros(n_documents, np.int64)
    start = 0
    for batch in passages.batches(["tokens"], _CHUNKS):
        sizes = np.maximum(lengths(batch["tokens"]) - SIZE + 1, 0)
        np.add.at(counts, documents[start : start + batch.num_rows], sizes)
        start += batch.num_rows
    kept: list[tuple[NDArray[np.int64], Hashes]] = [(np.zeros(0, np.int64), np.zeros(0, np.uint64))]
    start = 0
    for batch in passages.batches(["tokens"], _CHUNKS):
        places, hashes = shingles_of(token_lists(batch["tokens"]))
        owners = documents[start : start + batch.num_rows][places]
        stays = (counts[owners] <= FEW) | (hashes % np.uint64(SAMPLED) == 0)
        kept.append((owners[stays], hashes[stays]))
        start += batch.num_rows
    owners, hashes = (np.concatenate(parts) for parts in zip(*kept, strict=True))
    order = np.lexsort((owners, hashes))
    owners, hashes = owners[order], hashes[order]
    fresh = np.ones(len(owners), bool)
    fresh[1:] = (owners[1:] != owners[:-1]) | (hashes[1:] != hashes[:-1])
    return owners[fresh], hashes[fresh]


def likely_pairs(owners: NDArray[np.int64], hashes: Hashes, n_documents: int, share: float) -> list[tuple[int, int]]:
    """Return the pairs of documents of which the shorter one may have ``share`` of its shingles in the other, in order."""
    found = []
    for shift in range(1, NEIGHBOURS + 1):
        same = hashes[shift:] == hashes[:-shift]
        found.append(owners[:-shift][same] * n_documents + owners[shift:][same])
    pairs, counts = np.unique(np.concatenate(found), return_counts=True)
    sizes = np.bincount(owners, minlength=n_documents)
    first, second = pairs // n_documents, pairs % n_documents
    least = np.minimum(sizes[first], sizes[second])
    likely = counts >= np.maximum(1, share * least)
    return list(zip(first[likely].tolist(), second[likely].tolist(), strict=True))
