"""Where names are mentioned and with what: chunks, documents, neighbours and descriptions of each, as arrays."""

from collections.abc import Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.base.arrow.build import to_numpy
from pipeline.base.arrow.columns import IntArray, codes_of, codes_of_runs, number_keys
from pipeline.base.arrow.columns import numbers as rows_in
from pipeline.graph.merge import entity_numbers, fold_title

MOST_DESCRIPTIONS = 4
"""Descriptions of a name that are looked at, in the order of the chunks."""


class NameOccurrences:
    """Names by number, in the order of ``numbers``; lists of one name are sets of numbers."""

    def __init__(
        self,
        numbers: Mapping[str, int],
        entity_mentions: pa.Table,
        relationship_mentions: pa.Table,
        chunks: pa.Table,
    ) -> None:
        n = len(numbers)
        names = entity_numbers(entity_mentions["title"], numbers)
        codes, distinct = codes_of_runs(entity_mentions["chunk_id"])
        place = rows_in(distinct, chunks["id"])
        chunk = place[codes] if len(codes) else codes
        documents, _ = codes_of_runs(chunks["document_id"])
        self._chunks = _Lists(names, chunk, n)
        self._documents = _Lists(names, documents[chunk] if len(chunk) else chunk, n)
        self._neighbours = _Lists(*_ends(relationship_mentions, numbers), n)
        self._rows = _Lists(names, np.arange(len(names)), n)
        self._names, self._descriptions = names, entity_mentions["description"]
        self.counts: IntArray = np.bincount(names[names >= 0], minlength=n)

    def chunks(self, name: int) -> frozenset[int]:
        """Return the chunks that mention a name."""
        return self._chunks.of(name)

    def documents(self, name: int) -> frozenset[int]:
        """Return the documents that mention a name."""
        return self._documents.of(name)

    def neighbours(self, name: int) -> frozenset[int]:
        """Return the names that it has a relationship with."""
        return self._neighbours.of(name)

    def descriptions(self, name: int) -> list[str]:
        """Return the first few descriptions of a name."""
        rows = sorted(self._rows.of(name))[:MOST_DESCRIPTIONS]
        return [text for row in rows if (text := self._descriptions[row].as_py())]

    def described_with(self, words: str) -> frozenset[int]:
        """Return the names of which a description has some of these words, given as a regular expression, in any case."""
        codes, texts = codes_of(self._descriptions)
        having = to_numpy(pc.match_substring_regex(texts, words, ignore_case=True))
        return frozenset(self._names[having[codes]].tolist()) if len(codes) else frozenset()


class _Lists:
    """Distinct numbers by owner."""

    def __init__(self, owners: IntArray, values: IntArray, n: int) -> None:
        width = int(values.max(initial=0)) + 1
        keys, _ = number_keys((owners * width + values)[(owners >= 0) & (values >= 0)])
        owner, self._values = np.divmod(keys, width)
        self._starts = np.searchsorted(owner, np.arange(n + 1))

    def of(self, owner: int) -> frozenset[int]:
        return frozenset(self._values[self._starts[owner] : self._starts[owner + 1]].tolist())


def _ends(relationship_mentions: pa.Table, numbers: Mapping[str, int]) -> tuple[IntArray, IntArray]:
    """Return both ends of each relationship mention, each way round."""
    a, b = (entity_numbers(relationship_mentions[end], numbers) for end in ("source", "target"))
    other = a != b
    return np.concatenate([a[other], b[other]]), np.concatenate([b[other], a[other]])


def majority_types(numbers: Mapping[str, int], entity_mentions: pa.Table) -> list[str]:
    """Return the type of each name that most of its mentions say, ties by the type's letters; "" where none says any."""
    titles, spelled = codes_of(entity_mentions["title"])
    types, distinct = codes_of(entity_mentions["type"])
    width = max(len(distinct), 1)
    keys, counts = np.unique(titles * width + types, return_counts=True)
    names, said = spelled.to_pylist(), [type.strip() for type in distinct.to_pylist()]
    votes: dict[int, dict[str, int]] = {}
    for key, count in zip(keys.tolist(), counts.tolist(), strict=True):
        number, type = numbers.get(fold_title(names[key // width])), said[key % width]
        if number is not None and type:
            own = votes.setdefault(number, {})
            own[type] = own.get(type, 0) + count
    best = {number: min(own, key=lambda type: (-own[type], type)) for number, own in votes.items()}
    return [best.get(number, "") for number in range(len(numbers))]
