"""The group of all commands: in which order the help lists them, and what it says of a choice that there is not."""

import re
import shlex
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperGroup

from pipeline.base.errors import meant

ORDER = (
    *("init", "index", "query", "chat", "ask-me", "serve", "show", "status"),
    *("tune", "names", "prompts", "eval", "doctor", "verify", "rollback", "cache"),
    *("import", "export", "cypher", "load-neo4j", "mcp"),
)
"""From a folder to answers; then improving and checking an index; then other programs."""
_OTHERS = {
    "query": ("ask", "search", "question", "answer"),
    "index": ("build", "run", "update", "ingest", "add", "insert", "delete"),
    "serve": ("ui", "web", "map", "open", "browse"),
    "tune": ("prompt-tune",),
    "show failures": ("failures",),
    "show tables": ("tables",),
    "show stats": ("stats",),
}
"""What people call commands from habit."""
_OTHER_OPTIONS = {
    "--level N": ("--community-level",),
    "--level dynamic": ("--dynamic-community-selection",),
    "--form": ("--response-type", "--response_type"),
    "--root": ("--project", "--working-dir"),
}
"""What other programs call options."""
_COMMAND = re.compile(r"No such command '(?P<word>[^']*)'.*", re.DOTALL)
_OPTION = re.compile(r"No such option:? '?(?P<word>--[\w-]+)'?\.?")
_CHOICE = re.compile(r"(?:Value error, )?'(?P<given>.*)' is not one of (?P<known>'.*')\.?")
"""How typer says that a word is none of those that an argument or option takes; every version says it so."""

_EXTRA = re.compile(r"Got unexpected extra argument(?:\(?s\)?)? \((?P<word>.*)\)\.?")
"""How typer says that a word is more than a command takes."""


class InOrderOfUse(TyperGroup):
    """Lists its commands in ORDER, and names the choice that a mistyped one looks like."""

    def list_commands(self, ctx: typer.Context) -> list[str]:  # type: ignore[override]
        """Return the names of the commands; those that ORDER lacks come last."""
        names = super().list_commands(ctx)
        return sorted(names, key=lambda name: ORDER.index(name) if name in ORDER else len(ORDER))

    def invoke(self, ctx: Any) -> Any:
        """Run the command; an error of usage, its own or that of a command within, says what was meant."""
        try:
            return super().invoke(ctx)
        except Exception as error:
            if isinstance(message := getattr(error, "message", None), str):
                of = getattr(getattr(error, "ctx", None), "info_name", None) or ""
                error.message = with_nearest(message, of)  # type: ignore[attr-defined]
            raise


IN_QUOTES = " A question of several words is put in quotes."


def project_given(word: str) -> str:
    """Return how a project folder is named, where a word that is something else names one; empty where it does not."""
    from pipeline.base.settings import SETTINGS_FILE

    is_project = Path(word, SETTINGS_FILE).is_file()
    return f"the project folder is given as {shlex.join(['--root', word])}" if is_project else ""


def with_nearest(message: str, command: str = "") -> str:
    """Return what is said, of ``command``, of a word that is no choice, with the choice that looks like it, of a command or option that other
    programs have, and of a project folder where none is taken, with the option; other messages as they are."""
    if extra := _EXTRA.fullmatch(message):
        return project_given(extra["word"]) or (
            f"{message.removesuffix('.')}.{IN_QUOTES}" if command == "query" else message
        )
    for what, said, others in (("command", _COMMAND, _OTHERS), ("option", _OPTION, _OTHER_OPTIONS)):
        if unknown := said.fullmatch(message):
            word = unknown["word"]
            called = next((ours for ours, words in others.items() if word in words), "")
            return f"No such {what} {word!r}. Did you mean {called!r}?" if called else message
    found = _CHOICE.fullmatch(message)
    if not found:
        return message
    known = found["known"].strip("'").split("', '")
    near = meant(found["given"].casefold(), known, before=", ") or "."
    return f"no {found['given']!r}{near} The choices are {', '.join(known)}."
