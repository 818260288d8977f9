"""Function words that are nouns as well, and where they are: "who has the will", "a white van", "l'été"."""

import re
from functools import cache

from pipeline.text.lexicon.questions.question_words import QUESTIONS
from pipeline.text.scripts import words_of

_TOKEN = re.compile(r"[^\W_]+|[^\w\s'’]")
"""The words of a text, an s with an apostrophe before it by itself, and the marks that end a clause."""
_ALONE = frozenset(("", ":", "|", ";"))
"""What is behind a word that is a cell or the name of a field."""
_CAPITALISED = "de"
"""The language that writes every noun with a capital."""


@cache
def nouns_too(language: str) -> frozenset[str]:
    """Return the function words of a language (ISO 639-1), in small letters, that are nouns as well; empty where none is listed."""
    return frozenset(QUESTIONS.by_language("nouns_too").get(language, ()))


def nouns_among(text: str, language: str) -> frozenset[str]:
    """Return those of these words that a text has as nouns, in small letters: behind an article or a possessive, also with an
    adjective between them; one that is only a small word inside names besides ("van Gogh") also behind any other function word."""
    listed = nouns_too(language)
    tokens = _TOKEN.findall(text) if listed else []
    return frozenset(
        tokens[place].casefold()
        for place in range(len(tokens))
        if tokens[place].casefold() in listed and _is_noun(tokens, place, language)
    )


def only_noun(text: str, language: str) -> str:
    """Return the word of a question that is a function word and a noun and that it ends with, where nothing else of it says
    anything: "who has will"; empty where there is none."""
    tokens = [token for token in _TOKEN.findall(text.casefold()) if token[0].isalnum()]
    return tokens[-1] if len(tokens) > 1 and tokens[-1] in nouns_too(language) else ""


def _is_noun(tokens: list[str], place: int, language: str) -> bool:
    words, written = words_of(language), tokens[place]
    if language == _CAPITALISED and written.islower():
        return False
    before = [token.casefold() for token in tokens[max(place - 2, 0) : place]]
    leads = _leading(language)
    follows = tokens[place + 1] if place + 1 < len(tokens) else ""
    if not before or not before[-1][-1].isalnum():
        return follows in _ALONE
    if before[-1] in leads:
        return True
    if written.casefold() in words.function:
        return before[-1] in words.adjectives and before[0] in leads
    outside = (
        before[-1] in words.function or before[-1] in words.adjectives or before[0] in leads
    )  # of a name: van, den
    return outside and not follows[:1].isupper()


@cache
def _leading(language: str) -> frozenset[str]:
    """Return the articles and possessives behind which such a word is a noun."""
    return frozenset(QUESTIONS.by_language("before_nouns").get(language, ()))
