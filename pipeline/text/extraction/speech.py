"""Quoted speech: where somebody else speaks in a text, so that no pronoun is read across it or inside it."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence

from pipeline.text.spans import Match

_BREAK = r"(?=\n[ \t]*\n)|\Z"
_QUOTATION = re.compile(
    rf"(?=[“„«\"「『'‘])(?:“[^”]*?(?:”|{_BREAK})|„[^“”]*?(?:[“”]|{_BREAK})|«[^»]*?(?:»|{_BREAK})|\"[^\"]*?(?:\"|{_BREAK})"
    r"|「[^」]*(?:」|\Z)|『[^』]*(?:』|\Z)"
    # Single quotation marks are apostrophes too: speech ends with a mark before the closing one.
    r"|(?<!\w)['‘](?=\w)(?:[^'’\n]|\n(?![ \t]*\n)|(?<=\w)['’](?=\w)|(?<=\w)['’](?=\s\w))*?[,.!?;:—–_-]['’](?!\w))"
)
_ENDING = re.compile(r"[,.!?;…。！？—–]\W{0,2}\Z")
_CLOSED = re.compile(r"[,.!?…][\"”“»’'],?\s+|[\"”“»],\s+")
"""What is behind speech, where it goes on with who said it."""
_SPOKE = re.compile(r"[^\W\d_]+(?=\s)")
_SPEAKS = re.compile(r"\s([^\W\d_]+)")
_LOWER = re.compile(r"(?<![\w'’-])[a-zà-ÿа-яё]{3,}")
_FEWEST = 2  # words in lower case that distinguish speech from the title of a work


class Speech:
    """The quoted speech of a text, in order; titles and single words in quotation marks are none."""

    def __init__(self, text: str) -> None:
        found = [match.span() for match in _QUOTATION.finditer(text) if _is_speech(match[0])]
        self._starts, self._ends = [start for start, _ in found], [end for _, end in found]

    def holds(self, at: int) -> bool:
        """Whether a place lies inside quoted speech."""
        place = bisect_right(self._starts, at) - 1
        return place >= 0 and at < self._ends[place]

    def before(self, at: int) -> int:
        """How many pieces of speech end before a place: between two places of one number nobody speaks."""
        return bisect_left(self._ends, at + 1)


def _is_speech(quoted: str) -> bool:
    inside = quoted[1:-1]
    return bool(_ENDING.search(inside)) or len(_LOWER.findall(inside)) >= _FEWEST


def speaker(text: str, start: int, end: int, mentions: Sequence[Match], verbs: Collection[str]) -> Match | None:
    """Return who says what is quoted in the sentence ``text[start:end]``: "...," said Dora Pell; None where nobody is named
    beside one of the ``verbs``."""
    for closed in _CLOSED.finditer(text, start, end):
        if closed[0][0] == "?":
            return None  # who asks states nothing
        verb = _SPOKE.match(text, closed.end(), end)
        if verb and verb[0] in verbs:
            at = verb.end() + 1
            name = next((one for one in mentions if one.start == at), None)
            return None if name and text.startswith(("'s", "’s"), name.end) else name
        name = next((one for one in mentions if one.start == closed.end()), None)
        if name and (follows := _SPEAKS.match(text, name.end, end)) and follows[1] in verbs:
            return name
    return None
