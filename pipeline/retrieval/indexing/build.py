"""Reads a corpus of passages into the arrays that retrieval over it needs: words, names, mentions, and what each is about."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pipeline.base.arrow.columns import FloatArray, IntArray, ranges
from pipeline.base.arrow.lists import NO_LISTS, Lists, by_row, joined_lists
from pipeline.base.storage.spill import Spill
from pipeline.retrieval.index_arrays import COLUMNS, Passages
from pipeline.retrieval.indexing.passage_names import (
    IMPLIED,
    LIKELY,
    OPENING_WORDS,
    OWN,
    FormSet,
    Occurrences,
    collect_forms,
    find_forms,
    implied_forms,
)
from pipeline.retrieval.indexing.passage_words import Block, PassageWords, Spills, read_words
from pipeline.retrieval.indexing.postings import find_postings
from pipeline.retrieval.indexing.term_stems import family_numbers
from pipeline.retrieval.phrase_matcher import Forms, flat


def index_passages(
    texts: Iterable[str],
    anchors: Sequence[str],
    names: Iterable[tuple[str, Sequence[str]]] = (),
    labels: Sequence[str] = (),
) -> Passages:
    """Read passages; ``anchors[i]`` is the title of passage ``i``, or "title > heading", or empty.

    ``texts`` are read once and not kept in memory. ``names`` are (title, written forms) of what is known to be named in
    them; they may be few or none. ``labels[i]`` are words that passage ``i`` is found by though it does not hold them, such as its metadata. Linear in
    the texts; the same arguments give the same arrays.
    """
    outside = outside_words(anchors, labels)
    return index_words(read_words(texts, outside), anchors, names, outside)


def outside_words(anchors: Sequence[str], labels: Sequence[str]) -> Sequence[str]:
    """Return the words that each passage is found by besides those of its text: its anchor's, and its label's where there are labels."""
    return [" ".join(pair) for pair in zip(anchors, labels, strict=True)] if labels else anchors


def index_words(
    read: PassageWords, anchors: Sequence[str], names: Iterable[tuple[str, Sequence[str]]], outside: Sequence[str]
) -> Passages:
    """Index passages whose words were read; ``outside[i]`` are words that passage ``i`` is found by besides."""
    found, passages = index_names(read, anchors, names)
    return Passages(**_joined(index_terms(read, outside)), **found, **_joined(passages))


def index_terms(read: PassageWords, outside: Sequence[str], spills: Spills = Spill) -> Iterator[dict[str, Any]]:
    """Yield what ``Passages`` says of words, some words at a time; postings of more words wait on disk."""
    postings = find_postings(read, outside, spills)
    families = family_numbers(read.terms)
    for here, passages, counts in postings.parts(spills) if read.terms else [(slice(0), NO_LISTS, NO_LISTS)]:
        yield {
            "terms": read.terms[here],
            "capitals": read.cases.capitals[here],
            "lowers": read.cases.lowers[here],
            "stems": postings.stems[here],
            "families": families[here],
            "stem_spread": postings.stem_spread[here],
            "postings": passages,
            "counts": counts,
        }


def index_names(
    read: PassageWords, anchors: Sequence[str], names: Iterable[tuple[str, Sequence[str]]], spills: Spills = Spill
) -> tuple[dict[str, Any], Iterator[dict[str, Lists]]]:
    """Return what ``Passages`` says of names and their forms, and what it says of passages, some of these at a time."""
    found, anchored = collect_forms(read, anchors, list(names))
    row_of = {form: row for row, form in enumerate(found.names_of)}
    forms = Forms(*flat(list(found.names_of)), len(read.terms))
    own = [(passage, row_of[form], weight) for passage, form, weight in anchored]
    own_forms = np.array([row for _, row, _ in own], dtype=np.int64)
    occurrences = find_forms(read, forms, own_forms, found.n_certain, spills)
    implied = implied_forms(forms, occurrences.capital > 0, own_forms)
    of_names = {
        "titles": found.titles,
        "forms": Lists(forms.offsets, forms.tokens),
        "form_names": Lists(*flat(list(found.names_of.values()))),
        "form_spread": occurrences.spread,
        "form_capital": occurrences.capital,
    }
    return of_names, _passages(read, occurrences, forms, _meanings(found, implied), own, found)


def _passages(
    read: PassageWords,
    occurrences: Occurrences,
    forms: Forms,
    meanings: "_Meanings",
    own: Sequence[tuple[int, int, float]],
    found: FormSet,
) -> Iterator[dict[str, Lists]]:
    """Yield what is known of passages, some at a time; the second time through them, since all show how rare a name is."""
    n, n_names = len(read.sentence_offsets) - 1, len(found.titles)
    spread, anchored = np.zeros(n_names, np.int64), np.array([passage for passage, _, _ in own], np.int64)
    if not n:
        yield dict.fromkeys(COLUMNS["passages"], NO_LISTS)
    for _, mentions in _blocks_of_mentions(read, occurrences, forms, meanings):
        pairs = np.unique(mentions.passages * n_names + mentions.names)
        spread += np.bincount(pairs % max(n_names, 1), minlength=n_names)
    rarity = np.log1p(n / np.maximum(spread, 1))
    for block, mentions in _blocks_of_mentions(read, occurrences, forms, meanings):
        here = slice(*np.searchsorted(anchored, [block.start, block.stop]))
        subjects = _subjects(block, mentions, _anchor_subjects(own[here], found, block.start), rarity)
        size = block.stop - block.start
        names_in, weights = _weights(mentions, subjects, size, n_names)
        yield {
            "tokens": Lists(block.bounds, block.stream),
            **_sentences(block, read),
            "names": names_in,
            "weights": weights,
            **_mention_lists(block, mentions),
            **_subject_lists(subjects, size),
        }


def _blocks_of_mentions(
    read: PassageWords, occurrences: Occurrences, forms: Forms, meanings: "_Meanings"
) -> Iterator[tuple[Block, "_Mentions"]]:
    for block, here in zip(read.blocks(), occurrences.found.arrays(), strict=True):
        yield block, _mentions(block, here["starts"], here["forms"], forms, meanings)


def _joined(parts: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return parts of columns as whole columns."""
    every = list(parts)
    return {name: _join([part[name] for part in every]) for name in every[0]}


def _join(parts: Sequence[Any]) -> Any:
    if isinstance(parts[0], Lists):
        return joined_lists(parts)
    return np.concatenate(parts) if isinstance(parts[0], np.ndarray) else list(chain.from_iterable(parts))


class _Meanings(NamedTuple):
    """The names that each form means or implies, the former first, with the share of a mention that each gets."""

    offsets: IntArray
    names: IntArray
    shares: FloatArray


class _Mentions(NamedTuple):
    """Names where they are in a block, in reading order; ``starts`` and ``ends`` are places among its words."""

    passages: IntArray
    """Among those of the block."""
    names: IntArray
    starts: IntArray
    ends: IntArray
    shares: FloatArray


def _meanings(found: FormSet, implied: Sequence[Sequence[int]]) -> _Meanings:
    names_of = list(found.names_of.values())
    pairs: list[list[tuple[int, float]]] = []
    for names, others in zip(names_of, implied, strict=True):
        shares = {name: 1 / len(names) for name in names}
        for form in others:
            for name in names_of[form]:
                shares.setdefault(name, IMPLIED / len(names_of[form]))
        pairs.append(list(shares.items()))
    offsets, names_flat = flat([[name for name, _ in row] for row in pairs])
    shares_flat = np.array([share for row in pairs for _, share in row], dtype=np.float64)
    return _Meanings(offsets, names_flat, shares_flat)


def _mentions(block: Block, starts: IntArray, found: IntArray, forms: Forms, meanings: _Meanings) -> _Mentions:
    """Each occurrence of a form as mentions of its names."""
    first, end = meanings.offsets[found], meanings.offsets[found + 1]
    n_each, items = end - first, ranges(first, end)
    starts = np.repeat(starts.astype(np.int64), n_each)
    ends = starts + np.repeat(forms.lengths[found], n_each)
    passages = np.searchsorted(block.bounds, starts, side="right") - 1
    return _Mentions(passages, meanings.names[items], starts, ends, meanings.shares[items])


def _anchor_subjects(own: Sequence[tuple[int, int, float]], found: FormSet, start: int) -> dict[tuple[int, int], float]:
    """(passage after ``start``, name) to weight, from anchors."""
    names_of = list(found.names_of.values())
    weights: dict[tuple[int, int], float] = {}
    for passage, form, weight in own:
        for name in names_of[form]:
            key = (passage - start, name)
            weights[key] = max(weight, weights.get(key, 0.0))
    return weights


def _subjects(
    block: Block, mentions: _Mentions, weights: dict[tuple[int, int], float], rarity: FloatArray
) -> dict[tuple[int, int], float]:
    """The anchors' names, and for a passage without any the name that opens it, or else the one that dominates it."""
    n = block.stop - block.start
    bounds = np.searchsorted(mentions.passages, np.arange(n + 1))
    anchored = {passage for passage, _ in weights}
    for passage in range(n):
        here = slice(bounds[passage], bounds[passage + 1])
        if passage not in anchored and here.start < here.stop:
            places = mentions.starts[here] - block.bounds[passage]
            for name in _subject(mentions.names[here], places, mentions.shares[here], rarity):
                weights[passage, name] = LIKELY
    return weights


def _subject(names: IntArray, places: IntArray, shares: FloatArray, rarity: FloatArray) -> list[int]:
    if places[0] <= OPENING_WORDS:
        return [int(name) for name in names[places == places[0]]]
    found, which = np.unique(names[shares == 1], return_inverse=True)
    counts = np.bincount(which, minlength=len(found))
    if not len(found) or counts.max() < 2:
        return []
    return [int(found[np.argmax(np.where(counts > 1, counts * rarity[found], 0.0))])]


def _weights(
    mentions: _Mentions, subjects: dict[tuple[int, int], float], n_passages: int, n_names: int
) -> tuple[Lists, Lists]:
    """Names of each passage, and 1 + ln of the count of each; shares of a mention count as they are."""
    about = np.array(list(subjects), dtype=np.int64).reshape(-1, 2)
    keys = np.concatenate([mentions.passages * n_names + mentions.names, about[:, 0] * n_names + about[:, 1]])
    counted = np.concatenate([mentions.shares, np.zeros(len(about))])
    added = np.concatenate([np.zeros(len(mentions.names)), np.full(len(about), OWN)])
    pairs, which = np.unique(keys, return_inverse=True)
    count = np.bincount(which, weights=counted, minlength=len(pairs))
    weights = np.where(count >= 1, 1 + np.log(np.maximum(count, 1)), count)
    weights += np.bincount(which, weights=added, minlength=len(pairs))
    passages = pairs // max(n_names, 1)
    return by_row(passages, pairs % max(n_names, 1), n_passages), by_row(passages, weights, n_passages)


def _sentences(block: Block, read: PassageWords) -> dict[str, Lists]:
    offsets = read.sentence_offsets[block.start : block.stop + 1]
    offsets = offsets - offsets[0]
    first = np.repeat(block.bounds[:-1], np.diff(offsets))
    return {
        "sentence_ends": Lists(offsets, block.sentence_ends - first),
        "sentence_spans": Lists(offsets * 2, block.characters),
    }


def _mention_lists(block: Block, mentions: _Mentions) -> dict[str, Lists]:
    first = block.bounds[mentions.passages]
    columns: dict[str, NDArray[Any]] = {
        "mentions": mentions.names,
        "mention_starts": mentions.starts - first,
        "mention_ends": mentions.ends - first,
        "mention_shares": mentions.shares,
    }
    return {name: by_row(mentions.passages, items, block.stop - block.start) for name, items in columns.items()}


def _subject_lists(subjects: dict[tuple[int, int], float], n_passages: int) -> dict[str, Lists]:
    ordered = sorted(subjects.items())
    rows = np.array([passage for (passage, _), _ in ordered], dtype=np.int64)
    names = np.array([name for (_, name), _ in ordered], dtype=np.int64)
    weights = np.array([weight for _, weight in ordered], dtype=np.float64)
    return {"subjects": by_row(rows, names, n_passages), "subject_weights": by_row(rows, weights, n_passages)}
