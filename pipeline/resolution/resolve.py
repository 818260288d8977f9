"""Resolves names to entities: corrections first, then what is certain, then what occurrences make sure; the rest is open."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from pipeline.graph.merge import fold_title, spellings
from pipeline.resolution.candidates import candidate_pairs
from pipeline.resolution.corrections import Corrections
from pipeline.resolution.descriptions import described_pairs, introduced_pairs
from pipeline.resolution.groups import NameGroups
from pipeline.resolution.likeness import SHORT, Likeness, compare, contradict, fullest
from pipeline.resolution.occurrences import NameOccurrences
from pipeline.resolution.shapes import NameShape
from pipeline.text.names.aliases import MARRIED

RULE, MODEL, CORRECTION = "rule", "model", "correction"
"""By whom a decision is made."""
CERTAIN: Final = 0.9
"""Score from which on names are one by themselves, wherever they occur."""
SURE: Final = 0.85
"""Score from which on names are one, with what their occurrences add."""
UNSURE: Final = 0.8
"""Score up to which occurrences can raise a pair that no rule is to decide."""
OPEN: Final = 0.5
"""Score from which on a pair that is not sure is worth asking about."""
MOST_RIVALS: Final = 2
"""Other names of its documents that a short form may be of, above which nothing is asked."""
BY_MODEL: Final = 0.9
"""Score of a pair that a model takes for one."""
MOST_MEMBERS: Final = 32
"""Names of a group that are compared with those of another before the two become one."""


class JoinEvidence(NamedTuple):
    """What a decision rests on, as the table aliases has it."""

    evidence: str
    score: float
    by: str
    reason: str


SPELLING = JoinEvidence("spelling", 1.0, RULE, "differs in case or white space only")
FORM = JoinEvidence("form", 1.0, RULE, "a form of the name, by the texts as a whole")
BY_HAND = JoinEvidence("correction", 1.0, CORRECTION, "joined by hand")
TYPED = JoinEvidence("correction", 1.0, CORRECTION, "its type is given by hand")
SPLIT = JoinEvidence("correction", 0.0, CORRECTION, "kept apart by hand")


class OpenPair(NamedTuple):
    """Two names, by number, that may be one: the first may be short for the second."""

    one: int
    other: int
    likeness: Likeness
    score: float
    rivals: int = 0
    """Other names of its documents that the first may be short for."""


@dataclass(frozen=True)
class KnownNames:
    """The names of a corpus. ``titles``: what mentions call entities, by folded title, as they mostly write it.
    ``spelled``: all ways in which each folded name is written. ``forms``: per folded title of the vocabulary, its title
    and its other folded forms."""

    titles: dict[str, str]
    spelled: dict[str, set[str]]
    forms: dict[str, tuple[str, list[str]]]

    @staticmethod
    def of(titles: Sequence[str], codes: Any, vocabulary: pa.Table) -> "KnownNames":
        """Return the names in a column of titles, given as distinct ones and ``codes``, and in a vocabulary (title, forms)."""
        _, chosen, variants = spellings(list(titles), np.bincount(codes, minlength=len(titles)))
        found = {fold_title(title): title for title in chosen.to_pylist()}
        written = zip(found.items(), variants.to_pylist(), strict=True)
        spelled = {folded: {title, *others} for (folded, title), others in written}
        forms = {}
        for title, some in zip(vocabulary["title"].to_pylist(), vocabulary["forms"].to_pylist(), strict=True):
            own = fold_title(title)
            for form in (title, *some):
                spelled.setdefault(fold_title(form), set()).add(form)
            forms[own] = title, sorted({*map(fold_title, some)} - {own})
        return KnownNames(found, spelled, forms)


class Resolution:
    """Names in groups, with what each join rests on, by folded name; and the pairs that stay apart."""

    def __init__(self, known: KnownNames, corrections: Corrections) -> None:
        self.known, self.corrections = known, corrections
        self.groups = NameGroups(known.titles, corrections)
        self.evidence = dict.fromkeys(corrections.titles, BY_HAND)
        self.apart: dict[tuple[str, str], JoinEvidence] = {}
        self._names = list(known.titles)
        self.titles = list(known.titles.values())
        self.numbers = {name: number for number, name in enumerate(self._names)}
        self._shapes: list[NameShape] = []

    def join_forms(self) -> None:
        """Add the forms of the vocabulary to the names of which they are forms."""
        for title, (_, forms) in self.known.forms.items():
            if title not in self.known.titles:
                continue
            for form in forms:
                if form in self.known.forms or form in self.known.titles or form in self.evidence:
                    continue  # a title of its own, or decided already
                self.groups.add(form)
                if self.groups.join(form, title):
                    self.evidence[form] = FORM

    def join_alike(
        self, occurrences: NameOccurrences, types: Sequence[str], texts: Iterable[str] = ()
    ) -> list[OpenPair]:
        """Join the names that rules are sure of; return the pairs that are open, in a fixed order. ``texts``: those that may
        introduce a short form."""
        self._shapes = [NameShape(title, type) for title, type in zip(self.titles, types, strict=True)]
        pairs = [
            (a, b, likeness)
            for a, b in candidate_pairs(self._shapes)
            if (likeness := compare(self._shapes[a], self._shapes[b])) is not None
        ]
        said = described_pairs(self.titles, self.numbers, occurrences), introduced_pairs(texts, self.numbers)
        pairs += [
            (a, b, likeness) for a, b, likeness in chain(*said) if not contradict(self._shapes[a], self._shapes[b])
        ]
        directed = [self._directed(a, b, likeness, occurrences) for a, b, likeness in pairs]
        for pair in sorted(directed, key=_surest_first):
            if pair.score >= CERTAIN:
                self._join(pair, RULE, pair.likeness.reason)
        weighed = [
            self._weighed(pair, occurrences) for pair in directed if self._root(pair.one) != self._root(pair.other)
        ]
        opened = []
        for pair in sorted(self._unambiguous(weighed, occurrences), key=_surest_first):
            if self._root(pair.one) == self._root(pair.other):
                continue
            if pair.score < SURE or not self._join(pair, RULE, pair.likeness.reason):
                opened.append(pair)
        opened = [pair for pair in opened if pair.score >= OPEN and self._may_meet(pair)]
        for pair in opened:
            self._keep_apart(
                pair, JoinEvidence(pair.likeness.kind, pair.score, RULE, f"{pair.likeness.reason}; not sure")
            )
        return opened

    def decide(self, pair: OpenPair, same: bool, reason: str) -> None:
        """Carry out what a model says of an open pair."""
        if same and self._join(pair, MODEL, reason, BY_MODEL):
            return
        self._keep_apart(pair, JoinEvidence(pair.likeness.kind, round(1 - BY_MODEL, 2), MODEL, reason))

    def _directed(self, a: int, b: int, likeness: Likeness, occurrences: NameOccurrences) -> OpenPair:
        """Return a pair with the name first that is short for the other, is less written, or says less."""
        short = (a, b)[likeness.short] if likeness.short >= 0 else None
        if short is None:
            counts = int(occurrences.counts[a]), int(occurrences.counts[b])
            full = fullest([self._shapes[a], self._shapes[b]]) if counts[0] == counts[1] else int(counts[1] > counts[0])
            short = (a, b)[1 - full]
        return OpenPair(short, b if short == a else a, likeness, likeness.score)

    def _root(self, number: int) -> str:
        return self.groups.root(self._names[number])

    def _may_meet(self, pair: OpenPair) -> bool:
        """Return whether nothing keeps the groups of two names apart: no correction, and no two names that contradict."""
        one, other = self._names[pair.one], self._names[pair.other]
        if self.groups.conflict(one, other):
            return False
        sides = [
            [
                self._shapes[self.numbers[name]]
                for name in self.groups.members(self.groups.root(end))
                if name in self.numbers
            ]
            for end in (one, other)
        ]
        return not any(contradict(a, b) for a in sides[0][:MOST_MEMBERS] for b in sides[1][:MOST_MEMBERS])

    def _join(self, pair: OpenPair, by: str, reason: str, score: float | None = None) -> bool:
        if self._root(pair.one) == self._root(pair.other):
            return True
        if not self._may_meet(pair):
            return False
        kind = pair.likeness.kind
        short, full = self._names[pair.one], self._names[pair.other]
        if self._root(pair.one) != short and self._says_more(self._root(pair.one), self._root(pair.other)):
            short, full = full, short
        moved = self.groups.members(self.groups.root(short))
        self.groups.join(short, full)
        evidence = JoinEvidence(kind, round(pair.score if score is None else score, 2), by, reason)
        for name in moved:
            self.evidence.setdefault(name, evidence)
        return True

    def _says_more(self, one: str, other: str) -> bool:
        """Whether what a group is called says more than what another is: Donata Holm, whom Holm was joined to, and D. Holm."""
        numbers = [self.numbers.get(name) for name in (one, other)]
        shapes = [self._shapes[number] for number in numbers if number is not None]
        return len(shapes) == 2 and fullest(shapes) == 0

    def _keep_apart(self, pair: OpenPair, evidence: JoinEvidence) -> None:
        self.apart[self._names[pair.one], self._names[pair.other]] = evidence

    def _weighed(self, pair: OpenPair, occurrences: NameOccurrences) -> OpenPair:
        """Return a pair with what its occurrences say added to its score."""
        a, b = pair.one, pair.other
        linked = b in occurrences.neighbours(a)
        around = [
            {self._root(name) for name in occurrences.neighbours(end)} - {self._root(a), self._root(b)}
            for end in (a, b)
        ]
        shared = len(around[0] & around[1])
        share = shared / max(1, min(map(len, around)))
        together = bool(occurrences.chunks(a) & occurrences.chunks(b))
        documents = occurrences.documents(a), occurrences.documents(b)
        score = pair.score + 0.1 * (shared > 0) + 0.1 * (share >= 1 / 3) + 0.05 * bool(documents[0] & documents[1])
        kind = pair.likeness.kind
        if kind in ("person", SHORT) and pair.likeness.short >= 0:
            score += 0.1 * together + 0.15 * (documents[0] <= documents[1]) - 0.15 * linked
            # Microsoft Research is a part of Microsoft: whether a first word names the whole, words alone do not show.
            score = min(score, UNSURE) if kind == SHORT else score
        elif kind != "initials":
            score -= 0.2 * together + 0.3 * linked
        return pair._replace(score=round(min(score, 0.99), 2))

    def _unambiguous(self, pairs: Sequence[OpenPair], occurrences: NameOccurrences) -> Iterator[OpenPair]:
        """Yield pairs; a short form that may be of several entities of its documents is sure of none."""
        partners: dict[str, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
        for pair in pairs:
            if pair.likeness.short >= 0:
                partners[self._root(pair.one)][self._root(pair.other)] |= occurrences.documents(pair.other)
        for pair in pairs:
            own = occurrences.documents(pair.one)
            full = partners[self._root(pair.one)] if pair.likeness.short >= 0 else {}
            rivals = sum(root != self._root(pair.other) and not own.isdisjoint(found) for root, found in full.items())
            rivals += self._may_be_wife(pair)
            if rivals > MOST_RIVALS:
                continue  # it cannot be known which Jean is meant
            if rivals:
                yield pair._replace(score=min(pair.score, round(SURE - 0.25, 2)), rivals=rivals)
            else:
                yield pair

    def _may_be_wife(self, pair: OpenPair) -> bool:
        """Whether a name is that of somebody's wife (Mrs. Holm) and others than the one it may be short for are of the family."""
        person = self._shapes[pair.one].person
        if person is None or person.title not in MARRIED or len(person.core) > 1:
            return False
        family = {self._root(name) for name in self._families.get(person.core[0], ())}
        return bool(family - {self._root(pair.one), self._root(pair.other)})

    @cached_property
    def _families(self) -> dict[str, list[int]]:
        """The names in full by their last word."""
        found: dict[str, list[int]] = defaultdict(list)
        for number, shape in enumerate(self._shapes):
            if shape.person is not None and len(shape.person.core) > 1 and not shape.person.connected:
                found[shape.person.core[-1]].append(number)
        return found

    def has(self, name: str) -> bool:
        """Whether a name is one of an entity."""
        return self.entity(name) is not None

    def entity(self, name: str) -> str | None:
        """Return the title of the entity that a name is one of, None where there is none."""
        folded = fold_title(name)
        if folded not in self.groups.spelled:
            return None
        root = self.groups.root(folded)
        used = any(member in self.known.titles for member in self.groups.members(root))
        return self.groups.title(root) if used else None

    def rows(self) -> list[tuple[object, ...]]:
        """Return the rows of the table aliases, in the order of entity and name."""
        rows: dict[tuple[str, str], tuple[object, ...]] = {}
        for root in {self.groups.root(name) for name in self._names}:
            entity = self.groups.title(root)
            for folded in self.groups.members(root):
                why = SPELLING if folded == fold_title(entity) else self.evidence.get(folded, SPELLING)
                for name in self.known.spelled.get(folded, ()):
                    if name != entity:
                        rows[entity, name] = (name, entity, True, *why, None)
        for (one, other), evidence in self.apart.items():
            entity, name = self.groups.title(self.groups.root(other)), self.known.titles[one]
            if self.groups.root(one) != self.groups.root(other):
                rows.setdefault((entity, name), (name, entity, False, *evidence, None))
        for split in self.corrections.split:
            titled = self.entity(split.entity)
            if titled is not None and self.entity(split.name) not in (None, titled):
                rows[titled, split.name] = (split.name, titled, False, *SPLIT, None)
        for title, type in self.corrections.types.items():
            if (titled := self.entity(title)) is not None:
                rows[titled, titled] = (titled, titled, True, *TYPED, type)
        return [rows[key] for key in sorted(rows)]


def _surest_first(pair: OpenPair) -> tuple[float, int, int]:
    return -pair.score, pair.one, pair.other
