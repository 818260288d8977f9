"""How frequent a word is in any text of its language."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from pipeline.text.lexicon.words import sections

RARE = 4.2
"""The frequency of a word that no list has."""


def frequency(word: str, language: str) -> float:
    """Return the logarithm to the base of 10 of the number of a word (lower case) in a thousand million words of a language,
    an ISO 639-1 code; RARE where it is rarer, or where the language has no list."""
    return _frequencies(language).get(word, RARE)


@cache
def _frequencies(language: str) -> Mapping[str, float]:
    name = f"frequent_{language}"
    if not files(__package__).joinpath(f"{name}.txt").is_file():
        return MappingProxyType({})
    return {word: int(head) / 10 for head, words in sections(name).items() for word in words.split()}
