"""A conversation on a terminal or through a pipe: questions, each of which may lean on those before it, and orders."""

import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

import typer

from pipeline.base.errors import QuestionError, meant
from pipeline.cli.asking.answer_printers import JsonPrinter, Printer, TextPrinter
from pipeline.cli.style import Style
from pipeline.cli.terminal import StoppedBySignal, stop_on_signals
from pipeline.query.answer import Answer
from pipeline.query.method_names import METHODS, Method, method_named

if TYPE_CHECKING:
    from pipeline.cli.asking.query_command import Asker

ORDERS = {
    "/help": "what can be typed",
    "/method": "the search method; /method NAME takes another one",
    "/sources": "the sources of the last answer, with their quotes",
    "/new": "forget what was said, and start afresh",
    "/exit": "end; so do /quit and Ctrl-D",
}


class _End(Exception):
    """Raised to end a conversation."""


class _Conversation:
    """What a conversation remembers, and what its orders change."""

    def __init__(self, asker: "Asker", method: Method) -> None:
        self.asker, self.method = asker, method
        self.history: list[tuple[str, Answer]] = []
        self.typed = sys.stdin.isatty()

    def printer(self) -> Printer:
        """Return a printer for the next answer: sources are shown on demand to whoever can ask for them."""
        if self.asker.shape.json:
            return JsonPrinter(self.asker.shape, True)
        return TextPrinter(self.asker.shape, self.asker.models, repeats=not self.typed, on_demand=self.typed)

    def ask(self, question: str) -> None:
        """Answer one question; one that cannot be asked ends nothing, nor does Ctrl-C on a terminal."""
        printer = self.printer()
        printer.asked(question)
        try:
            answer = self.asker.ask(question, self.method, self.history, printer)
        except QuestionError as error:
            printer.clear()
            typer.echo(f"error: {error.found}; {error.fix}", err=True)
            return
        except StoppedBySignal as stopped:
            if not (self.typed and stopped.is_interrupt):
                raise
            stop_on_signals()
            printer.clear()
            typer.echo("\n(interrupted; finished replies are cached. Ask on, or leave with /exit)", err=True)
            return
        printer.end(answer)
        self.history.append((question, answer))
        if self.typed and answer.sources:
            count = len(answer.sources)
            _aside(
                f"({count} {'source' if count == 1 else 'sources'}: /sources shows {'it' if count == 1 else 'them'})"
            )
        if self.typed:
            printer.suggest(self.asker.follow_ups(answer))
        if not self.asker.shape.json:
            typer.echo()

    def order(self, line: str) -> None:
        """Do what a line that begins with a slash asks for."""
        word, _, rest = line.partition(" ")
        match word.casefold():
            case "/exit" | "/quit":
                raise _End
            case "/help" | "/?":
                for name, help in ORDERS.items():
                    _aside(f"  {name:9} {help}")
            case "/method":
                self._take(rest.strip())
            case "/sources" if self.history:
                self.printer().sources(self.history[-1][1])
            case "/sources":
                _aside("nothing was answered yet")
            case "/new":
                self.history.clear()
                _aside("the next question begins a new conversation")
            case _:
                near = meant(word.casefold(), ORDERS, 0.5, ", ") or ";"
                _aside(f"{word} is not known{near} /help lists what is")

    def _take(self, name: str) -> None:
        method = method_named(name.casefold())
        if method:
            self.method = method
        elif name:
            _aside(f"no search method {name!r}{meant(name.casefold(), METHODS, before=', ') or '.'}")
        _aside(f"method: {self.method}; the methods are {', '.join(METHODS)}")


def converse(asker: "Asker", method: Method, first: str | None) -> None:
    """Answer ``first`` and then each line of standard input, until its end or /exit."""
    talk = _Conversation(asker, method)
    if talk.typed:
        _banner(talk)
    with suppress(_End):
        if first:
            talk.ask(first)
        for line in filter(None, map(str.strip, _typed() if talk.typed else iter(sys.stdin.readline, ""))):
            if line.casefold() in ("quit", "exit"):
                return
            if line.startswith("/"):
                talk.order(line)
            else:
                talk.ask(line)


def _banner(talk: _Conversation) -> None:
    indexes = talk.asker.group.indexes
    documents = sum(index.count("documents") for index in indexes.values())
    model = "" if talk.asker.models else ", no model: answers are sentences of the texts"
    _aside(f"{', '.join(indexes)}: {documents:,} documents, method {talk.method}{model}")
    _aside("Ask; each question may lean on those before it. /help shows more, /exit or Ctrl-D ends.")


def _typed() -> Iterator[str]:
    """Yield lines typed at a terminal, until its end of input."""
    with suppress(ImportError):
        import readline  # where there is one, it lets a line be edited and brings back earlier ones

        readline.set_completer_delims(" ")
        readline.set_completer(lambda text, state: ([*(o for o in ORDERS if text and o.startswith(text)), None])[state])
        readline.parse_and_bind("tab: complete")
    with suppress(EOFError):
        while True:
            yield input("> ")
    typer.echo(err=True)


def _aside(text: str) -> None:
    sys.stderr.write(Style(sys.stderr).quiet(text))
    sys.stderr.write("\n")
    sys.stderr.flush()
