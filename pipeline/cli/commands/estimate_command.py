"""What the command index --estimate prints: calls, tokens and money, stage by stage."""

import json as jsonlib
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import typer

from pipeline.base.workflow import stage_label
from pipeline.cli.progress import JsonLines, terminal
from pipeline.language.ledger import TaskCost, summed
from pipeline.runner.estimate import estimate_index
from pipeline.runner.project import Project


def estimate_project(root: Path, json: bool) -> None:
    """Print what an index run would ask of models now, and what that would cost."""
    with JsonLines() if json else terminal() as progress:
        costs_by_task = estimate_index(Project.open(root), progress)
    total = _total(costs_by_task)
    if json:
        value = {"stages": [asdict(one) for one in costs_by_task], "total": asdict(total)}
        typer.echo(jsonlib.dumps(value, ensure_ascii=False))
        return
    names = ("calls", "cached", "tokens in", "tokens out", "cost")
    typer.echo(f"{'stage':24} {'task':24} {'model':16} " + " ".join(f"{name:>12}" for name in names))
    for one in [*costs_by_task, total]:
        money = "unknown" if one.cost is None else f"{one.cost:,.4f}"
        figures = " ".join(f"{n:>12,}" for n in (one.calls, one.cached, one.tokens_in, one.tokens_out))
        typer.echo(f"{stage_label(one.stage):24} {one.task:24} {one.model:16} {figures} {money:>12}")
    typer.echo(
        "estimated from replies made without a model, with every round of gleaning; a model's may differ. No call was made."
    )


def _total(costs_by_task: Sequence[TaskCost]) -> TaskCost:
    return TaskCost(
        "total",
        "",
        "",
        sum(one.calls for one in costs_by_task),
        sum(one.cached for one in costs_by_task),
        sum(one.tokens_in for one in costs_by_task),
        sum(one.tokens_out for one in costs_by_task),
        summed(one.cost for one in costs_by_task),
    )
