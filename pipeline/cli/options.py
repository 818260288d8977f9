"""Options of the commands that ask questions, spelled out here so that ``--help`` loads no search."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from pipeline.base.errors import meant
from pipeline.cli.command_order import IN_QUOTES, project_given
from pipeline.query.method_names import DEFAULT_METHOD, METHODS, Effort, Method, method_named

_OTHER_METHODS = {"basic": ("naive", "vector"), "fusion": ("hybrid", "mix")}
"""What other programs call search methods."""

Root = Annotated[Path, typer.Option("--root", help="Project folder, the one with settings.yaml.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON on stdout; progress as JSON lines on stderr.")]


MaxCost = Annotated[float | None, typer.Option("--max-cost", min=0, help="Stop before exceeding it.")]
MaxCalls = Annotated[int | None, typer.Option("--max-calls", min=0, help="Stop before exceeding it.")]
EstimateOnly = Annotated[bool, typer.Option("--estimate", help="Say what the model would be asked; no call.")]
Roots = Annotated[
    list[Path] | None,
    typer.Option(
        "--root",
        metavar="<path>",
        help="Project folder, the one with settings.yaml; given several times, all are asked, and sources say which.",
    ),
]
Served = Annotated[
    list[Path] | None, typer.Argument(metavar="DIR", help="Project folders; the current one by default.")
]
ServedRoots = Annotated[
    list[Path] | None, typer.Option("--root", metavar="<path>", help="The same as DIR; may be given several times.")
]
MethodArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="METHOD",
        help=f"May be left out, then {DEFAULT_METHOD}. global: what runs through it all. local: how things connect, read step by step. entity: all on one thing. "
        "drift: from the whole to the detail. basic: one plain fact. fusion: several wordings, graded. auto: picks one.",
    ),
]
MethodOption = Annotated[str | None, typer.Option("--method", "-m", hidden=True)]
QuestionOption = Annotated[str | None, typer.Option("--query", "-q", hidden=True)]
"""The method and the question as the command of Microsoft GraphRAG takes them."""
Stream = Annotated[
    bool | None,
    typer.Option("--stream/--no-stream", help="Show the answer while it is written; by default on a terminal."),
]
Chat = Annotated[
    bool, typer.Option("--chat", help="Read questions line by line from standard input, each after the last.")
]
Language = Annotated[
    str | None, typer.Option("--language", help="Language of the answer, such as German; needs a model.")
]
AnswerLength = Annotated[
    Literal["short", "normal", "long"], typer.Option("--length", help="About how long the answer may be.")
]
Level = Annotated[
    str | None, typer.Option("--level", help="Level of the reports that global search reads: a number, or dynamic.")
]
EffortOption = Annotated[
    Effort | None,
    typer.Option("--effort", help="How much a global question may read; calls and tokens are shown beforehand."),
]
Form = Annotated[
    str | None,
    typer.Option(
        "--form",
        help="Form of a global answer: multiple paragraphs, list, one paragraph, one sentence, or your own words.",
    ),
]
Where = Annotated[
    str | None,
    typer.Option(
        "--where", help="Use only documents whose metadata meet this, such as: customer = X and date >= 2024."
    ),
]
Passages = Annotated[
    bool, typer.Option("--passages", help="Print the passages that are named below an answer in full.")
]
WithoutModel = Annotated[
    bool,
    typer.Option("--without-model", help="Ask no model, whatever settings name: the same index answers by itself."),
]
Explain = Annotated[bool, typer.Option("--explain", help="Print the steps that lead to the answer, as they happen.")]


def caps(**given: float | None) -> dict[str, float]:
    """Return the caps that a command line sets, by their names in settings."""
    return {name: cap for name, cap in given.items() if cap is not None}


def method_and_question(first: str | None, second: str | None, chat: bool) -> tuple[Method, str | None]:
    """Return the search method and the question of a command line on which the method may be left out.

    BadParameter for a word that is no method, with the method that looks like it.
    """
    if first is None:
        return DEFAULT_METHOD, second
    if method := method_named(first):
        return method, second
    called = next((ours for ours, names in _OTHER_METHODS.items() if first.casefold() in names), None)
    near = f", did you mean {called}?" if called else meant(first.casefold(), METHODS, before=", ")
    if second is None and not (near and " " not in first.strip()):
        return DEFAULT_METHOD, first
    if project := project_given(first):
        raise typer.BadParameter(project)
    said = f"no search method {first!r}{near or '.'} The methods are {', '.join(METHODS)}."
    raise typer.BadParameter(said if near else said + IN_QUOTES)
