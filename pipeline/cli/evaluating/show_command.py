"""What the command eval show prints: the runs that are kept, one of them, and what changed between two."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import typer

from pipeline.cli.evaluating.results import SHARES, candidate, shown, table_of
from pipeline.cli.terminal import as_json
from pipeline.query.evaluation.eval_questions import FOLDER
from pipeline.query.evaluation.eval_runs import (
    EvalRun,
    changed_answers,
    chosen_run,
    differences,
    earlier,
    kept_runs,
    run_folder,
)
from pipeline.runner.project import Project
from pipeline.text.quotes import shorten

_CHANGED = 8
"""Questions whose outcome changed that are shown of each pair of runs."""


def show_runs(root: Path, number: int | None, against: int | None, json: bool) -> None:
    """Print a table of all runs or, with a number, one run and how it differs from ``against``, or else from the last
    run before it with the same questions. QuestionError for a run that is not there."""
    Project.open(root)
    folder = root / FOLDER
    if number is None and against is None:
        runs = kept_runs(folder) or [chosen_run(folder, None)]
        typer.echo(as_json([run.model_dump() for run in runs]) if json else _all(runs))
        return
    run = chosen_run(folder, number)
    before = chosen_run(folder, against) if against is not None else earlier(kept_runs(folder), run)
    if json:
        changed = [one.model_dump() for one in differences(before, run)] if before else []
        value = run.model_dump() | {"against": before.number if before else None, "differences": changed}
        typer.echo(as_json(value))
        return
    measured = [run.results["retrieval"].get("", {})]
    parts = [_head(run), *([table_of(measured, list(measured[0]))] if measured[0] else [])]
    methods = run.results["methods"]
    parts += [table_of(methods, list(methods[0]))] if methods else []
    parts += changes_text(folder, run, before)
    typer.echo("\n\n".join([*parts, f"page: {run_folder(folder, run.number) / 'report.html'}"]))


def changes_text(folder: Path, run: EvalRun, before: EvalRun | None = None) -> list[str]:
    """Return what changed since ``before``, or since the last run of the same questions; nothing where there is none."""
    before = before or earlier(kept_runs(folder), run)
    if before is None:
        return []
    what = [
        what
        for what, same in (
            ("the version of graphstrata", before.graphstrata == run.graphstrata),
            ("the index", before.index == run.index),
            ("settings or models", before.search == run.search),
            ("the questions", before.questions == run.questions),
        )
        if not same
    ]
    because = f"{' and '.join(what)} changed" if what else "index, questions, version and settings are the same"
    lines = [f"Beside run {before.number} ({because}):"]
    found = differences(before, run)
    for one in found:
        values = f"{shown(one.measure, one.before)} -> {shown(one.measure, one.after)}"
        lines.append(f"  {one.candidate}: {one.measure.replace('supported', 'answered').replace('_', ' ')} {values}")
    changed = changed_answers(folder, before, run) if before.questions == run.questions else []
    for row in changed[:_CHANGED]:
        under = candidate(row)
        now = "now" if row["after"] else "no longer"
        lines.append(f"  {now} {row['measure']} by {under}: question {row['number']}, {shorten(row['question'], 80)}")
    if len(changed) > _CHANGED:
        lines.append(f"  and {len(changed) - _CHANGED:,} more questions whose outcome changed")
    return ["\n".join(lines) if found or changed else f"{lines[0]} no measure changed"]


def _head(run: EvalRun) -> str:
    by = f", answered by {run.answered_by}" if run.answered_by else ""
    index = f"index {run.index[:8]} (generation {run.generation})"
    return f"Run {run.number}: {run.n_questions:,} questions of {run.file}, {index}, graphstrata {run.graphstrata}{by}"


def _all(runs: Sequence[EvalRun]) -> str:
    rows: list[dict[str, Any]] = []
    for run in runs:
        own = {"run": run.number, "index": run.index[:8], "version": run.graphstrata, "questions": run.n_questions}
        methods = run.results["methods"] or [{"method": "none", "settings": ""}]
        for method in methods:
            hits = run.results["retrieval"].get(method["settings"], {})
            found = {name: hits.get(name) for name in ("recall@10", "hit@10")}
            measures = {name: method.get(name) for name in (*SHARES, "words", "calls", "tokens", "cost")}
            rows.append(own | {"method": method["method"], "settings": method["settings"]} | found | measures)
    return table_of(rows, list(rows[0]))
