"""Spans of characters: where a name, or a pronoun that means one, is in a text, and where a line ends."""

from typing import NamedTuple


def line_end(text: str, at: int) -> int:
    """Return where the line of a place ends, before its line break."""
    end = text.find("\n", at)
    return len(text) if end < 0 else end


class Match(NamedTuple):
    """A known name found in a text: ``text[start:end]`` is one of its written forms, or a pronoun that means it."""

    start: int
    end: int
    title: str
    """Canonical spelling, the key of the name."""
    type: str
    """PERSON, ORGANIZATION, PLACE, EVENT, WORK or CONCEPT."""
    role: str = ""
    """Empty for a name as written; subject, object or possessive for a pronoun that was resolved to it."""
