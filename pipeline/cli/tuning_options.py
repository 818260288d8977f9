"""The commands that fit a project to its texts, prompts and tune: their options."""

from pathlib import Path
from typing import Annotated

import typer

from pipeline.cli.options import EstimateOnly, Json, MaxCalls, MaxCost, Root, caps

prompts_app = typer.Typer(
    name="prompts",
    help="Show the prompts that models are sent, and replace them.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

TaskName = Annotated[str, typer.Argument(metavar="TASK", help="Name of a task, as prompts list shows it.")]


@prompts_app.command("list")
def list_(root: Root = Path()) -> None:
    """List every task that a model may be asked, and which prompt it has."""
    from pipeline.cli.commands.prompts import list_prompts

    list_prompts(root)


@prompts_app.command()
def show(
    task: TaskName,
    root: Root = Path(),
    default: Annotated[bool, typer.Option("--default", help="The default, also where there is an own prompt.")] = False,
) -> None:
    """Print the prompt of a task, with its placeholders in braces."""
    from pipeline.cli.commands.prompts import show_prompt

    show_prompt(root, task, default)


@prompts_app.command()
def edit(task: TaskName, root: Root = Path()) -> None:
    """Make a prompt of your own, which settings then use. It begins as a copy, opens in $EDITOR on a terminal, and is checked."""
    from pipeline.cli.commands.prompts import edit_prompt

    edit_prompt(root, task)


def tune(
    root: Root = Path(),
    sample: Annotated[int, typer.Option("--sample", min=1000, help="Characters to read, about.")] = 600_000,
    seed: Annotated[int, typer.Option("--seed", help="Of the choice of documents.")] = 1431,
    apply: Annotated[bool, typer.Option("--apply", help="Write what is proposed.")] = False,
    estimate: EstimateOnly = False,
    max_cost: MaxCost = None,
    max_calls: MaxCalls = None,
    json: Json = False,
) -> None:
    """Propose settings and prompts that fit the texts, as a diff. A sample is read; a model is asked once, if there is one."""
    from pipeline.cli.commands.tune import tune_project

    tune_project(root, sample, seed, apply, estimate, caps(max_cost=max_cost, max_calls=max_calls), json)
