"""Texts whose accents are characters of their own (NFD), as some systems write them: read as everybody types them, with the way back."""

import re
import unicodedata
from bisect import bisect_left
from itertools import accumulate

from pipeline.documents.places import IN_FILE, NOT_IN_FILE, PlaceMap

_SPREAD = re.compile("[^\\W\\d_][\u0300-\u036f\u3099\u309a]+|[\u1100-\u115f][\u1160-\u11a7][\u11a8-\u11ff]?")
"""A letter with the accents behind it, or the parts of a Korean syllable."""


class Composition:
    """A text with one character for a letter and its accents, and the way from its places to those of the text as it was."""

    def __init__(self, text: str) -> None:
        self._at: list[int] = []
        """Where in the composed text each character is that was several."""
        gains: list[int] = []
        self.text = text
        if not _is_composed(text):
            pieces, at, length = list[str](), 0, 0
            for found in _SPREAD.finditer(text):
                written = unicodedata.normalize("NFC", found[0])
                if len(written) > 1:  # accents that no character has
                    continue
                length += found.start() - at
                pieces += [text[at : found.start()], written]
                self._at.append(length)
                gains.append(len(found[0]) - 1)
                at, length = found.end(), length + 1
            self.text = "".join([*pieces, text[at:]])
        self._gained = [0, *accumulate(gains)]
        """By how much what is before each such character is longer in the text as it was; behind the last one, at the end."""

    def back(self, places: PlaceMap) -> PlaceMap:
        """Return a map that leads to places of the composed text as one that leads to those of the text as it was; one that counts in
        pages or records, and not in the file, as it is."""
        if not self._at or places.unit not in IN_FILE:
            return places
        offsets, starts = list[int](), list[int]()
        following = [*places.offsets[1:], places.offsets[-1]]
        for offset, start, end in zip(places.offsets, places.starts, following, strict=True):
            offsets.append(offset)
            starts.append(start if start == NOT_IN_FILE else self._original(start))
            if start == NOT_IN_FILE:
                continue
            for n in range(bisect_left(self._at, start), bisect_left(self._at, start + end - offset)):
                at = self._at[n]
                behind = offset + at - start + 1
                opens = [] if offsets[-1] == behind - 1 else [behind - 1]  # what begins here has begun
                ends = [behind] if behind == end else [behind, behind]
                offsets += [*opens, *ends]
                starts += [self._original(at)] * len(opens) + [self._original(at + 1)] * len(ends)
        return places._replace(offsets=offsets, starts=starts, breaks=[self._original(at) for at in places.breaks])

    def _original(self, place: int) -> int:
        return place + self._gained[bisect_left(self._at, place)]


def _is_composed(text: str) -> bool:
    """Whether a text has no letters to be composed. Nothing is composed over the end of a line, and lines of ASCII characters,
    which most files have many of, need not be read: a tenth of the time of reading the text whole."""
    return all(line.isascii() or unicodedata.is_normalized("NFC", line) for line in text.splitlines())
