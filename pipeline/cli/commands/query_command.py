"""What the command query does: one question or a conversation, streamed or whole, for people or as JSON."""

import json as jsonlib
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

import typer

from pipeline.base.errors import QuestionError
from pipeline.cli.bars import shorten
from pipeline.cli.terminal import CLEAR, Wrapped
from pipeline.query.answer import Answer, Piece, Step
from pipeline.query.method_names import Method
from pipeline.runner.project import Project

if TYPE_CHECKING:
    from pipeline.query.index import Index

LENGTHS = {"short": 200, "long": 2000}
"""Tokens of short and long answers; normal ones are as long as settings say (search.answer_tokens)."""


@dataclass(frozen=True)
class Shape:
    """How answers are to be: everything that the options of the command say of them."""

    json: bool = False
    explain: bool = False
    stream: bool | None = None
    """None: when standard output is a terminal."""
    language: str | None = None
    length: str = "normal"
    level: str | None = None
    effort: str | None = None
    form: str | None = None
    where: str | None = None

    @property
    def streams(self) -> bool:
        """Whether answers are shown while they are written."""
        return (sys.stdout.isatty() and not self.json) if self.stream is None else self.stream


def ask(root: Path, method: Method, question: str | None, shape: Shape, chat: bool = False) -> None:
    """Print the answer to a question; with ``chat`` also to each line of standard input, as one conversation."""
    if not question and not chat:
        raise QuestionError("no question", "there is nothing to look for", "write one behind the method, or add --chat")
    index = open_index(root, shape)
    with closing(index.open_service()) as service:
        models = bool(index.settings.language.default or index.settings.tasks)
        history: list[tuple[str, Answer]] = []
        for asked in _questions(question, chat):
            printer = _printer(shape, chat, models)
            printer.asked(asked)
            try:
                answer = index.ask(
                    asked,
                    method,
                    history=history,
                    watch=printer.watch,
                    listen=printer.listen if shape.streams else None,
                    language=service,
                )
            except QuestionError as error:
                if not chat:
                    raise
                typer.echo(f"error: {error.found}; {error.fix}", err=True)
                continue
            printer.end(answer)
            history.append((asked, answer))


def open_index(root: Path, shape: Shape) -> "Index":
    """Return the project's index under what the options change of its settings; SettingsError for what does not fit."""
    from pipeline.query.index import Index

    project = Project.open(root)
    search: dict[str, Any] = {}
    if shape.length in LENGTHS:
        search["answer_tokens"] = LENGTHS[shape.length]
    if shape.level is not None:
        search["level"] = int(shape.level) if shape.level.isdecimal() else shape.level
    search |= {name: value for name, value in (("effort", shape.effort), ("form", shape.form)) if value is not None}
    changes: dict[str, dict[str, Any]] = {"search": search} if search else {}
    if shape.language:
        changes["language"] = {"output": shape.language}
        if not project.settings.language.default:
            typer.echo("(no model is set up, so answers keep the words and the language of the corpus)", err=True)
    index = Index(project.store.open(), project.settings, root)
    index = index.with_settings(changes) if changes else index
    if shape.where is None:
        return index
    chosen = index.where(shape.where)
    found, whole = chosen.count("documents"), index.count("documents")
    typer.echo(f"({found:,} of {whole:,} documents meet {shape.where})", err=True)
    return chosen


def _questions(first: str | None, chat: bool) -> Iterator[str]:
    if first:
        yield first
    if not chat:
        return
    lines = _typed() if sys.stdin.isatty() else iter(sys.stdin.readline, "")
    for line in filter(None, map(str.strip, lines)):
        if line.casefold() in ("quit", "exit"):
            return
        yield line


def _typed() -> Iterator[str]:
    """Yield lines typed at a terminal, until its end of input."""
    with suppress(ImportError):
        import readline  # noqa: F401 -- where there is one, it lets a line be edited and brings back earlier ones
    typer.echo("Ask; each question may lean on those before it. quit, exit or Ctrl-D ends.", err=True)
    with suppress(EOFError):
        while True:
            yield input("> ")


class TextPrinter:
    """Prints for people: steps and remarks on stderr, the answer and its sources on stdout."""

    def __init__(self, explain: bool, chat: bool, models: bool) -> None:
        self._explain, self._chat, self._models = explain, chat, models
        self._live = sys.stderr.isatty() and not explain
        self._written = False
        self._wrapped = Wrapped(get_terminal_size().columns) if sys.stdout.isatty() else None

    def asked(self, question: str) -> None:
        """Repeat a question of a conversation that nobody typed here, so that what is printed can be read alone."""
        if self._chat and not sys.stdin.isatty():
            typer.echo(f"> {question}")

    def watch(self, step: Step) -> None:
        """Show a step: all of them when they are to be explained, else the last one in a line that goes away."""
        if self._explain:
            typer.echo(f"{step.name}: {step.detail}", err=True)
        elif self._models and "tokens_in" in step.data:
            self._clear()
            typer.echo(f"({step.detail}: {_expected(step)})", err=True)
        elif self._live and not self._written:
            line = shorten(f"{step.name}: {step.detail}", get_terminal_size().columns - 1)
            typer.echo(f"{CLEAR}{line}", nl=False, err=True)

    def listen(self, piece: Piece) -> None:
        """Write a piece of the answer."""
        self._clear()
        if piece.begins and self._written:
            typer.echo("\n")
            typer.echo("(the text above broke off; the answer in full:)", err=True)
        self._written = True
        sys.stdout.write(self._wrapped.add(piece.text) if self._wrapped else piece.text)
        sys.stdout.flush()

    def end(self, answer: Answer) -> None:
        """Print what is still to be printed of an answer."""
        self._clear()
        put = [step.data.get("question") for step in answer.steps if step.name in ("standalone", "spelling")]
        asked = put[-1] if put else answer.question
        if asked != answer.question:
            typer.echo(f"(asked as: {asked})", err=True)
        sources = answer.sources_text()
        shown = (f"\n\n{sources}" if sources else "") if self._written else str(answer)
        typer.echo(self._wrapped.add(shown) + self._wrapped.rest() if self._wrapped else shown)
        sys.stdout.flush()
        for remark in remarks(answer):
            typer.echo(f"({remark})", err=True)
        if self._chat:
            typer.echo()

    def _clear(self) -> None:
        if self._live and not self._written:
            typer.echo(CLEAR, nl=False, err=True)


class JsonPrinter:
    """Prints for programs: an answer as one JSON object; when it is streamed, every event as one, a line each."""

    def __init__(self, shape: Shape, chat: bool) -> None:
        self._explain = shape.explain
        self._lines = chat or shape.streams
        self._events = shape.streams

    def asked(self, question: str) -> None:
        """Nothing: the answer holds its question."""

    def watch(self, step: Step) -> None:
        """Write a step."""
        if self._events:
            self._write({"event": "step", **asdict(step)})
        elif self._explain:
            typer.echo(f"{step.name}: {step.detail}", err=True)

    def listen(self, piece: Piece) -> None:
        """Write a piece of the answer."""
        self._write({"event": "piece", **asdict(piece)})

    def end(self, answer: Answer) -> None:
        """Write the answer with everything it holds."""
        whole = answer.to_dict()
        if self._lines:
            self._write({"event": "answer", **whole} if self._events else whole)
        else:
            typer.echo(jsonlib.dumps(whole, ensure_ascii=False, indent=1))

    def _write(self, value: dict[str, Any]) -> None:
        sys.stdout.write(jsonlib.dumps(value, ensure_ascii=False, default=str) + "\n")
        sys.stdout.flush()


def _expected(step: Step) -> str:
    """Return what a step says is going to be asked of a model."""
    data = step.data
    return f"{data['calls']} calls, about {data['tokens_in']:,} tokens in and {data['tokens_out']:,} out at most"


def _printer(shape: Shape, chat: bool, models: bool) -> TextPrinter | JsonPrinter:
    return JsonPrinter(shape, chat) if shape.json else TextPrinter(shape.explain, chat, models)


def remarks(answer: Answer) -> list[str]:
    """Return what is to be said of an answer: what it rests on, citations that were removed, what it took."""
    said = [answer.coverage.description]
    if answer.removed_citations:
        said.append(f"{answer.removed_citations} citations of what was not offered were removed")
    calls, cached = int(answer.usage.get("calls", 0)), int(answer.usage.get("cached", 0))
    if calls or cached:
        tokens = int(answer.usage["tokens_in"] + answer.usage["tokens_out"])
        cost = f", cost {answer.usage['cost']:.4g}" if answer.usage.get("cost") else ""
        said.append(f"{calls} calls, {cached} replies from the cache, {tokens:,} tokens{cost}")
    return said
