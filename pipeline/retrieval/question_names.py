"""What a question names: names of the index in any of their forms, and capitalised phrases of passages.

A question in lower case is read as its words are mostly written in the corpus.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from pipeline.base.arrow.columns import BoolArray, FloatArray, IntArray, ranges
from pipeline.retrieval.closeness import Closeness, WordSequence
from pipeline.retrieval.indexing.passage_names import OPENING_WORDS, WHOLE
from pipeline.retrieval.lookup import PassageLookup, expanded
from pipeline.retrieval.lookup_arrays import distinct
from pipeline.text.question.asking_words import content_flags
from pipeline.text.question.names import identifiers_in, number_in
from pipeline.text.tokenizer import words

PHRASE: Final = 0.5
"""Weight of a phrase that no name covers, as a share of a name's."""
MOSTLY: Final = 0.5
"""A form in lower case in a question means the name from this share of occurrences with a capital on."""
HARDLY: Final = 0.2
"""A single word in lower case means a name only where passages have it in lower case at most this often for each capital."""
RARE: Final = 0.002
"""One word makes a phrase where no larger share of the passages has it; three passages in a small corpus."""
MOST_READ: Final = 10_000
"""Passages that are read for a phrase; one whose words are together in more passages is not looked for."""
FLOOR: Final = 0.01
"""What a passage without any word of the question keeps of its share of a name's weight."""


class NameMatch(NamedTuple):
    """Words ``start`` to ``end`` of the question are a form of ``names``; ``weight`` is what each of them gets."""

    start: int
    end: int
    names: tuple[int, ...]
    weight: float


class Phrase(NamedTuple):
    """Words ``start`` to ``end`` of the question are in ``passages``, each with its share of ``weight``."""

    start: int
    end: int
    weight: float
    passages: IntArray
    shares: FloatArray
    sentences: IntArray
    """Sentences that hold the phrase, and all of a passage that opens with it."""
    n_about: int
    """Passages that open with it."""


@dataclass(frozen=True)
class QuestionWords:
    """A question, word by word."""

    written: Sequence[str]
    rows: IntArray
    """Row of each word; ``n_terms`` where it is in no passage."""
    close: Closeness
    """How close passages are by words and stems; the words that merely ask are left out."""
    content: BoolArray
    """The word says something, and does not merely ask."""
    cased: bool
    """Capitals mean something: there is one after the first word, or the script has none."""
    capital: BoolArray
    """The word is written like a name, in the question or, where that is in lower case, mostly in the corpus."""


Alike = Callable[[str], Sequence[int]]
"""Returns the rows of the forms that the corpus has of a word, or of the longer words that it is a part of."""


def read_words(
    question: str, lookup: PassageLookup, alike: Alike = lambda word: (), related: Alike = lambda word: ()
) -> QuestionWords:
    """Look up the words of a question; ``alike`` those that are in no passage as they are, ``related`` those for the same thing as one
    that is in none in any form."""
    written = words(question)
    rows = lookup.rows(written)
    cased = any(w != w.lower() for w in written[1:]) or all(w.lower() == w.upper() for w in written)
    if cased:
        capital = np.array([not word.islower() for word in written], dtype=bool)
    else:
        capitals = lookup.capitals(rows)
        capital = (capitals >= lookup.lowers(rows)) & (capitals > 0)
    content = np.array(content_flags(question), dtype=bool)
    plain, together = content.copy(), []
    for start, end, found in _numbers(question, written, lookup):
        plain[start:end] = False
        together.append(found)
    places = np.flatnonzero(plain & (rows == lookup.n_terms)).tolist()
    forms = [alike(written[place]) for place in places]
    lacking = [place for place, found in zip(places, forms, strict=True) if not found]
    close = lookup.closeness(rows[plain], forms, together, [related(written[place]) for place in lacking])
    return QuestionWords(written, rows, close, content, cased, capital)


def _numbers(question: str, written: Sequence[str], lookup: PassageLookup) -> Iterator[tuple[int, int, WordSequence]]:
    """Yield where the versions and sections of a question stand among its words ("3.0"), with the passages that have them: their
    parts alone are in any passage. Nothing of those whose parts are in too many passages to be read."""
    folded = [word.casefold() for word in written]
    for number in filter(None, map(number_in, identifiers_in(question))):
        parts = words(number)
        forms = [parts, [f"v{parts[0]}", *parts[1:]]]
        at = [start for start in range(len(folded)) if folded[start : start + len(parts)] in forms]
        found = [_places_together(lookup.rows(form), lookup) for form in forms]
        if not at or any(places is None for places in found):
            continue
        passages = _passage_of(np.concatenate([places for places in found if places is not None]), lookup)
        yield at[0], at[0] + len(parts), WordSequence(*np.unique(passages, return_counts=True))


def _places_together(rows: IntArray, lookup: PassageLookup) -> IntArray | None:
    """Return where some words stand one behind the other; None where too many passages hold all of them."""
    if (rows >= lookup.n_terms).any():
        return np.zeros(0, dtype=np.int64)
    passages = lookup.holding(rows.tolist())
    if len(passages) > MOST_READ:
        return None
    tokens = lookup.arrays.tokens
    places = expanded(tokens, passages)
    for further, row in enumerate(rows.tolist()):
        places = places[places + further < len(tokens.items)]
        places = places[tokens.items[places + further] == row]
    return places


def find_names(question: QuestionWords, lookup: PassageLookup) -> list[NameMatch]:
    """Names in a question, longest first and then rarest where they overlap; in reading order. Words that merely ask are none:
    a text may hold "How Do I" as if it were one.

    A name weighs the square of its rarity over the log of its spread: of two, the one that narrows down more.
    """
    arrays, n = lookup.arrays, len(question.rows)
    found = []
    for start, form in lookup.forms.find(question.rows):
        end = start + lookup.forms.length(form)
        names = tuple(int(name) for name in arrays.form_names[form] if len(arrays.holders[name]))
        if names and question.content[start:end].any() and _is_meant(question, start, end, form, lookup):
            spread = int(max(arrays.spread[name] for name in names))
            found.append((end - start, lookup.rarity(spread), -start, names, spread))
    free = np.ones(n, dtype=bool)
    chosen = []
    for length, rarity, minus_start, names, spread in sorted(found, reverse=True):
        here = slice(-minus_start, length - minus_start)
        if free[here].all():
            free[here] = False
            chosen.append(NameMatch(here.start, here.stop, names, rarity**2 / np.log(spread + 2) / len(names)))
    return sorted(chosen)


def _is_meant(question: QuestionWords, start: int, end: int, form: int, lookup: PassageLookup) -> bool:
    """Whether a form in the question is the name, and not common words in the same order."""
    lowers, capitals = (counts(question.rows[start : start + 1])[0] for counts in (lookup.lowers, lookup.capitals))
    if not question.cased:
        sure = lookup.arrays.form_capital[form] >= MOSTLY
        single = end - start == 1
        return sure and not (single and lowers > HARDLY * capitals)
    if start == 0:  # the capital of the first word means nothing
        single = end == 1 and len(question.written[0]) > 1 and lowers == 0
        return single or bool(question.capital[1:end].any())
    if end - start > 1 and lookup.arrays.form_capital[form] >= MOSTLY:
        return True  # "the reign of terror"
    return bool(question.capital[start:end].any())


def find_phrases(question: QuestionWords, named: Sequence[NameMatch], lookup: PassageLookup) -> list[Phrase]:
    """Phrases of a question that no name covers and that few passages hold, the longest at each place."""
    used = np.zeros(len(question.rows), dtype=bool)
    for name in named:
        used[name.start : name.end] = True
    found = []
    for start, end, places in _longest_phrases(question, lookup):
        if used[start:end].all() or any(_cuts(name, start, end) for name in named):
            continue
        passages = distinct(_passage_of(places, lookup))
        if len(passages) <= lookup.hub:
            found.append(_phrase(question, start, end, places, lookup))
    return found


def _cuts(name: NameMatch, start: int, end: int) -> bool:
    """Whether a phrase shares only a part of a name of several words."""
    inside = start <= name.start and name.end <= end
    return name.end - name.start > 1 and name.start < end and start < name.end and not inside


def _longest_phrases(question: QuestionWords, lookup: PassageLookup) -> Iterator[tuple[int, int, IntArray]]:
    """(start, end, places): from each capital word the most words up to a capital one that are together somewhere."""
    rows, n, tokens = question.rows, len(question.rows), lookup.arrays.tokens.items
    capital = question.capital.copy()
    if question.cased and n:
        capital[0] = False
    reached = 0
    for start in np.flatnonzero(capital & (rows < lookup.n_terms)).tolist():
        end, best = start + 1, (start + 1, np.zeros(0, dtype=np.int64))
        places = _places(rows[start : start + 2], lookup)
        while end < n and rows[end] < lookup.n_terms and len(places):
            places = places[places + (end - start) < len(tokens)]
            places = places[tokens[places + (end - start)] == rows[end]]
            end += 1
            if len(places) and capital[end - 1]:
                best = (end, places)
        if best[0] - start == 1 and _is_rare(question, start, lookup):
            best = (start + 1, _places(rows[start : start + 1], lookup))
        if best[0] > reached and len(best[1]):
            reached = best[0]
            yield start, *best


def _places(rows: IntArray, lookup: PassageLookup) -> IntArray:
    """Where the first of one or two words is, in the passages that hold both."""
    tokens = lookup.arrays.tokens
    if (rows >= lookup.n_terms).any():
        rows = rows[:1]
    passages = lookup.holding(rows.tolist())
    if len(passages) > MOST_READ:
        return np.zeros(0, dtype=np.int64)
    places = expanded(tokens, passages)
    return np.asarray(places[tokens.items[places] == rows[0]])


def _is_rare(question: QuestionWords, place: int, lookup: PassageLookup) -> bool:
    row = question.rows[place]
    few = lookup.bm25.spread(row) <= max(3, RARE * lookup.n)
    rather_name = lookup.arrays.lowers[row] <= lookup.arrays.capitals[row]
    return bool(few and len(question.written[place]) > 1 and rather_name)


def _passage_of(places: IntArray, lookup: PassageLookup) -> IntArray:
    return np.asarray(np.searchsorted(lookup.arrays.tokens.offsets, places, side="right") - 1)


def _phrase(question: QuestionWords, start: int, end: int, places: IntArray, lookup: PassageLookup) -> Phrase:
    """A phrase with its passages: those that open with it are about it, and count as those with a name as their anchor."""
    all_passages = _passage_of(places, lookup)
    passages, first = np.unique(all_passages, return_index=True)
    opens = places[first] - lookup.arrays.tokens.offsets[passages] <= OPENING_WORDS
    shares = closeness(question.close, passages) * np.where(opens, WHOLE, 1.0)
    inside = lookup.sentences_at(places, all_passages)
    offsets = lookup.arrays.sentence_offsets
    own = ranges(offsets[passages[opens]], offsets[passages[opens] + 1])
    weight = PHRASE * lookup.rarity(len(passages)) ** 2 / np.log(len(passages) + 2)
    sentences = distinct(np.concatenate([inside, own]))
    return Phrase(start, end, float(weight), passages, shares / shares.sum(), sentences, int(opens.sum()))


def closeness(close: Closeness, passages: IntArray) -> FloatArray:
    """How close some passages are to the question, the closest at 1 + FLOOR."""
    here = close.of(passages)
    return np.asarray(FLOOR + here / max(here.max(initial=0.0), 1e-9))


def written(question: QuestionWords, start: int, end: int) -> str:
    """Words of a question as it writes them."""
    return " ".join(question.written[start:end])
