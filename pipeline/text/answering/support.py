"""How well passages carry a sentence, and the fewest of their sentences that do: by its names, numbers, dates, content words
and negations. Words only: no model reads them.
"""

import math
import re
from collections.abc import Callable, Collection, Sequence
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from pipeline.text.keys import keys_of
from pipeline.text.lexicon.questions.question_words import QUESTIONS
from pipeline.text.numbers import numbers_in
from pipeline.text.question.names import names_in
from pipeline.text.scripts import is_unspaced, language_of, words_of
from pipeline.text.sentences import split
from pipeline.text.stems import stem
from pipeline.text.tokenizer import words

SPANS, MOST_SPANS = 3, 5
"""Spans of one sentence, at most; and of one that names more people or things than that."""
GAIN = 0.08
"""Share of a sentence's weight that a further span must add."""
LEAST, PASSAGE, LONG = 20, 450, 900
"""Fewest characters of a sentence that says something by itself; most of a passage that is offered for a sentence, unless one
sentence of it is longer; and most of a span that is offered whole, such as a chunk with which an answer shares no word."""
NAME, NUMBER = 1.3, 2.0
"""What a name and a number weigh against another word of the same rarity."""
SUPPORTED, UNSUPPORTED = 0.6, 0.1
"""Support from which a sentence counts as supported, and below which as not supported. Of 133 statements that a reader
judged, one half of a set, the lower one finds 20 of 32 unsupported ones, with one of 37 that are fully supported; of the
other half 24 of 33, with one of 44."""
AMISS = 0.6
"""What is left of the support for each number that no span has, and where only one side says no."""
_NUMBERED = re.compile(r"\b(?:No\.?|no\.)\s?(?=\d)")
"""What numbers: "No. 12 Squadron"."""


Verdict = Literal["supported", "partly", "not supported"]
"""What passages are to a sentence that cites them."""


class Carried(NamedTuple):
    """Spans of texts, each as (place of the text, start, end), best first, and how well they carry a sentence, 0 to 1."""

    spans: tuple[tuple[int, int, int], ...]
    support: float


def spans_of(sentence: str) -> int:
    """Return how many spans a sentence may rest on: SPANS, or one for each name where it has more, MOST_SPANS at most."""
    return max(SPANS, min(MOST_SPANS, len(names_in(sentence))))


def verdict_of(support: float) -> Verdict:
    """Return the verdict on a sentence by how well the words of its passages carry it, 0 to 1."""
    return "supported" if support >= SUPPORTED else "partly" if support >= UNSUPPORTED else "not supported"


def support(sentence: str, passages: Sequence[str], rarity: Callable[[str], float] | None = None) -> float:
    """Return how well some passages together carry a sentence, 0 to 1; ``rarity`` weighs words, all the same without it."""
    language = language_of(sentence)
    terms = _terms(sentence, language, rarity)
    return _support(sentence, language, terms, _met(terms, " ".join(passages), language), " ".join(passages))


def carry(
    sentence: str,
    texts: Sequence[str],
    rarity: Callable[[str], float] | None = None,
    beside: Sequence[str] = (),
) -> Carried:
    """Return the fewest sentences of some texts, as many as ``spans_of`` allows, that carry a sentence best; of equals the first.

    ``beside`` says what is known of each text, such as who sent it; that counts with any sentence of it.
    """
    language = language_of(sentence)
    terms = _terms(sentence, language, rarity)
    total = sum(terms.values())
    if not total:
        return Carried((), 0.0)
    known = [_met(terms, one, language) for one in beside] or [frozenset()] * len(texts)
    left = [(place, a, b, _met(terms, text[a:b], language)) for place, text in enumerate(texts) for a, b in split(text)]
    left = [one for one in left if one[3] and texts[one[0]][one[1]] != "#"]  # a heading asserts nothing
    chosen: list[tuple[int, int, int]] = []
    met: frozenset[str] = frozenset()
    while left and len(chosen) < spans_of(sentence):
        best = max(left, key=lambda one: (_gain(one[3] - met, terms, one[2] - one[1]), -one[0], -one[1]))
        gain = sum(terms[key] for key in sorted(best[3] - met)) / total
        if gain < GAIN:
            break
        chosen.append(best[:3])
        met |= best[3] | known[best[0]]
        left.remove(best)
    said = " ".join(
        [*(texts[place][a:b] for place, a, b in chosen), *(beside[place] for place, _, _ in chosen if beside)]
    )
    return Carried(tuple(chosen), _support(sentence, language, terms, met, said))


def passages_for(
    sentence: str, texts: Sequence[str], rarity: Callable[[str], float], most: int
) -> tuple[tuple[int, int, int], ...]:
    """Return at most ``most`` passages of some texts, as (place of the text, start, end), that may carry a sentence, the
    likeliest first: the sentences that do so by their words, then what they leave, each as its paragraph has it, at most PASSAGE
    characters of it. They do not overlap.
    """
    language = language_of(sentence)
    terms = _terms(sentence, language, rarity)
    spans = [split(text) for text in texts]
    left = [
        (place, number, _met(terms, text[a:b], language))
        for place, text in enumerate(texts)
        for number, (a, b) in enumerate(spans[place])
        if (b - a >= LEAST or is_unspaced(text[a])) and text[a] != "#"
    ]
    left = [one for one in left if one[2]]
    found: list[tuple[int, int, int]] = []
    met: frozenset[str] = frozenset()
    while left and len(found) < most:
        best = max(left, key=lambda one: (_gain(one[2] - met, terms, 0), -one[0], -one[1]))
        if _gain(best[2] - met, terms, 0) < GAIN * sum(terms.values()):
            if not met:
                break
            met = frozenset()  # what carries it is found: the next best beside that
            continue
        place, number, _ = best
        start, end = _widened(texts[place], spans[place], number, number)
        if not any(other == place and a < end and start < b for other, a, b in found):
            found.append((place, start, end))
        met |= best[2]
        left = [one for one in left if one[0] != place or not start <= spans[place][one[1]][0] < end]
    return tuple(found)


def passage_around(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span of the passage that is around a span of a text: whole sentences, and their neighbours up to PASSAGE
    characters."""
    spans = split(text)
    inside = [number for number, (a, b) in enumerate(spans) if a < end and start < b]
    if not inside:
        return start, end
    low, high = _widened(text, spans, inside[0], inside[-1])
    return min(low, start), max(high, end)


def passages_of(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the spans of the passages of a span of a text, in order: whole sentences of one paragraph, up to PASSAGE characters."""
    found: list[tuple[int, int]] = []
    for a, b in ((max(a, start), min(b, end)) for a, b in split(text) if a < end and start < b):
        if found and b - found[-1][0] <= PASSAGE and "\n\n" not in text[found[-1][1] : a]:
            found[-1] = found[-1][0], b
        else:
            found.append((a, b))
    return found


def _widened(text: str, spans: Sequence[tuple[int, int]], begin: int, end: int) -> tuple[int, int]:
    """Return the span of sentences and their neighbours in the same paragraph, before them and behind them by turns, up to
    PASSAGE characters."""
    low, high = begin, end
    while True:
        before, behind = (low - 1, high), (low, high + 1)
        for first, last in (before, behind) if begin - low <= high - end else (behind, before):
            if first < 0 or last >= len(spans):
                continue
            joint = (spans[first][1], spans[low][0]) if first < low else (spans[high][1], spans[last][0])
            if spans[last][1] - spans[first][0] <= PASSAGE and "\n\n" not in text[slice(*joint)]:
                low, high = first, last
                break
        else:
            return spans[low][0], spans[high][1]


def _gain(new: Collection[str], terms: dict[str, float], length: int) -> float:
    """Return the weight of what a span adds, a little less for a long one."""
    return round(sum(terms[key] for key in sorted(new)) * (1 - min(length, 1000) / 5000), 9)


def _support(sentence: str, language: str, terms: dict[str, float], met: Collection[str], said: str) -> float:
    total = sum(terms.values())
    share = sum(terms[key] for key in sorted(met)) / total if total else 0.0
    amiss = len(numbers_in(sentence, language) - numbers_in(said, language))
    if share < 1:
        amiss += negates(sentence, language) != any(negates(said, one) for one in {language, language_of(said)})
    return round(share * AMISS ** min(amiss, 2), 6)


def _terms(sentence: str, language: str, rarity: Callable[[str], float] | None) -> dict[str, float]:
    """Return the content words of a sentence by their keys, with what each weighs: one that is in no passage as much as
    the rarest of the others."""
    function = words_of(language).function
    content = [
        (place, word)
        for place, word in enumerate(words(sentence))
        if not (is_unspaced(word) or word.casefold() in function or (len(word) < 2 and not word.isdigit()))
    ]
    rare = [rarity(word) if rarity else 1.0 for _, word in content]
    rarest = max(rare, default=0.0) or math.log(2)
    found: dict[str, float] = {}
    for (place, word), value in zip(content, rare, strict=True):
        factor = NUMBER if word[0].isdigit() else NAME if place and word[0].isupper() else 1.0
        key = stem(word, language)
        found[key] = max(found.get(key, 0.0), (value or rarest) * factor)
    if any(is_unspaced(word) for word in words(sentence)):
        found |= {key: 1.0 for key in keys_of(sentence, language) if len(key) == 2 and is_unspaced(key)}
    return found


def _met(terms: dict[str, float], text: str, language: str) -> frozenset[str]:
    keys = keys_of(text, language)
    return frozenset(key for key in terms if key in keys or _inside(key, keys))


@lru_cache(maxsize=100_000)
def _inside(key: str, keys: frozenset[str]) -> bool:
    """Return whether a word begins as a longer one does: another form, a compound."""
    return len(key) > 5 and any(other[:6] == key[:6] for other in keys if len(other) > 5)


def negates(text: str, language: str) -> bool:
    """Return whether a text in a language says no, not, never, nobody or the like."""
    said = (word.casefold() for word in words(_NUMBERED.sub("", text)))
    return bool(QUESTIONS.compiled("<<negating_anywhere>>").search(text)) or not _negating(language).isdisjoint(said)


@cache
def _negating(language: str) -> frozenset[str]:
    """Return the words that say no in a language; in English for one without a list."""
    by_language = QUESTIONS.by_language("negating")
    return frozenset(by_language.get(language, by_language["en"]))
