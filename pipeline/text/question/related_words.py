"""Words that a text may use where a question uses another for the same: "left the company" where it asks why somebody went.

Most of the lists were written by going through the most frequent words of each language and the fields of daily life, looking at no
corpus. On twelve corpora whose questions avoid the words of the texts (240 answerable questions and 48 others, ``basic`` without a model)
what was added so brought right answers from 13.8 to 15.4 of 100 and those shown from 54.6 to 57.5, on seventeen others (315 and 61) from
55.9 to 56.8 and from 83.8 to 84.8; false ones from 17 to 18 of 109. A list of verbs among the thousand most frequent words brought
false answers and no right ones, and was left out.
"""

import re
from collections.abc import Mapping
from functools import cache, lru_cache

from pipeline.text.keys import TOKEN, base_forms, key_of
from pipeline.text.lexicon.words import sections
from pipeline.text.scripts import is_unspaced
from pipeline.text.tokenizer import fold_word

INITIALS, FEW = 2, 400
"""Characters of a word by which the lines are found that may hold it, and lines up to which all are read."""
_FORMS: Mapping[str, Mapping[str, str]] = {
    "de": {"en": "t te et ete"},
    "es": {"ar": "ó aron ado aba", "er": "ió ieron ido ía", "ir": "ió ieron ido ía"},
    "fr": {"er": "é ait", "ir": "i it", "re": "u it"},
    "it": {"are": "ò ato ava", "ere": "é uto eva", "ire": "ì ito iva"},
}
"""Endings of frequent forms by the ending of an infinitive: of those whose stem is another than the infinitive's."""
_BETWEEN = r"(?: [\w'’-]+){0,2} "
"""What may be between an English verb and the particle that belongs to it: "put it off"."""


class RelatedWords:
    """The lists of a language (ISO 639-1): which words and phrases may be in each other's place. Only those lines are read closely that
    may hold what is looked up, since the keys of all of them take longer than a question."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._groups = sections("related_words").get(language, "").splitlines()
        self._n_initials = INITIALS if len(self._groups) > FEW else 0
        self._by_initials: dict[str, list[int]] = {}
        for number, line in enumerate(self._groups):
            for initials in {initials for word in line.split() for initials in self._initials(word)}:
                self._by_initials.setdefault(initials, []).append(number)
        lines = (line.partition(" = ") for line in sections("related_phrases").get(language, "").splitlines())
        self._phrases = [(phrases.split(", "), words) for phrases, _, words in lines]
        self._by_first: dict[str, list[tuple[int, str]]] = {}
        self._phrases_by_initials: dict[str, list[int]] = {}
        for number, (phrases, words) in enumerate(self._phrases):
            for phrase in phrases:
                self._by_first.setdefault(TOKEN.findall(phrase)[0], []).append((number, phrase))
            for initials in {initials for word in words.split() for initials in self._initials(word)}:
                self._phrases_by_initials.setdefault(initials, []).append(number)
        self._keys: dict[str, frozenset[str]] = {}

    def of(self, key: str) -> frozenset[str]:
        """Return the keys of the words that may be in the place of one with a key, which words of unspaced scripts are themselves."""
        groups = (self._keys_of(self._groups[number]) for number in self._by_initials.get(key[: self._n_initials], ()))
        return frozenset().union(*(keys for keys in groups if key in keys)) - {key}

    def in_phrases(self, text: str) -> list[tuple[frozenset[str], frozenset[str]]]:
        """Return for each phrase of a text its words, folded, and the keys of the single words that say it."""
        found = []
        for first in dict.fromkeys(word.casefold() for word in TOKEN.findall(text)):
            for number, phrase in self._by_first.get(first, ()):
                if said := _pattern((phrase,)).search(text):
                    words = frozenset(map(str.casefold, TOKEN.findall(said[0])))
                    found.append((words, self._keys_of(self._phrases[number][1])))
        return found

    def phrases_for(self, key: str) -> list[re.Pattern[str]]:
        """Return how the phrases are found that say what a word with a key says."""
        lines = (self._phrases[number] for number in self._phrases_by_initials.get(key[: self._n_initials], ()))
        return [_pattern(tuple(phrases)) for phrases, words in lines if key in self._keys_of(words)]

    def _initials(self, word: str) -> set[str]:
        """Return how the keys of the forms of a word may begin."""
        begin = [word, fold_word(word), _irregular(self.language).get(word, word)]
        begin += ["ge"] if self.language == "de" and word.endswith("en") else []
        return {one[: self._n_initials] for one in begin}

    def _keys_of(self, line: str) -> frozenset[str]:
        if line not in self._keys:
            forms = [word for given in line.split() for word in _forms(given, self.language)]
            self._keys[line] = frozenset(word if is_unspaced(word) else key_of(word, self.language) for word in forms)
        return self._keys[line]


@cache
def related_words(language: str) -> RelatedWords:
    """Return the lists of a language (ISO 639-1), empty ones for a language without."""
    return RelatedWords(language)


@lru_cache(maxsize=2000)
def _pattern(phrases: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(_form, phrases))})(?!\w)", re.IGNORECASE)


def _form(phrase: str) -> str:
    words = [re.escape(word).replace("'", "['’]") for word in phrase.split()]
    if len(words) == 2 and words[1] in _particles():
        return words[0] + _BETWEEN + words[1]
    return r"\s+".join(words)


@cache
def _particles() -> frozenset[str]:
    return frozenset(sections("related_phrases")["particles"].split())


@cache
def _irregular(language: str) -> Mapping[str, str]:
    """Return the base form of each listed irregular form of a language."""
    if language == "en":
        return base_forms()
    lines = map(str.split, sections("irregular_forms").get(language, "").splitlines())
    return {form: base for base, *forms in lines for form in forms}


def _forms(word: str, language: str) -> list[str]:
    """Return a word and, of an infinitive, its frequent forms; of German ones also with "ge" before them."""
    found = [word]
    for infinitive, endings in _FORMS.get(language, {}).items():
        if word.endswith(infinitive) and len(word) > len(infinitive) + 1:
            found += [word.removesuffix(infinitive) + ending for ending in endings.split()]
    return [*found, *(f"ge{form}" for form in found[1:] if language == "de" and form[-1] == "t")]
