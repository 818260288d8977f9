"""The words of a question that say what it wants the number or the name of, and its nouns."""

import re
from collections.abc import Sequence

from pipeline.text.lexicon.questions.question_words import QUESTIONS
from pipeline.text.scripts import is_unspaced, words_of

_JOINED = re.compile(r"\W*|\W*(?:of(?: the)?|de|d|di|van|von)\W+")
"""What may be between the word that asks for a number and what is counted, or between two words that say what is."""
_OWNER = re.compile(r"(?:['’]s?|(?<=s)['’]) (?:[\w-]+ )?")
"""What is between the owner of something and that, "the miller's (old) dog"."""


def nouns_of(text: str, language: str) -> frozenset[str]:
    """Return the words of a question between an article or another determiner and the next small word or verb, "the door code", but for
    general adjectives, in lower case: nouns, most of them."""
    known = words_of(language)
    found, opened = set[str](), False
    for word in re.findall(r"[^\W_]+", text.casefold()):
        if word in known.function or word in known.verbs:
            opened = word in known.determiners
        elif opened and word not in known.adjectives:
            found.add(word)
    return frozenset(found)


def asked_for(text: str, language: str, kind: str, words: Sequence[str]) -> list[int]:
    """Return which words of a question, given in its order without its names, say what is counted ("how many old boats") or
    bears the name that is asked for ("what is the ferryman's dog called"), or what a code is of; none where it does not say it so.
    """
    if kind == "secret":
        secrets = QUESTIONS.pattern("secrets", language)
        return [place for place, word in enumerate(words) if not secrets.fullmatch(word)]
    head = {"number": "counting", "name": "asks_name"}.get(kind)
    cue = QUESTIONS.pattern(head, language).search(text) if head else None
    if cue is None:
        return []
    even = text.casefold()
    starts = [even.find(word.casefold()) for word in words]
    if is_unspaced(text[:1]):
        behind = [place for place, start in enumerate(starts) if start == cue.end() and kind == "number"]
        return behind[:1] or [place for place, start in enumerate(starts) if 0 <= start < cue.start()][-1:]
    if kind == "name":
        named = [
            place for place, start in enumerate(starts) if start >= cue.start() and not cue.start() < start < cue.end()
        ]
        while named[1:] and _OWNER.fullmatch(text, starts[named[0]] + len(words[named[0]]), starts[named[1]]):
            named.pop(0)
        return named[:1]
    found: list[int] = []
    end = cue.end()
    for place, start in enumerate(starts):
        if start >= end:
            if not _JOINED.fullmatch(text, end, start) or (
                found and words[place].casefold() in words_of(language).verbs
            ):
                break
            found.append(place)
            end = start + len(words[place])
    return found
