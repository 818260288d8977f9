"""The commands ``graphstrata names``: their options; what they do is in the module that they import when they run."""

from pathlib import Path
from typing import Annotated

import typer

from pipeline.cli.options import Json, Root

names_app = typer.Typer(
    name="names",
    help="Correct names: which are one entity, what it is, its type.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Preview = Annotated[bool, typer.Option("--preview", help="Show what would change, and write nothing.")]


@names_app.command()
def merge(
    names: Annotated[
        list[str], typer.Argument(metavar="NAME", help="Names of one entity; the last one is what it is called.")
    ],
    root: Root = Path(),
    preview: Preview = False,
    json: Json = False,
) -> None:
    """Make names one entity, called by the last of them."""
    from pipeline.cli.commands.names import correct_merge

    correct_merge(root, names, preview, json)


@names_app.command()
def split(
    name: Annotated[str, typer.Argument(help="Name that is an entity of its own.")],
    entity: Annotated[str, typer.Argument(help="Entity that it does not name.")],
    root: Root = Path(),
    preview: Preview = False,
    json: Json = False,
) -> None:
    """Take a name away from an entity, and keep the two apart."""
    from pipeline.cli.commands.names import correct
    from pipeline.resolution.corrections import Split

    correct(root, Split(name, entity), preview, json)


@names_app.command()
def rename(
    entity: Annotated[str, typer.Argument(help="Entity, by any of its names.")],
    to: Annotated[str, typer.Argument(help="What it is called.")],
    root: Root = Path(),
    preview: Preview = False,
    json: Json = False,
) -> None:
    """Call an entity otherwise; it keeps its other names."""
    from pipeline.cli.commands.names import correct
    from pipeline.resolution.corrections import Rename

    correct(root, Rename(entity, to), preview, json)


@names_app.command()
def retype(
    entity: Annotated[str, typer.Argument(help="Entity, by any of its names.")],
    type: Annotated[str, typer.Argument(help="Its type, such as PERSON; one of your own is fine.")],
    root: Root = Path(),
    preview: Preview = False,
    json: Json = False,
) -> None:
    """Give an entity a type that overrules what its mentions say."""
    from pipeline.cli.commands.names import correct
    from pipeline.resolution.corrections import Retype

    correct(root, Retype(entity, type.upper()), preview, json)


@names_app.command("list")
def list_names(
    unsure: Annotated[
        bool, typer.Option("--unsure", help="Only what rules or a model were least sure of, least sure first.")
    ] = False,
    root: Root = Path(),
    json: Json = False,
) -> None:
    """List corrections, and which names were joined, by whom and why."""
    from pipeline.cli.commands.names import list_decisions

    list_decisions(root, unsure, json)
