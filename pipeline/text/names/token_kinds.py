"""Kinds of tokens: what a word is likely to be, judged by its letters and the word lists of its language alone."""

import re
from collections.abc import Sequence
from functools import cache, partial
from typing import Final

from pipeline.base.recent import FoundOnce
from pipeline.text.lexicon.words import Words, listed, sections
from pipeline.text.scripts import is_unspaced, words_of

BREAK, FUNCTION, DETERMINER, WORD, CUT, PARTICIPLE, CAPITAL, NUMBER, OPENER, RUN, CAPITAL_FUNCTION, PLAIN = range(12)

_OPENERS: Final = frozenset("\"'“‘«„:*_—–•#>|([")
_KINDS: Final = sections("token_kinds")
_NOT_ADVERBS: Final = listed(_KINDS["not_adverbs"])
_NOT_PARTICIPLES: Final = listed(_KINDS["not_participles"])
_RUSSIAN_ENDINGS: Final = tuple(sorted(listed(_KINDS["russian_endings"])))
"""Endings of verbs in the past or third person, and of adjectives."""


_COMPOUND_ADJECTIVE: Final = re.compile(
    r"-(?:based|like|style|related|driven|led|owned|born|trained|[a-zäöüß]+(?:isch|lich|ig|iv|bar|frei|ier|basier|end)(?:te)?(?:e[nmrs]?)?)$"
)
"""After a name with a hyphen: Miami-based, LZMA-komprimierte."""
_LONGEST_WORD: Final = 50  # characters; what is longer is no word


def token_kinds(tokens: Sequence[str], language: str) -> list[int]:
    """Kinds of tokens. A content word in lower case is a WORD, a PARTICIPLE ("-ed"), or a CUT: likely a verb or an adverb."""
    return list(map(_known(language).__getitem__, tokens))


@cache
def _known(language: str) -> FoundOnce[int]:
    return FoundOnce(partial(_kind, language=language))


def _kind(token: str, language: str) -> int:
    first = token[0]
    if len(token) >= _LONGEST_WORD:
        return RUN if is_unspaced(first) else BREAK
    if not first.isalnum():
        return OPENER if first in _OPENERS else BREAK
    lower = token.lower().replace("’", "'")
    words = words_of(language)
    if lower in words.function:
        if first.isupper():
            return CAPITAL_FUNCTION
        return DETERMINER if lower in words.determiners else FUNCTION
    if first.isupper():
        return CUT if "-" in lower and _ends_lower(token, words) else CAPITAL
    if first.isdigit():
        return NUMBER
    if is_unspaced(first):
        return RUN
    return _lower_kind(lower, language, words) if first.islower() else PLAIN


def _ends_lower(token: str, words: Words) -> bool:
    """Whether behind the last hyphen is an adjective (Miami-based) or a function word, the hyphen being a dash (Russia-we're)."""
    return _COMPOUND_ADJECTIVE.search(token) is not None or token.rpartition("-")[2] in words.function


def _lower_kind(lower: str, language: str, words: Words) -> int:
    if lower in words.verbs or "_" in lower or (len(lower) == 1 and language != "ru"):
        return CUT
    if language == "en" and len(lower) > 3:
        if lower.endswith("ly") and lower not in _NOT_ADVERBS:
            return CUT
        if lower.endswith("ed") and "-" not in lower and lower not in _NOT_PARTICIPLES:
            return PARTICIPLE
    if language == "ru" and lower.endswith(_RUSSIAN_ENDINGS):
        return CUT
    return WORD
