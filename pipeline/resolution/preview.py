"""What corrections would change, as lines for a person and rows by table, before anything is written."""

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pipeline.base.store import Generation
from pipeline.graph.merge import fold_title
from pipeline.resolution.corrections import Correction, Corrections, Merge, Rename, Retype, Split, names_of


@dataclass(frozen=True)
class Preview:
    """``changes``: a line each. ``rows``: rows touched, by table. ``unknown``: names that no entity has, each with the
    titles that are most like it."""

    changes: list[str]
    rows: dict[str, int]
    unknown: dict[str, list[str]]


def preview(generation: Generation, before: Corrections, after: Corrections) -> Preview:
    """Return what the corrections ``after`` would change in an index that was made with those ``before``.

    Rows count what has to be made again at least: entities, relationships, claims, communities and their reports.
    """
    known = _Known(generation, before)
    came = [one for one in after if one not in tuple(before)]
    gone = [one for one in before if one not in tuple(after)]
    changes = [line for one in came for line in known.lines(one)] + [f"no longer: {describe(one)}" for one in gone]
    names = dict.fromkeys(name for one in (*filter(known.changes, came), *gone) for name in names_of(one))
    titles = {title for name in names if (title := known.title(name))}
    unknown = {name: known.nearest(name) for one in came for name in names_of(one) if not known.has(name, one)}
    return Preview(changes, _rows(generation, titles), unknown)


def by_titles(generation: Generation, before: Corrections, correction: Correction) -> Correction:
    """Return a correction of entities, where it names some by another of their names: a merge joins them, not these names alone."""
    known = _Known(generation, before)
    if isinstance(correction, Merge):
        titles = filter(None, map(known.title, (*correction.names, correction.into)))
        named = {*map(fold_title, correction.names), fold_title(correction.into)}
        others = tuple(title for title in dict.fromkeys(titles) if fold_title(title) not in named)
        return Merge((*correction.names, *others), correction.into)
    if isinstance(correction, Split):
        return correction
    return replace(correction, entity=known.title(correction.entity) or correction.entity)


def describe(correction: Correction) -> str:
    """Return a correction in a line."""
    if isinstance(correction, Merge):
        return f"{_listed(correction.names)} {'is' if len(correction.names) == 1 else 'are'} {correction.into!r}"
    if isinstance(correction, Split):
        return f"{correction.name!r} is not {correction.entity!r}"
    if isinstance(correction, Rename):
        return f"{correction.entity!r} is called {correction.to!r}"
    return f"{correction.entity!r} is of type {correction.type}"


class _Known:
    """The entities of an index by all their names."""

    def __init__(self, generation: Generation, corrections: Corrections) -> None:
        table = generation.table("entities", ["id", "title", "type", "aliases", "frequency"]).to_pydict()
        self._table = table
        self._row_of: dict[str, int] = {}
        for row, title in enumerate(table["title"]):
            self._row_of[fold_title(title)] = row
        for row, aliases in enumerate(table["aliases"]):
            for alias in aliases:
                self._row_of.setdefault(fold_title(alias), row)
        self._call(corrections)

    def _call(self, corrections: Corrections) -> None:
        """Add the titles that corrections give, which the index has after its next run."""
        for one in corrections:
            if isinstance(one, Rename | Merge):
                names = (one.entity,) if isinstance(one, Rename) else one.names
                title = one.to if isinstance(one, Rename) else one.into
                row = next((row for name in names if (row := self.row(name)) is not None), None)
                if row is not None:
                    self._row_of.setdefault(fold_title(title), row)

    def row(self, name: str) -> int | None:
        return self._row_of.get(fold_title(name))

    def title(self, name: str) -> str:
        """Return what the index calls the entity that has a name; empty where none has it."""
        row = self.row(name)
        return "" if row is None else self._table["title"][row]

    def has(self, name: str, correction: Correction) -> bool:
        """Whether a name is one of the index, or the title that the correction itself gives."""
        own = isinstance(correction, Merge) and fold_title(name) == fold_title(correction.into)
        return own or self.row(name) is not None

    def nearest(self, name: str) -> list[str]:
        near = difflib.get_close_matches(fold_title(name), self._row_of, 3, 0.6)
        return list(dict.fromkeys(self._table["title"][self._row_of[one]] for one in near))

    def lines(self, correction: Correction) -> list[str]:
        """Return what a new correction does to the entities of the index."""
        rows = {row: self._shown(row) for name in names_of(correction) if (row := self.row(name)) is not None}
        if isinstance(correction, Merge):
            into = self.row(correction.into)
            rows |= {into: self._shown(into)} if into is not None else {}
            if len(rows) > 1:
                return [f"{_and(rows.values())} become one entity, {correction.into!r}"]
            return [f"{shown} keeps its other names and is called {correction.into!r}" for shown in rows.values()]
        if isinstance(correction, Split):
            if self.row(correction.name) == self.row(correction.entity):
                return [f"{correction.name!r} becomes an entity of its own, apart from {correction.entity!r}"]
            return [f"{correction.name!r} and {correction.entity!r} are two entities and stay so"]
        if isinstance(correction, Rename):
            other = self.row(correction.to)
            if other is not None and other not in rows:
                return [f"{_and([*rows.values(), self._shown(other)])} become one entity, {correction.to!r}"]
            return [f"{shown} is called {correction.to!r}" for shown in rows.values()]
        return [self._retyped(shown, self._table["type"][row], correction.type) for row, shown in rows.items()]

    def _retyped(self, shown: str, before: str, after: str) -> str:
        if before == after:
            return f"{shown} is of type {after} already, and stays so whatever texts are added"
        others = "" if after in self._table["type"] else ", a type that no other entity has"
        return f"{shown} is of type {after} from now on{others}; so far it is {before}"

    def changes(self, correction: Correction) -> bool:
        """Whether a correction changes rows, not only what is kept of later runs."""
        if not isinstance(correction, Retype):
            return True
        row = self.row(correction.entity)
        return row is None or self._table["type"][row] != correction.type

    def _shown(self, row: int) -> str:
        n = self._table["frequency"][row]
        return f"{self._table['title'][row]!r} ({n} {'chunk' if n == 1 else 'chunks'})"


def _rows(generation: Generation, titles: set[str]) -> dict[str, int]:
    """Return how many rows of each table are about these entities; a community that holds one counts, and its report."""
    ids = {id for id, title in generation.values("entities", "id", "title") if title in titles}
    counted = {"entities": len(titles)}
    for table, first, second in (("relationships", "source", "target"), ("claims", "subject", "object")):
        ends = generation.table(table, [first, second])
        pairs = zip(ends[first].to_pylist(), ends[second].to_pylist(), strict=True)
        counted[table] = sum(one in titles or other in titles for one, other in pairs)
    members = generation.table("communities", ["entity_ids"])["entity_ids"].to_pylist()
    counted["communities"] = counted["community_reports"] = sum(not ids.isdisjoint(some) for some in members)
    return counted


def _listed(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names))


def _and(shown: Iterable[str]) -> str:
    *first, last = shown
    return f"{', '.join(first)} and {last}" if first else last
