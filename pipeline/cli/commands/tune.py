"""What the command tune prints: what a sample shows, the diff it proposes, and what --apply wrote."""

import json as jsonlib
from dataclasses import asdict
from pathlib import Path

import typer

from pipeline.cli.fixes import in_shell
from pipeline.cli.progress import JsonLines, terminal
from pipeline.cli.terminal import as_json
from pipeline.language.spending import money
from pipeline.runner.project import Project
from pipeline.runner.tuning.tune import Tuning, estimate_tuning, tune
from pipeline.text.inflection import in_number


def tune_project(
    root: Path, characters: int, seed: int, apply: bool, estimate: bool, caps: dict[str, float], json: bool
) -> None:
    """Print what is proposed for a project; write it with ``apply``."""
    project = Project.open(root).capped(caps)
    if estimate:
        cost = estimate_tuning(project, characters, seed)
        price = "unknown" if cost.cost is None else money(cost.cost)
        line = f"{in_number(cost.calls, 'call')}, {cost.tokens_in:,} tokens in, about {cost.tokens_out:,} out, cost {price}"
        typer.echo(jsonlib.dumps(asdict(cost)) if json else f"{line}. No call was made.")
        return
    with JsonLines() if json else terminal() as progress:
        tuning = tune(project, characters, seed, progress)
    written = tuning.changes.write(root) if apply else []
    if json:
        value = asdict(tuning.proposal) | {"by": tuning.by, "diff": tuning.changes.diff(), "written": written}
        typer.echo(as_json(value))
        return
    _print(tuning)
    if written:
        typer.echo(f"wrote {', '.join(written)}. Now run: {in_shell('index', root=root)}")
    elif tuning.changes.diff():
        typer.echo(f"Nothing was written. To write it: {in_shell('tune', '--apply', root=root)}")


def _print(tuning: Tuning) -> None:
    proposal = tuning.proposal
    read = f"{tuning.documents:,} of {tuning.of:,} documents, {tuning.characters:,} characters"
    typer.echo(f"read {read}; proposed by {tuning.by}")
    typer.echo(f"language: {proposal.language or 'unknown'}; about: {proposal.domain or 'nothing that recurs'}")
    typer.echo("entities by type: " + ", ".join(f"{kind} {count:,}" for kind, count in proposal.counts.items()))
    reasons: dict[str, list[str]] = {}
    for phrase, reason in proposal.stop_phrases.items():
        reasons.setdefault(reason, []).append(phrase)
    if reasons:
        typer.echo("phrases that are hardly wanted as entities, each with what shows it:")
    for reason, phrases in reasons.items():
        more = f" and {len(phrases) - 8:,} more" if len(phrases) > 8 else ""
        typer.echo(f"  {reason}: {'; '.join(phrases[:8])}{more}")
    typer.echo(f"\n{tuning.changes.diff() or 'no change is proposed'}")
