"""Scripts and languages: the comparison key of a name, the tokens of any script, and which language a text is written in."""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import accumulate, chain
from typing import NamedTuple

from pipeline.base.recent import FoundOnce
from pipeline.text.lexicon.frequency import RARE, frequency
from pipeline.text.lexicon.words import NONE, WordLists, Words, listed, sections


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Return a pattern, compiled when it is first used: classes of characters of many scripts take a millisecond or more
    each, and most texts are in one script."""
    return re.compile(pattern)


LANGUAGES: Mapping[str, Words] = WordLists("en", "de", "fr", "es", "it", "pt", "nl", "sv", "pl", "el", "ru", "ar")
"""Word lists by ISO 639-1 code."""

_UNKNOWN = Words(function=NONE)

# Combining marks are no word characters to `re`: the Indic blocks and the marks of Arabic, Hebrew and Latin are added.
_MARKS = "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0900-\u0963\u0966-\u0dff"
KATAKANA = "\u30a1-\u30fa\u30fc-\u30ff\uff66-\uff9f"
HIRAGANA = "\u3041-\u309f"
HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
_SOUTHEAST = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ebd\u0ec0-\u0ece\u1000-\u1049\u1780-\u17d3"  # Thai, Lao, Burmese, Khmer
)
UNSPACED = KATAKANA + HIRAGANA + HAN + _SOUTHEAST
"""Body of a character class: the scripts that put no space between words."""

_LETTER = rf"(?:(?![{UNSPACED}])[^\W_]|[{_MARKS}])"
_ELISION = r"(?<![^\W_])(?:[dDlLдДлЛ]|[qQ]u)['’](?=[^\W\d_])"
_WORD = rf"{_ELISION}|(?:(?![{UNSPACED}])[^\W\d_]\.){{2,}}|{_LETTER}+(?:['’&‐‑-]{_LETTER}+)*"
_RUNS = rf"((?=\S)(?:{_WORD}|[{UNSPACED}・·]+|[^\w\s]|_))"
_CHARACTERS = rf"((?=\S)(?:{_WORD}|[{UNSPACED}]|[^\w\s]|_))"
_SPACED = re.compile(
    rf"((?=\S)(?:[a-zA-Z0-9]{{2,}}+(?![\w'’&‐‑-])|{_ELISION}|(?:[^\W\d_]\.){{2,}}|[^\W_]+(?:['’&‐‑-][^\W_]+)*|[^\w\s]|_))"
)
_ASCII = re.compile(
    r"((?=\S)(?:[a-zA-Z0-9]{2,}+(?!['&-])|(?<![a-zA-Z0-9])(?:[dDlL]|[qQ]u)'(?=[a-zA-Z])|(?:[a-zA-Z]\.){2,}"
    r"|[a-zA-Z0-9]+(?:['&-][a-zA-Z0-9]+)*|[^\w\s]|_))"
)
"""This and the one before find what the two above find, but many times faster: in text without their characters, and in ASCII text."""
_NOT_SPACED = f"[{UNSPACED}{_MARKS}・·]"

_FOLDED = str.maketrans({
    **dict.fromkeys("’‘‛ʼ`´ʹ＇", "'"),
    **dict.fromkeys("“”„‟«»″＂", '"'),
    **dict.fromkeys("‐‑‒–—―−﹣－", "-"),
    **dict.fromkeys("\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u0640", ""),
})  # fmt: skip
_ARABIC_POINTS = re.compile("[\u064b-\u065f\u0670]")
_POSSESSIVE = re.compile(r"(?<=\w)(?:'s)+(?!\w)|(?<=s)'(?!\w)")
_STOPS = re.compile(r"(?<=\w)\.(?!\w)|(?<![^\W_]{2})(?<=[^\W\d_])\.(?=[^\W\d_](?![^\W_]))")
_INITIALS = re.compile(r"(?<![^\W_]{2})(?<=[^\W\d_])\. (?=[^\W\d_]\.)")
_ARTICLE = re.compile(r"(?:(?:the|an?)\s|l')+(?=\S)")
_OWN_KEY = re.compile(r"(?!(?:the|an?) )[^\s.'`]+(?: [^\s.'`]+)*")
"""ASCII text in lower case of which none of these would change anything."""


@lru_cache(maxsize=100_000)
def fold(text: str) -> str:
    """Comparison key of a name: two spellings of one name have one key.

    Compatibility forms, case, white space, quotes, hyphens, Arabic points, full stops of abbreviations, possessive 's and a
    leading article make no difference; everything else does. Idempotent.
    """
    if text.isascii() and _OWN_KEY.fullmatch(lower := text.lower()):  # as most
        return lower
    key = _folded_once(text)
    while (again := _folded_once(key)) != key:
        key = again
    return key


def _folded_once(text: str) -> str:
    if text.isascii():
        key = " ".join(text.lower().replace("`", "'").split())
    else:
        key = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()).translate(_FOLDED)
        key = _ARABIC_POINTS.sub("", " ".join(key.split()))
    if "." in key:
        key = _STOPS.sub("", _INITIALS.sub(".", key))
    if "'" in key:
        key = _POSSESSIVE.sub("", key)
    article = _ARTICLE.match(key)
    return " ".join(key[article.end() if article else 0 :].split())


def has_digit(text: str) -> bool:
    """Return whether a text has a digit."""
    return not text.replace(" ", "").isalpha() and any(map(str.isdigit, text))  # the former sooner, of most names


def tokens_of(text: str) -> list[str]:
    """Words, dotted acronyms, elided articles (d', l', qu'), single marks, and whole runs of a script without spaces."""
    found: list[str] = _tokens(text, _RUNS).findall(text)
    return found


class TokenSpans(NamedTuple):
    """The tokens of a text, ``text[start:end]`` each."""

    words: list[str]
    starts: list[int]
    ends: list[int]


def token_spans(text: str) -> TokenSpans:
    """The same tokens with their places, but each character of a script without spaces by itself."""
    parts = _tokens(text, _CHARACTERS).split(text)  # what is between tokens, and tokens, in turn
    ends = list(accumulate(map(len, parts)))
    return TokenSpans(parts[1::2], ends[:-1:2], ends[1::2])


def _tokens(text: str, pattern: str) -> re.Pattern[str]:
    """Return the fastest pattern that finds in a text what ``pattern``, for any script, does."""
    if text.isascii():
        return _ASCII
    return compiled(pattern) if compiled(_NOT_SPACED).search(text) else _SPACED


UNSPACED_CHARACTER = re.compile(f"[{UNSPACED}]")


def is_unspaced(text: str) -> bool:
    """Return whether a text begins in a script that puts no space between words."""
    return UNSPACED_CHARACTER.match(text) is not None


@lru_cache(maxsize=64)
def words_of(language: str) -> Words:
    """The word list of a language: the English one for an unrecognised language in Latin letters, an empty one for others."""
    return LANGUAGES["en"] if language == "und" else LANGUAGES.get(language, _UNKNOWN)


_SAMPLE = 3000  # characters from which a language is recognised
_SCRIPTS: tuple[tuple[str, str], ...] = (
    ("ja", f"[{HIRAGANA}{KATAKANA}]"),
    ("zh", f"[{HAN}]"),
    ("ko", "[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]"),
    ("ar", "[\u0600-\u06ff\u0750-\u077f]"),
    ("he", "[\u05d0-\u05ea]"),
    ("hi", "[\u0900-\u097f]"),
    ("bn", "[\u0980-\u09ff]"),
    ("ta", "[\u0b80-\u0bff]"),
    ("th", "[\u0e00-\u0e7f]"),
    ("my", "[\u1000-\u109f]"),
    ("km", "[\u1780-\u17ff]"),
    ("ka", "[\u10a0-\u10ff]"),
    ("hy", "[\u0530-\u058f]"),
    ("el", "[\u0370-\u03ff]"),
    ("cyrillic", "[\u0400-\u04ff]"),
)
_LATIN_WORD = re.compile(r"[^\W\d_]+")
_WESTERN = "cp1252"
"""An encoding, a byte a character, that has the letters of Western Europe and the marks that all texts have."""
_LETTERS_ALONE = "".join(
    char.lower() if _LATIN_WORD.match(char) else " " for char in bytes(range(256)).decode(_WESTERN, "replace")
).encode(_WESTERN)
"""What each byte of it becomes where all but letters in lower case is left out."""
_SIGNS = sections("language_signs")
_FREQUENT = {line[:2]: listed(line[2:]) for line in _SIGNS["words"].splitlines()}
_LANGUAGES_OF: Mapping[str, tuple[str, ...]] = {
    word: tuple(code for code, words in _FREQUENT.items() if word in words)
    for word in sorted(frozenset().union(*_FREQUENT.values()))
}
_FREQUENT_ELSEWHERE = frozenset().union(*(words for code, words in _FREQUENT.items() if code != "en"))
_LETTERS = {line[:2]: frozenset(line[3:]) for line in _SIGNS["letters"].splitlines()}
_CYRILLIC: Mapping[str, re.Pattern[str]] = {
    "uk": re.compile("[іїєґ]"),
    "bg": re.compile(r"\b(?:е|са|се|от|на|за|че|със)\b"),
}


_SHORT = 60
"""Words of a text that is so short that function words do not make sure which language it is in."""
_BEYOND_LATIN = "[\u0370-\u1dff\u1f00-\u1fff\u2c00-\udfff\uf900-\ufdff\ufe70-\U0010ffff]"


def language_of(text: str) -> str:
    """ISO 639-1 code of the language most of a text is written in, recognised by its script and function words; or "und"."""
    sample = text[:_SAMPLE]
    if not sample.isascii() and compiled(_BEYOND_LATIN).search(sample):
        counts = {code: len(compiled(script).findall(sample)) for code, script in _SCRIPTS}
        latin = sum(map(len, _LATIN_WORD.findall(sample))) - sum(counts.values())
        if counts["ja"] * 10 > counts["zh"]:  # Japanese mixes kana into Han; Chinese has none
            counts["ja"], counts["zh"] = counts["ja"] + counts["zh"], 0
        code = max(counts, key=lambda name: counts[name])
        # A character of the dense scripts means two or three Latin ones.
        if counts[code] * (2 if code in ("ja", "zh", "ko") else 1) > max(latin, 0):
            return _cyrillic_language(sample) if code == "cyrillic" else code
    return _latin_language(sample)


def _cyrillic_language(sample: str) -> str:
    lowered = sample.lower()
    if _CYRILLIC["uk"].search(lowered):
        return "uk"
    russian = len(re.findall(r"\b(?:и|в|не|что|он|с|к|это|был|была|как)\b|[ыэё]", lowered))
    return "bg" if len(_CYRILLIC["bg"].findall(lowered)) > 2 * russian else "ru"


def _words_of_letters(text: str) -> list[str]:
    """Return the runs of letters of a text in lower case: through bytes, where it has them, at least twice as fast."""
    encoding = "ascii" if text.isascii() else _WESTERN
    try:
        return text.encode(encoding).translate(_LETTERS_ALONE).decode(encoding).split()
    except UnicodeEncodeError:
        return _LATIN_WORD.findall(text.lower())


def _latin_language(sample: str) -> str:
    tokens = _words_of_letters(sample)
    english = sum(map(_FREQUENT["en"].__contains__, tokens))
    if english > sum(map(_FREQUENT_ELSEWHERE.__contains__, tokens)) + 1:  # what any other can have, letters included
        return "en" if english * 12 >= len(tokens) else "und"
    hits = dict.fromkeys(_FREQUENT, 0)
    for word, times in Counter(filter(_LANGUAGES_OF.__contains__, tokens)).items():
        for code in _LANGUAGES_OF[word]:
            hits[code] += times
    if not sample.isascii():
        written = set(sample)
        for code, letters in _LETTERS.items():
            if not letters.isdisjoint(written):
                hits[code] += 1
    best = max(hits, key=hits.__getitem__)
    if len(tokens) <= _SHORT and hits[best] and best in LANGUAGES:
        return _language_by_vocabulary(tokens, best)
    return best if hits[best] * 12 >= len(tokens) and hits[best] else "und"


def _language_by_vocabulary(tokens: Sequence[str], likely: str) -> str:
    """Return the language that knows most words of a short text with few function words: "No panic. Call a manager." has two that
    are Portuguese as well."""
    known = dict.fromkeys(filter(LANGUAGES.__contains__, _FREQUENT), 0)
    for code in chain.from_iterable(map(_LANGUAGES_KNOWING.__getitem__, tokens)):
        known[code] += 1
    return max(known, key=lambda code: (known[code], code == likely))


def _languages_knowing(token: str) -> tuple[str, ...]:
    """Return the languages in which a token is a function word or a frequent one."""
    return tuple(
        code
        for code in filter(LANGUAGES.__contains__, _FREQUENT)
        if token in words_of(code).function or frequency(token, code) > RARE
    )


_LANGUAGES_KNOWING = FoundOnce(_languages_knowing)
