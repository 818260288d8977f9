"""Russian names in the nominative: "Павла Львовича Звягина", "Звягин Павел Львович" are Павел Львович Звягин."""

import re
from collections.abc import Collection, Iterator
from functools import cache, lru_cache
from typing import Final

from pipeline.text.lexicon.frequency import RARE, frequency
from pipeline.text.lexicon.given_names import FEMALE_NAMES, GIVEN_NAMES

_CYRILLIC: Final = re.compile("[а-яё-]+")
_HIS: Final = re.compile("(.{2,}(?:[оеё]вич|ьич|[кмт]ич))(|а|у|ем|е)")
_HER: Final = re.compile("(.{2,}(?:[оеё]вн|ичн|ишн))(а|ы|е|у|ой|ою)")
"""Patronymics: what comes before their ending, and the ending."""
_HIS_SURNAME: Final = re.compile("(.{2,}(?:[оеё]в|[иы]н))(?:а|у|ым|е|ом)")
_HER_SURNAME: Final = re.compile("(.{2,}(?:[оеё]в|[иы]н))(?:ой|у|ою)")
_HIS_ADJECTIVE: Final = re.compile("(.{2,}[сц]к)(?:ого|ому|им|ом)")
_HER_ADJECTIVE: Final = re.compile("(.{2,}[сц]к)(?:ой|ую|ою)")
_SURNAME: Final = re.compile(
    "[А-ЯЁ][а-яё]{2,}(?:ов|ев|ёв|ин|ын|ск|цк|енк)(?:а|у|ым|ой|е|ых|ыми|ий|ого|ому|им|ая|ую|о)?"
)
_INSTRUMENTAL: Final = re.compile("(?:[оеё]й|[оеё]ю|[оеё]м)$")
_DID: Final = re.compile(
    r"([А-ЯЁ][а-яё]+) (?:не |сам |сама |тоже |уже |потом |тогда )?[а-яё]+(?:л|ла|лся|лась|[её]с|[её]з|мог|[её]к|мер)(?!\w)"
)
"""A name and, behind it, a verb in the past tense of one person."""
_FLEETING: Final = {"павел": "павл", "лев": "льв", "пётр": "петр"}


@lru_cache(maxsize=100_000)
def nominative(name: str) -> str:
    """Return a Russian name of several words (lower case) in the nominative, given name first; another name as it is."""
    tokens = name.split()
    if not 2 <= len(tokens) <= 3 or not all(map(_CYRILLIC.fullmatch, tokens)):
        return name
    at = next((place for place, token in enumerate(tokens) if is_patronymic(token)), 0)
    if at == 2:  # the surname first
        tokens, at = [tokens[1], tokens[2], tokens[0]], 1
    if at == 1:
        his = _HIS.fullmatch(tokens[1])
        her = _HER.fullmatch(tokens[1])
        female, oblique = her is not None, bool(his[2]) if his else her is not None and her[2] != "а"
        tokens[1] = his[1] if his else her[1] + "а" if her else tokens[1]
        tokens[0] = _given(tokens[0], female) if oblique else tokens[0]
    else:
        given = _given(tokens[0], None)
        if given == tokens[0] or len(tokens) > 2:
            return name
        oblique, female, tokens[0] = True, given in FEMALE_NAMES or given[-1] in "ая", given
    if oblique and len(tokens) > at + 1:
        tokens[-1] = _surname(tokens[-1], female)
    return " ".join(tokens)


def distance_from_nominative(word: str, forms: Collection[str]) -> int:
    """Smallest for the form of a name (lower case) that is most likely its nominative, among ``forms`` of one name: Аграфеной
    ends as Николай does, and is no nominative beside Аграфена."""
    if word in GIVEN_NAMES:
        return 0
    ending = _INSTRUMENTAL.search(word)
    if ending and any(form != word and form.startswith(word[: ending.start()]) for form in forms):
        return 4
    if word.endswith(("ье", "а", "я")):
        return 2
    return 3 if word[-1:] in "уюеиыь" else 1


@cache
def is_patronymic(word: str) -> bool:
    """Whether a word (lower case) is a patronymic in any case: Львович, Львовича, Степановной."""
    return _HIS.fullmatch(word) is not None or _HER.fullmatch(word) is not None


def is_surname(word: str) -> bool:
    """Whether a word, as written, has the form of a surname in any case: Звягина, Чайковскому."""
    return _SURNAME.fullmatch(word) is not None


def begins_with_person(sentence: str) -> bool:
    """Whether a sentence begins with a surname or a given name and tells what its bearer did: "Рябова подарила книгу". Frequent words
    with the ending of a surname are none: "Машина сломалась"."""
    found = _DID.match(sentence)
    if not found:
        return False
    name = found[1].casefold()
    return name in GIVEN_NAMES or (is_surname(found[1]) and frequency(name, "ru") <= RARE)


def is_given_in_a_case(word: str) -> bool:
    """Whether a word (lower case) is a Russian given name in any case."""
    return word in _forms(None) or word in _forms(True)


def _given(word: str, female: bool | None) -> str:
    """The nominative of a given name of that gender; the word itself where it is none or a nominative."""
    known = word if female is None and word in GIVEN_NAMES else _forms(female).get(word)
    if known or female is None:
        return known or word
    # a given name that no list has
    ending = re.search("(?:ой|ою|ы|у|е|и|ю|ей)$" if female else "(?:а|у|ом|ем|е)$", word)
    return (
        word
        if ending is None
        else word[: ending.start()] + ("" if not female else "я" if ending[0] in ("и", "ю", "ей") else "а")
    )


def _surname(word: str, female: bool) -> str:
    for pattern, ending in (
        ((_HER_SURNAME, "а"), (_HER_ADJECTIVE, "ая")) if female else ((_HIS_SURNAME, ""), (_HIS_ADJECTIVE, "ий"))
    ):
        if match := pattern.fullmatch(word):
            return f"{match[1]}{ending}"
    return word


@cache
def _forms(female: bool | None) -> dict[str, str]:
    """Forms of the given names of one gender, or of both, in the other cases, to the nominative."""
    forms: dict[str, str] = {}
    for name in sorted(filter(_CYRILLIC.fullmatch, GIVEN_NAMES)):
        if female is None or (name[-1] in "ая") == female:
            for form in _declined(name):
                forms.setdefault(form, name)
    return forms


def _declined(name: str) -> Iterator[str]:
    stem, last = name[:-1], name[-1]
    if last == "а":
        yield from (stem + ending for ending in ("ы", "и", "е", "у", "ой", "ою"))
    elif last == "я":
        yield from (stem + ending for ending in ("и", "е", "ю", "ей", "ёй"))
    elif last in "йь":
        yield from (stem + ending for ending in ("я", "ю", "ем", "е", "и"))
    elif last not in "оеиуыэюё":
        yield from (_FLEETING.get(name, name) + ending for ending in ("а", "у", "ом", "ем", "е"))
