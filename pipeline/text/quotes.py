"""Where a quotation is in a text: exactly, or tolerant of white space, quotation marks and dashes."""

import re
from functools import lru_cache

_ALIKE = {
    "'": "['\u2018\u2019\u201a\u02bc`\u00b4]",
    '"': '["\u201c\u201d\u201e\u00ab\u00bb\u2033]',
    "-": "[-\u2010-\u2015\u2212]",
}
_CLASS = {
    **dict.fromkeys("'\u2018\u2019\u201a\u02bc`\u00b4", _ALIKE["'"]),
    **dict.fromkeys('"\u201c\u201d\u201e\u00ab\u00bb\u2033', _ALIKE['"']),
    **dict.fromkeys("-\u2010\u2011\u2012\u2013\u2014\u2015\u2212", _ALIKE["-"]),
}
_LINE_MARKS = re.compile(r"^[ \t]*(?!>>>)(?:>[ \t]?)+", re.MULTILINE)
"""What begins the lines that a mail quotes from another; three in a row are a prompt of Python."""
LONGEST = 4000
"""Characters of a quotation beyond which only an exact match is tried."""


def locate(quote: str, text: str) -> tuple[int, int] | None:
    """Return the span of the first place in ``text`` that reads as ``quote`` does, or None.

    An exact match comes first; then one that differs only in runs of white space; then one that also differs in the shape of
    quotation marks and dashes, or in marks and full stops around the whole.
    """
    at = text.find(quote)
    if quote.strip() and at >= 0:
        return at, at + len(quote)
    whole = quote.strip().strip(".\u2026 ")
    core = whole.strip("\"'\u201c\u201d\u2018\u2019\u00ab\u00bb.\u2026 ")
    if not core or len(core) > LONGEST:
        return None
    found = re.search(r"\s+".join(map(re.escape, whole.split())), text) or _pattern(core).search(text)
    return found.span() if found else None


@lru_cache(maxsize=256)
def _pattern(core: str) -> re.Pattern[str]:
    words = ("".join(_CLASS.get(char, re.escape(char)) for char in word) for word in core.split())
    return re.compile(r"\s+".join(words))


def shorten(text: str, length: int) -> str:
    """Return a text on one line, at most ``length`` characters; one that is cut ends with a word, where its script sets words
    apart, and an ellipsis."""
    flat = " ".join(text.split())
    if len(flat) <= length:
        return flat
    kept = flat[: length - 1]
    whole = kept if flat[length - 1].isspace() else kept.rpartition(" ")[0]
    return (whole if len(whole) * 2 > length else kept).rstrip(" ,;:–—") + "…"


def without_line_marks(flat: str, quote: str) -> str:
    """Return a text on one line in which ``quote``, where it occurs word for word, is without the marks that begin its lines
    in a mail that quotes another: its sentences run over several of them."""
    if ">" not in quote:
        return flat
    marked = " ".join(quote.split())
    return flat.replace(marked, " ".join(_LINE_MARKS.sub("", quote).split())) if marked else flat
