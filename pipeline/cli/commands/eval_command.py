"""What the command eval does: measures retrieval and answers over a file of questions, as a table, Parquet and a plot."""

import json as jsonlib
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from pipeline.base.errors import PartialError, QuestionError, SettingsError
from pipeline.cli.options import Method
from pipeline.cli.progress import JsonLines, Lines, terminal
from pipeline.runner.project import Project

if TYPE_CHECKING:
    from pipeline.query.evaluation.evaluation import Evaluation


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
    from pipeline.cli.results import as_json, as_text, write_results
    from pipeline.query.evaluation.eval_questions import read_examples
    from pipeline.query.evaluation.evaluation import evaluate
    from pipeline.query.index import Index

    project = Project.open(root)
    methods = _methods(plan.methods)
    examples = read_examples(plan.file, plan.limit)
    index = Index(project.store.open(), project.settings, root)
    with closing(index.open_service()) as service, JsonLines() if plan.json else terminal() as progress:
        _check_judge(plan, methods, service.default is service.offline, len(examples), progress)
        stage = ""

        def told(what: str, done: int, total: int) -> None:
            nonlocal stage
            if what != stage:
                stage = what
                progress.stage(what, f"{total:,} {'comparisons' if what == 'judge' else 'questions'}")
            progress.step(done, total, service.ledger.totals)

        found = evaluate(index, examples, methods, service, plan.judge, told)
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
    from pipeline.query.evaluation.judging import n_calls

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
