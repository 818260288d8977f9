"""What the command eval does: measures retrieval and answers over a file of questions, as a table, Parquet and a plot."""

import json as jsonlib
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from pipeline.base.errors import PartialError, QuestionError, SettingsError
from pipeline.cli.progress import JsonLines, PlainProgress, terminal
from pipeline.query.method_names import METHODS, Method, method_named
from pipeline.runner.project import Project

if TYPE_CHECKING:
    from pipeline.query.evaluation.evaluation import Evaluation


@dataclass(frozen=True)
class EvalOptions:
    """What is to be evaluated, and where the results go."""

    file: Path
    methods: str = "local"
    output: Path | None = None
    judge: bool = False
    limit: int | None = None
    json: bool = False


def evaluate_project(root: Path, options: EvalOptions) -> None:
    """Evaluate the project's index and print the results. PartialError when some judgements failed; a BudgetError that
    ended the evaluation is raised after what was measured by then is printed and written."""
    from pipeline.cli.results import as_json, as_text, write_results
    from pipeline.query.evaluation.eval_questions import read_examples
    from pipeline.query.evaluation.evaluation import evaluate
    from pipeline.query.index import Index

    project = Project.open(root)
    methods = _methods(options.methods)
    examples = read_examples(options.file, options.limit)
    index = Index(project.store.open(), project.settings, root)
    with closing(index.open_service()) as service, JsonLines() if options.json else terminal() as progress:
        _check_judge(options, methods, service.default is service.offline, len(examples), progress)
        stage = ""

        def report(what: str, done: int, total: int) -> None:
            nonlocal stage
            if what != stage:
                stage = what
                progress.stage(what, f"{total:,} {'comparisons' if what == 'judge' else 'questions'}")
            progress.step(done, total, service.ledger.totals)

        found = evaluate(index, examples, methods, service, options.judge, report)
        progress.line(f"{len(examples):,} questions, {len(methods)} methods")
    if options.output:
        write_results(found, options.output)
    if options.json:
        typer.echo(jsonlib.dumps(as_json(found), ensure_ascii=False, indent=1))
    else:
        typer.echo(as_text(found))
        if options.output:
            typer.echo(f"\ntables and plot are in {options.output}")
    _tell_troubles(found)


def _methods(listed: str) -> list[Method]:
    """Return the methods by name; none of them for ``none``, which measures retrieval alone."""
    if listed.strip() == "none":
        return []
    names = dict.fromkeys(name.strip() for name in listed.split(",") if name.strip())
    methods = [method for name in names if (method := method_named(name))]
    unknown = [name for name in names if not method_named(name)]
    if unknown or not methods:
        raise QuestionError(
            f"no search method {', '.join(unknown) or 'is named'}",
            f"the methods are {', '.join(METHODS)}",
            "name some, with commas between them: --methods local,global; or none for retrieval alone",
        )
    return methods


def _check_judge(
    options: EvalOptions, methods: Sequence[str], offline: bool, n_examples: int, progress: PlainProgress
) -> None:
    from pipeline.query.evaluation.judging import n_calls

    if len(methods) < 2:
        if options.judge:
            raise QuestionError("a judge compares answers of two methods", "one is named", "name another: --methods")
        return
    calls = n_calls(n_examples, len(methods))
    if options.judge and offline:
        raise SettingsError(
            "--judge, and no model is set up", "answers are compared by a model", "name one: language.default"
        )
    if options.judge:
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
