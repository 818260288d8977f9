"""Stems: what the forms of a word share, by the Snowball algorithm of its language (Porter, 2001; snowballstemmer, BSD).

A word is stemmed by its script where that decides (Cyrillic, Greek, Arabic, ...), else by the language it is said to be in.
Words of scripts without spaces, figures, and languages without an algorithm are their own stems.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import Final

from pipeline.text.tokenizer import fold_word

_ALGORITHMS: Final[Mapping[str, str]] = {
    "de": "german",
    "en": "english",
    "es": "spanish",
    "fi": "finnish",
    "fr": "french",
    "hu": "hungarian",
    "it": "italian",
    "nl": "dutch",
    "pl": "polish",
    "pt": "portuguese",
    "sv": "swedish",
    "tr": "turkish",
    "ru": "russian",
    "el": "greek",
    "ar": "arabic",
    "hi": "hindi",
    "ta": "tamil",
    "hy": "armenian",
}
"""Snowball algorithm of a language, by ISO 639-1 code."""

_SCRIPTS: Final = (
    ("ru", re.compile("[\u0400-\u04ff]")),
    ("el", re.compile("[\u0370-\u03ff\u1f00-\u1fff]")),
    ("ar", re.compile("[\u0600-\u06ff\u0750-\u077f]")),
    ("hi", re.compile("[\u0900-\u097f]")),
    ("ta", re.compile("[\u0b80-\u0bff]")),
    ("hy", re.compile("[\u0530-\u058f]")),
)
_LATIN: Final = re.compile("[a-z\u00df-\u024f]+")
_SHORTEST: Final = 4
"""Letters; shorter words are their own stems in the Latin script, where what looks like their ending seldom is one."""


@lru_cache(maxsize=200_000)
def stem(word: str, language: str = "en") -> str:
    """The stem of a word, folded first; ``language`` is an ISO 639-1 code, and English for a code without an algorithm."""
    folded = fold_word(word)
    if _LATIN.fullmatch(folded):
        if len(folded) < _SHORTEST:
            return folded
        return _stemmer(language if language in LATIN_LANGUAGES else "en")(folded)
    if folded[:1].isascii():
        return folded
    code = next((code for code, script in _SCRIPTS if script.match(folded)), "")
    found = _stemmer(code)(folded) if code else folded
    return _russian(found) if code == "ru" else found


def _russian(found: str) -> str:
    """Return a Russian stem as all cases of its word have it: without the "е" that the algorithm leaves of "музея", and without the vowel
    that only the bare stem has, "заявок" beside "заявка"."""
    found = found.removesuffix("е") if len(found) > _LEAST_BEFORE_E else found
    return _FLEETING.sub("", found)


_FLEETING: Final = re.compile(r"(?<=[Ѐ-ӿ]{2}[бвгджзйклмнпрстфхцчшщ])[еёо](?=[кнрлц]$)")
_LEAST_BEFORE_E: Final = 2
"""Letters of a Russian stem that is not cut further."""
LATIN_LANGUAGES: Final = frozenset(_ALGORITHMS) - {code for code, _ in _SCRIPTS}
"""Languages in Latin letters that have an algorithm."""


@cache
def _stemmer(language: str) -> Callable[[str], str]:
    import snowballstemmer  # which takes PyStemmer, the same algorithms in C, sixteen times as fast

    algorithm: Callable[[str], str] = snowballstemmer.stemmer(_ALGORITHMS[language]).stemWord
    return algorithm
