"""The notes of a stage: lines for whoever watches, problems for the ledger, and one line for many problems of one kind."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from pipeline.language.ledger import FailureRow, Ledger
from pipeline.runner.progress import Progress

_NUMBER = re.compile(r"\d+")
_NAMED = 3
"""Items of a group that its line names."""


@dataclass
class StageNotes:
    """The notes of one stage."""

    stage: str
    ledger: Ledger
    progress: Progress
    _skipped: list[tuple[str, str]] = field(default_factory=list)

    def report(self, line: str) -> None:
        """Show one line."""
        self.progress.line(f"{self.stage}: {line}")

    def problem(self, item: str, reason: str, kind: Literal["failed", "skipped"], task: str = "reading") -> None:
        """Enter a problem into the ledger. What is skipped is shown at the end of the stage, what failed at that of the run."""
        self.ledger.fail(task, item, reason, kind=kind)
        if kind == "skipped":
            self._skipped.append((item, reason))

    def close(self) -> None:
        """Show what was skipped."""
        for line in grouped(self._skipped):
            self.report(f"skipped: {line}")
        self._skipped.clear()


def grouped(problems: Iterable[tuple[str, str]]) -> list[str]:
    """Return a line for each group of (item, reason): the problems of one file, or of no file, whose reasons differ in
    numbers alone."""
    groups: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for item, reason in problems:
        file, is_record, _ = item.partition("#")
        groups.setdefault((file if is_record else "", _NUMBER.sub("0", reason)), []).append((item, reason))
    lines = []
    for (file, _), found in groups.items():
        item, reason = found[0]
        if len(found) == 1:
            lines.append(f"{item}: {reason}")
            continue
        names = [name.partition("#")[2] if file else name for name, _ in found]
        listed = ", ".join(names[:_NAMED]) + (", ..." if len(names) > _NAMED else "")
        what = f"{len(found):,} records of {file}" if file else f"{len(found):,} items"
        lines.append(f"{what} ({listed}): {reason}")
    return lines


def unreadable_files(failures: Iterable[FailureRow]) -> list[str]:
    """Return the files that could not be read, each once, without those of which only records could not."""
    return sorted({row.item for row in failures if row.task == "reading" and "#" not in row.item})
