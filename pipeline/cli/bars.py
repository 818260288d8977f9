"""Figures for terminals: bars with a label and a value, texts cut to a length, what an index holds."""

from collections.abc import Mapping, Sequence

from pipeline.text.inflection import in_number
from pipeline.text.quotes import shorten

BAR = 36
LABEL = 30


def bars(title: str, values: Sequence[tuple[str, float]], unit: str = "", most: float = 0) -> str:
    """Return a bar chart as text; a bar of ``most``, or else the longest, has BAR characters, values of 0 have none."""
    most = most or max((value for _, value in values), default=0) or 1
    lines = [title]
    for label, value in values:
        bar = "█" * max(round(BAR * value / most), 1 if value else 0)
        lines.append(f"  {shorten(label, LABEL):{LABEL}} {bar:{BAR}} {value:,.10g}{unit}")
    return "\n".join(lines)


def histogram(title: str, values: Sequence[int], width: int) -> str:
    """Return how many values fall in each step of ``width``."""
    counts: dict[int, int] = {}
    for value in values:
        counts[value // width] = counts.get(value // width, 0) + 1
    steps = range(max(counts, default=-1) + 1)
    return bars(title, [(f"{step * width} to {step * width + width - 1}", counts.get(step, 0)) for step in steps])


def closing_counts(rows: Mapping[str, int]) -> str:
    """Return what an index holds in five numbers, from the rows of its tables."""
    nouns = {"documents": "document", "entities": "entity", "relationships": "relationship", "facts": "fact"}
    return ", ".join(in_number(rows[name], noun) for name, noun in (nouns | {"community_reports": "report"}).items())
