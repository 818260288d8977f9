"""How answers are printed: for people, with steps on stderr and the answer on stdout, or as JSON for programs."""

import json as jsonlib
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from shutil import get_terminal_size
from typing import Any

import typer

from pipeline.cli.style import Style
from pipeline.cli.terminal import CLEAR, Wrapped, as_json
from pipeline.query.answer import Answer, Piece, Step
from pipeline.text.inflection import in_number
from pipeline.text.quotes import shorten


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
    passages: bool = False
    without_model: bool = False

    @property
    def streams(self) -> bool:
        """Whether answers are shown while they are written."""
        return (sys.stdout.isatty() and not self.json) if self.stream is None else self.stream


class TextPrinter:
    """Prints for people: steps and remarks on stderr, the answer and its sources on stdout.

    ``repeats`` repeats each question, for conversations that nobody types; ``on_demand`` leaves the sources to whoever
    asks for them.
    """

    def __init__(self, shape: Shape, models: bool, repeats: bool = False, on_demand: bool = False) -> None:
        self._explain, self._models, self._repeats, self._on_demand = shape.explain, models, repeats, on_demand
        self._passages = shape.passages
        self._live = sys.stderr.isatty() and not shape.explain
        self._question = ""
        self._written = False
        self._wrapped = Wrapped(get_terminal_size().columns) if sys.stdout.isatty() else None
        self._style, self._aside = Style(sys.stdout), Style(sys.stderr)

    def asked(self, question: str) -> None:
        """Repeat a question that nobody typed here, so that what is printed can be read alone."""
        self._question = question
        if self._repeats:
            typer.echo(f"> {question}")

    def watch(self, step: Step) -> None:
        """Show a step: all of them when they are to be explained, else the last one in a line that goes away."""
        if step.name in ("standalone", "spelling") and step.data.get("question") != self._question:
            self._question = step.data["question"]
            self.clear()
            self._remark(f"(asked as: {self._question})")
        if self._explain:
            typer.echo(f"{step.name}: {step.detail}", err=True)
        elif self._models and "tokens_in" in step.data:
            self.clear()
            self._remark(f"({step.detail}: {_expected(step)})")
        elif self._live and not self._written:
            line = shorten(f"{step.name}: {step.detail}", get_terminal_size().columns - 1)
            typer.echo(f"{CLEAR}{line}", nl=False, err=True)

    def listen(self, piece: Piece) -> None:
        """Write a piece of the answer as a model writes it; without one the whole answer is there at once, with its notes."""
        if not self._models:
            return
        self.clear()
        if piece.begins and self._written:
            typer.echo("\n")
            typer.echo("(the text above broke off; the answer in full:)", err=True)
        self._written = True
        sys.stdout.write(self._style.numbers(self._wrapped.add(piece.text) if self._wrapped else piece.text))
        sys.stdout.flush()

    def end(self, answer: Answer) -> None:
        """Print what is still to be printed of an answer."""
        self.clear()
        if not self._written:
            self._print(self._style.numbers, answer.text_with_notes)
        elif self._wrapped:
            sys.stdout.write(self._style.numbers(self._wrapped.rest()))
        below = "" if self._on_demand and answer.supported else answer.sources_text(self._passages)
        if below:
            self._print(self._style.quiet if answer.supported else self._style.numbers, f"\n\n{below}")
        sys.stdout.write("\n")
        sys.stdout.flush()
        for remark in remarks(answer):
            self._remark(f"({remark})")

    def sources(self, answer: Answer) -> None:
        """Print the sources of an answer, each with its whole quote, or the passages that stand for an answer."""
        shown = [f"[{s.number}] {s.location}\n{s.quote}" for s in answer.sources] or [answer.sources_text()]
        self._print(self._style.numbers, "\n\n".join(filter(None, shown)) or "The last answer has no sources.")
        sys.stdout.write("\n")

    def suggest(self, questions: Sequence[str]) -> None:
        """Print questions that may come next."""
        if questions:
            self._remark("Next you might ask: " + " ".join(f"“{question}”" for question in questions))

    def clear(self) -> None:
        """Empty the line of the step that was shown last."""
        if self._live and not self._written:
            typer.echo(CLEAR, nl=False, err=True)

    def _print(self, style: Any, text: str) -> None:
        sys.stdout.write(style(self._wrapped.add(text) + self._wrapped.rest() if self._wrapped else text))

    def _remark(self, text: str) -> None:
        if sys.stderr.isatty():
            wrapped = Wrapped(get_terminal_size().columns)
            text = wrapped.add(text) + wrapped.rest()
        sys.stderr.write(self._aside.quiet(text))
        sys.stderr.write("\n")
        sys.stderr.flush()


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
            typer.echo(as_json(whole))

    def sources(self, answer: Answer) -> None:
        """Nothing: the answer holds its sources."""

    def suggest(self, questions: Sequence[str]) -> None:
        """Nothing: the command ask-me has them as JSON."""

    def clear(self) -> None:
        """Nothing: no line goes away."""

    def _write(self, value: dict[str, Any]) -> None:
        sys.stdout.write(jsonlib.dumps(value, ensure_ascii=False, default=str) + "\n")
        sys.stdout.flush()


Printer = TextPrinter | JsonPrinter


def _expected(step: Step) -> str:
    """Return what a step says is going to be asked of a model."""
    data = step.data
    return f"{data['calls']} calls, about {data['tokens_in']:,} tokens in and {data['tokens_out']:,} out at most"


def remarks(answer: Answer) -> list[str]:
    """Return what is to be said of an answer: what it rests on, citations that were removed, what it took."""
    said = [answer.coverage.description]
    if answer.method.partition(" ")[2].startswith("(auto"):
        said.append(f"method {answer.method.replace(' (auto, because', ':', 1).removesuffix(')')}")
    if answer.removed_citations:
        said.append(f"{answer.removed_citations} citations of what was not offered were removed")
    calls, cached = int(answer.usage.get("calls", 0)), int(answer.usage.get("cached", 0))
    if calls or cached:
        tokens = int(answer.usage["tokens_in"] + answer.usage["tokens_out"])
        cost = f", cost {answer.usage['cost']:.4g}" if answer.usage.get("cost") else ""
        said.append(f"{in_number(calls, 'call')}, {in_number(cached, 'reply')} from the cache, {tokens:,} tokens{cost}")
    return said
