"""What a question that leans on earlier ones may lean on: names, and how many turns. It is apart from what makes it stand alone, whose
many patterns only a follow-up imports."""

from typing import NamedTuple

TURNS = 3
"""Turns that a question may lean on; what was spoken of before is named again."""


class MentionedName(NamedTuple):
    """A name that the turns or the question hold: its title, its type (empty where it is not known), as it is written."""

    title: str
    type: str
    forms: tuple[str, ...]
