"""Corrections of names by hand: which names are one entity, which are not, what an entity is called and of which type it is."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property

from pipeline.base.ids import content_id, dump
from pipeline.graph.merge import fold_title


@dataclass(frozen=True)
class Merge:
    """All of ``names`` are names of one entity, which is called ``into``."""

    names: tuple[str, ...]
    into: str


@dataclass(frozen=True)
class Split:
    """``name`` is an entity of its own, and no name of ``entity``."""

    name: str
    entity: str


@dataclass(frozen=True)
class Rename:
    """The entity is called ``to``; its present title stays one of its names."""

    entity: str
    to: str


@dataclass(frozen=True)
class Retype:
    """The entity is of ``type``, whatever its mentions say."""

    entity: str
    type: str


Correction = Merge | Split | Rename | Retype


@dataclass(frozen=True)
class Corrections:
    """All corrections of a project, in the order of its file. ValueError, with a reason, for those that contradict each other.

    Names are compared by ``fold_title``: case and white space make no difference.
    """

    merge: tuple[Merge, ...] = ()
    split: tuple[Split, ...] = ()
    rename: tuple[Rename, ...] = ()
    retype: tuple[Retype, ...] = ()
    _title: dict[str, str] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        for correction in self:
            _check(correction)
        self._title.update(_final_titles(self._targets()))
        for split in self.split:
            if fold_title(self.title_of(split.name)) == fold_title(self.title_of(split.entity)):
                raise ValueError(
                    f"{split.name!r} is split from {split.entity!r}, and other entries make them one entity"
                )
        types: dict[str, str] = {}
        for retype in self.retype:
            if (other := types.setdefault(fold_title(self.title_of(retype.entity)), retype.type)) != retype.type:
                raise ValueError(f"{retype.entity!r} is retyped to both {other} and {retype.type}")

    def __iter__(self) -> Iterator[Correction]:
        yield from self.merge
        yield from self.split
        yield from self.rename
        yield from self.retype

    def __bool__(self) -> bool:
        return any(True for _ in self)

    def _targets(self) -> dict[str, str]:
        """Return what each name becomes in one step, by folded name."""
        found: dict[str, str] = {}
        steps = [(name, merge.into) for merge in self.merge for name in merge.names]
        steps += [(rename.entity, rename.to) for rename in self.rename]
        for name, title in steps:
            if fold_title(name) == fold_title(title):
                continue  # another spelling of the title: nothing to follow
            if fold_title(known := found.setdefault(fold_title(name), title)) != fold_title(title):
                raise ValueError(f"{name!r} becomes both {known!r} and {title!r}")
        return found

    @cached_property
    def titles(self) -> Mapping[str, str]:
        """The title of each name that a merge or renaming names, by folded name: the spelling that a correction gives it."""
        spelled = {fold_title(title): title for title in (*(m.into for m in self.merge), *(r.to for r in self.rename))}
        return spelled | {name: spelled.get(fold_title(title), title) for name, title in self._title.items()}

    @cached_property
    def types(self) -> Mapping[str, str]:
        """The type of each entity that is retyped, by its folded title."""
        return {fold_title(self.title_of(retype.entity)): retype.type for retype in self.retype}

    @cached_property
    def hash(self) -> str:
        """What shapes the tables that all corrections apply to; the order of entries makes no difference."""
        return content_id("corrections", *sorted(dump([type(one).__name__, _values(one)]) for one in self))

    @cached_property
    def splits_hash(self) -> str:
        """What shapes the tables that only splits apply to."""
        return Corrections(split=self.split).hash if self.split else ""

    def title_of(self, name: str) -> str:
        """Return what a name becomes by merges and renamings, itself where there are none."""
        return self._title.get(fold_title(name), name)

    def adding(self, correction: Correction) -> "Corrections":
        """Return these corrections with one more, without the older ones that it contradicts; ValueError for a wrong one."""
        _check(correction)
        if isinstance(correction, Rename):  # of what it is called by now
            correction = Rename(self.title_of(correction.entity), correction.to)
        if correction in tuple(self):
            return self
        kept = Corrections.of(*(found for one in self if (found := _without_conflict(one, correction))))
        return Corrections.of(*kept, correction)

    def without(self, correction: Correction) -> "Corrections":
        """Return these corrections without one of them, as it was before it was made."""
        return Corrections.of(*(one for one in self if one != correction))

    @staticmethod
    def of(*corrections: Correction) -> "Corrections":
        """Return corrections of all four kinds, each kind in the given order."""
        return Corrections(
            tuple(one for one in corrections if isinstance(one, Merge)),
            tuple(one for one in corrections if isinstance(one, Split)),
            tuple(one for one in corrections if isinstance(one, Rename)),
            tuple(one for one in corrections if isinstance(one, Retype)),
        )


def names_of(correction: Correction) -> tuple[str, ...]:
    """Return the names that a correction is about, as it writes them; a new title is not among them."""
    if isinstance(correction, Merge):
        return correction.names
    if isinstance(correction, Split):
        return correction.name, correction.entity
    return (correction.entity,)


def _values(correction: Correction) -> list[object]:
    values = [getattr(correction, one.name) for one in fields(correction)]
    return [sorted(value) if isinstance(value, tuple) else value for value in values]


def _check(correction: Correction) -> None:
    texts = [text for value in _values(correction) for text in (value if isinstance(value, list) else [value])]
    if not texts or any(not isinstance(text, str) or not fold_title(text) for text in texts):
        raise ValueError("a name is blank")
    if isinstance(correction, Merge) and not set(map(fold_title, correction.names)) - {fold_title(correction.into)}:
        raise ValueError(f"{correction.into!r} is merged with itself only; name what it is merged with")
    if isinstance(correction, Split) and fold_title(correction.name) == fold_title(correction.entity):
        raise ValueError(f"{correction.name!r} is split from itself; spellings that differ in case only are one name")


def _final_titles(targets: Mapping[str, str]) -> dict[str, str]:
    """Return what each folded name becomes in the end; ValueError for names that become each other."""
    found = {}
    for name in targets:
        title, seen = targets[name], {name}
        while (folded := fold_title(title)) in targets:
            if folded in seen:
                raise ValueError(f"{title!r} becomes itself by way of other entries")
            seen.add(folded)
            title = targets[folded]
        found[name] = title
    return found


def _without_conflict(old: Correction, new: Correction) -> Correction | None:
    """Return an older correction as it is beside a newer one: whole, with names taken out, or not at all."""
    if isinstance(new, Split):
        if isinstance(old, Merge):
            return _take_out(old, new)
        ends = {fold_title(new.name), fold_title(new.entity)}
        return None if isinstance(old, Rename) and {fold_title(old.entity), fold_title(old.to)} == ends else old
    if isinstance(new, Retype):
        retyped = isinstance(old, Retype) and fold_title(old.entity) == fold_title(new.entity)
        return None if retyped else old
    moved, title = {*map(fold_title, names_of(new))}, fold_title(new.into if isinstance(new, Merge) else new.to)
    if isinstance(old, Split):
        return None if {fold_title(old.name), fold_title(old.entity)} <= moved | {title} else old
    if isinstance(old, Rename):
        back = fold_title(old.entity) == title and fold_title(old.to) in moved
        return None if back or fold_title(old.entity) in moved else old
    if isinstance(old, Merge):
        gone = moved | ({title} if fold_title(old.into) in moved else set())
        return _merge_of(tuple(name for name in old.names if fold_title(name) not in gone), old.into)
    return old


def _take_out(old: Merge, split: Split) -> Merge | None:
    """Return a merge without the name that is split away, where it joined the two."""
    members = {*map(fold_title, old.names), fold_title(old.into)}
    if not {fold_title(split.name), fold_title(split.entity)} <= members:
        return old
    if fold_title(split.name) == fold_title(old.into):
        return _merge_of(tuple(name for name in old.names if fold_title(name) != fold_title(split.entity)), old.into)
    return _merge_of(tuple(name for name in old.names if fold_title(name) != fold_title(split.name)), old.into)


def _merge_of(names: tuple[str, ...], into: str) -> Merge | None:
    return Merge(names, into) if {*map(fold_title, names)} - {fold_title(into)} else None
