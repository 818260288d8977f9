"""The commands ``graphstrata eval``: their options; what they do is in the modules that they import when they run."""

from pathlib import Path
from typing import Annotated

import typer
from typer.core import TyperGroup

from pipeline.cli.options import EstimateOnly, Json, MaxCalls, MaxCost, Root, caps


class EvalGroup(TyperGroup):
    """The commands eval; ``graphstrata eval questions.jsonl`` is ``graphstrata eval run questions.jsonl``."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        """Put ``run`` before a file or an option that begins the line."""
        first = args[0] if args else ""
        is_file = "." in first or Path(first).is_file()
        is_option = first.startswith("-") and first not in ("-h", "--help")
        if first and first not in self.commands and (is_file or is_option):
            args = ["run", *args]
        return super().parse_args(ctx, args)


eval_app = typer.Typer(
    name="eval",
    cls=EvalGroup,
    help="Make questions, measure how they are answered, compare runs.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@eval_app.command()
def make(
    file: Annotated[
        Path | None,
        typer.Argument(help="Where the questions go; evaluation/questions.jsonl of the project if missing."),
    ] = None,
    count: Annotated[int, typer.Option("--count", min=1, max=10_000, help="Questions at most.")] = 50,
    unanswerable: Annotated[
        float, typer.Option("--unanswerable", min=0, max=1, help="Share of them that the texts do not answer.")
    ] = 0.2,
    seed: Annotated[int, typer.Option("--seed", help="Of the choice of passages.")] = 1431,
    without_model: Annotated[bool, typer.Option("--without-model", help="Make them by rules, without a call.")] = False,
    estimate: EstimateOnly = False,
    max_cost: MaxCost = None,
    max_calls: MaxCalls = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    root: Root = Path(),
    json: Json = False,
) -> None:
    """Make questions from the texts, some of them unanswerable. Each has its answer and the passage that holds it."""
    from pipeline.cli.evaluating.make_command import MakeOptions, make_questions_file

    options = MakeOptions(file, count, unanswerable, seed, without_model, estimate, force, json)
    make_questions_file(root, options, caps(max_cost=max_cost, max_calls=max_calls))


@eval_app.command()
def run(
    file: Annotated[
        Path | None,
        typer.Argument(help='Questions, a line {"question", "answer", "gold"} each; those of eval make if missing.'),
    ] = None,
    methods: Annotated[
        str, typer.Option("--methods", help="Search methods, with commas between them; none: only retrieval.")
    ] = "local",
    changes: Annotated[
        list[str] | None,
        typer.Option(
            "--with", metavar="KEY=VALUE", help="Compare other settings too, such as search.chunks=20; may be repeated."
        ),
    ] = None,
    output: Annotated[Path | None, typer.Option("--output", help="Folder for tables (Parquet) and a plot.")] = None,
    judge: Annotated[bool, typer.Option("--judge", help="Have a model compare the answers.")] = False,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="Only so many questions.")] = None,
    keep: Annotated[bool, typer.Option(help="Keep the run in the project's folder evaluation.")] = True,
    root: Root = Path(),
    json: Json = False,
) -> None:
    """Measure how questions are answered, by method and settings. Passages found, support, false answers, cost, a judge."""
    from pipeline.cli.evaluating.run_command import EvalOptions, evaluate_project

    evaluate_project(root, EvalOptions(file, methods, tuple(changes or ()), output, judge, limit, keep, json))


@eval_app.command()
def show(
    number: Annotated[int | None, typer.Argument(metavar="RUN", help="Number of a run; all if missing.")] = None,
    against: Annotated[int | None, typer.Option("--against", help="Number of the run to compare it with.")] = None,
    root: Root = Path(),
    json: Json = False,
) -> None:
    """Show the runs that are kept, and what changed between two."""
    from pipeline.cli.evaluating.show_command import show_runs

    show_runs(root, number, against, json)
