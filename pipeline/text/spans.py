"""Spans of characters: where a name stands in a text."""

from typing import NamedTuple


class Match(NamedTuple):
    """A known name found in a text: ``text[start:end]`` is one of its written forms."""

    start: int
    end: int
    title: str
    """Canonical spelling, the key of the name."""
    type: str
    """PERSON, ORGANIZATION, PLACE, EVENT, WORK or CONCEPT."""
