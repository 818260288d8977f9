"""The names of passages: which there are, in which forms, where they are, and which of them a passage is about.

Names come from three sources: those given (a vocabulary, or a language model), the anchors of the passages, and every span
with capitals. So a name that the vocabulary left out is found all the same; what the given names add is other forms of
one name. Names in lower case (common nouns) are left out: measured on 2WikiMultiHopQA they cost 0.8 points of recall@5 with
titles and 2 without, because they join passages that have nothing in common.

A longer name implies the shorter ones inside it ("Sancho Ramírez, Count of Ribagorza": "Sancho Ramírez") and the one that
leaves out its middle ("Frank William George Lloyd": "Frank Lloyd").
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pipeline.base.arrow.columns import FloatArray, IntArray
from pipeline.base.storage.spill import Spill
from pipeline.retrieval.indexing.passage_words import Block, Cases, PassageWords, Spills
from pipeline.retrieval.phrase_matcher import LONGEST, Forms, without_overlap
from pipeline.text.lexicon.genders import is_name
from pipeline.text.scripts import LANGUAGES

IMPLIED: Final = 0.5
"""Weight of a name that a longer one implies, as a share of its own."""
OWN: Final = 2.0
"""What it adds to the weight of a name that the passage is about it."""
WHOLE, LIKELY, PART = 3.0, 2.0, 1.0
"""How surely a passage is about a name: its whole anchor; the name that opens or dominates it; a part of its anchor, which
several passages may share (a title without its bracket)."""
OPENING_WORDS: Final = 3
"""A name that begins within so many words of a passage is its subject ("The young Ada Thorne was ...")."""
_LONGEST_SHORTENED: Final = 8
"""Most words of a name that is shortened; each word doubles the ways to leave out middle ones."""

_FUNCTION: Final = frozenset().union(*(lists.function for lists in LANGUAGES.values()))
_NUMBERED: Final = re.compile(r"(.*), (?:(?:line|record|row) )?\d+")
_SERIES: Final = 3
"""So many titles that differ only in a number at their end are places of records without a title."""
_BRACKET: Final = re.compile(r"\s*[(（][^()（）]*[)）]\s*$")


@dataclass
class FormSet:
    """Forms and the names they mean, as they are collected."""

    titles: list[str] = field(default_factory=list)
    names_of: dict[tuple[int, ...], list[int]] = field(default_factory=dict)
    alone: set[tuple[int, ...]] = field(default_factory=set)
    n_certain: int = 0
    """The first so many forms were given or are anchors; the others were read from capitals."""

    def add(self, form: tuple[int, ...], name: int) -> None:
        names = self.names_of.setdefault(form, [])
        if name not in names:
            names.append(name)

    def name_of(self, form: tuple[int, ...], title: str, alone: bool = False) -> None:
        """Make a name of a form that has none yet.

        ``alone`` takes it from the names that have it: "Beatrice (1987 film)" is distinguished from other Beatrices by its bracket,
        whatever a vocabulary has merged.
        """
        if form not in self.names_of or (alone and form not in self.alone):
            self.names_of[form] = [len(self.titles)]
            self.titles.append(title)
        if alone:
            self.alone.add(form)


def collect_forms(
    words: PassageWords, anchors: Sequence[str], names: Sequence[tuple[str, Sequence[str]]]
) -> tuple[FormSet, list[tuple[int, tuple[int, ...], float]]]:
    """All forms of all names, and (passage, form, weight) for what the anchors name."""
    found = FormSet()
    for number, (title, forms) in enumerate(names):
        found.titles.append(title)
        for form in dict.fromkeys([title, *forms]):
            rows = words.rows(form) if is_name(form) else ()
            if 0 < len(rows) <= LONGEST:
                found.add(rows, number)
    own = []
    numbered = Counter(match[1] for anchor in sorted(set(anchors)) if (match := _NUMBERED.fullmatch(anchor)))
    for passage, anchor in enumerate(anchors):
        if (match := _NUMBERED.fullmatch(anchor)) and numbered[match[1]] >= _SERIES:
            continue  # "Notes, line 12" names nothing
        for text, weight in anchor_names(anchor):
            rows = words.rows(text)
            if 0 < len(rows) <= LONGEST:
                found.name_of(rows, text, alone=bool(_BRACKET.search(text)))
                own.append((passage, rows, weight))
    found.n_certain = len(found.names_of)
    for span in _capital_forms(words, set(found.names_of)):
        found.name_of(span, " ".join(words.terms[row] for row in span))
    return found, own


def anchor_names(anchor: str) -> Iterator[tuple[str, float]]:
    """What an anchor ("title > heading") names: the title and the heading, whole, and each without its bracket."""
    for part in dict.fromkeys(part.strip() for part in anchor.split(" > ")):
        if part:
            yield part, WHOLE
            bare = _BRACKET.sub("", part)
            if bare and bare != part:
                yield bare, PART


def _capital_forms(words: PassageWords, certain: Collection[tuple[int, ...]]) -> dict[tuple[int, ...], None]:
    """Capitalised spans that are names: not a common word that opens a sentence, which is also cut off before a name.

    Where what is left is a name by itself, ``certain`` or seen elsewhere, the span with the common word is none: "There
    Edmund Vane". One word left is not enough to decide it: "The Ape".
    """
    common, rather_common = _common_words(words)
    found: dict[tuple[int, ...], None] = {}
    cut: dict[tuple[int, ...], tuple[int, ...]] = {}
    for block in words.blocks():
        stream, spans = block.stream.tolist(), block.spans.tolist()
        for start, end in zip(spans[::2], spans[1::2], strict=True):
            span = tuple(stream[start:end])
            if len(span) > 1 and block.opening[start] and rather_common[span[0]]:
                cut[span] = span[1:]
            elif len(span) > 1 or not (common[span[0]] or len(words.terms[span[0]]) < 2):
                found.setdefault(span)
    alone = set(found)
    for span, rest in cut.items():
        if rest not in certain and (len(rest) > 1 or not common[rest[0]]):
            found.setdefault(rest)
        if rest not in certain and not (len(rest) > 1 and rest in alone):
            found.setdefault(span)
    return found


def _common_words(words: PassageWords) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Words that are mostly, and that are often, in lower case; where no occurrence of a word decides, a list does."""
    lowers, capitals = words.cases
    function = np.array([term in _FUNCTION for term in words.terms], dtype=bool) & (lowers == 0) & (capitals == 0)
    return (lowers > capitals) | function, (2 * lowers > capitals) | function


@dataclass(frozen=True)
class Occurrences:
    """Where forms occur as names, without overlap; and what is known of each form from all its occurrences."""

    found: Spill
    """For each block of words the ``starts`` among its words and the ``forms``."""
    spread: IntArray
    """(F) passages that hold a form."""
    capital: FloatArray
    """(F) share of its occurrences that are names."""


def find_forms(words: PassageWords, forms: Forms, anchored: IntArray, n_certain: int, spills: Spills) -> Occurrences:
    """Find the forms in the stream; one counts as a name where it has a capital that does not merely open a sentence.

    ``anchored`` are the forms of anchors: one capital occurrence more, for a title may be in no text. A form from
    ``n_certain`` on, read from capitals, is none where it mostly begins in lower case: "In the United Kingdom" opens
    sentences, "in the United Kingdom" is inside them.
    """
    n = len(forms.lengths)
    anchor = np.bincount(anchored, minlength=n) > 0
    likely, all_of, begins = spills(), anchor.astype(np.int64), np.zeros(n, np.int64)
    for block in words.blocks():
        starts, found = forms.find(block.stream, block.ends())
        all_of += np.bincount(found, minlength=n)
        begins += 2 * np.bincount(found[block.capital[starts]], minlength=n) - np.bincount(found, minlength=n)
        named = _has_capital_inside(block, starts, forms.lengths[found], words.cases)
        likely.write_arrays(_narrow(starts=starts[named], forms=found[named]))
    counts = begins >= 0
    counts[:n_certain] = True
    kept, names_of, spread = spills(), anchor.astype(np.int64), np.zeros(n, np.int64)
    for block, occurrences in zip(words.blocks(), likely.arrays(), strict=True):
        are_names = counts[occurrences["forms"]]
        starts, found = occurrences["starts"][are_names], occurrences["forms"][are_names]
        names_of += np.bincount(found, minlength=n)
        pairs = np.unique(block.passage()[starts] * n + found)
        spread += np.bincount(pairs % max(n, 1), minlength=n)
        free = without_overlap(starts, forms.lengths[found])
        kept.write_arrays(_narrow(starts=starts[free], forms=found[free]))
    return Occurrences(kept, spread, names_of / np.maximum(all_of, 1))


def _has_capital_inside(block: Block, starts: IntArray, lengths: IntArray, cases: Cases) -> NDArray[np.bool_]:
    """Which occurrences have a capital that does not merely open a sentence."""
    has_capital = block.capital[starts]
    for place in range(1, int(lengths.max(initial=0))):
        longer = np.flatnonzero(lengths > place)
        has_capital[longer] |= block.capital[starts[longer] + place]
    first = block.stream[starts]
    merely_opens = (lengths == 1) & block.opening[starts] & (cases.lowers[first] > cases.capitals[first])
    found: NDArray[np.bool_] = has_capital & ~merely_opens
    return found


def _narrow(**arrays: IntArray) -> dict[str, NDArray[np.int32]]:
    return {name: values.astype(np.int32) for name, values in arrays.items()}


def implied_forms(forms: Forms, names: NDArray[np.bool_], anchored: IntArray) -> list[list[int]]:
    """For each form the shorter ones that it implies: those inside it, not inside one another, and those it shortens to.

    ``names`` are the forms that count. A single word is implied only where it is an anchor: "Alexander" is not what "Alexander Korda" is about.
    """
    implied: list[list[int]] = [[] for _ in forms.lengths]
    hosts = np.repeat(np.arange(len(forms.lengths)), forms.lengths)
    starts, found = forms.find(forms.tokens, np.repeat(forms.offsets[1:], forms.lengths))
    host, length = hosts[starts], forms.lengths[found]
    anchor = np.bincount(anchored, minlength=len(forms.lengths)) > 0
    inner = names[found] & (length < forms.lengths[host]) & ((length > 1) | anchor[found])
    starts, found, host, length = starts[inner], found[inner], host[inner], length[inner]
    covered: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for place in np.lexsort((starts, -length, host)).tolist():
        a, b, form = int(starts[place]), int(starts[place] + length[place]), int(host[place])
        if not any(start <= a and b <= end for start, end in covered[form]):
            covered[form].append((a, b))
            implied[form].append(int(found[place]))
    _add_shortened(forms, names, implied)
    return implied


def _add_shortened(forms: Forms, names: NDArray[np.bool_], implied: list[list[int]]) -> None:
    ends = forms.offsets.tolist()
    tokens = forms.tokens.tolist()
    sequences = [tuple(tokens[a:b]) for a, b in pairwise(ends)]
    row_of = {sequence: row for row, sequence in enumerate(sequences)}
    for row, sequence in enumerate(sequences):
        if 2 < len(sequence) <= _LONGEST_SHORTENED:
            have = {row, *implied[row]}
            for short in _shortened(sequence):
                other = row_of.get(short)
                if other is not None and names[other] and other not in have:
                    have.add(other)
                    implied[row].append(other)


def _shortened(form: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Without some of its middle words; and each word but the last together with the last."""
    middle = range(1, len(form) - 1)
    for kept in range(len(form) - 2):
        for places in combinations(middle, kept):
            yield (form[0], *(form[place] for place in places), form[-1])
    for place in middle:
        yield form[place], form[-1]
