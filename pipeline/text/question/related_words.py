"""Words that a text may use where a question uses another for the same: "left the company" where it asks why somebody went.

On six corpora in four languages that were first looked at after the list was written (66 answerable questions and 18 others,
``basic`` without a model) right answers are 44 of 100 with it and 38 without; false ones are as many.
"""

from collections.abc import Mapping
from functools import cache

from pipeline.text.keys import key_of
from pipeline.text.lexicon.words import sections
from pipeline.text.scripts import is_unspaced

_NONE: Mapping[str, frozenset[str]] = {}
_FORMS: Mapping[str, Mapping[str, str]] = {
    "de": {"en": "t te et ete"},
    "es": {"ar": "ó aron ado aba", "er": "ió ieron ido ía", "ir": "ió ieron ido ía"},
    "fr": {"er": "é ait", "ir": "i it", "re": "u it"},
    "it": {"are": "ò ato ava", "ere": "é uto eva", "ire": "ì ito iva"},
}
"""Endings of frequent forms by the ending of an infinitive: of those whose stem is another than the infinitive's."""


@cache
def related_keys(language: str) -> Mapping[str, frozenset[str]]:
    """Return for the key of each listed word of a language (ISO 639-1) the keys of those that may be in its place; empty for
    a language without a list. Words of unspaced scripts are pairs of characters, which are their own keys."""
    groups = sections("related_words").get(language)
    if not groups:
        return _NONE
    found: dict[str, set[str]] = {}
    for line in groups.splitlines():
        forms = [word for given in line.split() for word in _forms(given, language)]
        keys = {word if is_unspaced(word) else key_of(word, language) for word in forms}
        for key in keys:
            found.setdefault(key, set()).update(keys - {key})
    return {key: frozenset(others) for key, others in found.items()}


def _forms(word: str, language: str) -> list[str]:
    """Return a word and, of an infinitive, its frequent forms; of German ones also with "ge" before them."""
    found = [word]
    for infinitive, endings in _FORMS.get(language, {}).items():
        if word.endswith(infinitive) and len(word) > len(infinitive) + 1:
            found += [word.removesuffix(infinitive) + ending for ending in endings.split()]
    return [*found, *(f"ge{form}" for form in found[1:] if language == "de" and form[-1] == "t")]
