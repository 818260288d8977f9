"""The results of an evaluation: as text for people, as Parquet tables and a plot."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from shutil import get_terminal_size
from typing import Any

from pipeline.base.storage.disk import disk_errors, write_whole
from pipeline.base.store import write_apart
from pipeline.cli.bars import bars
from pipeline.cli.evaluating.svg import Panel, panels_svg
from pipeline.query.evaluation.evaluation import Evaluation
from pipeline.text.inflection import in_number
from pipeline.text.quotes import shorten

SHARES = {
    "supported": "answered: share of the questions, without those that are marked as unanswerable",
    "false_answers": "false answers: share of the unanswerable questions that were answered",
    "exact": "exact match with a right answer",
    "f1": "F1 of tokens with a right answer",
    "contains": "contains a right answer word for word",
    "cited": "share of gold documents among the sources",
    "quoted": "share of the expected passages that the sources quote",
    "support": "share of the assertions that their sources support",
}
"""Measures of a summary that are shares from 0 to 1, with what each means."""

PLOT = "eval.svg"


def as_text(found: Evaluation) -> str:
    """Return the results as a person reads them: retrieval, a table of the methods, claims, and the judge."""
    return "\n\n".join([*_retrieval(found), *_methods(found), *_judge(found)]) or "nothing was measured"


def _retrieval(found: Evaluation) -> list[str]:
    settings = list(dict.fromkeys(row["settings"] for row in found.retrieval))
    parts = []
    for one in settings:
        rows = [row for row in found.retrieval if row["settings"] == one]
        values = [(name, round(value * 100, 1)) for name, value in found.recall(one).items()]
        under = f" with {one}" if one else ""
        documents = [value for value in values if value[0].startswith("recall")]
        parts.append(
            bars(
                f"Retrieval{under}: share of gold documents found, over {in_number(len(rows), 'question')}",
                documents,
                " %",
                100,
            )
        )
        hits = [value for value in values if value[0].startswith("hit")]
        asked = sum(row["rank"] is not None for row in rows)
        if hits:
            title = f"Retrieval{under}: expected passage among the first chunks, over {in_number(asked, 'question')}"
            parts.append(bars(title, hits, " %", 100))
    if found.n_lost():
        parts[-1] += f"\n  gold documents that are not in the index, and count as not found: {found.n_lost():,}"
    return parts


def _methods(found: Evaluation) -> list[str]:
    summary = found.summary()
    if not summary:
        return []
    claims = [name for name in summary[0] if name in ("claims", "unique_claims") or name.startswith("clusters@")]
    title = "Claims an answer, those of them that differ, and their clusters by distance (1 - ROUGE-L)"
    others = [name for name in summary[0] if name not in claims]
    return [table_of(summary, others), f"{title}\n{table_of(summary, ['method', 'settings', *claims])}"]


def _judge(found: Evaluation) -> list[str]:
    rates = found.win_rates()
    if not rates:
        return []
    title = "Judge: share of comparisons that the first of two methods won, both orders counted"
    won = [(f"{rate.criterion} {rate.method}/{rate.against}", round(rate.rate * 100, 1)) for rate in rates]
    agreed = sum(rate.agreed * rate.questions for rate in rates) / sum(rate.questions for rate in rates)
    return [f"{bars(title, won, ' %', 100)}\n  both orders had the same outcome in {agreed:.0%} of them"]


def table_of(summary: Sequence[dict[str, Any]], names: Sequence[str]) -> str:
    """Return some measures as aligned columns, as lines on a terminal that is too narrow for them; those that nobody has are
    left out."""
    there = [name for name in names if any(row[name] not in (None, "") for row in summary)]
    rows = [[name.replace("supported", "answered").replace("_", " ") for name in there]]
    rows += [[shown(name, row[name]) for name in there] for row in summary]
    lines = _aligned(rows)
    if sys.stdout.isatty() and len(lines[0]) > get_terminal_size().columns:
        turned = _aligned(list(zip(*rows, strict=True)))
        lines = min(lines, turned, key=lambda shown: len(shown[0]))
    return "\n".join([lines[0], "-" * len(lines[0]), *lines[1:]])


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows]


def shown(name: str, value: Any) -> str:
    """Return a measure as people read it: shares in percent."""
    if value is None:
        return "-"
    if name in SHARES or name.startswith(("recall@", "hit@")):
        return f"{value * 100:.1f} %"
    if isinstance(value, float):
        return f"{value:,.2f}" if name != "cost" else f"{value:,.4g}"
    return f"{value:,}" if isinstance(value, int) else shorten(str(value), 24)


def candidate(row: Mapping[str, Any]) -> str:
    """Return what was measured: the method, and the settings where they are not those of the project."""
    return ", ".join(filter(None, (row["method"], row["settings"])))


def write_results(found: Evaluation, folder: Path) -> None:
    """Write the tables as Parquet and the plot; StoreError where that cannot be done."""
    for declared, table in found.tables().items():
        write_apart(declared, table, folder / f"{declared.name}.parquet")
    with disk_errors(folder / PLOT):
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / PLOT, plot(found).encode("utf-8"))


def plot(found: Evaluation) -> str:
    """Return the plot of an evaluation, an SVG document."""
    summary = found.summary()
    panels = []
    for settings in dict.fromkeys(row["settings"] for row in found.retrieval):
        under = f" with {settings}" if settings else ""
        title = f"retrieval{under}: gold documents and expected passages found"
        panels.append(Panel(title, list(found.recall(settings).items()), 1.0))
    panels += [Panel(title, bars_, 1.0) for name, title in SHARES.items() if (bars_ := _bars(summary, name))]
    counts = {"words": "words of an answer", "unique_claims": "claims an answer that differ"}
    clusters = (name for row in summary[:1] for name in row if name.startswith("clusters@"))
    counts |= {name: f"clusters of claims an answer, at distance {name.partition('@')[2]}" for name in clusters}
    for name, title in counts.items():
        if bars_ := _bars(summary, name):
            panels.append(Panel(title, bars_, max(value for _, value in bars_)))
    for rate in found.win_rates():
        title = f"{rate.criterion}: comparisons won, {rate.method} against {rate.against}"
        panels.append(Panel(title, [(rate.method, rate.rate), (rate.against, 1 - rate.rate)], 1.0))
    return panels_svg("Evaluation", panels)


def _bars(summary: Sequence[dict[str, Any]], name: str) -> list[tuple[str, float]]:
    named = [(candidate(row), row[name]) for row in summary]
    return [(label, value) for label, value in named if value is not None]
