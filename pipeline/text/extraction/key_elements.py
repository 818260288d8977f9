"""Makes key elements one where they are one, and drops those that carry nothing or everything.

All names of an entity join, and those of two entities never do. Other spellings join by case, hyphen and article, by plural
where both numbers occur, by honorific, and a surname joins the one full name that ends with it. Names that conflict never
join: Mr. and Mrs., two first names, two regnal numbers. What is rare and no name is dropped,
and so is what is in too many facts to distinguish them.
(Frequency filter, rule, semantic and association aggregation: Lu et al., 2023, as GraphReader uses it, arXiv 2406.14550,
section 3.2.)
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from pipeline.text.dates import find_dates
from pipeline.text.lexicon.genders import PREPOSITIONS, is_name
from pipeline.text.lexicon.given_names import FEMALE_NAMES, MALE_NAMES
from pipeline.text.lexicon.words import listed, sections, union
from pipeline.text.scripts import LANGUAGES, fold

NAME_SHARE = 0.5
"""Share of all facts above which even a name is over-broad, whatever the limit for other words."""

FLOOR = 200
"""Facts; up to this many nothing is over-broad, so that a small corpus keeps its main names."""


class Normalised(NamedTuple):
    """What became of every key element: it has a canonical title, or it was dropped for a reason."""

    canonical: dict[str, str]
    """Key element as found -> canonical title: that of its entity, else one of the spellings found."""
    dropped: dict[str, str]
    """Key element as found -> empty, rare or over-broad."""
    aliases: dict[str, tuple[str, ...]]
    """Canonical title -> its other spellings, in order of the alphabet."""


_LISTS = sections("key_elements")
_CIVIL = listed(_LISTS["civil_titles"])
_MASCULINE = union(words.masculine for words in LANGUAGES.values())
_FEMININE = union(words.feminine for words in LANGUAGES.values())
_TITLES = _CIVIL | _MASCULINE | _FEMININE | union(words.honorifics for words in LANGUAGES.values())
_IRREGULAR = dict(pair.split("=") for pair in _LISTS["irregular_plurals"].split())
_NO_PLURAL = listed(_LISTS["no_plurals"])
_SURNAME_OF = 3  # words; a longer name is more likely a work or an institution


def normalise(
    counts: Mapping[str, int],
    spread: Mapping[str, int],
    n_facts: int,
    entity_of: Mapping[str, str] = MappingProxyType({}),
    *,
    min_facts: int = 2,
    max_share: float = 0.05,
    floor: int = FLOOR,
) -> Normalised:
    """Return what becomes of the key elements that ``counts`` holds; the order of its keys makes no difference.

    ``counts`` is the number of facts and ``spread`` the number of chunks of each; ``n_facts`` that of all facts;
    ``entity_of`` the title of the entity that a key element names, for those that are known to name one. A key
    element that is no name is dropped as rare below ``min_facts``. It is over-broad above ``max_share`` of all facts, a
    name only above NAME_SHARE, and neither is with ``floor`` facts or fewer.
    """
    groups = _SpellingGroups(sorted(counts), entity_of)
    written = {raw: key for raw in groups.parent if (key := _key(raw))}
    names = [(raw, *_parts(key)) for raw, key in written.items() if is_name(raw)]
    by_key: dict[str, list[str]] = defaultdict(list)
    for raw, key in written.items():
        by_key[key].append(raw)
    _join_entities(groups, entity_of)
    for same in by_key.values():
        if len(same) > 1:
            groups.join(same)
    _join_plurals(groups, by_key, counts)
    _join_honorifics(groups, names)
    _join_surnames(groups, names, written, counts, spread)
    canonical: dict[str, str] = {}
    dropped = {raw: "empty" for raw in groups.parent if raw not in written}
    aliases: dict[str, tuple[str, ...]] = {}
    for members in groups.members(written):
        title = groups.entity_of(members[0]) or _title(members, counts)
        total = sum(map(counts.__getitem__, members))
        reason = _reason(title, total, min_facts, max_share * n_facts, max(max_share, NAME_SHARE) * n_facts, floor)
        if reason:
            dropped.update(dict.fromkeys(members, reason))
            continue
        canonical.update(dict.fromkeys(members, title))
        aliases[title] = tuple(raw for raw in members if raw != title)
    return Normalised(canonical, dropped, aliases)


class _SpellingGroups:
    """Disjoint sets of spellings; the root of each is its first in the alphabet, so that order of joining is no matter."""

    def __init__(self, items: Iterable[str], entity_of: Mapping[str, str]) -> None:
        self.parent = {item: item for item in items}
        self._entity = {item: entity_of[item] for item in self.parent if item in entity_of}
        """The entity that a group names, by its root, where it is known to name one."""

    def entity_of(self, item: str) -> str | None:
        """Return the title of the entity that the group of ``item`` names, None where none is known."""
        return self._entity.get(self.root(item))

    def root(self, item: str) -> str:
        while self.parent[item] != item:
            self.parent[item] = self.parent[self.parent[item]]
            item = self.parent[item]
        return item

    def join(self, items: Iterable[str]) -> None:
        """Make the groups of some spellings one, but for those that name another entity."""
        roots = sorted({self.root(item) for item in items})
        for other in roots[1:]:
            entity = self._entity.get(other)
            if entity is None or self._entity.setdefault(roots[0], entity) == entity:
                self.parent[other] = roots[0]

    def members(self, items: Iterable[str]) -> list[list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for item in items:
            found[self.root(item)].append(item)
        return [sorted(found[root]) for root in sorted(found)]


def _key(raw: str) -> str:
    """What equal spellings share. A short word all in capitals keeps them: US is not us."""
    if raw.isupper() and raw.isascii() and raw.isalpha() and len(raw) <= 5:
        return raw
    key = fold(raw)
    if "-" in key:
        key = " ".join(key.replace("-", " ").split())
    return key if key[:1].isalnum() or any(map(str.isalnum, key)) else ""


def _is_date(raw: str) -> bool:
    found = find_dates(f"in {raw}.") if any(map(str.isdigit, raw)) else []
    return bool(found) and found[0].end - found[0].start >= len(raw)


def _join_entities(groups: _SpellingGroups, entity_of: Mapping[str, str]) -> None:
    by_entity: dict[str, list[str]] = defaultdict(list)
    for raw in groups.parent:
        if raw in entity_of:
            by_entity[entity_of[raw]].append(raw)
    for same in by_entity.values():
        groups.join(same)


def _join_plurals(groups: _SpellingGroups, by_key: Mapping[str, list[str]], counts: Mapping[str, int]) -> None:
    """A plural joins its singular where both occur and neither is mostly written as a name."""
    common = {key: raws[0] for key, raws in by_key.items() if not is_name(_title(raws, counts))}
    for key, raw in common.items():
        singular = next((word for word in _singulars(key) if word in common), None)
        if singular:
            groups.join((raw, common[singular]))


def _singulars(key: str) -> list[str]:
    """Possible singulars of a word or phrase, likeliest first."""
    head, _, last = key.rpartition(" ")
    start = head + " " if head else ""
    if last in _IRREGULAR:
        return [start + _IRREGULAR[last]]
    if len(last) < 4 or not last.endswith("s") or last.endswith(("ss", "us", "is", "ics")) or last in _NO_PLURAL:
        return []
    found = [last[:-1]]
    if last.endswith("ies"):
        found.insert(0, last[:-3] + "y")
    if last.endswith(("ses", "xes", "zes", "ches", "shes", "oes")):
        found.append(last[:-2])
    return [start + word for word in found]


def _parts(key: str) -> tuple[tuple[str, ...], str]:
    """Honorifics in front of a name, and the name without them."""
    if key.partition(" ")[0] not in _TITLES:
        return (), key  # as of most
    words = key.split()
    at = 0
    while at < len(words) - 1 and words[at] in _TITLES:
        at += 1
    return tuple(words[:at]), " ".join(words[at:])


_SplitName = tuple[str, tuple[str, ...], str]
"""A name as found, the honorifics in front of it, and the name without them."""


def _join_honorifics(groups: _SpellingGroups, names: Sequence[_SplitName]) -> None:
    """Mr. X joins X unless Mrs. X occurs too, or a woman of that surname.

    A rank joins a bare name only where the name has two words or more.
    """
    titled = {core for _, titles, core in names if titles}
    by_core: dict[str, dict[tuple[str, ...], list[str]]] = defaultdict(lambda: defaultdict(list))
    given: dict[str, set[str]] = defaultdict(set)
    for raw, titles, core in names:
        if core in titled:
            by_core[core][titles].append(raw)
        if (last := core.rpartition(" ")[2]) in titled:
            given[last].add(core.partition(" ")[0])
    for core, forms in by_core.items():
        words = {word for titles in forms for word in titles}
        ranks = words - _CIVIL
        if _conflict(words) or any(_contradicts(first, words) for first in given.get(core, ())):
            continue
        whole = " " in core and len(ranks) < 2
        groups.join(raw for titles, raws in forms.items() for raw in raws if whole or _CIVIL.issuperset(titles))


def _conflict(words: Iterable[str]) -> bool:
    found = set(words)
    return bool(found & (_MASCULINE | {"mr"})) and bool(found & (_FEMININE | {"mrs", "ms", "miss"}))


def _join_surnames(
    groups: _SpellingGroups,
    names: Sequence[_SplitName],
    written: Iterable[str],
    counts: Mapping[str, int],
    spread: Mapping[str, int],
) -> None:
    """A surname joins the only full name that ends with it, where it is written of as a person or is the rarer of the two."""
    full: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    begins: set[str] = set()
    addressed: dict[str, set[str]] = defaultdict(set)
    short: dict[str, list[str]] = defaultdict(list)
    for raw, titles, core in names:
        if core.isalpha():
            short[core].append(raw)
            addressed[core].update(titles)
    for raw, _, core in names:
        first, _, last = core.rpartition(" ")
        if first and last.isalpha():
            begins.add(first.partition(" ")[0])
            if last in short:
                full[last][groups.root(raw)].append(core)
    of_root: dict[str, list[str]] = {owner: [] for owners in full.values() for owner in owners}
    for raw in written:
        if (root := groups.root(raw)) in of_root:
            of_root[root].append(raw)
    for surname, raws in short.items():
        owners = full.get(surname, {})
        if len(owners) != 1 or surname in begins or _conflict(addressed[surname]):
            continue
        owner, cores = next(iter(owners.items()))
        given = {core.split()[0] for core in cores}
        if len(given) != 1 or not _is_persons(cores) or _contradicts(next(iter(given)), addressed[surname]):
            continue
        roots = {groups.root(raw) for raw in raws}
        bare = sum(counts[raw] for raw in raws), sum(spread.get(raw, 0) for raw in raws)
        whole = sum(counts[raw] for raw in of_root[owner]), sum(spread.get(raw, 0) for raw in of_root[owner])
        if addressed[surname] & _CIVIL or (bare[0] <= whole[0] and bare[1] <= whole[1]):
            groups.join((*roots, owner))


def _is_persons(cores: Iterable[str]) -> bool:
    """Whether all are given name and surname, with one word between at most, and that no "of"."""
    split = [core.split() for core in cores]
    return all(
        len(words) <= _SURNAME_OF
        and (words[0] in MALE_NAMES or words[0] in FEMALE_NAMES)
        and PREPOSITIONS.isdisjoint(words)
        for words in split
    )


def _contradicts(given: str, titles: Iterable[str]) -> bool:
    """Whether Mrs. is before a surname whose only first name is a man's, or the other way round."""
    words = set(titles)
    if given in MALE_NAMES:
        return bool(words & (_FEMININE | {"mrs", "ms", "miss"}))
    return given in FEMALE_NAMES and bool(words & (_MASCULINE | {"mr"}))


def _title(members: list[str], counts: Mapping[str, int]) -> str:
    """The fullest name without honorific where the group holds several; of its spellings the most frequent."""
    if len(members) == 1:
        return members[0]
    cores = {raw: _parts(_key(raw))[1] for raw in members}
    longest = max(len(core.split()) for core in cores.values()) if any(is_name(raw) for raw in members) else 0
    fullest = [raw for raw in members if not longest or len(cores[raw].split()) == longest]
    return min(fullest, key=lambda raw: (-counts[raw], raw.isupper() and len(raw) > 5, len(raw), raw))


def _reason(title: str, total: int, rare: int, broad: float, broad_name: float, floor: int) -> str:
    """Why a group of ``total`` facts is dropped; empty where it stays."""
    if rare <= total <= floor:
        return ""
    name = is_name(title) and not _is_date(title)
    if total < rare and not name:
        return "rare"
    return "over-broad" if total > max(floor, broad_name if name else broad) else ""
