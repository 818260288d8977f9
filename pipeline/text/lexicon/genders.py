"""Who is he, she or it: the gender of every name in a text, shown by honorifics, descriptions, pronouns and given names."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache

from pipeline.text.lexicon.given_names import FEMALE_NAMES, MALE_NAMES
from pipeline.text.lexicon.words import listed, sections
from pipeline.text.spans import Match

Pronouns = Sequence[tuple[int, str]]
"""Pronouns of one sentence: where each is, and m, f, thing or plural."""

_LISTS = sections("people")
PREPOSITIONS = listed(_LISTS["prepositions"])
"""After one of these a name is no subject: English, German, French, Spanish, Italian, Portuguese, Dutch, Russian."""

_ARTICLES = listed("the a an der die das dem den la le les el los")
_MALE_WORDS = listed(_LISTS["male"])
_FEMALE_WORDS = listed(_LISTS["female"])
PERSON_NOUNS = _MALE_WORDS | _FEMALE_WORDS | listed(_LISTS["persons"])
_DESCRIBED = re.compile(r"\s?(?:\([^)]{0,80}\)\s?)?(?:,\s?|\s?(?:was|is|became)\s)((?:[\w’'-]+ ?){1,6})")
_OWNED = re.compile(r"['’]s? ([a-z].*)")
_WORD = re.compile(r"[^\W_]+")
_BESIDE = re.compile(r"([^\W_]+)(\.?)\s$")
_LONGEST_ABBREVIATION = 3  # letters; "Mrs. Cratchit", but "a girl. Hugh"


def genders(text: str, grouped: Sequence[Sequence[Match]], pronouns: Sequence[Pronouns]) -> dict[str, str]:
    """Return for every title its kind: m, f, person (gender unknown), thing, or group (a thing that is also called they).

    ``grouped`` are the names and ``pronouns`` the pronouns of each sentence of ``text``, in order. Words beside a name weigh
    more than a given name, and this more than a pronoun that follows where no other person is near.
    """
    votes: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    types: dict[str, str] = {}
    previous: set[str] = set()
    for names, asked in zip(grouped, pronouns, strict=True):
        for match in names:
            types.setdefault(match.title, match.type)
            if match.type in ("PERSON", "CONCEPT") and text[match.start : match.start + 1].isupper():
                _vote_by_words(text, match, votes[match.title])
        persons = {match.title for match in names if match.type == "PERSON"}
        for at, kind in asked:
            before = {match.title for match in names if match.type == "PERSON" and match.start < at} or previous
            if kind in ("m", "f") and len(before) == 1:
                votes[next(iter(before))][kind == "f"] += 1.0
        previous = persons or previous
    return {title: _kind(title, type_, votes[title]) for title, type_ in types.items()}


def _vote_by_words(text: str, match: Match, votes: list[float]) -> None:
    """Add what the words in and around one mention say of its gender."""
    male, female = _votes_of_title(match.title)
    votes[0] += male
    votes[1] += female
    around = text[max(0, match.start - 16) : match.start].lower()
    # From the last word on: the pattern would try each letter before it.
    beside = _BESIDE.search(around, around.rstrip().rfind(" ") + 1)
    before = [beside[1]] if beside and not (beside[2] and len(beside[1]) > _LONGEST_ABBREVIATION) else []
    described = _DESCRIBED.match(text, match.end, match.end + 120)
    after = [word.lower() for word in _WORD.findall(described[1])] if described else []
    _vote(before, 5.0, votes)
    _vote(after, 3.0, votes)


@lru_cache(maxsize=1 << 16)
def _votes_of_title(title: str) -> Sequence[float]:
    """What the words of a title say of its gender."""
    votes = [0.0, 0.0]
    words = _WORD.findall(title.lower())
    _vote(words, 5.0, votes)
    if words and (words[0] in MALE_NAMES or words[0] in FEMALE_NAMES):
        votes[words[0] in FEMALE_NAMES] += 2.5
    return votes


def _vote(words: Iterable[str], weight: float, votes: list[float]) -> None:
    """Add the weight of the first word for a man or a woman, before any preposition."""
    for word in words:
        if word in PREPOSITIONS:
            return
        if word in _MALE_WORDS or word in _FEMALE_WORDS:
            votes[word in _FEMALE_WORDS] += weight
            return


def _kind(title: str, type_: str, votes: Sequence[float]) -> str:
    if (owned := _OWNED.search(title)) and noun_kind(owned[1]) == "thing":
        return "thing"
    male, female = votes
    gender = "m" if male > 2 * female else "f" if female > 2 * male else ""
    if type_ == "PERSON":
        return gender or "person"
    if type_ == "CONCEPT" and gender:
        return gender
    return "group" if type_ == "ORGANIZATION" else "thing"


def noun_kind(words: str) -> str:
    """Return m, f, person, plural or thing for a noun phrase without a name, by its first noun for a person."""
    for word in _WORD.findall(words.lower()):
        if word in PREPOSITIONS:
            break
        if word.endswith("s") and word[:-1] in PERSON_NOUNS:
            return "plural"
        if word in PERSON_NOUNS:
            return "m" if word in _MALE_WORDS else "f" if word in _FEMALE_WORDS else "person"
    return "thing"


def governed(text: str, start: int, at: int) -> bool:
    """Return whether a preposition is right before the name, an article between them allowed."""
    words = text[max(start, at - 16) : at].lower().split()
    if words and words[-1] in _ARTICLES:
        words.pop()
    return bool(words) and words[-1] in PREPOSITIONS


def is_name(title: str) -> bool:
    """Return whether a title is written as a name: with a capital letter, or in a script that has none."""
    return title != title.lower() or title == title.upper()
