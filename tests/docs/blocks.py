"""The fenced blocks of a Markdown page, and what runs them: commands and Python in one folder and one namespace a page."""

import json
import re
import shlex
import subprocess
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

import yaml
from typer.testing import CliRunner

from pipeline.base.settings import Settings, parse_settings
from pipeline.cli.app import app
from tests.paths import ROOT

FENCE = re.compile(
    r"(?:<!-- (?P<note>[^\n]*?) -->\n)?^(?P<indent> *)```(?P<language>\w*)[^\n]*\n(?P<text>.*?)^ *```$", re.M | re.S
)
FOREIGN = frozenset({"cd", "git", "export", "ollama", "vllm", "docker", "python3", "npx", "uv", "uvx", "source"})
"""Programs that a page may name and that are not run: they are of the reader's system, not of the project."""
EXTRAS = frozenset(
    tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
)
FEW = 5
"""Questions that are made where a page asks for more: each is then asked in several ways."""
TARGETS = frozenset(re.findall(r"^(\w[\w-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))


@dataclass(frozen=True)
class Block:
    """A fenced block: where it begins, its language, its text, and the note in the comment line before it."""

    line: int
    language: str
    text: str
    note: str


def blocks(page: Path) -> Iterator[Block]:
    """Yield the fenced blocks of a page in their order."""
    text = page.read_text(encoding="utf-8")
    for match in FENCE.finditer(text):
        content = re.sub(rf"^{match['indent']}", "", match["text"], flags=re.M)
        yield Block(text.count("\n", 0, match.start("text")), match["language"], content, match["note"] or "")


def commands(text: str) -> Iterator[list[str]]:
    """Yield the words of each command of a block of shell; comments are left out, continued lines are one."""
    for line in re.sub(r"\\\n\s*", " ", text).splitlines():
        words = shlex.split(line, comments=True)
        if words:
            yield words


class PageRun:
    """Runs the blocks of one page one after the other, in the folder that is current."""

    def __init__(self) -> None:
        self._namespace: dict[str, Any] = {"__name__": "__main__"}

    def run(self, block: Block) -> None:
        """Run a block; AssertionError where a command fails, or is one that nobody has.

        A note ``exit N`` says that the last command ends with that code; ``shown only: REASON`` that it is not run;
        ``needs: PACKAGE`` that it is not run where the tests have no such package.
        """
        if block.note.startswith("shown only: "):
            return
        if block.note.startswith("needs: ") and find_spec(block.note.removeprefix("needs: ")) is None:
            return
        if block.language == "python":
            exec(compile(block.text, f"line {block.line}", "exec"), self._namespace)
        elif block.language == "yaml":
            check_yaml(block.text)
        elif block.language == "json":
            check_json(block.text)
        elif block.language == "sh":
            listed = list(commands(block.text))
            for place, words in enumerate(listed, 1):
                code = int(block.note.split()[1]) if block.note.startswith("exit ") and place == len(listed) else 0
                self._command(words, code, block.line)

    def _command(self, words: list[str], code: int, line: int) -> None:
        program = Path(words[0]).name
        if program == "graphstrata":
            given = [str(min(int(word), FEW)) if before == "--count" else word for before, word in pairwise(words)]
            result = CliRunner().invoke(app, given)
            assert result.exit_code == code, f"line {line}: {shlex.join(words)}: {result.output}\n{result.exception!r}"
        elif program in ("cp", "mkdir"):
            subprocess.run(["bash", "-c", " ".join(words)], check=True)
        elif program == "make":
            assert set(words[1:]) <= TARGETS, f"line {line}: the Makefile has no {words[1:]}"
        elif program in ("pip", "pipx"):
            for extra in re.findall(r"\[([\w,-]+)\]", " ".join(words)):
                assert set(extra.split(",")) <= EXTRAS, f"line {line}: there is no extra {extra}"
        elif program == "python":
            assert (ROOT / words[1]).is_file(), f"line {line}: there is no {words[1]}"
        else:
            assert program in FOREIGN, f"line {line}: {program} is not a known program"


def check_yaml(text: str) -> None:
    """Check a block of YAML; where its keys are sections of the settings, as settings."""
    content = yaml.safe_load(text)
    if isinstance(content, dict) and content.keys() <= Settings.model_fields.keys():
        parse_settings(content)


def check_json(text: str) -> None:
    """Check a block of JSON; where it is the configuration of an assistant, that its programs can be started so."""
    content = json.loads(text)
    for server in content.get("mcpServers", {}).values() if isinstance(content, dict) else ():
        if "command" in server:
            asked = [Path(server["command"]).name, *server["args"][:1], "--help"]
            assert asked[0] == "graphstrata", asked
            assert CliRunner().invoke(app, asked[1:]).exit_code == 0, asked
        else:
            assert server["url"].endswith("/mcp"), server
