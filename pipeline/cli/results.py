"""The results of an evaluation: as text for people, as JSON, as Parquet tables and a plot."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pipeline.base.errors import StoreError
from pipeline.base.store import write_apart
from pipeline.cli.bars import bars, shorten
from pipeline.cli.svg import Panel, panels_svg
from pipeline.query.evaluation.evaluation import Evaluation

SHARES = {
    "supported": "answered: share of questions that the corpus answers",
    "exact": "exact match with a right answer",
    "f1": "F1 of tokens with a right answer",
    "contains": "contains a right answer word for word",
    "cited": "share of gold documents among the sources",
}
"""Measures of a summary that are shares of one, with what they say."""

PLOT = "eval.svg"


def as_json(found: Evaluation) -> dict[str, Any]:
    """Return summary, recall and win rates; single questions are in the tables."""
    return {
        "methods": found.summary(),
        **found.recall(),
        "questions_with_gold": len(found.retrieval),
        "gold_not_in_the_index": _lost(found),
        "win_rates": [rate._asdict() for rate in found.win_rates()],
        "judge_failures": found.judge_failures,
        "stopped": str(found.stopped) if found.stopped else None,
    }


def as_text(found: Evaluation) -> str:
    """Return the results as a person reads them: retrieval, a table of the methods, claims, and the judge."""
    return "\n\n".join([*_retrieval(found), *_methods(found), *_judge(found)]) or "nothing was measured"


def _retrieval(found: Evaluation) -> list[str]:
    recall = [(name, round(value * 100, 1)) for name, value in found.recall().items()]
    if not recall:
        return []
    title = f"Retrieval: share of gold documents found, over {len(found.retrieval):,} questions"
    lost = (
        f"\n  gold documents that are not in the index, and count as not found: {_lost(found):,}"
        if _lost(found)
        else ""
    )
    return [bars(title, recall, " %", 100) + lost]


def _methods(found: Evaluation) -> list[str]:
    summary = found.summary()
    if not summary:
        return []
    claims = [name for name in summary[0] if name in ("claims", "unique_claims") or name.startswith("clusters@")]
    title = "Claims an answer, those of them that differ, and their clusters by distance (1 - ROUGE-L)"
    others = [name for name in summary[0] if name not in claims]
    return [_table(summary, others), f"{title}\n{_table(summary, ['method', *claims])}"]


def _judge(found: Evaluation) -> list[str]:
    rates = found.win_rates()
    if not rates:
        return []
    title = "Judge: share of comparisons that the first of two methods won, both orders counted"
    won = [(f"{rate.criterion} {rate.method}/{rate.against}", round(rate.rate * 100, 1)) for rate in rates]
    agreed = sum(rate.agreed * rate.questions for rate in rates) / sum(rate.questions for rate in rates)
    return [f"{bars(title, won, ' %', 100)}\n  both orders had the same outcome in {agreed:.0%} of them"]


def _lost(found: Evaluation) -> int:
    return sum(len(row["lost"]) for row in found.retrieval)


def _table(summary: Sequence[dict[str, Any]], names: Sequence[str]) -> str:
    """Return some measures as aligned columns; those that nobody has are left out."""
    there = [name for name in names if any(row[name] is not None for row in summary)]
    rows = [[name.replace("supported", "answered").replace("_", " ") for name in there]]
    rows += [[_shown(name, row[name]) for name in there] for row in summary]
    widths = [max(len(row[place]) for row in rows) for place in range(len(there))]
    lines = ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows]
    return "\n".join([lines[0], "-" * len(lines[0]), *lines[1:]])


def _shown(name: str, value: Any) -> str:
    if value is None:
        return "-"
    if name in SHARES:
        return f"{value * 100:.1f} %"
    if isinstance(value, float):
        return f"{value:,.2f}" if name != "cost" else f"{value:,.4g}"
    return f"{value:,}" if isinstance(value, int) else shorten(str(value), 24)


def write_results(found: Evaluation, folder: Path) -> None:
    """Write the tables as Parquet and the plot; StoreError where that cannot be done."""
    for declared, table in found.tables().items():
        write_apart(declared, table, folder / f"{declared.name}.parquet")
    try:
        (folder / PLOT).write_text(panels_svg("Evaluation", _panels(found)), encoding="utf-8")
    except OSError as error:
        raise StoreError(
            f"{folder / PLOT} cannot be written: {error.strerror}", "the plot goes there", "name another folder"
        ) from error


def _panels(found: Evaluation) -> list[Panel]:
    summary = found.summary()
    recall = list(found.recall().items())
    panels = [Panel("retrieval: share of gold documents found", recall, 1.0)] if recall else []
    panels += [Panel(title, bars_, 1.0) for name, title in SHARES.items() if (bars_ := _bars(summary, name))]
    counts = {"unique_claims": "claims an answer that differ"}
    clusters = (name for row in summary[:1] for name in row if name.startswith("clusters@"))
    counts |= {name: f"clusters of claims an answer, at distance {name.partition('@')[2]}" for name in clusters}
    for name, title in counts.items():
        if bars_ := _bars(summary, name):
            panels.append(Panel(title, bars_, max(value for _, value in bars_)))
    for rate in found.win_rates():
        title = f"{rate.criterion}: comparisons won, {rate.method} against {rate.against}"
        panels.append(Panel(title, [(rate.method, rate.rate), (rate.against, 1 - rate.rate)], 1.0))
    return panels


def _bars(summary: Sequence[dict[str, Any]], name: str) -> list[tuple[str, float]]:
    return [(row["method"], row[name]) for row in summary if row[name] is not None]
