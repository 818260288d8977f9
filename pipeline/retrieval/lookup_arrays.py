"""What a question looks up, as flat arrays: of the tables of passages, and turned round, sorted and summed for looking up.

A large index has them in one file beside its tables, mapped into memory: a question then reads the pages that it needs,
and opening reads next to nothing. A small index makes them when it is opened.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import chain
from typing import Any, Final, overload

import numpy as np
from numpy.typing import NDArray

from pipeline.base.arrow.columns import IntArray
from pipeline.base.arrow.lists import Lists, by_row
from pipeline.base.storage.array_file import ArrayFile, Tables
from pipeline.retrieval.index_arrays import COLUMNS, Passages, StoredPassages
from pipeline.retrieval.phrase_matcher import hashes_of

Any32 = NDArray[Any]
"""Whole numbers of 32 or 64 bits; widened where they are multiplied."""


class TextArray(Sequence[str]):
    """TextArray end to end in UTF-8, decoded one by one as they are asked for."""

    def __init__(self, characters: NDArray[np.uint8], offsets: IntArray) -> None:
        self.characters, self.offsets = characters, offsets

    @classmethod
    def of(cls, texts: Sequence[str]) -> "TextArray":
        encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum([len(one) for one in encoded], dtype=np.int64)])
        return cls(np.frombuffer(b"".join(encoded), np.uint8), offsets)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, row: int) -> str: ...
    @overload
    def __getitem__(self, row: slice) -> list[str]: ...
    def __getitem__(self, row: int | slice) -> str | list[str]:
        if isinstance(row, slice):
            return [self[at] for at in range(*row.indices(len(self)))]
        return self.encoded(range(len(self))[row]).decode("utf-8", "surrogatepass")

    def encoded(self, row: int) -> bytes:
        """The bytes of a text."""
        return self.characters[self.offsets[row] : self.offsets[row + 1]].tobytes()


@dataclass(frozen=True)
class LookupArrays:
    """N passages, V words, E names, F forms; rows are those of ``Passages``, places those among the words of all passages."""

    terms: TextArray
    """(V) folded words."""
    terms_sorted: Any32
    """(V) rows of the words in the order of their bytes."""
    capitals: Any32
    """(V) how often a word has a capital inside a sentence."""
    lowers: Any32
    """(V) how often it is in lower case."""
    families: Any32
    """(V) number of its family."""
    next_form: Any32
    """(V) the next word of the same stem; the last one leads back to the first."""
    stem_spread: Any32
    """(V) number of passages with a word of the same stem."""
    postings: Lists
    """(V) the passages that hold a word, ascending."""
    counts: Lists
    """(V) how often each of them holds it; the offsets are those of ``postings``."""
    lengths: Any32
    """(N) words of a passage, those outside its text too."""
    tokens: Lists
    """(N) words of a passage in reading order."""
    sentence_offsets: IntArray
    """(N + 1) first sentence of each passage."""
    sentence_ends: Any32
    """(S) place where each sentence ends, exclusive."""
    names: Lists
    """(N) names in a passage, ascending."""
    weights: NDArray[np.float32]
    """How much the passage is about each of them; the offsets are those of ``names``."""
    mention_offsets: IntArray
    """(N + 1) first mention of each passage."""
    mentions: Any32
    """(M) names in reading order."""
    mention_starts: Any32
    mention_ends: Any32
    """(M) first place of each mention, and its end, exclusive."""
    mention_shares: NDArray[np.float32]
    """(M) 1 where the name itself occurs; less for a name that the one there implies."""
    titles: TextArray
    """(E) the names."""
    holders: Lists
    """(E) the passages that hold a name, ascending."""
    name_weights: NDArray[np.float64]
    """(E) sum of the weights of a name over its passages."""
    about: Lists
    """(E) the passages that are about a name, ascending."""
    about_weights: NDArray[np.float32]
    """How surely; the offsets are those of ``about``."""
    spread: Any32
    """(E) passages that hold a name, inside longer names too: "Elisabeth" is rare as a name and frequent as a word."""
    form_hashes: NDArray[np.int64]
    """(F) hashes of the forms, ascending as unsigned numbers are."""
    form_order: Any32
    """(F) the rows of the forms in that order."""
    forms: Lists
    """(F) words of a form."""
    form_names: Lists
    """(F) names that a form means."""
    form_capital: NDArray[np.float32]
    """(F) share of its occurrences that have a capital."""

    @property
    def n_passages(self) -> int:
        return len(self.tokens.offsets) - 1

    @property
    def n_names(self) -> int:
        return len(self.titles)

    @classmethod
    def of_flat(cls, arrays: Mapping[str, NDArray[Any]]) -> "LookupArrays":
        """The arrays that ``flat_arrays`` yields."""
        values: dict[str, Any] = {}
        for field in fields(cls):
            offsets = arrays.get(f"{field.name}.offsets")
            if offsets is None:
                values[field.name] = arrays[field.name]
            elif field.type is TextArray:
                values[field.name] = TextArray(arrays[f"{field.name}.characters"], offsets)
            else:
                values[field.name] = Lists(offsets, arrays[f"{field.name}.items"])
        return cls(**values)


def flat_arrays(passages: Passages | StoredPassages) -> Iterator[tuple[str, NDArray[Any]]]:
    """Yield the arrays by name, those of lists and texts as two. They are made one after the other, and none is kept, so that
    of a large index whose passages are read from tables few are in memory at a time; linear but for sorting words and forms."""
    for name, value in chain(_of_words(passages), _of_passages(passages), _of_names(passages), _of_forms(passages)):
        if isinstance(value, TextArray):
            yield f"{name}.characters", value.characters
            yield f"{name}.offsets", value.offsets
        elif isinstance(value, Lists):
            yield f"{name}.items", _narrow(value.items)
            yield f"{name}.offsets", np.asarray(value.offsets, dtype=np.int64)
        else:
            yield name, value
        del value


Named = Iterator[tuple[str, Any]]


def _of_words(passages: Passages | StoredPassages) -> Named:
    terms = TextArray.of(passages.terms)
    yield "terms", terms
    yield "terms_sorted", _narrow(np.array(sorted(range(len(terms)), key=terms.encoded), dtype=np.int64))
    del terms
    for name in ("capitals", "lowers", "families", "stem_spread"):
        yield name, _narrow(getattr(passages, name))
    yield "next_form", _circles(passages.stems)
    for name in ("postings", "counts"):
        yield name, getattr(passages, name)
    n = len(passages.tokens.offsets) - 1
    yield "lengths", np.bincount(passages.postings.items, passages.counts.items, minlength=n).astype(np.int32)


def _of_passages(passages: Passages | StoredPassages) -> Named:
    tokens = passages.tokens
    first_token = tokens.offsets
    yield "tokens", tokens
    del tokens
    ends = passages.sentence_ends
    yield "sentence_offsets", ends.offsets
    yield "sentence_ends", _places(ends, first_token)
    mentions = passages.mentions
    yield "mention_offsets", mentions.offsets
    yield "mentions", _narrow(mentions.items)
    del ends, mentions
    for name in ("mention_starts", "mention_ends"):
        yield name, _places(getattr(passages, name), first_token)
    yield "mention_shares", passages.mention_shares.items.astype(np.float32)


def _of_names(passages: Passages | StoredPassages) -> Named:
    titles = TextArray.of(passages.titles)
    n_names = len(titles)
    yield "titles", titles
    names, weights = passages.names, passages.weights.items
    yield "names", names
    yield "weights", weights.astype(np.float32)
    yield "name_weights", np.bincount(names.items, weights=weights, minlength=n_names).astype(np.float64)
    holders, _ = _turned(names, n_names)
    del names, weights
    yield "holders", holders
    spread, forms = np.diff(holders.offsets), passages.form_names
    np.maximum.at(spread, forms.items, passages.form_spread[forms.rows()])
    yield "spread", _narrow(spread)
    about, order = _turned(passages.subjects, n_names)
    yield "about", about
    yield "about_weights", passages.subject_weights.items[order].astype(np.float32)


def _of_forms(passages: Passages | StoredPassages) -> Named:
    forms = passages.forms
    hashes = hashes_of(forms)
    by_hash = np.argsort(hashes, kind="stable")
    yield "form_hashes", hashes[by_hash].view(np.int64)
    yield "form_order", _narrow(by_hash)
    yield "forms", forms
    yield "form_names", passages.form_names
    yield "form_capital", passages.form_capital.astype(np.float32)


def _made(tables: Tables) -> Iterator[tuple[str, NDArray[Any]]]:
    return flat_arrays(StoredPassages(lambda table, column: tables[f"retrieval_{table}"].column(column)))


PASSAGES_FILE: Final = ArrayFile("passages.arrow", 3, tuple(f"retrieval_{name}" for name in COLUMNS), _made)
"""The arrays of this module."""


class Terms(Mapping[str, int]):
    """The row of each folded word, found by halving: nothing has to be read before."""

    def __init__(self, arrays: LookupArrays) -> None:
        self._texts, self._sorted = arrays.terms, arrays.terms_sorted

    def __getitem__(self, term: str) -> int:
        encoded = term.encode("utf-8", "surrogatepass")
        place = self._place(encoded)
        if place < len(self) and self._texts.encoded(int(self._sorted[place])) == encoded:
            return int(self._sorted[place])
        raise KeyError(term)

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)

    def beginning(self, letters: str) -> Iterator[str]:
        """The words that begin with some letters, in order."""
        encoded = letters.encode("utf-8", "surrogatepass")
        for place in range(self._place(encoded), len(self)):
            term = self._texts.encoded(int(self._sorted[place]))
            if not term.startswith(encoded):
                return
            yield term.decode("utf-8", "surrogatepass")

    def _place(self, encoded: bytes) -> int:
        return bisect_left(self._sorted, encoded, key=lambda row: self._texts.encoded(int(row)))


def distinct(values: IntArray) -> IntArray:
    """The values, each once, ascending. Of numbers that mostly ascend, as here, faster than by hashing."""
    ordered = np.sort(values, kind="stable")
    return ordered[np.append(True, ordered[1:] != ordered[:-1])] if len(ordered) else ordered


def _circles(stems: IntArray) -> Any32:
    """For each word the next one of the same stem, round and round."""
    order = np.argsort(stems, kind="stable")
    follows = np.roll(order, -1)
    groups = stems[order]
    last = np.append(groups[1:] != groups[:-1], True) if len(groups) else np.zeros(0, bool)
    first = np.append(True, last[:-1]) if len(groups) else last
    follows[last] = order[first]
    found = np.zeros(len(stems), np.int32)
    found[order] = follows
    return found


def _turned(lists: Lists, n_items: int) -> tuple[Lists, IntArray]:
    """For each item the rows that list it, ascending; and the order in which the items were taken."""
    order = np.argsort(lists.items, kind="stable")
    turned = by_row(lists.items[order], _narrow(lists.rows()[order]), n_items)
    return Lists(turned.offsets.astype(np.int64), turned.items), order


def _places(within: Lists, first_token: IntArray) -> Any32:
    """Places in a passage as places among the words of all."""
    return _narrow(within.items + first_token[within.rows()])


def _narrow(values: NDArray[Any]) -> Any32:
    """In 32 bits where they fit: half of the memory, and of the file."""
    fits = not len(values) or int(values.max()) < 2**31
    return values.astype(np.int32 if fits else np.int64, copy=False)
