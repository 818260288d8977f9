"""Settings and commands that a page names in passing are those that there are."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from pipeline.base.settings import ModelSettings, Settings, TaskSettings
from pipeline.cli.app import app
from tests.paths import ROOT

PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
FENCED = re.compile(r"^ *```.*?^ *```$", re.M | re.S)
NAMED_SECTIONS = {"models": ModelSettings, "tasks": TaskSettings}
"""Sections whose entries have names: a key of ``models`` is written ``models.NAME.key``."""
SETTING = re.compile(rf"({'|'.join(Settings.model_fields)})\.(\w+)(?:\.(\w+))?(?::.*)?")
FILE = re.compile(r".*\.(?:py|yaml|json|parquet)")


def named(text: str) -> list[str]:
    """Return what a page writes as code inside its sentences and tables."""
    return [code.replace("\\|", "|") for code in CODE.findall(FENCED.sub("", text))]


def unknown_settings(text: str) -> Iterator[str]:
    for code in named(text):
        found = SETTING.fullmatch(code)
        if found and not FILE.fullmatch(code):
            section: Any = NAMED_SECTIONS.get(found[1]) or Settings.model_fields[found[1]].annotation
            key = found[3] if found[1] in NAMED_SECTIONS else found[2]
            if key and key not in section.model_fields:
                yield code


def unknown_commands(text: str) -> list[str]:
    return [code for code in named(text) if code.startswith("graphstrata ") and not is_command(code.split()[1:])]


def is_command(words: list[str]) -> bool:
    """Whether words are a command with options that it has; ``a|b`` stands for either."""
    here: Any = typer.main.get_command(app)
    while words and hasattr(here, "commands") and not words[0].startswith("-"):
        choices = [here.commands.get(word) for word in words[0].split("|")]
        if None in choices:
            return False
        here, words = choices[0], words[1:]
    options = {option for parameter in here.params for option in parameter.opts} | {"--help"}
    return {word.strip("[]").split("=")[0] for word in words if word.strip("[").startswith("--")} <= options


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_settings_and_commands_that_a_page_names_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert list(unknown_settings(text)) == []
    assert unknown_commands(text) == []


def test_a_setting_or_command_that_nobody_has_is_noticed() -> None:
    assert list(unknown_settings("`search.walk_cals`, `models.NAME.prise`, `search.walks`")) == [
        "search.walk_cals",
        "models.NAME.prise",
    ]
    wrong = ["graphstrata indx", "graphstrata index --estimates", "graphstrata names merge|splitt"]
    assert unknown_commands(" ".join(f"`{command}`" for command in [*wrong, "graphstrata index --estimate"])) == wrong
