"""What the command eval make does: writes questions about the texts, by a model or by rules, after an estimate if wanted."""

import json as jsonlib
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from pipeline.base.errors import InputError, PartialError, QuestionError
from pipeline.cli.fixes import in_shell
from pipeline.cli.progress import JsonLines, report_by_stage, terminal
from pipeline.language.spending import money
from pipeline.runner.project import Project
from pipeline.text.inflection import in_number

if TYPE_CHECKING:
    from pipeline.query.evaluation.eval_questions import Example
    from pipeline.query.index import Index


@dataclass(frozen=True)
class MakeOptions:
    """Which questions are wanted, and where they go."""

    file: Path | None
    count: int
    unanswerable: float
    seed: int
    without_model: bool
    estimate: bool
    force: bool
    json: bool


def make_questions_file(root: Path, options: MakeOptions, caps: dict[str, float]) -> None:
    """Write a question set. QuestionError where the file is there already; a BudgetError is raised after what was made
    by then is written."""
    from pipeline.query.evaluation.eval_questions import FOLDER, QUESTIONS, write_examples
    from pipeline.query.index import Index

    project = Project.open(root).capped(caps)
    file = options.file or root / FOLDER / QUESTIONS
    index = Index(project.store.open(), project.settings, root)
    if options.without_model:
        index = index.without_model()
    if options.estimate:
        _print_estimate(index, options)
        return
    if file.exists() and not options.force:
        raise QuestionError(
            f"{file} is there already",
            "runs are compared by the same questions, which would be replaced",
            "name another file, or add --force",
        )
    examples, trouble = _made(index, options)
    if not examples:
        raise trouble or InputError(
            "no question could be made from the texts",
            "without a model they are made from whole sentences that begin with a name",
            "name a model in settings (language.default), or write questions yourself: see the guide on evaluation",
        )
    write_examples(file, examples)
    kinds = dict(Counter(one.kind for one in examples))
    if options.json:
        typer.echo(jsonlib.dumps({"file": str(file), "questions": len(examples), "kinds": kinds}, ensure_ascii=False))
    else:
        listed = ", ".join(f"{kind} {number}" for kind, number in kinds.items())
        typer.echo(f"{in_number(len(examples), 'question')} in {file}: {listed}")
        if len(examples) < options.count:
            typer.echo(f"  ({options.count:,} were asked for: the texts gave no more)")
        for one in _shown(examples):
            answer = f" -> {one.answers[0]}" if one.answers else "" if one.answerable else " -> (not in the texts)"
            typer.echo(f"  {one.kind}: {one.question}{answer}")
        words = ["eval", "run", *([str(file)] if options.file else []), "--methods", "basic,local"]
        typer.echo(f"next: {in_shell(*words, root=root)}")
    if trouble:
        raise trouble


def _made(index: "Index", options: MakeOptions) -> tuple[list["Example"], Exception | None]:
    """Return the questions, and what kept some of them from being made."""
    from pipeline.language.tasks.evaluation.write_questions import write_questions
    from pipeline.query.evaluation.making.asked_questions import asked_questions
    from pipeline.query.evaluation.making.counted_questions import counted_questions

    how_many = options.count, options.unanswerable, options.seed
    with closing(index.open_service()) as service, JsonLines() if options.json else terminal() as progress:
        if not service.adds(write_questions):
            return counted_questions(index.generation, *how_many), None
        report = report_by_stage(progress, lambda stage, total: f"{total:,} calls at most", service.ledger.totals)
        made = asked_questions(index, service, *how_many, report)
        if made.answered_after_all:
            progress.line(f"{made.answered_after_all:,} questions that were meant to be open are answered by the texts")
    if made.stopped:
        return made.examples, made.stopped
    if made.failed:
        trouble = PartialError(
            f"partial: no questions were made of {made.failed:,} passages",
            "the model gave no usable reply for them; the others are written",
            "run the same again with --force: only they are asked again",
        )
        return made.examples, trouble
    return made.examples, None


def _print_estimate(index: "Index", options: MakeOptions) -> None:
    from pipeline.query.evaluation.making.asked_questions import estimate_questions

    how_many = options.count, options.unanswerable, options.seed
    cost = estimate_questions(index.generation, index.settings, *how_many)
    price = "unknown" if cost.cost is None else money(cost.cost)
    line = f"at most {cost.calls:,} calls, {cost.tokens_in:,} tokens in, about {cost.tokens_out:,} out, cost {price}"
    typer.echo(jsonlib.dumps(asdict(cost)) if options.json else f"{line}. No call was made.")


def _shown(examples: "Sequence[Example]") -> list["Example"]:
    """Return the first question of each kind."""
    return list({one.kind: one for one in reversed(examples)}.values())[::-1]
