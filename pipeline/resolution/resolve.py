"""Resolves names to entities: spellings, forms of the vocabulary and corrections joined, with what each join rests on."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from pipeline.graph.merge import fold_title, spellings
from pipeline.resolution.corrections import Corrections
from pipeline.resolution.groups import NameGroups

RULE, MODEL, CORRECTION = "rule", "model", "correction"
"""By whom a decision is made."""


class Evidence(NamedTuple):
    """What a decision rests on, as the table aliases has it."""

    evidence: str
    score: float
    by: str
    reason: str


SPELLING = Evidence("spelling", 1.0, RULE, "differs in case or white space only")
FORM = Evidence("form", 1.0, RULE, "a form of the name, by the texts as a whole")
BY_HAND = Evidence("correction", 1.0, CORRECTION, "joined by hand")
TYPED = Evidence("correction", 1.0, CORRECTION, "its type is given by hand")
APART = Evidence("correction", 0.0, CORRECTION, "kept apart by hand")


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
        spelled = {
            folded: {title, *others}
            for (folded, title), others in zip(found.items(), variants.to_pylist(), strict=True)
        }
        forms = {}
        for title, some in zip(vocabulary["title"].to_pylist(), vocabulary["forms"].to_pylist(), strict=True):
            own = fold_title(title)
            for form in (title, *some):
                spelled.setdefault(fold_title(form), set()).add(form)
            forms[own] = title, sorted({*map(fold_title, some)} - {own})
        return KnownNames(found, spelled, forms)


@dataclass(frozen=True)
class Resolved:
    """Names in groups, what each join rests on (by folded name), and the names that stayed apart."""

    known: KnownNames
    groups: NameGroups
    evidence: dict[str, Evidence]
    used: set[str]
    """Roots of the groups that a mention is in."""

    def has(self, name: str) -> bool:
        """Whether a name is one of an entity."""
        return self.entity(name) is not None

    def entity(self, name: str) -> str | None:
        """Return the title of the entity that a name is one of, None where there is none."""
        folded = fold_title(name)
        if folded not in self.groups.spelled or self.groups.root(folded) not in self.used:
            return None
        return self.groups.title(self.groups.root(folded))


def resolve(known: KnownNames, corrections: Corrections) -> Resolved:
    """Group names into entities: corrections first, then forms of the vocabulary."""
    groups = NameGroups(known.titles, corrections)
    evidence = dict.fromkeys(corrections.titles, BY_HAND)
    for title, (_, forms) in known.forms.items():
        if title not in known.titles:
            continue
        for form in forms:
            if form in known.forms or form in known.titles or form in evidence:
                continue  # a title of its own, or decided already
            groups.add(form)
            if groups.join(form, title):
                evidence[form] = FORM
    used = {groups.root(title) for title in known.titles}
    return Resolved(known, groups, evidence, used)


def alias_rows(resolved: Resolved, corrections: Corrections) -> Iterator[tuple[object, ...]]:
    """Yield the rows of the table aliases, in the order of entity and name."""
    groups, spelled = resolved.groups, resolved.known.spelled
    rows: dict[tuple[str, str], tuple[object, ...]] = {}
    for root in resolved.used:
        entity = groups.title(root)
        for folded in groups.members(root):
            why = resolved.evidence.get(folded, SPELLING)
            for name in spelled.get(folded, ()):
                if name != entity:
                    by = SPELLING if folded == fold_title(entity) else why
                    rows[entity, name] = (name, entity, True, *by, None)
    for split in corrections.split:
        other = resolved.entity(split.entity)
        if other is not None and resolved.entity(split.name) not in (None, other):
            rows[other, split.name] = (split.name, other, False, *APART, None)
    for title, type in corrections.types.items():
        entity_ = resolved.entity(title)
        if entity_ is not None:
            rows[entity_, entity_] = (entity_, entity_, True, *TYPED, type)
    yield from (rows[key] for key in sorted(rows))
