"""Joins the written forms of one name: Joan with Joan of Arc, Scrooge with Ebenezer Scrooge, WHO with its full name; and
keeps apart what only looks alike: Mr. and Mrs. Cratchit, Henry V and Henry VI, two people of one surname."""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import islice, takewhile
from operator import attrgetter
from typing import Final, NamedTuple

from pipeline.text.inflection import base_form
from pipeline.text.lexicon.english_words import is_english_word
from pipeline.text.lexicon.given_names import FEMALE_NAMES, MALE_NAMES
from pipeline.text.lexicon.lexicon import CONCEPT, ORGANIZATION, PERSON, Lexicon
from pipeline.text.lexicon.russian import distance_from_nominative, is_patronymic, nominative
from pipeline.text.lexicon.words import listed, sections
from pipeline.text.names.name_spans import is_listed
from pipeline.text.names.name_types import (
    CAPITAL_ENDINGS,
    COMPANY_ENDINGS,
    HEAD_ENDS,
    TITLE_MARKS,
    head_of,
    is_numeral,
    is_of_partners,
    is_titled,
)
from pipeline.text.scripts import fold

_CONTEXT: Final = sections("name_context")
_WITH_SURNAME: Final = listed(_CONTEXT["with_surname"])
"""Honorifics after which a single name is a surname."""
MARRIED: Final = listed(_CONTEXT["married"])
"""Honorifics of a wife, who need not be the one woman of that surname who is named in full."""
RANKS: Final = listed(_CONTEXT["ranks"])
"""Honorifics of rank: Emperor Henry IV is not King Henry IV, and King James is not James Thornbury."""
_CIVIL: Final = listed("mr mrs ms miss")
_UNMARRIED: Final = listed("ms miss")
SERVICE: Final = listed(_CONTEXT["service"])
"""Honorifics of service: who has one is called by it."""
_PROPER_HEADS: Final = listed(
    *map(sections("name_words").__getitem__, ("organization", "place", "event", "firms_of_two"))
)
_TRADES: Final = COMPANY_ENDINGS | listed(sections("name_words")["trades"])
"""Last words of names of firms, which are called by the first."""
_IN_MEMORY: Final = listed(sections("name_words")["in_memory"])
_SAINTS: Final = listed(_CONTEXT["saints"])
_MORE_THAN_A_SAINT: Final = 3
"""A saint is taken for a person of that name who is seen at least so many times as often."""
_SHARED_CHUNKS: Final = 0.03
"""Share of a short form's chunks that must also hold the full name, so that a chance namesake is not joined."""
_ONE_BOOK: Final = 1000
"""Chunks up to which a corpus may be one tale: a name is then hardly borne twice, and one bearer may outshine the others."""
ONE_HOUSE: Final = 200
"""Chunks up to which a corpus may be the papers of one house: a firm is then hardly called by the first word of another's name."""
_NEAR: Final = 3
"""Part of a short name's chunks that hold or are next to those that hold the full one."""
_MAIN: Final = 4
"""The main bearer of a name is seen more than so many times as often as all others together."""
_RARE: Final = 5
"""A short form is joined to a full name that is never near it only where it is seen at most so many times as often."""


_CALLED: Final = 4
"""Sightings of "Mr." and a last name from which on that is what a man is called, and his last name alone may be his."""
_KNOWN: Final = (("US", "United States"), ("USA", "United States"), ("UK", "United Kingdom"))


class Spelling(NamedTuple):
    """One accepted name before joining."""

    key: str
    """Its ``scripts.fold``."""
    text: str
    type: str
    is_person: bool
    """Whether something says so outright, not only its looks."""
    sightings: int
    chunks: frozenset[int]
    is_determined: bool = False
    """Whether an article is before it more often than not."""
    is_shown: bool = False
    """Whether any sighting is one of somebody: beside a verb of speech or living, or the noun for a person."""


class PersonName(NamedTuple):
    """A name read as that of a person."""

    core: tuple[str, ...]
    """Folded tokens without honorifics, connectors and numeral."""
    title: str
    """The first honorific, in lower case; "" if none."""
    gender: str
    """"m", "f" or ""."""
    numeral: str
    connected: bool
    """Whether "of", "von" or the like is inside, so that the last part is no surname."""


class Joined(NamedTuple):
    """What became of the spellings."""

    full: dict[str, str]
    """Key of every spelling to the key of the fullest spelling of the same name (itself where there is no other)."""
    shared: frozenset[str]
    """Keys of first names, surnames and offices that several people bear and that are nobody's by themselves."""


def join(spellings: Sequence[Spelling], pairs: Iterable[tuple[str, str]], lexicon: Lexicon, n_chunks: int) -> Joined:
    """Join spellings of one name. ``pairs`` are (short form, name) that the texts themselves introduce."""
    by_key = {spelling.key: spelling for spelling in spellings}
    groups = _Groups(by_key)
    introduced: dict[str, set[str]] = defaultdict(set)
    for short, name in sorted({*pairs, *_KNOWN}):
        introduced[fold(short)].add(fold(name))
    _join_companies(by_key, groups)
    _join_firms_by_first_word(by_key, groups, lexicon, n_chunks <= ONE_HOUSE)
    _join_inflected(by_key, groups)
    _join_plurals(by_key, groups)
    shared = _join_people(by_key, groups, lexicon, n_chunks)
    for key, names in sorted(introduced.items()):
        roots = {groups.root(name) for name in names if name in by_key}
        if len(roots) == 1:
            groups.join(key, roots.pop())
        elif len(roots) > 1 and key in by_key and groups.root(key) == key:
            shared.add(key)
    shared |= _join_heads(by_key, groups, lexicon, n_chunks <= _ONE_BOOK)
    return Joined({key: groups.root(key) for key in by_key}, frozenset(shared))


class _Groups:
    """Each key's fullest spelling; chains are followed."""

    def __init__(self, keys: Iterable[str]) -> None:
        self._above = {key: key for key in keys}

    def root(self, key: str) -> str:
        while self._above[key] != key:
            key = self._above[key]
        return key

    def join(self, short: str, full: str) -> None:
        if short in self._above and full in self._above and self.root(full) != self.root(short):
            self._above[self.root(short)] = self.root(full)


def _join_companies(by_key: Mapping[str, Spelling], groups: _Groups) -> None:
    for key in sorted(by_key):
        first, _, last = key.rpartition(" ")
        if last in COMPANY_ENDINGS or by_key[key].text.endswith(CAPITAL_ENDINGS):
            groups.join(first.rstrip(","), key)
        elif is_of_partners(key.partition(" ")[0]):
            groups.join(key.partition(" ")[2], key)


def _join_firms_by_first_word(
    by_key: Mapping[str, Spelling], groups: _Groups, lexicon: Lexicon, one_house: bool
) -> None:
    """Joins a word that is no other word or name, as far as lists and texts show, to the one firm that it may be short for: Grenmark, of
    the Grenmark Group."""
    begun: dict[str, set[str]] = defaultdict(set)
    others: set[str] = set()
    for key, spelling in by_key.items():
        words = key.split()
        if len(words) > 1 and spelling.type == ORGANIZATION:
            begun[words[0]].add(groups.root(key))
        elif len(words) > 1:
            others.update((words[0], words[-1]))  # of people, and of what else is called by it
    for first, firms in sorted(begun.items()):
        short = by_key.get(first)
        if short is None or len(firms) > 1 or first in others or short.is_shown or groups.root(first) != first:
            continue
        full = by_key[next(iter(firms))]
        is_firm = full.key.rpartition(" ")[2] in _TRADES or "&" in full.text
        is_near = one_house or not short.chunks.isdisjoint(full.chunks)
        if is_firm and is_near and short.type in (CONCEPT, ORGANIZATION) and _is_unknown_word(short.text, lexicon):
            groups.join(first, full.key)


def _is_unknown_word(text: str, lexicon: Lexicon) -> bool:
    """Whether a word is written as a name is, and lists have it neither as a word nor as a name."""
    word = text.lower()
    is_word = is_english_word(word) or word in lexicon.nouns or word in lexicon.no_names or word in lexicon.demonyms
    return text[1:].islower() and not is_word and not is_listed(word)


def _join_plurals(by_key: Mapping[str, Spelling], groups: _Groups) -> None:
    """Joins the plural of an acronym to it: GPUs, CD-ROMs; and that of a term of several words, which a contract writes as a name:
    Modified Versions."""
    for key, spelling in sorted(by_key.items()):
        first, _, last = key.rpartition(" ")
        one = by_key.get(f"{first} {base_form(last)}") if first and last[-1] == "s" and is_english_word(last) else None
        if one and one is not spelling and one.type == spelling.type == CONCEPT:
            groups.join(key, one.key)
        if key[-1] == "s" and key[:-1] in by_key and by_key[key[:-1]].text + "s" == spelling.text:
            letters = spelling.text[:-1]
            if letters.isupper() or any(map(str.isdigit, letters)):
                groups.join(key, key[:-1])


def _join_inflected(by_key: Mapping[str, Spelling], groups: _Groups) -> None:
    """Joins the case forms of a Russian name to the one most like a nominative: Жанну, Жанне, Жанны to Жанна."""
    by_stem: dict[str, list[str]] = defaultdict(list)
    for key in sorted(by_key):
        if not key.isascii():
            by_stem[" ".join(map(base_form, nominative(key).split()))].append(key)
    for keys in by_stem.values():
        firsts = {key.split()[0] for key in keys}
        full = min(
            (key != nominative(key), distance_from_nominative(key.split()[0], firsts), -by_key[key].sightings, key)
            for key in keys
        )[-1]
        for key in keys:
            groups.join(key, full)


def _join_heads(by_key: Mapping[str, Spelling], groups: _Groups, lexicon: Lexicon, one_book: bool) -> set[str]:
    """Joins "the Dean" to the one Dean of Corvesham, "the Admiral" to him who is mostly meant; returns those of several."""
    short = [
        key
        for key in sorted(by_key)
        if by_key[key].is_determined and (key in lexicon.nouns or key in lexicon.honorifics or key in _PROPER_HEADS)
    ]
    fuller: dict[str, Counter[str]] = {key: Counter() for key in short}
    for key in sorted(by_key):
        tokens = key.split()
        if len(tokens) > 1:
            for head in {tokens[0], head_of(tokens)} if tokens[0] in lexicon.honorifics else {head_of(tokens)}:
                if head in fuller:
                    fuller[head][groups.root(key)] += by_key[key].sightings
    shared = set()
    for key in short:
        spelling, known = by_key[key], fuller[key]
        if not known or groups.root(key) != key:
            continue
        (main, most), *others = known.most_common()
        if known.total() < spelling.sightings:
            continue  # the Ghost of a tale, who is meant oftener than all ghosts with a name
        if not others or (one_book and most > _MAIN * (known.total() - most)):
            groups.join(key, main)
        else:
            shared.add(key)
    return shared


def _join_people(by_key: Mapping[str, Spelling], groups: _Groups, lexicon: Lexicon, n_chunks: int) -> set[str]:
    """Joins the names of each person; returns the keys of single names that several people bear."""
    people = {
        key: read_person(by_key[key].text, lexicon)
        for key in sorted(by_key)
        if by_key[key].type in (PERSON, CONCEPT) and _may_be_person(by_key[key].text)
    }
    persons = {key: one for key, one in people.items() if by_key[key].type == PERSON}
    _join_full_names(persons, by_key, groups)
    _join_initialled(persons, by_key, groups, n_chunks <= ONE_HOUSE)
    _join_titled_of(people, groups)
    known = _bearers(people, by_key, groups, lexicon)
    titled: Counter[tuple[tuple[str, ...], str]] = Counter()
    for key, person in people.items():
        if person.title:
            titled[person.core, "f" if person.gender == "f" else "m"] += by_key[key].sightings
    one_book = n_chunks <= _ONE_BOOK
    single = {key: one for key, one in people.items() if len(one.core) == 1 and not one.numeral}
    firms = _firms_called_by(single, by_key, groups, known, titled)
    single = {key: one for key, one in single.items() if key not in firms}
    unmarried = _chunks_of_unmarried(single, by_key)
    for key, person in single.items():
        if groups.root(key) == key:  # not joined yet
            named = person.title or _is_name_part(person.core[0], lexicon)
            bearers = [one for one in known.get(person.core[0], []) if named and _may_bear(one, by_key[key])]
            alone = by_key[person.core[0]].sightings if person.core[0] in by_key else 0
            short = by_key[key]._replace(chunks=unmarried.get((person.core, person.title), by_key[key].chunks))
            full = _bearer(person, short, alone, bearers, n_chunks, titled)
            if full and _meet(person, short, full, one_book):
                groups.join(key, full.root)
            elif (
                person.title and person.core[0] not in known and not (person.gender == "f" and titled[person.core, "m"])
            ):
                groups.join(key, person.core[0])
    return _shared(single, by_key, known, groups, titled, one_book)


def _chunks_of_unmarried(
    single: Mapping[str, PersonName], by_key: Mapping[str, Spelling]
) -> dict[tuple[tuple[str, ...], str], frozenset[int]]:
    """Last names behind "Miss" and "Ms", who is one woman, to the chunks of both."""
    found: dict[tuple[str, ...], frozenset[int]] = defaultdict(frozenset)
    for key, person in single.items():
        if person.title in _UNMARRIED:
            found[person.core] |= by_key[key].chunks
    return {(core, title): chunks for core, chunks in found.items() for title in _UNMARRIED}


def _firms_called_by(
    single: Mapping[str, PersonName],
    by_key: Mapping[str, Spelling],
    groups: _Groups,
    known: Mapping[str, Sequence["_Bearer"]],
    titled: Counter[tuple[tuple[str, ...], str]],
) -> set[str]:
    """Keys of bare surnames by which the texts call a firm, as far as they show: Lockridge, of Lockridge Instruments, whose director
    is Owen Lockridge. Where one firm may be meant, they are joined to it; that of partners is hardly called by one of them."""
    firms: dict[str, set[str]] = defaultdict(set)
    for key, spelling in by_key.items():
        first, _, rest = key.partition(" ")
        words = rest.split()
        if words and spelling.type == ORGANIZATION and _IN_MEMORY.isdisjoint(words) and first in single:
            firms[first].add("" if "&" in words or "and" in words else groups.root(key))
    found = set()
    for key in sorted(firms):
        is_surname = any(bearer.is_surname for bearer in known.get(key, ()))
        is_somebody = by_key[key].is_person or by_key[key].is_shown or any(titled[(key,), gender] for gender in "fm")
        if is_surname and not is_somebody and groups.root(key) == key:
            found.add(key)
            if len(firms[key]) == 1:
                groups.join(key, *firms[key])
    return found


def _join_titled_of(people: Mapping[str, PersonName], groups: _Groups) -> None:
    """Joins "Captain Wentworth of Uppercross" to "Captain Wentworth": a title and a last name, with a place behind."""
    for key, person in people.items():
        short = key.partition(" of ")[0]
        if person.connected and person.title and short in people and people[short].title == person.title:
            groups.join(key, short)


def _shared(
    single: Mapping[str, PersonName],
    by_key: Mapping[str, Spelling],
    known: Mapping[str, Sequence["_Bearer"]],
    groups: _Groups,
    titled: Counter[tuple[tuple[str, ...], str]],
    one_book: bool,
) -> set[str]:
    """Keys of bare names of which several people are called, none of them much more than the others.

    Where all the others are called much less, the name is joined to the one.
    """
    seen: dict[str, Counter[str]] = defaultdict(Counter)
    for name in dict.fromkeys(person.core[0] for person in single.values()):
        for bearer in known.get(name, ()):
            seen[name][groups.root(bearer.root)] += bearer.sightings
    for key, person in single.items():
        if person.title:
            seen[person.core[0]][groups.root(key)] += by_key[key].sightings
    shared = set()
    for key, person in single.items():
        others = seen[person.core[0]]
        if key in others or person.title or groups.root(key) != key or not others or by_key[key].type != PERSON:
            continue
        (main, most), *_ = others.most_common(1)
        men = titled[person.core, "m"] >= max(_CALLED, titled[person.core, "f"])
        if one_book and most > _MAIN * (others.total() - most) and (men or main not in single):
            groups.join(key, main)
        elif len(others) > 1 and by_key[key].sightings <= _MAIN * others.total():
            shared.add(key)
    return shared


def _may_bear(bearer: "_Bearer", short: Spelling) -> bool:
    """Whether a full name may be that of a short one: Linux, of which nothing says that it is a person, is not short for a
    rare "Kali Linux"."""
    if short.is_person:
        return True
    if not bearer.certain and bearer.person.core[0] == short.key:  # Jay, beside Jay Kreps
        return not short.chunks.isdisjoint(bearer.chunks)
    return bearer.certain and (short.type == PERSON or short.sightings <= _RARE * bearer.sightings)


def _may_be_person(text: str) -> bool:
    return "'s " not in text and "’s " not in text and TITLE_MARKS.isdisjoint(text)


@lru_cache(maxsize=1 << 15)
def read_person(text: str, lexicon: Lexicon) -> PersonName:
    """Return the parts of a name as that of a person: its core without honorifics, the honorific, gender and numeral."""
    tokens = text.split()
    title = gender = ""
    while len(tokens) > 1 and tokens[1].lower() not in HEAD_ENDS:
        if not is_titled(tokens, lexicon):
            break
        word = tokens[0].lower().rstrip(".")
        title = title or word
        gender = gender or ("m" if word in lexicon.masculine else "f" if word in lexicon.feminine else "")
        tokens.pop(0)
    numeral = next((token for token in tokens[1:] if is_numeral(token) and not token.isdigit()), "")
    named = [token for token in tokens if token.lower() not in HEAD_ENDS]
    parts = [fold(token) for token in named if token != numeral]
    if parts and not gender and (len(parts) > 1 or numeral):
        gender = "m" if parts[0] in MALE_NAMES else "f" if parts[0] in FEMALE_NAMES else ""
    if parts and not parts[0].isascii():
        parts = [base_form(part) for part in nominative(" ".join(parts)).split()]
    core = tuple(parts)
    return PersonName(core, title, gender, numeral.rstrip("."), len(named) < len(tokens))


def fits(one: PersonName, other: PersonName) -> bool:
    """Whether nothing speaks against two names naming one person."""
    if one.gender and other.gender and one.gender != other.gender:
        return False
    if one.title in RANKS and other.title in RANKS and one.title != other.title:
        return False
    if (_is_rank_alone(one) and _has_surname(other)) or (_is_rank_alone(other) and _has_surname(one)):
        return False
    return not (one.numeral and other.numeral and one.numeral != other.numeral)


def _is_rank_alone(person: PersonName) -> bool:
    """Whether a name is a first name after a rank: King James, Saint Anna."""
    return person.title in RANKS and len(person.core) == 1 and not person.numeral


def _has_surname(person: PersonName) -> bool:
    """Whether a name has a surname and no rank: nobody becomes King James by being called James Thornbury."""
    return len(person.core) > 1 and not person.connected and person.title not in RANKS


def _join_full_names(people: Mapping[str, PersonName], by_key: Mapping[str, Spelling], groups: _Groups) -> None:
    """Joins names of two parts or more that differ in an honorific, middle initials or an added "of …" only."""
    same: dict[tuple[tuple[str, ...], str], list[str]] = defaultdict(list)
    fuller: dict[tuple[tuple[str, ...], str], set[tuple[tuple[str, ...], str]]] = defaultdict(set)
    for key, person in people.items():
        identity = (person.core, person.numeral)
        if len(person.core) + bool(person.numeral) > 1:
            same[identity].append(key)
            for shorter in _shorter(person):
                fuller[shorter].add(identity)
    for identity in sorted(identity for identity, keys in same.items() if len(keys) > 1):
        keys = same[identity]
        genders = {people[key].gender for key in keys} - {""}
        if len(genders) > 1:  # R. Quill is Mr R. Quill or Mrs R. Quill
            parts = [[key for key in keys if people[key].gender == gender] for gender in sorted(genders)]
        else:
            parts = [keys]
        for same_gender in parts:
            head = min(same_gender, key=lambda key: (people[key].title != "", -by_key[key].sightings, key))
            for key in same_gender:
                if fits(people[key], people[head]):
                    groups.join(key, head)
    for shorter in sorted(fuller):
        longer = fuller[shorter]
        if len(longer) == 1 and shorter in same:
            one, other = same[shorter][0], same[next(iter(longer))][0]
            if fits(people[one], people[other]):
                groups.join(one, other)


def _shorter(person: PersonName) -> Iterable[tuple[tuple[str, ...], str]]:
    """Shorter names that a name of several parts contains."""
    core, numeral = person.core, person.numeral
    if numeral and len(core) > 1:
        yield (core[:1], numeral)  # Adalbert II for Adalbert II of Tuscany
    elif len(core) == 3 and not core[1].isascii() and is_patronymic(core[1]):
        yield (core[:2], numeral)  # Вера Аркадьевна for Вера Аркадьевна Звягина
        yield ((core[0], core[2]), numeral)
    elif len(core) > 2 and not person.connected and all(len(part) == 1 for part in core[1:-1]):
        yield ((core[0], core[-1]), numeral)  # Michael Hart for Michael S. Hart


def _join_initialled(
    people: Mapping[str, PersonName], by_key: Mapping[str, Spelling], groups: _Groups, one_house: bool
) -> None:
    """Joins an initial and a last name to the one full name that it is short for: Mrs D. Wren, of Donata Wren."""
    full: dict[tuple[str, str], set[str]] = defaultdict(set)
    for key, person in people.items():
        if len(person.core) > 1 and len(person.core[0]) > 1 and not (person.connected or person.numeral):
            full[person.core[0][0], person.core[-1]].add(groups.root(key))
    for key, person in people.items():
        known = full.get(person.core, ()) if len(person.core) == 2 and not person.numeral else ()
        for root in known if len(known) == 1 else ():
            near = one_house or not by_key[key].chunks.isdisjoint(by_key[root].chunks)
            if near and root in people and fits(person, people[root]):
                groups.join(key, root)


class _Bearer(NamedTuple):
    """A full name, with all its spellings, seen from one of its parts."""

    root: str
    person: PersonName
    certain: bool
    """Whether it is a person's beyond its looks."""
    is_surname: bool
    sightings: int
    chunks: frozenset[int]
    titles: frozenset[str]
    """The honorifics before it."""


_root: Final = attrgetter("root")


def _bearers(
    people: Mapping[str, PersonName], by_key: Mapping[str, Spelling], groups: _Groups, lexicon: Lexicon
) -> dict[str, list[_Bearer]]:
    """First and last parts of full names to those who bear them; a common noun is no part to be known by, unless it is somebody's
    surname behind a title: M. Fontaine."""
    titled = {one.core[0] for one in people.values() if len(one.core) == 1 and one.title in _WITH_SURNAME}
    members: dict[str, list[str]] = defaultdict(list)
    for key, person in people.items():
        titled_of = person.connected and person.title and person.title not in RANKS  # Captain Wentworth of Uppercross
        if titled_of or by_key[key].type != PERSON or groups.root(key) not in people:
            continue
        if len(person.core) + bool(person.numeral) > 1:
            members[groups.root(key)].append(key)
    found: dict[str, list[_Bearer]] = defaultdict(list)
    for root in sorted(members):
        person = people[root]
        spelled = [by_key[key] for key in members[root]]
        count = sum(one.sightings for one in spelled)
        first, *others = [one.chunks for one in spelled]
        chunks = first.union(*others) if others else first
        certain = any(one.is_person for one in spelled)
        titles = frozenset([title for key in members[root] if (title := people[key].title)])
        parts = {person.core[0]: False}
        if not person.connected and not person.numeral:
            parts[person.core[-1]] = True
        for part, is_surname in parts.items():
            if _is_name_part(part, lexicon) or (is_surname and part in titled):
                found[part].append(_Bearer(root, person, certain, is_surname, count, chunks, titles))
    return found


def _is_name_part(part: str, lexicon: Lexicon) -> bool:
    return (
        part not in lexicon.nouns and part not in lexicon.no_names and part.replace("-", "").replace("'", "").isalpha()
    )


def _bearer(
    person: PersonName,
    short: Spelling,
    alone: int,
    known: Sequence[_Bearer],
    n_chunks: int,
    titled: Counter[tuple[tuple[str, ...], str]],
) -> _Bearer | None:
    """The one full name that a first or last name can stand for; None if there is none or more than one.

    ``alone`` are the sightings of its word without an honorific, ``titled`` those of last names with an honorific by gender: where a
    man has one, "Mrs." may be his wife; else Frau Lind is Anna Lind if no other Lind is named, or only men, and they not oftener than
    she. In the papers of one house who is near the name may be whom it stands for.
    """
    one_book = n_chunks <= _ONE_BOOK
    family = [bearer for bearer in known if bearer.is_surname]
    women = [bearer for bearer in family if bearer.person.gender != "m"]
    if person.title in MARRIED and family and (titled[person.core, "m"] or len(women) != 1):
        own = [bearer for bearer in family if person.title in bearer.titles]
        return own[0] if len(own) == 1 and len(person.core[0]) == 1 else None  # Mrs B. is Mrs T. B.
    if person.title in _SAINTS:  # Saint Joan is Joan of Arc where all is about Joan
        known = [bearer for bearer in known if bearer.sightings + alone >= _MORE_THAN_A_SAINT * short.sightings]
    most = max((bearer.sightings for bearer in known), default=0)
    least = min((bearer.sightings for bearer in known), default=0)
    frequent = sorted((bearer for bearer in known if bearer.sightings > _MAIN * least), key=_root)
    known = [one for one in known if most <= _MAIN * one.sightings or not _is_cut(one, frequent)]
    possible = [bearer for bearer in known if bearer.is_surname or person.title not in _WITH_SURNAME]
    if person.gender == "f":
        possible = _women(possible, person.title in MARRIED)
    fitting = [bearer for bearer in possible if fits(person, bearer.person) and _may_be_called(person.title, bearer)]
    if person.title in _WITH_SURNAME:
        fitting = [bearer for bearer in fitting if person.title in bearer.titles] or fitting
    if len(fitting) == 1 and (person.gender == "m" or len(possible) == 1):
        return fitting[0]
    if not one_book or not fitting:
        return None
    men = [bearer for bearer in fitting if bearer.person.gender == "m"]
    if not person.title and titled[person.core, "m"] >= _CALLED and len(men) == 1:
        seen = Counter({gender: titled[person.core, gender] for gender in "fm"})
        for one in fitting:
            seen[one.person.gender] += one.sightings
        return men[0] if seen["m"] > seen["f"] + seen[""] else None  # Bingley is Mr. Bingley, not Caroline Bingley
    main = max(fitting, key=lambda bearer: (bearer.sightings, bearer.root))
    if main.sightings > _MAIN * (sum(bearer.sightings for bearer in fitting) - main.sightings):
        return main
    return _nearest(short, fitting) if person.title in _CIVIL and n_chunks <= ONE_HOUSE else None


def _nearest(short: Spelling, fitting: Sequence[_Bearer]) -> _Bearer | None:
    """The one bearer who is named in the chunks of a short name and beside them, often enough."""
    around = {chunk + step for chunk in short.chunks for step in (-1, 0, 1)}
    near = [bearer for bearer in fitting if not around.isdisjoint(bearer.chunks)]
    if len(near) != 1 or not near[0].person.gender:
        return None
    shared = sum(not near[0].chunks.isdisjoint((chunk - 1, chunk, chunk + 1)) for chunk in short.chunks)
    return near[0] if shared * _NEAR >= len(short.chunks) else None


def _women(bearers: Sequence[_Bearer], is_married: bool) -> list[_Bearer]:
    """The bearers of a name who may be a woman; all of them where men are named oftener, of whom one may have a wife of no other name."""
    women = [bearer for bearer in bearers if bearer.person.gender != "m"]
    seen = sum(bearer.sightings for bearer in women)
    others = sum(bearer.sightings for bearer in bearers) - seen
    return list(bearers) if is_married and others > seen else women


def _may_be_called(title: str, bearer: _Bearer) -> bool:
    """Whether an honorific goes with those before a full name: Sir Walter and the captain are no Mr."""
    if title in _CIVIL and bearer.titles - _CIVIL and title not in bearer.titles:
        return bearer.titles.isdisjoint(SERVICE | RANKS)
    return not (title in SERVICE and bearer.person.gender == "f" and title not in bearer.titles)


def _is_cut(bearer: _Bearer, frequent: Sequence[_Bearer]) -> bool:
    """Whether a full name is a rare beginning of a frequent one: "Surya Gang", where a page ends within "Surya Ganguli".

    ``frequent`` are in the order of their roots."""
    longer = islice(frequent, bisect_right(frequent, bearer.root, key=_root), None)
    begun = takewhile(lambda one: one.root.startswith(bearer.root), longer)
    return any(one.sightings > _MAIN * bearer.sightings for one in begun)


def _meet(person: PersonName, short: Spelling, full: _Bearer, one_book: bool) -> bool:
    """Whether the full name is near the short one often enough, or, in one book, is not too rare beside it; a man who is
    called by his last name has his full name perhaps but once."""
    if one_book and person.title in _WITH_SURNAME and (person.gender == "m" or person.title in full.titles):
        return True
    if len(short.chunks & full.chunks) >= max(1, _SHARED_CHUNKS * len(short.chunks)):
        return True
    return one_book and full.sightings * _RARE >= short.sightings
