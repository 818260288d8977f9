"""The values of written numbers: "3,5" and "1.000,50" can be read in one way only, "1.500" is 1500 in German and 1.5 in English."""

import math
import re
from collections.abc import Sequence

DECIMAL_POINTS = frozenset({"en", "zh", "ja", "ko", "th", "he", "hi"})
"""Languages that write a point before decimals and a comma between thousands; the others do it the other way round."""
_NUMBER = re.compile(
    r"[+-]?(?:[1-9]\d{0,2}(?P<between>[.,])(?:\d{2,3}(?P=between))*\d{3}|\d+)(?:(?!(?P=between))(?P<before>[.,])\d+)?"
)
"""A number with the mark between its thousands, or lakhs, and the one before its decimals."""
_IN_TEXT = re.compile(r"\d+(?:[.,:]\d+|['’\u00a0\u202f]\d{3}(?!\d))*")
_SPACE_OF_THOUSANDS = re.compile(r"(?<=\d)[\s'’](?=\d{3}(?!\d))")


def decimal_mark(language: str) -> str:
    """Return what a language writes before decimals: a point or a comma."""
    return "." if language in DECIMAL_POINTS or language == "und" else ","


def numbers_in(text: str, language: str) -> set[float | str]:
    """Return the values of the numbers of a text in a language; a time, a date or a version as it is written."""
    values = ((written, value_of(written, decimal_mark(language))) for written in _IN_TEXT.findall(text))
    return {written if value is None else value for written, value in values}


def values_of(numbers: Sequence[str], column: Sequence[str], language: str) -> list[float] | None:
    """Return the values of some numbers of a column, which are written alike; None where one is no number.

    Where all of the column may have decimals as well as thousands, they have thousands if the language writes these so. Else
    nobody knows, and each is NaN.
    """
    usual = decimal_mark(language)
    shown = {mark for number in column if (mark := _shown_mark(_parts(number)))}
    values = [value for number in numbers if (value := value_of(number, min(shown, default=usual))) is not None]
    if len(values) < len(numbers):
        return None
    unclear = len(shown) > 1 or (not shown and any(usual in number for number in column))
    return [math.nan] * len(values) if unclear else values


def value_of(number: str, mark: str) -> float | None:
    """Return the value of a number, None for what is none; ``mark`` is before its decimals where it may be between thousands too."""
    found = _parts(number)
    if found is None:
        return None
    mark = _shown_mark(found) or mark
    return float(found[0].replace("," if mark == "." else ".", "").replace(mark, "."))


def _parts(number: str) -> re.Match[str] | None:
    return _NUMBER.fullmatch(_SPACE_OF_THOUSANDS.sub("", number).replace("−", "-"))


def _shown_mark(parts: re.Match[str] | None) -> str:
    """Return the mark before decimals that a number shows; empty where it has none, or one mark that may be between thousands."""
    if parts is None or parts["before"]:
        return parts["before"] if parts else ""
    between = parts["between"]
    return "" if not between or parts[0].count(between) == 1 else "," if between == "." else "."
