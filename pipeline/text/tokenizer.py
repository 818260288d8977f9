"""The words of a text: one tokenizer and one folding for questions, passages and reports."""

import re
import unicodedata
from functools import lru_cache

from pipeline.text.scripts import UNSPACED, compiled

# Vowel signs and points are no word characters to `re`, and would cut the words of their scripts into letters.
MARKS = "\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0900-\u0963\u0966-\u0dff"
_OTHER = rf"[{UNSPACED}{MARKS}]"
_PLAIN = re.compile(r"([^\W_]+)")
_ANY = rf"([{UNSPACED}]|(?:(?![{UNSPACED}])[^\W_]|[{MARKS}])+)"
_UNSPACED = rf"[{UNSPACED}\u2e80-\u312f\u3190-\u33ff\uff00-\uff9f]"
"""Characters of scripts that put no space between words, and the full stops, brackets and signs that are as wide; not Hangul."""
_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"})
_POINTS = "\u0640\u064b-\u0652\u0670"
_ACCENT = re.compile(f"(?<!и)[\u0300-\u036f]|(?<=и)[\u0300-\u0305\u0307-\u036f]|[{_POINTS}]")
"""Combining marks, but for the breve of the letter й, which is another letter than и; and what ``without_points`` leaves out."""
_POINT = re.compile(f"[{_POINTS}]")


def words(text: str) -> list[str]:
    """The words of a text as written, hyphens and apostrophes cut; one character each in scripts without spaces."""
    return _pattern(text).findall(text)


def words_and_gaps(text: str) -> tuple[list[str], list[str]]:
    """The words of a text, and what follows each of them."""
    parts = _pattern(text).split(text)
    return parts[1::2], parts[2::2]


def length(text: str) -> int:
    """About how many words a text has: those between its spaces, or, of scripts without any, one for two characters or signs."""
    unspaced = 0 if text.isascii() else len(compiled(_UNSPACED).findall(text))
    return max(len(text.split()), unspaced // 2)


def _pattern(text: str) -> re.Pattern[str]:
    return compiled(_ANY) if not text.isascii() and compiled(_OTHER).search(text) else _PLAIN


def without_points(text: str) -> str:
    """A text without the points of Arabic vowels and doubled letters, which are written now and then, and without the stroke
    that only widens a word."""
    return text if text.isascii() else _POINT.sub("", text)


@lru_cache(maxsize=200_000)
def fold_word(word: str) -> str:
    """A word without case and accents, so that "Méliès" is found by "melies"."""
    if word.isascii():
        return word.lower()
    parts = _ACCENT.sub("", unicodedata.normalize("NFKD", word.casefold()))
    return unicodedata.normalize("NFC", parts).translate(_LETTERS)
