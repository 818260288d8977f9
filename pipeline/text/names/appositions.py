"""What a sentence says that a name is: "a company called Loopt", "Loopt, a start-up", "the film Dune", "companies like Uber"; and
what else it says that somebody is called: "Stephen, whom we called Tip"."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from pipeline.text.inflection import base_form
from pipeline.text.lexicon.genders import PREPOSITIONS
from pipeline.text.lexicon.given_names import GIVEN_NAMES
from pipeline.text.lexicon.lexicon import ORGANIZATION, PERSON, PLACE, WORK
from pipeline.text.lexicon.sentences.sentence_words import SENTENCES
from pipeline.text.lexicon.words import Words, listed, sections
from pipeline.text.names.tally import NameCue
from pipeline.text.names.token_kinds import (
    BREAK,
    CAPITAL,
    CUT,
    FUNCTION,
    NUMBER,
    OPENER,
    PARTICIPLE,
    WORD,
)  # fmt: skip
from pipeline.text.scripts import words_of

_CALLED, _THINGS, _AFTER_WORKS, _AFTER_BODIES, _AFTER_PLACES = (
    listed(sections("name_context")[head])
    for head in ("called", "things", "after_works", "after_bodies", "after_places")
)
_THING: Final = "THING"
_CUES: Final = {
    PERSON: NameCue.PERSON,
    ORGANIZATION: NameCue.IS_BODY,
    PLACE: NameCue.IS_PLACE,
    WORK: NameCue.IS_WORK,
    _THING: NameCue.IS_THING,
}
_IS: Final = listed("is was are were became remains")
_ONE: Final = listed("a an another")
_ARTICLES: Final = listed("a an the another one")
_REACH: Final = 4
"""Tokens that may be between "called" and the noun before it, and words of a noun phrase before its head."""


def said_to_be(
    tokens: Sequence[str], lower: Sequence[str], kinds: Sequence[int], start: int, end: int, nouns: Mapping[str, str]
) -> list[int]:
    """Cues of what the words beside the English name at ``start:end`` say that it is; ``lower`` are all tokens in lower case."""
    start -= start > 1 and tokens[start - 1] == "The"  # the film, The Paper Boat
    before = lower[start - 1] if start else ""
    after = lower[end] if end < len(tokens) else ""
    found: list[str] = []
    if before in _CALLED:
        found.append(_noun_before(lower, kinds, start - 2, nouns))
    elif start and kinds[start - 1] == WORD and before == base_form(before) and lower[start] not in GIVEN_NAMES:
        found.append(_one_of((WORK, ORGANIZATION, _THING), before, nouns))  # people are counted wherever names are read
    elif (
        before == ","
        and start > 2
        and kinds[start - 2] == WORD
        and _ends(tokens, kinds, end)
        and lower[start] not in GIVEN_NAMES
    ):
        found.append(_one_of((WORK, ORGANIZATION), lower[start - 2], nouns))
    elif before == "like" or (before == "as" and start > 1 and lower[start - 2] == "such"):
        place = start - 2 if before == "like" else start - 3
        place -= place > 0 and tokens[place] == ","
        if place >= 0 and kinds[place] == WORD and lower[place] != base_form(lower[place]):
            found.append(_type_of(lower[place], nouns))
    second = lower[end + 1] if end + 1 < len(tokens) else ""
    if before == "of":
        pass  # "the battle of Castillon was a defeat" says nothing of Castillon
    elif (after == "," and second in _ARTICLES) or (after in _IS and second in _ONE):
        found.append(_head_after(lower, kinds, end + 2, nouns))
    elif after in _AFTER_WORKS and lower[start] not in GIVEN_NAMES:
        found.append(WORK)
    elif after in _AFTER_BODIES and lower[start] not in GIVEN_NAMES:
        found.append(ORGANIZATION)
    elif after in _AFTER_PLACES:
        found.append(PLACE)
    elif end < len(tokens) and kinds[end] == NUMBER and "." in after.strip("."):
        found.append(_THING)  # of a version
    return [_CUES[type_] for type_ in found if type_ in _CUES]


def _type_of(noun: str, nouns: Mapping[str, str]) -> str:
    one = base_form(noun)
    if noun in _THINGS or one in _THINGS:
        return _THING
    return nouns.get(noun) or nouns.get(one, "")


def _one_of(types: Collection[str], noun: str, nouns: Mapping[str, str]) -> str:
    """The type of a noun in the singular beside a name, if it is one of some."""
    type_ = _type_of(noun, nouns)
    return type_ if type_ in types and noun == base_form(noun) else ""


def _noun_before(lower: Sequence[str], kinds: Sequence[int], last: int, nouns: Mapping[str, str]) -> str:
    """The type of the nearest noun that has one, at most a few tokens before "called"."""
    for place in range(last, max(-1, last - _REACH), -1):
        if kinds[place] in (BREAK, OPENER):
            break
        if kinds[place] in (WORD, CUT, PARTICIPLE) and (type_ := _type_of(lower[place], nouns)):
            return type_
    return ""


def _head_after(lower: Sequence[str], kinds: Sequence[int], start: int, nouns: Mapping[str, str]) -> str:
    """The type of the last noun of the phrase that begins at ``start``."""
    head = ""
    for place in range(start, min(len(lower), start + _REACH + 1)):
        if kinds[place] == WORD or (kinds[place] in (CUT, PARTICIPLE) and not head):
            head = lower[place]
        elif kinds[place] != CAPITAL:
            break
    return _type_of(head, nouns) if head else ""


def _ends(tokens: Sequence[str], kinds: Sequence[int], end: int) -> bool:
    """Whether a clause or a phrase ends at a position, so that the name before it is nothing's subject."""
    return end >= len(tokens) or kinds[end] in (BREAK, FUNCTION, OPENER)


_NAME: Final = r"[^\W\d_a-z][\w-]*(?:\.(?= [^\W\d_a-z]))?(?:(?: (?:de|di|da|du|del|della|la|le|van|von|der|of))* [^\W\d_a-z][\w-]*){%s,4}"
_ALONE: Final = re.compile(_NAME % 0)
_PLACES: Final = {
    "<full>": rf"\b(?P<full>{_NAME % 0})\b(?!['’-]\w)",
    "<names>": rf"\b(?P<full>{_NAME % 1})\b(?!['’-]\w)",
    "<short>": rf"[\"“«„‘']?(?P<short>{_NAME % 0})\b(?!['’-]\w)",
    "<owner>": rf"\b(?P<short>{_NAME % 0})",
}
"""What the places for names in forms of words stand for, as patterns."""


def other_names(text: str, spans: Sequence[tuple[int, int]], language: str) -> Iterator[tuple[str, str]]:
    """Yield the pairs (name, other name) of one person or thing that the sentences at ``spans`` of a text give, the fuller one first."""
    parts = [part for part in SENTENCES.of("in_other_names", language) if part in text]
    if not parts:  # as most
        return
    before = ""
    for start, end in spans:
        sentence = text[start:end]
        if any(part in sentence for part in parts):
            sentence = " ".join(sentence.split())
            for form in _other_names(language):
                if found := form.search(sentence):
                    yield from _two_names(found, before, language)
        before = sentence


def _two_names(found: re.Match[str], before: str, language: str) -> Iterator[tuple[str, str]]:
    """Yield the two names that a form of words gives, as a pair. Behind a preposition only somebody's first name shows that not
    what is before that has the other: "a box by Corvane, known as Mule"."""
    given, lists = found.groupdict(), words_of(language)
    full, short = (
        _without_words_before(name, lists) for name in (given["full"], given.get("short") or _only_name(before, lists))
    )
    behind = found.string[: found.start()].rstrip().rpartition(" ")[2].lower()
    is_clear = behind not in PREPOSITIONS or full.partition(" ")[0].lower() in GIVEN_NAMES
    if short and is_clear and short != full and lists.function.isdisjoint((short.lower(), full.lower())):
        yield (full, short) if full.count(" ") >= short.count(" ") else (short, full)


def _only_name(sentence: str, lists: Words) -> str:
    """The one name of a sentence; "" where it has none or several."""
    found = {one for one in _ALONE.findall(sentence) if one.lower() not in lists.function}
    return found.pop() if len(found) == 1 else ""


def _without_words_before(name: str, lists: Words) -> str:
    """A name without words before its first name that are none and have a capital letter for other reasons: Mein Bruder Stefan."""
    words = name.split(" ")
    at = next((at for at, word in enumerate(words) if word.lower() in GIVEN_NAMES), 0)
    is_title = any(
        word.lower().rstrip(".") in (lists.honorifics | lists.masculine | lists.feminine) for word in words[:at]
    )
    return name if is_title else " ".join(words[at:])


@cache
def _other_names(language: str) -> tuple[re.Pattern[str], ...]:
    """Return the forms of words of a language that give a name another, as patterns."""
    forms = []
    for form in SENTENCES.of("other_names", language):
        for place, pattern in _PLACES.items():
            form = form.replace(place, pattern)
        forms.append(re.compile(form))
    return tuple(forms)
