"""English words that everybody knows: what is made of them alone is hardly the name of a person."""

from functools import cache, lru_cache

from pipeline.text.inflection import base_form
from pipeline.text.lexicon.words import listed, sections


@lru_cache(maxsize=1 << 16)
def is_english_word(word: str) -> bool:
    """Whether a word (lower case), or what it is a plain form of (rules, pressed, saving), is in the list."""
    words = _words()
    base = base_form(word)
    if base in words:
        return True
    for ending in ("ing", "ed", "er", "ly"):
        stem = base.removesuffix(ending)
        if stem != base and len(stem) > 2:
            return stem in words or stem + "e" in words or (stem[-1] == stem[-2] and stem[:-1] in words)
    return False


def is_of_the_list(word: str) -> bool:
    """Whether a word (lower case), or its singular, is in the list itself: reader, not rater."""
    return base_form(word) in _words()


@cache
def _words() -> frozenset[str]:
    return listed(sections("english_words")["words"])
