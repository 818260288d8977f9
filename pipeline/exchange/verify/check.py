"""The result of one check, as verify prints it: what was looked at, how much of it is wrong, a few examples."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import islice

from pipeline.base.errors import GraphstrataError
from pipeline.text.inflection import in_number

EXAMPLES = 5
"""Examples that a check keeps."""
LONGEST = 160
"""Characters of an example that are kept."""


@dataclass(frozen=True)
class Check:
    """One promise looked into. ``faults`` of ``looked_at`` things break it; 0 faults is what a good index has."""

    name: str
    looked_at: int
    faults: int
    examples: tuple[str, ...] = ()
    note: str = ""
    """Beside the counts; where nothing was looked at though there is a fault, why."""

    @property
    def counts(self) -> str:
        """Faults and what was looked at, for people; empty where the check could not be made."""
        if not self.faults:
            return f"{self.looked_at:,}"
        return f"{self.faults:,} of {self.looked_at:,} ({self.share:.1%})" if self.looked_at else ""

    @property
    def share(self) -> float:
        """Faults as a share of what was looked at, 0 to 1."""
        return self.faults / self.looked_at if self.looked_at else float(self.faults > 0)


def checked(name: str, looked_at: int, wrong: Sequence[str] | Iterable[str], faults: int, note: str = "") -> Check:
    """Return a check with the first few of ``wrong`` as examples; no more of it is read than is kept."""
    return Check(name, looked_at, faults, tuple(_short(example) for example in islice(wrong, EXAMPLES)), note)


def listed(name: str, looked_at: int, wrong: Sequence[str], note: str = "") -> Check:
    """Return a check whose faults are all written out in ``wrong``."""
    return checked(name, looked_at, wrong, len(wrong), note)


def unchecked(name: str, missing: Sequence[str]) -> Check:
    """Return a check that could not be made for want of some tables: a fault."""
    return Check(name, 0, 1, (), f"not checked, for {', '.join(missing)} cannot be read or is not there")


def impossible(name: str, error: Exception) -> Check:
    """Return a check that ended in an error, since the rows that it looked at contradict each other: a fault."""
    found = error.found if isinstance(error, GraphstrataError) else f"{type(error).__name__}: {error}"
    return Check(name, 0, 1, (_short(found),), "not checked, for its tables contradict each other")


def as_text(checks: Sequence[Check]) -> str:
    """Return the checks as lines for a person."""
    lines = []
    width = max((len(check.name) for check in checks), default=0)
    for check in checks:
        state = "FAULT" if check.faults else "ok"
        lines.append(f"{state:6}{check.name:{width}} {'; '.join(filter(None, (check.counts, check.note)))}")
        lines += [f"      - {example}" for example in check.examples]
    sound = sum(not check.faults for check in checks)
    return "\n".join([*lines, f"{sound:,} of {in_number(len(checks), 'check')} found no fault"])


def as_json(kind: str, checks: Sequence[Check]) -> str:
    """Return the checks as one JSON object; ``kind`` says whose index it is."""
    faults = sum(check.faults for check in checks)
    rows = [{**asdict(check), "share": check.share} for check in checks]
    return json.dumps({"index": kind, "faults": faults, "checks": rows}, ensure_ascii=False, indent=1)


def _short(example: str) -> str:
    """One printable line, not too long."""
    line = "".join(char if char.isprintable() else " " for char in example)
    return line if len(line) <= LONGEST else line[: LONGEST - 3] + "..."
