"""Countries, states of federations and continents: their names, the words made of them, and the nouns that questions call them by."""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from pipeline.text.lexicon.words import sections


class Territory(NamedTuple):
    """One country, state or continent."""

    kind: str
    """``country``, ``state`` or ``continent``."""
    names: tuple[str, ...]
    """Lower case, the usual one first."""
    words: tuple[str, ...]
    """Adjectives and words for its people: "spanish", "spaniards"."""


@cache
def territories() -> tuple[Territory, ...]:
    """All territories, read once; some words belong to several of them."""
    kinds = sections("territories").keys() - {"nouns"}
    return tuple(
        Territory(kind, tuple(name.strip() for name in names.split(",")), words)
        for kind in sorted(kinds)
        for names, words in _entries(kind)
    )


@cache
def territory_nouns() -> dict[str, str]:
    """The kind of territory that a noun calls for: "nation" is ``country``."""
    return {word: kind for kind, words in _entries("nouns") for word in words}


def _entries(head: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    for line in sections("territories")[head].splitlines():
        names, _, words = line.partition(":")
        yield names, tuple(words.split())
