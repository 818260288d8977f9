"""Names of continents, countries, regions, rivers and cities, and of organisations and programs known everywhere."""

from functools import cache
from typing import Final

from pipeline.text.inflection import base_form
from pipeline.text.lexicon.words import sections


def _names(head: str, file: str = "places") -> frozenset[str]:
    return frozenset(map(str.strip, " ".join(sections(file)[head].split()).split(",")))


PLACES: Final = _names("places") | _names("countries", "countries")
"""Lower case; English names, and some as the places call themselves; countries in all languages of the lists."""
ORGANIZATIONS: Final = _names("organizations")
"""Lower case: universities, companies and bodies that are known by this name everywhere."""
WORKS: Final = _names("works")
"""Lower case: books, films, series and games that are known by this name everywhere."""
PRODUCTS: Final = _names("products")
"""Lower case: programs, systems and languages of programming, which are "in" and "on" as places are, and are none."""


@cache
def cities() -> frozenset[str]:
    """Return names of cities, lower case: what a text says of a name goes first all the same."""
    return _names("cities", "cities")


@cache
def ambiguous_cities() -> frozenset[str]:
    """Names of cities, lower case, that are surnames or names of something else as often: places only where a cue says so."""
    return _names("surnames_too", "cities")


_SURNAME_ENDINGS: Final = ("ов", "ев", "ёв", "ин", "ын")


@cache
def _inflected() -> frozenset[str]:
    """The base forms of the names in Cyrillic letters; without those of cities that are base forms of surnames as well."""
    russian = {base_form(name) for name in cities() if _is_cyrillic(name)}
    return frozenset(base_form(name) for name in PLACES if _is_cyrillic(name)) | frozenset(
        stem for stem in russian if len(stem) > 2 and not stem.endswith(_SURNAME_ENDINGS)
    )


def is_place_in_a_case(name: str) -> bool:
    """Return whether a name (lower case) is a form of a place's: Москвы, Москве."""
    return _is_cyrillic(name) and base_form(name) in _inflected()


def _is_cyrillic(name: str) -> bool:
    return "\u0400" <= name[:1] <= "\u04ff"
