"""What an error says to run can be copied: quoted, with the folder that the command line named."""

import shlex
from pathlib import Path

import pytest

from pipeline.cli.command_order import with_nearest
from pipeline.cli.fixes import copyable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("run: graphstrata index", "run: graphstrata index --root '/my texts'"),
        ("run: graphstrata doctor --online", "run: graphstrata doctor --online --root '/my texts'"),
        ("run: graphstrata show entity 'Joan of Arc'", "run: graphstrata show entity 'Joan of Arc' --root '/my texts'"),
        ("run: graphstrata index; only they", "run: graphstrata index --root '/my texts'; only they"),
        ("see: graphstrata init", "see: graphstrata init '/my texts'"),
        ("graphstrata init --print shows every setting", "graphstrata init --print shows every setting"),
        ("index it with graphstrata", "index it with graphstrata"),
        ("run: graphstrata show entity Brightmill", "run: graphstrata show entity Brightmill --root '/my texts'"),
    ],
)
def test_commands_in_fixes_name_the_folder_of_the_command_line(text: str, shown: str) -> None:
    assert copyable(text, ["index", "--root", "/my texts"]) == shown
    assert copyable(text, ["index", "--root=/my texts"]) == shown
    assert copyable(text, ["index"]) == text
    if "run: " in shown:
        assert "/my texts" in shlex.split(shown.partition("run: ")[2].partition(";")[0])


def test_a_project_folder_without_its_option_is_understood(tmp_path: Path) -> None:
    said = f"Got unexpected extra argument(s) ({tmp_path})"
    assert with_nearest(said) == said
    (tmp_path / "settings.yaml").write_text("")
    assert with_nearest(said) == f"the project folder is given as --root {tmp_path}"
    assert with_nearest(said.replace("(s)", "")) == f"the project folder is given as --root {tmp_path}"


@pytest.mark.parametrize(
    ("word", "command"),
    [
        ("ask", "query"),
        ("search", "query"),
        ("build", "index"),
        ("ui", "serve"),
        ("prompt-tune", "tune"),
        ("failures", "show failures"),
    ],
)
def test_a_command_by_the_name_that_other_programs_give_it_is_understood(word: str, command: str) -> None:
    assert with_nearest(f"No such command '{word}'.").endswith(f"Did you mean {command!r}?")
    assert with_nearest("No such command 'xyz'.") == "No such command 'xyz'."


@pytest.mark.parametrize("said", ["No such option: --community-level", "No such option '--community-level'."])
def test_an_option_by_the_name_that_another_program_gives_it_is_understood(said: str) -> None:
    assert with_nearest(said).endswith("Did you mean '--level N'?")
    assert with_nearest("No such option: --xyz") == "No such option: --xyz"


def test_where_several_folders_were_asked_none_is_named() -> None:
    assert copyable("run: graphstrata index", ["query", "--root", "a", "--root", "b"]) == "run: graphstrata index"
