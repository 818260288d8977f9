"""Questions typed without accents, read as with them: "perche", "que paso", "ou est la clef". Texts are not touched."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType

from pipeline.text.lexicon.frequency import RARE, frequency
from pipeline.text.lexicon.questions.question_words import QUESTIONS
from pipeline.text.scripts import words_of
from pipeline.text.tokenizer import fold_word

_WORD = re.compile(r"[^\W\d_]+")
_LISTED = re.compile(r"(?<![\w\\\]])[^\W\d_]{3,}(?![\w\[(?*+\\])")
"""A word in a list or a phrase, not a part of a pattern of several forms."""
MISSPELT = 0.85
"""Powers of ten by which a word is more frequent than without its accents where that is but how some write it."""
_OPENS = re.compile(r"(?:^|[.:;!?¿]|\s-)[\s¿\"'«]*$")
"""What is before the first word of a question, or of a part of one."""


def with_accents(text: str, language: str, names: Iterable[str] = ()) -> str:
    """Return a question in a language (ISO 639-1) with the accents that the words by which questions ask, and others that rules go by,
    lack in it; its names stay as written. A word that is another one without its accent gets it only where it can but ask: first in
    the question, or right behind a word that asks; one that is typed with other such accents gets none there."""
    if language not in QUESTIONS.by_language("before_asking"):
        return text
    found = list(_WORD.finditer(text))
    kept = {word for name in names for word in _WORD.findall(name)}
    kept |= {match[0] for match in found[1:] if match[0][0].isupper()}
    opening = _opening(language)
    typed = not any(match[0].casefold() in opening.values() for match in found)
    said: list[str] = []  # the words so far, with their accents
    parts, end = [], 0
    for place, match in enumerate(found):
        word = match[0]
        after = found[place + 1][0].casefold() if place + 1 < len(found) else ""
        new = "" if word in kept else _anywhere(language).get(word.casefold(), "")
        if not new and typed and _may_open(text, match.start(), language):
            new = opening.get(word.casefold(), "")
        if not new and said and after not in _verbs_behind(language):
            new = _verbs_behind(language).get(said[-1], {}).get(word.casefold(), "")
        said.append(new or word.casefold())
        parts += [text[end : match.start()], _cased(new, word) if new else word]
        end = match.end()
    accented = "".join([*parts, text[end:]])
    for phrase in QUESTIONS.by_language("hyphenated").get(language, ()):
        accented = re.sub(rf"\b{phrase.replace('-', ' ')}\b", phrase, accented, flags=re.IGNORECASE)
    return accented


def _cased(word: str, like: str) -> str:
    return word.capitalize() if like[0].isupper() else word


def _may_open(text: str, start: int, language: str) -> bool:
    """Return whether what begins there is the first word of a question, but for a conjunction and a preposition."""
    before = _prefixes(language).search(text, 0, start)
    return bool(_OPENS.search(text, 0, before.start() if before else start))


@cache
def _prefixes(language: str) -> re.Pattern[str]:
    joining, small = (QUESTIONS.of(head, language) for head in ("joining", "before_asking"))
    return re.compile(rf"(?<!\w)(?:(?:{'|'.join(joining)})\s+)?(?:(?:{'|'.join(small)})['’\s]\s*)?\Z", re.IGNORECASE)


@cache
def _opening(language: str) -> Mapping[str, str]:
    """Return by their forms without accents the words that ask and are other words without them."""
    return MappingProxyType({fold_word(word): word for word in QUESTIONS.by_language("accented").get(language, ())})


@cache
def _verbs_behind(language: str) -> Mapping[str, Mapping[str, str]]:
    """Return by each word that asks the verbs right behind it that are other words without their accents, by their forms without."""
    found: dict[str, dict[str, str]] = {}
    for line in QUESTIONS.by_language("accented_behind").get(language, ()):
        verb, _, asking = line.partition(":")
        for word in asking.split():
            found.setdefault(word, {})[fold_word(verb)] = verb
    return MappingProxyType(found)


@cache
def _anywhere(language: str) -> Mapping[str, str]:
    """Return by their forms without accents the function words of a language and the words in lists on questions that have some, where
    that form is no listed word, nor a word of the language that is more than a misspelling."""
    function = words_of(language).function
    heads = (*QUESTIONS.words, *QUESTIONS.phrases)
    listed = {
        word for head in heads for one in QUESTIONS.by_language(head).get(language, ()) for word in _LISTED.findall(one)
    }
    found: dict[str, str] = {}
    for word in (*sorted(function), *sorted(listed)):
        folded = fold_word(word)
        typed = frequency(folded, language)
        if folded != word and (word in function or typed in (RARE, min(typed, frequency(word, language) - MISSPELT))):
            found.setdefault(folded, word)
    other = listed | function | _opening(language).keys()
    return MappingProxyType({folded: word for folded, word in found.items() if folded not in other})
