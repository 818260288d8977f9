"""What words of two texts are compared by: stems, and characters and pairs of characters of scripts without spaces."""

import re
from collections.abc import Collection, Iterable, Mapping, Set
from functools import cache, lru_cache
from itertools import repeat
from types import MappingProxyType

from pipeline.text.lexicon.words import sections
from pipeline.text.scripts import UNSPACED, UNSPACED_CHARACTER, words_of
from pipeline.text.stems import stem
from pipeline.text.tokenizer import MARKS, fold_word

PARTLY, INSIDE = 0.8, 0.6
"""How far a key is met by one that begins as it does, and by one that contains it or is a part of it, as in a compound."""
ALIKE = 0.75
"""Share of the keys of two texts that both must have to say nearly the same."""
LEAST_PART = 5
"""Fewest letters of a key that may be a part of another word."""
REST = 3
"""Fewest letters of a compound besides one of its parts: "other" is no part of "brother"."""
ENDING = 3
"""Letters that a form of a word may have more than the word: "childhood" is no form of "child"."""
BEGINNING = 6
"""Letters at the beginning of two longer words that must agree."""

LEAST_VERB, LEAST_OTHER = {"de": 3}, 4
"""Letters of the stem of a verb before which something is taken for a part of a compound: "propuso" is listed, "dedic" no form of
"dice"."""

TOKEN = re.compile(rf"[{UNSPACED}]+|(?:(?![{UNSPACED}])[^\W_]|[{MARKS}])+")
_ASCII_TOKEN = re.compile("[a-zA-Z0-9]+")  # what it finds in ASCII text, much faster


def keys_by_language(words: Mapping[str, Iterable[str]]) -> frozenset[str]:
    """Return the keys of words that are given by the ISO 639-1 codes of their languages."""
    return frozenset(key_of(word, language) for language, some in words.items() for word in some)


@lru_cache(maxsize=200_000)
def key_of(word: str, language: str) -> str:
    """Return the key of a word of a spaced script: its stem in a language, of an irregular form that of its base form."""
    own = stem(base_forms().get(word.casefold(), word) if language == "en" else word, language)
    known = _base_stems(language)
    return known.get(own) or (_base_of_compound(own, language) if known else own)


@cache
def _base_stems(language: str) -> Mapping[str, str]:
    """Return the stem of the base form of each stem that irregular and weak verbs of a language have besides it; empty for a
    language without a list. English verbs are listed form by form: see ``base_forms``."""
    lists = sections("irregular_forms")
    found: dict[str, str] = {}
    for base, *forms in map(str.split, lists.get(language, "").splitlines()):
        for form in forms:
            found.setdefault(stem(form, language), stem(base, language))
    for infinitive in lists.get(f"weak_{language}", "").split():
        root, own = infinitive.removesuffix("n").removesuffix("e"), stem(infinitive, language)
        for form in (f"{root}te", f"{root}ete", f"ge{root}t", f"ge{root}et"):
            found.setdefault(stem(form, language), own)
    bases = frozenset(found.values())
    return MappingProxyType({form: base for form, base in found.items() if form not in bases})


def _base_of_compound(own: str, language: str) -> str:
    """Return the stem of the base form of a stem with something before a verb: "aufnehm" of "aufgenomm", and of "aufzunehm"."""
    known = _base_stems(language)
    for before in _before_verbs(language):
        if own.startswith(before):
            verb = own.removeprefix(before)
            if len(verb) < LEAST_VERB.get(language, LEAST_OTHER):
                continue
            base = known.get(verb) or (
                verb[2:] if language == "de" and verb[:2] == "zu" and verb[2:] in _bases() else ""
            )
            if base:
                return before + base
    return own


@cache
def _before_verbs(language: str) -> tuple[str, ...]:
    """Return what compounds of verbs of a language begin with, folded, the longest first."""
    listed = sections("irregular_forms").get(f"before_{language}", "").split()
    return tuple(sorted(map(fold_word, listed), key=lambda before: (-len(before), before)))


@cache
def _bases() -> frozenset[str]:
    """Return the stems of the base forms of German verbs, before which compounds have "zu"."""
    return frozenset(_base_stems("de").values())


@cache
def base_forms() -> dict[str, str]:
    """Return the base form of each irregular English form: "take" of "took"."""
    return {form: base for base, *forms in irregular_lines() for form in forms}


def irregular_lines() -> list[list[str]]:
    """Return the irregular English words, each a base form with its other forms, the past tense of a verb first."""
    return [line.split() for line in sections("irregular_en")["irregular"].splitlines()]


@cache
def irregular_forms() -> dict[str, tuple[str, ...]]:
    """Return the irregular English forms of each base form that has some."""
    found: dict[str, list[str]] = {}
    for form, base in base_forms().items():
        found.setdefault(base, []).append(form)
    return {base: tuple(forms) for base, forms in found.items()}


def pairs(text: str) -> list[str]:
    """Return the pairs of neighbouring characters of a run of an unspaced script; a single character as it is."""
    return [text[i : i + 2] for i in range(len(text) - 1)] or [text]


@lru_cache(maxsize=20_000)
def keys_of(text: str, language: str) -> frozenset[str]:
    """Return the keys of a text: stems of its words in a language, characters and pairs of those of unspaced scripts."""
    if text.isascii():
        return frozenset(map(key_of, _ASCII_TOKEN.findall(text), repeat(language)))
    found: set[str] = set()
    for token in TOKEN.findall(text):
        if UNSPACED_CHARACTER.match(token):
            found.update(token)
            found.update(pairs(token))
        else:
            found.add(key_of(token, language))
    return frozenset(found)


def keys_in_order(text: str, language: str, without: Collection[str] = ()) -> list[str]:
    """Return the key of every word of a text as it reads, ``without`` some words in lower case; pairs of characters of
    unspaced scripts."""
    found: list[str] = []
    for token in TOKEN.findall(text):
        if UNSPACED_CHARACTER.match(token):
            found += pairs(token)
        elif token.lower() not in without:
            found.append(key_of(token, language))
    return found


def content_keys(text: str, language: str) -> frozenset[str]:
    """Return the keys of the words of a text that say something: neither function words of its language nor single
    characters of unspaced scripts."""
    keys = keys_in_order(text, language, words_of(language).function)
    return frozenset(key for key in keys if len(key) > 1 or not UNSPACED_CHARACTER.match(key))


def share_met(wanted: Set[str], text: str, language: str) -> float:
    """Return which share of some keys is among those of a text, 0 to 1; 0 when nothing is wanted."""
    return len(wanted & keys_of(text, language)) / len(wanted) if wanted else 0.0


def alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """Return whether two texts say nearly the same, by their keys: form letters, repeated tickets."""
    return len(one & other) >= ALIKE * len(one | other)


@lru_cache(maxsize=100_000)
def meets(key: str, keys: frozenset[str]) -> float:
    """Return how far some keys meet one, 0 to 1: 1 where it is among them, less where one of them begins as it does, is
    a part of it, or contains it."""
    if key in keys:
        return 1.0
    if not _has_relatives(key) or not _may_meet(key, keys):
        return 0.0
    best = 0.0
    for other in keys:
        if len(other) < LEAST_PART - 1 or other[0].isdigit():
            continue
        shorter = min(len(key), len(other))
        if key[:shorter] == other[:shorter] and abs(len(key) - len(other)) <= ENDING:
            return PARTLY
        if (
            key[:shorter] == other[:shorter]
            or (shorter > LEAST_PART and key[:BEGINNING] == other[:BEGINNING])
            or (len(other) >= LEAST_PART and abs(len(key) - len(other)) >= REST and (key in other or other in key))
        ):
            best = INSIDE
    return best


@lru_cache(maxsize=10_000)
def _has_relatives(key: str) -> bool:
    return len(key) >= LEAST_PART and not UNSPACED_CHARACTER.match(key) and not key.isdigit()


_LONG = 60
"""Letters of a key from which on its parts are not listed; hardly a word of any language has as many."""


def _may_meet(key: str, keys: frozenset[str]) -> bool:
    """Return whether one of some keys may begin as a key does, be a part of it, or contain it: hardly any does. Of a long
    key that is left open: its parts are as many as the square of its letters."""
    if len(key) > _LONG:
        return True
    joined = _joined(keys)
    begins = "\n" + key[:BEGINNING]
    return key in joined or (len(key) >= BEGINNING and begins in joined) or not _parts(key).isdisjoint(keys)


@lru_cache(maxsize=5_000)
def _joined(keys: frozenset[str]) -> str:
    """Return some keys one after the other, each behind a line break."""
    return "\n" + "\n".join(keys)


@lru_cache(maxsize=10_000)
def _parts(key: str) -> frozenset[str]:
    """Return the beginnings of a key, and what may be a part of it."""
    sizes = range(LEAST_PART, len(key))
    inside = {key[start : start + size] for size in sizes for start in range(len(key) - size + 1)}
    return frozenset(inside | {key[:size] for size in range(LEAST_PART - 1, len(key))})
