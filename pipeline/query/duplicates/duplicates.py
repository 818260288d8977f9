"""Which documents of an index are copies of others, or have much of their text in common with one, and where."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pipeline.base.ids import content_id
from pipeline.base.store import Generation, Rows
from pipeline.documents.parsed import SAME_TEXT
from pipeline.documents.places import PLACE_COLUMNS, file_place
from pipeline.query.duplicates.shingles import SIZE, Hashes, likely_pairs, shingles_of, sketches, token_lists

SHARE = 0.5
"""Share of the shorter of two documents that must be in the other one."""
_LIKELY = 0.6
"""Part of SHARE that sampled shingles must show: a sample may have less in common than the whole."""


class SharedStretch(NamedTuple):
    """A document that has text in common with another: ``share`` of it, the longest stretch of which is at ``place``."""

    id: str
    title: str
    file: str
    share: float
    place: str
    """For people: "lines 3-40"."""
    start: int
    end: int
    """Characters of the file; see ``FilePlace``."""


class Duplicates(NamedTuple):
    """``copies``: groups of documents (id, title, file) with the same words; ``near``: pairs that share much, most first.

    A file that was not indexed, because another one has its text, has no id. Of a group of copies the first is compared with
    other documents.
    """

    n_documents: int
    copies: list[list[dict[str, str]]]
    near: list[tuple[SharedStretch, SharedStretch]]


def find_duplicates(generation: Generation) -> Duplicates:
    """Return the duplicates among the documents of an index.

    Which documents may be near-duplicates is seen by the shingles that they share, never by comparing all pairs; shares are
    then counted over all of their shingles. The same index gives the same.
    """
    rows: list[dict[str, str]] = []
    for batch in generation.rows("documents").batches(["id", "title", "source", "text"]):
        for row in batch.to_pylist():
            words = " ".join(row["text"].split())
            rows.append({"id": row["id"], "title": row["title"], "file": row["source"], "words": content_id(words)})
    rows.sort(key=lambda row: (row["file"], row["id"]))
    groups: defaultdict[str, list[int]] = defaultdict(list)
    for place, row in enumerate(rows):
        groups[row.pop("words")].append(place)
    left_out = _left_out(generation)
    copies = []
    for group in groups.values():
        same = [rows[place] for place in group]
        same += [copy for one in same for copy in left_out.get(one["file"], ())]
        copies += [same] if len(same) > 1 else []
    copied = {place for group in groups.values() for place in group[1:]}
    number = {row["id"]: place for place, row in enumerate(rows)}
    chunks = generation.table("chunks", ["document_id", "start"])
    owners = np.fromiter((number[id] for id in chunks["document_id"].to_pylist()), np.int64, chunks.num_rows)
    passages = generation.rows("retrieval_passages")
    likely = likely_pairs(*sketches(passages, owners, len(rows)), len(rows), SHARE * _LIKELY)
    texts = _ShingledTexts(passages, owners, chunks["start"].to_pylist())
    likely = [pair for pair in likely if copied.isdisjoint(pair)]
    maps = generation.rows("documents").by_id({rows[one]["id"] for pair in likely for one in pair}, PLACE_COLUMNS)
    near = []
    for first, second in likely:
        (mine, my_spans), (its, its_spans) = texts.of(first), texts.of(second)
        one = _stretch(rows[first], maps, mine, my_spans, its)
        other = _stretch(rows[second], maps, its, its_spans, mine)
        if max(one.share, other.share) >= SHARE:
            near.append((one, other))
    near.sort(key=lambda pair: (-max(one.share for one in pair), pair[0].file, pair[1].file, pair[0].id, pair[1].id))
    return Duplicates(len(rows), copies, near)


def _left_out(generation: Generation) -> dict[str, list[dict[str, str]]]:
    """Return the files that were not indexed because another file has their text, by that file."""
    found: defaultdict[str, list[dict[str, str]]] = defaultdict(list)
    for row in generation.table("failures", ["item", "reason"]).to_pylist():
        if row["reason"].startswith(SAME_TEXT):
            found[row["reason"].removeprefix(SAME_TEXT)].append({"id": "", "title": "", "file": row["item"]})
    return found


class _ShingledTexts:
    """The shingles of documents with their places, read when a document is compared."""

    def __init__(self, passages: Rows, owners: NDArray[np.int64], starts: Sequence[int]) -> None:
        self._passages, self._starts = passages, starts
        self._chunks: defaultdict[int, list[int]] = defaultdict(list)
        for chunk, owner in enumerate(owners.tolist()):
            self._chunks[owner].append(chunk)
        self._read: dict[int, tuple[Hashes, NDArray[np.int64]]] = {}

    def of(self, document: int) -> tuple[Hashes, NDArray[np.int64]]:
        """Return the hashes of a document's shingles and the characters of its text at which the sentences with their first
        and last words begin and end, of shape (shingles, 2)."""
        if document not in self._read:
            self._read[document] = self._shingles(document)
        return self._read[document]

    def _shingles(self, document: int) -> tuple[Hashes, NDArray[np.int64]]:
        chunks = self._chunks[document]
        table = self._passages.take(chunks, ["tokens", "sentence_ends", "sentence_spans"])
        tokens = token_lists(table["tokens"])
        owner, hashes = shingles_of(tokens)
        spans = np.zeros((len(hashes), 2), np.int64)
        for place, chunk in enumerate(chunks):
            own = np.flatnonzero(owner == place)
            if not len(own):
                continue
            ends = np.array(table["sentence_ends"][place].as_py(), np.int64)
            sentences = np.array(table["sentence_spans"][place].as_py(), np.int64).reshape(-1, 2) + self._starts[chunk]
            first = np.arange(len(own))
            last_sentence = len(sentences) - 1
            spans[own, 0] = sentences[np.minimum(np.searchsorted(ends, first, "right"), last_sentence), 0]
            spans[own, 1] = sentences[np.minimum(np.searchsorted(ends, first + SIZE - 1, "right"), last_sentence), 1]
        return hashes, spans


def _stretch(
    row: Mapping[str, str], maps: Mapping[str, Any], hashes: Hashes, spans: NDArray[np.int64], others: Hashes
) -> SharedStretch:
    """Return which share of a document's shingles is among ``others``, and the longest run of those that are."""
    own = np.unique(hashes)
    share = float(np.isin(own, others).mean()) if len(own) else 0.0
    place = file_place(maps[row["id"]], *_longest(spans[np.isin(hashes, others)]))
    return SharedStretch(row["id"], row["title"], row["file"], round(share, 4), place.label, place.start, place.end)


def _longest(spans: NDArray[np.int64]) -> tuple[int, int]:
    """Return the longest stretch of characters that touching spans cover; the first of several."""
    best = at = (0, 0)
    for start, end in spans[np.lexsort((spans[:, 1], spans[:, 0]))].tolist():
        at = (at[0], max(at[1], end)) if start <= at[1] and at[1] else (start, end)
        best = max(best, at, key=lambda span: span[1] - span[0])
    return best
