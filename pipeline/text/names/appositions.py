"""What a sentence says that a name is: "a company called Loopt", "Loopt, a start-up", "the film Dune", "companies like Uber"."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from pipeline.text.inflection import base_form
from pipeline.text.lexicon.given_names import GIVEN_NAMES
from pipeline.text.lexicon.lexicon import ORGANIZATION, PERSON, PLACE, WORK
from pipeline.text.lexicon.words import listed, sections
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
