"""Reads a corpus of passages into the arrays that retrieval over it needs: words, names, mentions, and what each is about."""

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pipeline.base.arrow.lists import Lists, by_row
from pipeline.retrieval.bm25 import Floats, Ints
from pipeline.retrieval.index_arrays import Passages
from pipeline.retrieval.indexing.passage_names import (
    IMPLIED,
    LIKELY,
    OPENING_WORDS,
    OWN,
    FormSet,
    collect_forms,
    find_forms,
    implied_forms,
)
from pipeline.retrieval.indexing.passage_words import Ints32, PassageWords, read_words
from pipeline.retrieval.indexing.term_stems import family_numbers, stem_numbers
from pipeline.retrieval.phrase_matcher import Forms, flat
from pipeline.text.tokenizer import fold_word, words


def index_passages(
    texts: Iterable[str],
    anchors: Sequence[str],
    names: Iterable[tuple[str, Sequence[str]]] = (),
    sentences: Iterable[Sequence[tuple[int, int]]] | None = None,
    labels: Sequence[str] = (),
) -> Passages:
    """Read passages; ``anchors[i]`` is the title of passage ``i``, or "title > heading", or empty.

    ``texts`` are read once and not kept in memory. ``names`` are (title, written forms) of what is known to be named in
    them; they may be few or none. ``sentences`` are the spans of the sentences of each text, found here unless given.
    ``labels[i]`` are words that passage ``i`` is found by though it does not hold them, such as its metadata. Linear in
    the texts; the same arguments give the same arrays.
    """
    outside = outside_words(anchors, labels)
    return index_words(read_words(texts, outside, sentences), anchors, names, outside)


def outside_words(anchors: Sequence[str], labels: Sequence[str]) -> Sequence[str]:
    """Return the words that each passage is found by besides those of its text: its anchor's, and its label's where there are labels."""
    return [" ".join(pair) for pair in zip(anchors, labels, strict=True)] if labels else anchors


def index_words(
    read: PassageWords, anchors: Sequence[str], names: Iterable[tuple[str, Sequence[str]]], outside: Sequence[str]
) -> Passages:
    """Index passages whose words were read; ``outside[i]`` are words that passage ``i`` is found by besides."""
    return Passages(**index_terms(read, outside), **index_names(read, anchors, names))


def index_terms(read: PassageWords, outside: Sequence[str]) -> dict[str, Any]:
    """Return what ``Passages`` says of words. With what ``index_names`` takes in memory as well it would be the peak of a
    run: write it before."""
    postings = _postings(read, outside)
    return {
        "terms": read.terms,
        "capitals": read.cases.capitals,
        "lowers": read.cases.lowers,
        "stems": postings.stems,
        "families": family_numbers(read.terms),
        "stem_spread": postings.stem_spread,
        "postings": postings.passages,
        "counts": postings.counts,
    }


def index_names(
    read: PassageWords, anchors: Sequence[str], names: Iterable[tuple[str, Sequence[str]]]
) -> dict[str, Any]:
    """Return what ``Passages`` says of names and of passages."""
    found, anchored = collect_forms(read, anchors, list(names))
    row_of = {form: row for row, form in enumerate(found.names_of)}
    forms = Forms(*flat(list(found.names_of)), len(read.terms))
    own = [(passage, row_of[form], weight) for passage, form, weight in anchored]
    own_forms = np.array([row for _, row, _ in own], dtype=np.int64)
    occurrences = find_forms(read, forms, own_forms, found.n_certain)
    read.forget_case()
    is_name = occurrences.capital > 0
    implied = implied_forms(forms, is_name, own_forms)
    mentions = _mentions(read, occurrences.starts, occurrences.forms, forms, _meanings(found, implied))
    subjects = _subjects(read, mentions, _anchor_subjects(own, found), len(found.titles))
    names_in, weights = _weights(mentions, subjects, len(anchors), len(found.titles))
    return {
        "titles": found.titles,
        "forms": Lists(forms.offsets, forms.tokens),
        "form_names": Lists(*flat(list(found.names_of.values()))),
        "form_spread": occurrences.spread,
        "form_capital": occurrences.capital,
        "tokens": Lists(read.bounds(), read.stream),
        **_sentences(read, len(anchors)),
        "names": names_in,
        "weights": weights,
        **_mention_lists(read, mentions, len(anchors)),
        **_subject_lists(subjects, len(anchors)),
    }


class _Meanings(NamedTuple):
    """The names that each form means or implies, the former first, with the share of a mention that each gets."""

    offsets: Ints
    names: Ints
    shares: Floats


class _Mentions(NamedTuple):
    """Names where they are, in reading order; ``starts`` and ``ends`` are places in the stream."""

    passages: Ints
    names: Ints
    starts: Ints
    ends: Ints
    shares: Floats


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


def _mentions(read: PassageWords, starts: Ints, found: Ints, forms: Forms, meanings: _Meanings) -> _Mentions:
    """Each occurrence of a form as mentions of its names."""
    n_each = np.diff(meanings.offsets)[found]
    first = np.repeat(meanings.offsets[found], n_each)
    within = np.arange(len(first)) - np.repeat(np.cumsum(n_each) - n_each, n_each)
    items = first + within
    starts = np.repeat(starts, n_each)
    ends = starts + np.repeat(forms.lengths[found], n_each)
    return _Mentions(read.passage_of(starts), meanings.names[items], starts, ends, meanings.shares[items])


def _anchor_subjects(own: Sequence[tuple[int, int, float]], found: FormSet) -> dict[tuple[int, int], float]:
    """(passage, name) to weight, from anchors."""
    names_of = list(found.names_of.values())
    weights: dict[tuple[int, int], float] = {}
    for passage, form, weight in own:
        for name in names_of[form]:
            weights[passage, name] = max(weight, weights.get((passage, name), 0.0))
    return weights


def _subjects(
    read: PassageWords, mentions: _Mentions, weights: dict[tuple[int, int], float], n_names: int
) -> dict[tuple[int, int], float]:
    """The anchors' names, and for a passage without any the name that opens it, or else the one that dominates it."""
    n = len(read.sentence_offsets) - 1
    pairs = np.unique(mentions.passages * max(n_names, 1) + mentions.names)
    rarity = np.log1p(n / np.maximum(np.bincount(pairs % max(n_names, 1), minlength=n_names), 1))
    first_token = read.bounds()
    bounds = np.searchsorted(mentions.passages, np.arange(n + 1))
    anchored = {passage for passage, _ in weights}
    for passage in range(n):
        here = slice(bounds[passage], bounds[passage + 1])
        if passage not in anchored and here.start < here.stop:
            places = mentions.starts[here] - first_token[passage]
            for name in _subject(mentions.names[here], places, mentions.shares[here], rarity):
                weights[passage, name] = LIKELY
    return weights


def _subject(names: Ints, places: Ints, shares: Floats, rarity: Floats) -> list[int]:
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


class _Postings(NamedTuple):
    """The passages of each word, how often they hold it, and of each word its stem's number and passages."""

    passages: Lists
    counts: Lists
    stems: Ints
    stem_spread: Ints


def _postings(read: PassageWords, outside: Sequence[str]) -> _Postings:
    """Words of each passage, and those ``outside`` its text that it is found by, some passages at a time. Of what is found
    in each block the passages and counts of its words are kept, with how many each word has: together half as large as
    with the word beside each; then they go to the places of their words."""
    n, n_terms = max(1, len(outside)), len(read.terms)
    added = [(row, read.row_of[fold_word(word)]) for row, line in enumerate(outside) for word in words(line)]
    extra = np.array(added, dtype=np.int64).reshape(-1, 2)
    stems = stem_numbers(read)
    spread, n_each = np.zeros(n_terms, np.int64), np.zeros(n_terms, np.int64)
    found: deque[tuple[Ints32, Ints32, Ints32, Ints32]] = deque()
    for block in read.blocks():
        own = slice(*np.searchsorted(extra[:, 0], [block.start, block.stop]))
        keys = block.stream.astype(np.int64) * n + block.passage
        pairs, count = np.unique(np.concatenate([keys, extra[own, 1] * n + extra[own, 0]]), return_counts=True)
        rows, passages = np.divmod(pairs, n)
        of_terms, n_of = np.unique(rows, return_counts=True)
        found.append(tuple(column.astype(np.int32) for column in (of_terms, n_of, passages, count)))  # type: ignore[arg-type]
        n_each[of_terms] += n_of
        spread += np.bincount(np.unique(stems[rows] * n + passages) // n, minlength=n_terms)
    offsets = np.append(0, np.cumsum(n_each))
    in_passages, counts = np.empty(offsets[-1], np.int32), np.empty(offsets[-1], np.int32)
    free = offsets[:-1].copy()
    while found:  # blocks come in the order of passages
        terms, lengths, inside, times = found.popleft()
        first = np.cumsum(lengths) - lengths
        places = np.repeat(free[terms] - first, lengths) + np.arange(len(inside))
        in_passages[places], counts[places] = inside, times
        free[terms] += lengths
    return _Postings(Lists(offsets, in_passages), Lists(offsets, counts), stems, spread[stems])


def _sentences(read: PassageWords, n_passages: int) -> dict[str, Lists]:
    rows = np.repeat(np.arange(n_passages), np.diff(read.sentence_offsets))
    first = read.bounds()
    spans = Lists(read.sentence_offsets * 2, read.sentence_spans.ravel())
    return {"sentence_ends": by_row(rows, read.sentence_ends - first[rows], n_passages), "sentence_spans": spans}


def _mention_lists(read: PassageWords, mentions: _Mentions, n_passages: int) -> dict[str, Lists]:
    first = read.bounds()[mentions.passages]
    columns: dict[str, NDArray[Any]] = {
        "mentions": mentions.names,
        "mention_starts": mentions.starts - first,
        "mention_ends": mentions.ends - first,
        "mention_shares": mentions.shares,
    }
    return {name: by_row(mentions.passages, items, n_passages) for name, items in columns.items()}


def _subject_lists(subjects: dict[tuple[int, int], float], n_passages: int) -> dict[str, Lists]:
    ordered = sorted(subjects.items())
    rows = np.array([passage for (passage, _), _ in ordered], dtype=np.int64)
    names = np.array([name for (_, name), _ in ordered], dtype=np.int64)
    weights = np.array([weight for _, weight in ordered], dtype=np.float64)
    return {"subjects": by_row(rows, names, n_passages), "subject_weights": by_row(rows, weights, n_passages)}
