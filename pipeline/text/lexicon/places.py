"""Names that need no cue: of continents, countries, regions, rivers and large cities, and of organisations known everywhere."""

from typing import Final

from pipeline.text.lexicon.words import sections


def _names(head: str) -> frozenset[str]:
    return frozenset(" ".join(name.split()) for name in sections("places")[head].split(","))


PLACES: Final = _names("places")
"""Lower case; English names, and some as the places call themselves."""
ORGANIZATIONS: Final = _names("organizations")
"""Lower case: universities, companies and bodies that are known by this name everywhere."""
PRODUCTS: Final = _names("products")
"""Lower case: programs, systems and languages of programming, which are "in" and "on" as places are, and are none."""
