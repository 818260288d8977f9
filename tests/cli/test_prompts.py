"""Prompts can be seen, copied and checked from the command."""

from pathlib import Path

import pytest

from pipeline.base.errors import SettingsError
from pipeline.base.settings import read_settings, write_settings
from pipeline.cli.commands.prompts import edit_prompt, list_prompts, show_prompt
from pipeline.language.tasks.registry import TASKS


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "settings.yaml").write_text(write_settings())
    return tmp_path


def test_every_task_that_a_model_is_asked_is_listed(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    list_prompts(root)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == sum(task.prompt is not None for task in TASKS.values())
    assert all(line.split()[1] == "default" and len(line.split()) > 4 for line in lines)


def test_an_edited_prompt_is_used_checked_and_distinguished_from_the_default(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit_prompt(root, "extract_facts")
    own = root / "prompts" / "extract_facts.txt"
    assert read_settings(root / "settings.yaml").tasks["extract_facts"].prompt == "prompts/extract_facts.txt"
    own.write_text("Be brief.\n" + own.read_text())
    capsys.readouterr()
    show_prompt(root, "extract_facts", default=False)
    assert capsys.readouterr().out.startswith("Be brief.")
    show_prompt(root, "extract_facts", default=True)
    shown = capsys.readouterr()
    assert not shown.out.startswith("Be brief.") and "{text}" in shown.err
    own.write_text("no placeholders\n---\nat all\n")
    with pytest.raises(SettingsError, match="placeholders"):
        edit_prompt(root, "extract_facts")
    list_prompts(root)
    assert "cannot be used" in capsys.readouterr().out
