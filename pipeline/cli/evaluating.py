"""What the command eval does: measures retrieval and answers over a file of questions, as a table, Parquet and a plot."""

import json as jsonlib
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from pipeline.base.errors import PartialError, QuestionError, SettingsError, StoreError
from pipeline.cli.bars import bars, shorten
from pipeline.cli.options import Method
from pipeline.cli.progress import JsonLines, Lines, terminal
from pipeline.runner.project import Project

if TYPE_CHECKING:
    from pipeline.cli.svg import Panel
    from pipeline.query.evaluation import Evaluation

MEASURES = {
    "supported": "answered: share of questions that the corpus answers",
    "exact": "exact match with a right answer",
    "f1": "F1 of tokens with a right answer",
    "contains": "contains a right answer word for word",
    "cited": "share of gold documents among the sources",
}
"""Shares of one that a summary holds, with what they say."""


@dataclass(frozen=True)
class Plan:
    """What is to be evaluated, and where the results go."""

    file: Path
    methods: str = "local"
    output: Path | None = None
    judge: bool = False
    limit: int | None = None
    json: bool = False


def evaluate_project(root: Path, plan: Plan) -> None:
    """Evaluate the project's index and print the results. PartialError when some judgements failed; a BudgetError that
    ended the evaluation is raised after what was measured by then is printed and written."""
    from pipeline.query.evaluation import evaluate
    from pipeline.query.examples import read_examples
    from pipeline.query.index import Index

    project = Project.open(root)
    methods = _methods(plan.methods)
    examples = read_examples(plan.file, plan.limit)
    index = Index(project.store.open(), project.settings, root)
    with closing(index.open_desk()) as desk, JsonLines() if plan.json else terminal() as progress:
        _check_judge(plan, methods, desk.default is desk.offline, len(examples), progress)
        stage = ""

        def told(what: str, done: int, total: int) -> None:
            nonlocal stage
            if what != stage:
                stage = what
                progress.stage(what, f"{total:,} {'comparisons' if what == 'judge' else 'questions'}")
            progress.step(done, total, desk.ledger.totals)

        found = evaluate(index, examples, methods, desk, plan.judge, told)
        progress.line(f"{len(examples):,} questions, {len(methods)} methods")
    if plan.output:
        write_results(found, plan.output)
    if plan.json:
        typer.echo(jsonlib.dumps(as_json(found), ensure_ascii=False, indent=1))
    else:
        typer.echo(as_text(found))
        if plan.output:
            typer.echo(f"\ntables and plot are in {plan.output}")
    _tell_troubles(found)


def _methods(listed: str) -> list[str]:
    """Return the methods by name; none of them for ``none``, which measures retrieval alone."""
    if listed.strip() == "none":
        return []
    known = [method.value for method in Method]
    methods = list(dict.fromkeys(name.strip() for name in listed.split(",") if name.strip()))
    unknown = [name for name in methods if name not in known]
    if unknown or not methods:
        raise QuestionError(
            f"no search method {', '.join(unknown) or 'is named'}",
            f"the methods are {', '.join(known)}",
            "name some, with commas between them: --methods local,global; or none for retrieval alone",
        )
    return methods


def _check_judge(plan: Plan, methods: Sequence[str], offline: bool, n_examples: int, progress: Lines) -> None:
    from pipeline.query.judging import n_calls

    if len(methods) < 2:
        if plan.judge:
            raise QuestionError("a judge compares answers of two methods", "one is named", "name another: --methods")
        return
    calls = n_calls(n_examples, len(methods))
    if plan.judge and offline:
        raise SettingsError(
            "--judge, and no model is set up", "answers are compared by a model", "name one: language.default"
        )
    if plan.judge:
        progress.line(f"the judge takes {calls:,} calls at most, beside those of the searches")
    elif not offline:
        progress.line(f"answers are not compared; --judge does, in {calls:,} calls")


def _tell_troubles(found: "Evaluation") -> None:
    if found.stopped:
        raise found.stopped
    if found.judge_failures:
        raise PartialError(
            f"partial: {found.judge_failures} judgements failed",
            "questions that were not judged in both orders are left out of the win rates",
            "run the same again: only they are asked again",
        )


def as_json(found: "Evaluation") -> dict[str, Any]:
    """Return summary, recall and win rates; single questions stand in the tables."""
    return {
        "methods": found.summary(),
        **found.recall(),
        "questions_with_gold": len(found.retrieval),
        "gold_not_in_the_index": sum(len(row["lost"]) for row in found.retrieval),
        "win_rates": [rate._asdict() for rate in found.win_rates()],
        "judge_failures": found.judge_failures,
        "stopped": str(found.stopped) if found.stopped else None,
    }


def as_text(found: "Evaluation") -> str:
    """Return the results as a person reads them: retrieval, a table of the methods, claims, and the judge."""
    parts = []
    recall = found.recall()
    if recall:
        lost = sum(len(row["lost"]) for row in found.retrieval)
        title = f"Retrieval: share of gold documents found, over {len(found.retrieval):,} questions"
        parts.append(bars(title, [(name, round(value * 100, 1)) for name, value in recall.items()], " %", 100))
        if lost:
            parts.append(f"  gold documents that are not in the index, and count as not found: {lost:,}")
    summary = found.summary()
    claims = ["claims", "unique_claims", *(name for name in summary[0] if name.startswith("clusters@"))]
    parts.append(_table(summary, [name for name in summary[0] if name not in claims]))
    title = "Claims an answer, those of them that differ, and their clusters by distance (1 - ROUGE-L)"
    parts.append(f"{title}\n{_table(summary, [name for name in summary[0] if name == 'method' or 'cl' in name])}")
    rates = found.win_rates()
    if rates:
        title = "Judge: share of comparisons won, in both orders"
        values = [(f"{r.criterion[:13]} {r.method}/{r.against}", round(r.rate * 100, 1)) for r in rates]
        parts.append(bars(title, values, " %", 100))
        agreed = sum(rate.agreed * rate.questions for rate in rates) / sum(rate.questions for rate in rates)
        parts.append(f"  the judge said the same in both orders in {agreed:.0%} of them")
    return "\n\n".join(parts)


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
    if name in MEASURES:
        return f"{value * 100:.1f} %"
    return (
        f"{value:,.4g}"
        if isinstance(value, float)
        else f"{value:,}"
        if isinstance(value, int)
        else shorten(str(value), 24)
    )


def write_results(found: "Evaluation", folder: Path) -> None:
    """Write the tables as Parquet and the plot as eval.svg; StoreError where that cannot be done."""
    from pipeline.base.store import write_apart
    from pipeline.cli.svg import panels_svg

    for declared, table in found.tables().items():
        write_apart(declared, table, folder / f"{declared.name}.parquet")
    try:
        (folder / "eval.svg").write_text(panels_svg("Evaluation", _panels(found)), encoding="utf-8")
    except OSError as error:
        raise StoreError(f"{folder / 'eval.svg'} cannot be written: {error.strerror}", "the plot goes there") from error


def _panels(found: "Evaluation") -> "list[Panel]":
    from pipeline.cli.svg import Panel

    panels = []
    if recall := found.recall():
        panels.append(Panel("retrieval: share of gold documents found", list(recall.items()), 1.0))
    summary = found.summary()
    for name, title in MEASURES.items():
        values = [(row["method"], row[name]) for row in summary if row[name] is not None]
        if values:
            panels.append(Panel(title, values, 1.0))
    for name in ("unique_claims", *(name for name in summary[0] if name.startswith("clusters@"))):
        values = [(row["method"], row[name]) for row in summary if row[name] is not None]
        if values:
            title = (
                "claims an answer" if name == "unique_claims" else f"clusters of claims an answer, distance {name[9:]}"
            )
            panels.append(Panel(title, values, max(value for _, value in values)))
    for rate in found.win_rates():
        bars_ = [(rate.method, rate.rate), (rate.against, 1 - rate.rate)]
        panels.append(Panel(f"{rate.criterion}: comparisons won, {rate.method} against {rate.against}", bars_, 1.0))
    return panels
