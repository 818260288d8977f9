"""What the command index --estimate prints: calls, tokens and money, stage by stage."""

import json as jsonlib
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import typer

from pipeline.cli.progress import JsonLines, terminal
from pipeline.runner.estimate import Bill, estimate_index
from pipeline.runner.project import Project


def estimate_project(root: Path, json: bool) -> None:
    """Print what an index run would ask of models now, and what that would cost."""
    with JsonLines() if json else terminal() as progress:
        bills = estimate_index(Project.open(root), progress)
    total = _total(bills)
    if json:
        value = {"stages": [asdict(bill) for bill in bills], "total": asdict(total)}
        typer.echo(jsonlib.dumps(value, ensure_ascii=False))
        return
    names = ("calls", "cached", "tokens in", "tokens out", "cost")
    typer.echo(f"{'stage':24} {'task':24} {'model':16} " + " ".join(f"{name:>12}" for name in names))
    for bill in [*bills, total]:
        money = "unknown" if bill.cost is None else f"{bill.cost:,.4f}"
        figures = " ".join(f"{n:>12,}" for n in (bill.calls, bill.cached, bill.tokens_in, bill.tokens_out))
        typer.echo(f"{bill.stage:24} {bill.task:24} {bill.model:16} {figures} {money:>12}")
    typer.echo("reckoned with the replies of the offline way; a model's may be shorter or longer. No call was made.")


def _total(bills: Sequence[Bill]) -> Bill:
    costs = [bill.cost for bill in bills]
    return Bill(
        "total",
        "",
        "",
        sum(bill.calls for bill in bills),
        sum(bill.cached for bill in bills),
        sum(bill.tokens_in for bill in bills),
        sum(bill.tokens_out for bill in bills),
        None if None in costs else sum(cost or 0.0 for cost in costs),
    )
