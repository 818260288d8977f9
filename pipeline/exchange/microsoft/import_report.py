"""What an import changed: how many rows of which kind were left out or altered, and which ones."""

from collections import Counter
from collections.abc import Callable
from typing import Literal

STAGE = "import_microsoft"
"""Under which name the failures table has what was left out."""


class ImportLog:
    """Counts by sentence, and rows for the failures table. It is the notes of the stages that an import runs, too."""

    def __init__(self, line: Callable[[str], None]) -> None:
        self._line = line
        self._counts: Counter[str] = Counter()
        self.rows: list[tuple[str, str, str, str, str, int]] = []

    def count(self, what: str, n: int = 1) -> None:
        """Count something that is worth a line."""
        self._counts[what] += n

    def skip(self, item: str, what: str) -> None:
        """Count something that was left out or put otherwise, and remember which."""
        self.count(what)
        self.rows.append((STAGE, "reading", item[:200], "skipped", what, 1))

    def report(self, line: str) -> None:
        """Show one line now."""
        self._line(line)

    def problem(self, item: str, reason: str, kind: Literal["failed", "skipped"], task: str = "reading") -> None:
        """Enter what a stage could not do."""
        self.rows.append((STAGE, task, item, kind, reason, 1))
        self._line(f"{item} {kind}: {reason}")

    def lines(self) -> list[str]:
        """Return the counts as lines, in the order of their sentences."""
        return [f"{count} {what}" for what, count in sorted(self._counts.items()) if count]
