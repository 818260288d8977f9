"""Headings that differ by a code: a version of a change log, the number of an error. What is below another one is of
something else, however its words fit the question."""

import re
from collections.abc import Iterable

from pipeline.text.answering.passage_units import PassageUnits

_CODE = re.compile(r"(?<![\w.])v?(\d+(?:\.\d+)+|[A-Z]{1,6}[-_]?\d{1,5})(?!\w|\.\d)")
"""A version, with or without a "v" before it, or capitals and a number."""


class CodedHeadings:
    """The codes that a question names, and what of some passages is below headings with codes."""

    def __init__(self, question: str, texts: Iterable[PassageUnits]) -> None:
        self._asked = codes(question)
        self._is_heading = self._asked and any(
            self._names(text.said(unit)) for text in texts for unit in text.units if unit.kind == "heading"
        )

    def leave_out(self, text: PassageUnits, place: int) -> bool:
        """Return whether a unit is below the heading of another code and names none that is asked for, where a heading has one."""
        if not self._is_heading or self._names(text.said(text.units[place])):
            return False
        coded = coded_above(text, place)
        return coded is not None and not self._names(text.said(text.units[coded]))

    def heading_of(self, text: PassageUnits, place: int) -> int | None:
        """Return the place of the heading with a code that a unit is below, where that is one that is asked for."""
        coded = coded_above(text, place)
        return coded if coded is not None and self._names(text.said(text.units[coded])) else None

    def _names(self, said: str) -> bool:
        found = codes(said) if self._asked else ()
        return any(one == asked or one.startswith(f"{asked}.") for one in found for asked in self._asked)


def codes(text: str) -> list[str]:
    """Return the versions and codes of a text: "2.1", "E14", "TP-204"."""
    return [found[1] for found in _CODE.finditer(text)]


def coded_above(text: PassageUnits, place: int) -> int | None:
    """Return the place of the nearest heading above a unit that has a code."""
    above = text.heading_places[place]
    while above is not None and not codes(text.said(text.units[above])):
        above = text.heading_places[above]
    return above
