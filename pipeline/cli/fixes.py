"""What an error says to run, as it can be copied: with the project's folder, quoted for a shell."""

import re
import shlex
from collections.abc import Sequence
from pathlib import Path

_COMMAND = re.compile(
    r"\bgraphstrata (?P<words>(?:index|doctor|status|rollback|verify|serve|ask-me|tune|show [a-z]+|cache [a-z]+|names [a-z]+|eval [a-z]+"
    r"|prompts [a-z]+|chat|query(?= --)|cypher|export [a-z]+)(?: (?:--[a-z-]+|[A-Z]+(?![\w.-])|'(?:[^']|'\"'\"')*'|[\w.-]+(?=$|\n)))*)(?! --root)"
)
"""Commands that errors name, with the options and arguments that they name behind them."""


def roots_given(arguments: Sequence[str]) -> list[str]:
    """Return the project folders that a command line names."""
    roots = []
    for place, word in enumerate(arguments):
        if word == "--root" and place + 1 < len(arguments):
            roots.append(arguments[place + 1])
        elif word.startswith("--root="):
            roots.append(word.partition("=")[2])
    return roots


def copyable(text: str, arguments: Sequence[str]) -> str:
    """Return ``text`` with the project's folder behind each command of ours, where the command line named one."""
    roots = roots_given(arguments)
    if len(roots) != 1 or "--root" in text:
        return text
    folder = shlex.quote(roots[0])
    if text.endswith("graphstrata init"):
        return f"{text} {folder}"
    return _COMMAND.sub(lambda found: f"graphstrata {found['words']} --root {folder}", text)


def in_shell(*words: str, root: Path = Path()) -> str:
    """Return a command of ours as it is typed, for the project in ``root``."""
    return shlex.join(["graphstrata", *words, *(["--root", str(root)] if root != Path() else [])])
