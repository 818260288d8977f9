"""Says where a text may be cut without breaking what a reader sees as one character (a grapheme cluster) or a CRLF.

The rules are those of Unicode's UAX #29, section 3.1, on the safe side: where this module would have to know a property
that Python's tables lack, it forbids the cut.
"""

import unicodedata

LONGEST_CLUSTER = 64
"""Code points; a cluster beyond it (marks piled on one letter without end) is cut, as UAX #15 lets stream-safe text be."""

_JOINER = "\u200d"
_EXTENDING = frozenset("\u200c\u200d\uff9e\uff9f\u0e33\u0eb3")
_PREPENDED = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\u0d4e\U000110bd\U000110cd")


def may_cut(text: str, place: int) -> bool:
    """Whether ``text`` may be cut before the character at ``place``; always at its start and end."""
    if place <= 0 or place >= len(text):
        return True
    before, after = text[place - 1], text[place]
    if before < "\u0300" and after < "\u0300":
        return not (before == "\r" and after == "\n")
    if before in "\r\n" or after in "\r\n":
        return True
    return not (_extends(after) or before == _JOINER or before in _PREPENDED or _pairs(text, place, before, after))


def next_cut(text: str, start: int, wanted: int) -> int:
    """The last place up to ``wanted`` where a cut is allowed, else the first one behind it; always beyond ``start``."""
    for place in range(min(wanted, len(text)), max(start, wanted - LONGEST_CLUSTER), -1):
        if may_cut(text, place):
            return place
    stop = min(len(text), max(wanted, start + LONGEST_CLUSTER))
    return next((place for place in range(wanted + 1, stop) if may_cut(text, place)), stop)


def _extends(letter: str) -> bool:
    """Combining and spacing marks, variation selectors, skin tones, tags, and what else never begins a cluster."""
    return (
        unicodedata.category(letter) in ("Mn", "Me", "Mc")
        or letter in _EXTENDING
        or "\U0001f3fb" <= letter <= "\U0001f3ff"
        or "\U000e0020" <= letter <= "\U000e007f"
    )


def _pairs(text: str, place: int, before: str, after: str) -> bool:
    """Whether two characters belong together: half a flag, Hangul jamo, a virama and its consonant, surrogates."""
    if _is_flag(before) and _is_flag(after):
        first = place - 1
        while first > 0 and place - first < 1000 and _is_flag(text[first - 1]):
            first -= 1
        return (place - first) % 2 == 1
    if _is_jamo(after) or _is_jamo(before):
        return _is_hangul(before) and _is_hangul(after)
    if "\ud800" <= before <= "\udbff":
        return "\udc00" <= after <= "\udfff"
    return after.isalpha() and _ends_in_virama(text, place)


def _ends_in_virama(text: str, place: int) -> bool:
    """Whether a virama is among the marks that end before ``place``: other marks may follow it (rule GB9c)."""
    for mark in reversed(text[max(0, place - LONGEST_CLUSTER) : place]):
        if not _extends(mark):
            return False
        if unicodedata.combining(mark) == 9:
            return True
    return False


def _is_flag(letter: str) -> bool:
    return "\U0001f1e6" <= letter <= "\U0001f1ff"


def _is_jamo(letter: str) -> bool:
    return "\u1100" <= letter <= "\u11ff" or "\ua960" <= letter <= "\ua97c" or "\ud7b0" <= letter <= "\ud7fb"


def _is_hangul(letter: str) -> bool:
    return _is_jamo(letter) or "\uac00" <= letter <= "\ud7a3"
