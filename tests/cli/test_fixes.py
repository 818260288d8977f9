"""What an error says to run can be copied: quoted, with the folder that the command line named."""

import shlex

import pytest

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
    ],
)
def test_commands_in_fixes_name_the_folder_of_the_command_line(text: str, shown: str) -> None:
    assert copyable(text, ["index", "--root", "/my texts"]) == shown
    assert copyable(text, ["index", "--root=/my texts"]) == shown
    assert copyable(text, ["index"]) == text
    if "run: " in shown:
        assert "/my texts" in shlex.split(shown.partition("run: ")[2].partition(";")[0])


def test_where_several_folders_were_asked_none_is_named() -> None:
    assert copyable("run: graphstrata index", ["query", "--root", "a", "--root", "b"]) == "run: graphstrata index"
