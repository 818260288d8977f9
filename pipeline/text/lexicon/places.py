"""Names of places that need no cue: continents, countries, regions and large cities."""

from typing import Final

from pipeline.text.lexicon.words import sections

PLACES: Final = frozenset(" ".join(name.split()) for name in sections("places")["places"].split(","))
"""Lower case; English names, and some as the places call themselves."""
