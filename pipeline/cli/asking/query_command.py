"""What the command query does: one question or a conversation, over one index or several."""

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import typer

from pipeline.base.errors import QuestionError
from pipeline.cli.asking.answer_printers import JsonPrinter, Printer, Shape, TextPrinter
from pipeline.query.answer import Answer
from pipeline.query.conversation import History
from pipeline.query.index import Index
from pipeline.query.method_names import Method
from pipeline.query.several import Indexes, named_after_folders
from pipeline.runner.project import Project

LENGTHS = {"short": 200, "long": 2000}
"""Tokens of short and long answers; normal ones are as long as settings say (search.answer_tokens)."""


class Asker:
    """One index or several, opened under what the options change of their settings, and kept open for all questions."""

    def __init__(self, roots: Sequence[Path], shape: Shape, stack: ExitStack) -> None:
        self.shape = shape
        indexes = named_after_folders([open_index(root, shape) for root in roots])
        self.group = Indexes(indexes)
        self._services = self.group.open_services(stack)
        settings = [index.settings for index in indexes.values()]
        self.models = any(one.has_chat_model for one in settings)

    def ask(self, question: str, method: Method, history: History, printer: Printer) -> Answer:
        """Answer one question, showing steps and pieces on ``printer``."""
        listen = printer.listen if self.shape.streams else None
        if len(self.group.indexes) == 1:
            ((name, index),) = self.group.indexes.items()
            service = self._services[name]
            return index.ask(question, method, history=history, watch=printer.watch, listen=listen, language=service)
        services = self._services
        return self.group.ask(question, method, history=history, watch=printer.watch, listen=listen, language=services)

    def follow_ups(self, answer: Answer) -> list[str]:
        """Return questions that may follow an answer; none where several indexes were asked."""
        indexes = list(self.group.indexes.values())
        return indexes[0].follow_ups(answer) if len(indexes) == 1 else []


def ask(roots: Sequence[Path], method: Method, question: str | None, shape: Shape, chat: bool = False) -> None:
    """Print the answer to a question; with ``chat`` also to each line of standard input, as one conversation."""
    if not question and not chat:
        raise QuestionError("no question", "there is nothing to look for", "write one behind the method, or add --chat")
    with ExitStack() as stack:
        asker = Asker(roots, shape, stack)
        if chat:
            from pipeline.cli.asking.chat import converse

            converse(asker, method, question)
            return
        assert question is not None
        printer: Printer = JsonPrinter(shape, False) if shape.json else TextPrinter(shape, asker.models)
        printer.asked(question)
        answer = asker.ask(question, method, (), printer)
        printer.end(answer)
        if sys.stdout.isatty() and not shape.json:
            printer.suggest(asker.follow_ups(answer))


def open_index(root: Path, shape: Shape) -> Index:
    """Return the project's index under what the options change of its settings; SettingsError for what does not fit."""
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
        if shape.without_model or not project.settings.has_chat_model:
            typer.echo(
                f"(no model is {'asked' if shape.without_model else 'set up'}, so answers keep the words and the language of the corpus)",
                err=True,
            )
    index = Index(project.store.open(), project.settings, root)
    if shape.without_model:
        index = index.without_model()
    index = index.with_settings(changes) if changes else index
    if shape.where is None:
        return index
    chosen = index.where(shape.where)
    found, whole = chosen.count("documents"), index.count("documents")
    typer.echo(f"({found:,} of {whole:,} documents meet {shape.where})", err=True)
    return chosen
