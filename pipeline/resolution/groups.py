"""Names grouped into entities: joined pair by pair, with pairs that must stay apart and titles that were given by hand."""

from collections.abc import Mapping

from pipeline.graph.merge import fold_title
from pipeline.resolution.corrections import Corrections


class NameGroups:
    """Which names are one entity, by folded name. Groups only grow; two that a correction keeps apart never meet.

    ``spelled`` gives each folded name as the corpus mostly writes it.
    """

    def __init__(self, spelled: Mapping[str, str], corrections: Corrections) -> None:
        self.spelled = dict(spelled)
        self._above = {name: name for name in spelled}
        self._members: dict[str, list[str]] = {}
        self._apart: dict[str, set[str]] = {}
        self._title: dict[str, str] = {}
        for split in corrections.split:
            a, b = fold_title(split.name), fold_title(split.entity)
            self.keep_apart(a, b)
            self.keep_apart(
                fold_title(corrections.title_of(split.name)), fold_title(corrections.title_of(split.entity))
            )
        for name, title in sorted(corrections.titles.items()):
            self._adopt(name, title)

    def _adopt(self, name: str, title: str) -> None:
        """Enter a name and the title that a correction gives its entity."""
        folded = fold_title(title)
        self.add(name)
        self.add(folded)
        if self.root(name) != self.root(folded):
            self._join(self.root(name), self.root(folded))
        self._title[self.root(folded)] = title

    def add(self, name: str) -> None:
        """Enter a name that may be joined, by its folded form."""
        self.spelled.setdefault(name, name)
        self._above.setdefault(name, name)

    def root(self, name: str) -> str:
        """Return the folded name that stands for the group of ``name``."""
        while self._above[name] != name:
            name = self._above[name]
        return name

    def members(self, root: str) -> list[str]:
        """Return the folded names of a group."""
        return self._members.get(root, [root])

    def title(self, root: str) -> str:
        """Return what the group is called: as a correction says, else as the corpus spells its root."""
        return self._title.get(root) or self.spelled[root]

    def keep_apart(self, one: str, other: str) -> None:
        """Let two names never be of one group."""
        self._apart.setdefault(one, set()).add(other)
        self._apart.setdefault(other, set()).add(one)

    def conflict(self, short: str, full: str) -> tuple[str, str] | None:
        """Return two names that keep the groups of these two apart, None where nothing does."""
        a, b = self.root(short), self.root(full)
        if a in self._title and b in self._title:
            return a, b
        small, large = sorted((a, b), key=lambda root: (len(self.members(root)), root))
        for name in self.members(small):
            for other in sorted(self._apart.get(name, ())):
                if other in self._above and self.root(other) == large:
                    return name, other
        return None

    def join(self, short: str, full: str) -> bool:
        """Make two groups one, called as that of ``full`` unless a correction says otherwise; False where they stay apart."""
        if self.root(short) == self.root(full):
            return True
        if self.conflict(short, full):
            return False
        self._join(self.root(short), self.root(full))
        return True

    def _join(self, short: str, full: str) -> None:
        title = self._title.pop(short, None)
        self._above[short] = full
        self._members[full] = [*self.members(full), *self._members.pop(short, [short])]
        if title is not None:
            self._title.setdefault(full, title)
