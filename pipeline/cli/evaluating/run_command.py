"""What the command eval run does: measures retrieval and answers over a file of questions, and keeps what was measured."""

import re
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from pipeline.base.errors import PartialError, QuestionError, SettingsError
from pipeline.cli.fixes import in_shell
from pipeline.cli.progress import JsonLines, PlainProgress, report_by_stage, terminal
from pipeline.cli.terminal import as_json
from pipeline.query.method_names import METHODS, Method, method_named
from pipeline.runner.project import Project
from pipeline.text.inflection import in_number

if TYPE_CHECKING:
    from pipeline.query.evaluation.evaluation import Evaluation, Variant
    from pipeline.query.index import Index

_AT_QUESTIONS = ("search", "language", "tasks")
"""Sections of settings that shape answers over an index as it is."""


@dataclass(frozen=True)
class EvalOptions:
    """What is to be evaluated, and where the results go."""

    file: Path | None
    methods: str = "local"
    changes: tuple[str, ...] = ()
    output: Path | None = None
    judge: bool = False
    limit: int | None = None
    keep: bool = True
    json: bool = False


def evaluate_project(root: Path, options: EvalOptions) -> None:
    """Evaluate the project's index, print the results and keep them. PartialError when some judgements failed; a
    BudgetError that ended the evaluation is raised after what was measured by then is printed and written."""
    from pipeline.cli.evaluating.page import page
    from pipeline.cli.evaluating.results import as_text, write_results
    from pipeline.cli.evaluating.show_command import changes_text
    from pipeline.query.evaluation.eval_questions import FOLDER, QUESTIONS, read_examples
    from pipeline.query.evaluation.eval_runs import keep_run, run_folder, run_of
    from pipeline.query.evaluation.evaluation import evaluate
    from pipeline.query.index import Index

    project = Project.open(root)
    methods = _methods(options.methods)
    file = options.file or root / FOLDER / QUESTIONS
    if options.file is None and not file.exists():
        raise QuestionError(
            f"no questions are named, and {file} is not there",
            "methods are compared by questions whose answers are known",
            f"run: {in_shell('eval', 'make')}, or name a file",
        )
    examples = read_examples(file, options.limit)
    index = Index(project.store.open(), project.settings, root)
    with ExitStack() as opened:
        service = opened.enter_context(closing(index.open_service()))
        progress = opened.enter_context(JsonLines() if options.json else terminal())
        variants = [_variant(index, change, opened) for change in dict.fromkeys(options.changes)]
        n_candidates = len(methods) * (1 + len(variants))
        _check_judge(options, n_candidates, service.default is service.offline, len(examples), progress)
        units = {"judge": "comparisons"}
        report = report_by_stage(
            progress,
            lambda stage, total: f"{total:,} {units.get(stage, 'questions')}",
            service.ledger.totals,
        )
        found = evaluate(index, examples, methods, service, options.judge, report, variants)
        progress.line(f"{in_number(len(examples), 'question')}, {in_number(len(methods), 'method')}")
    run = run_of(found, index, examples, file.name)
    if not options.json:
        typer.echo(as_text(found))
    if options.output:
        write_results(found, options.output)
    folder = root / FOLDER
    if options.keep and not found.stopped:
        run = keep_run(folder, run, found, page(run, found))
    if options.json:
        typer.echo(as_json(found.to_dict() | {"run": run.number or None}))
    elif run.number:
        typer.echo("".join(f"\n{part}\n" for part in changes_text(folder, run)), nl=False)
        typer.echo(f"\nkept as run {run.number}; its page is {run_folder(folder, run.number) / 'report.html'}")
    if options.output and not options.json:
        typer.echo(f"\ntables and plot are in {options.output}")
    _raise_troubles(found)


def _variant(index: "Index", change: str, opened: ExitStack) -> "Variant":
    """Return the index under the changed settings of ``KEY=VALUE``, several with commas between them."""
    import yaml

    from pipeline.query.evaluation.evaluation import Variant

    changes: dict[str, dict[str, Any]] = {}
    for part in re.split(r",(?=\s*[a-z_]+\.)", change):
        key, is_set, value = part.partition("=")
        section, _, name = key.strip().partition(".")
        if not is_set or section not in _AT_QUESTIONS or not name:
            raise QuestionError(
                f"--with {change!r}: {part.strip()!r} changes no setting that answers depend on",
                f"only settings under {', '.join(_AT_QUESTIONS)} can differ over one index",
                "write it as in: --with search.chunks=20; for other settings index again and compare the runs",
            )
        inner = changes.setdefault(section, {})
        *parents, last = name.split(".")
        for parent in parents:
            inner = inner.setdefault(parent, {})
        inner[last] = yaml.safe_load(value)
    changed = index.with_settings(changes)
    return Variant(change.strip(), changed, opened.enter_context(closing(changed.open_service())))


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
    options: EvalOptions, n_candidates: int, offline: bool, n_examples: int, progress: PlainProgress
) -> None:
    from pipeline.query.evaluation.judging import n_calls

    if n_candidates < 2:
        if options.judge:
            raise QuestionError("a judge compares answers of two methods", "one is named", "name another: --methods")
        return
    calls = n_calls(n_examples, n_candidates)
    if options.judge and offline:
        raise SettingsError(
            "--judge, and no model is set up", "answers are compared by a model", "name one: language.default"
        )
    if options.judge:
        progress.line(f"the judge takes {calls:,} calls at most, beside those of the searches")
    elif not offline:
        progress.line(f"answers are not compared; --judge does, in {calls:,} calls")


def _raise_troubles(found: "Evaluation") -> None:
    if found.stopped:
        raise found.stopped
    if found.judge_failures:
        raise PartialError(
            f"partial: {found.judge_failures} judgements failed",
            "questions that were not judged in both orders are left out of the win rates",
            "run the same again: only they are asked again",
        )
