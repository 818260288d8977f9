"""The command as somebody meets it for the first time: short options, forgotten words, typing errors, ways out."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import typer
from typer.main import get_command

from pipeline.cli.app import app
from pipeline.cli.command_order import ORDER
from pipeline.cli.options import method_and_question
from pipeline.cli.terminal import Wrapped
from tests.commands import command
from tests.paths import ROOT

pytestmark = pytest.mark.xdist_group("commands")


def test_the_version_and_the_short_option_for_help_are_known(tmp_path: Path) -> None:
    assert command("--version", cwd=tmp_path).stdout.startswith("graphstrata ")
    assert "Usage" in command("-h", cwd=tmp_path).stdout
    assert "Usage" in command("query", "-h", cwd=tmp_path).stdout


def test_the_package_that_is_imported_can_be_run_too(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    run = [sys.executable, "-m", "graphstrata", "--version"]
    assert subprocess.check_output(run, cwd=tmp_path, env=environment, text=True).startswith("graphstrata ")


@pytest.mark.parametrize("group", ["", "names", "prompts", "eval"])
def test_the_list_of_commands_says_what_each_does_without_being_cut(group: str, tmp_path: Path) -> None:
    listed = command(*filter(None, [group]), "--help", cwd=tmp_path).stdout.partition("Commands:")[2]
    assert listed and "..." not in listed.replace("duplicates ...", "")


def test_every_command_has_its_place_in_the_list() -> None:
    assert set(ORDER) == set(get_command(app).commands)


def test_a_question_without_a_method_is_answered_by_auto() -> None:
    assert method_and_question("Who built the mole?", None, False) == ("auto", "Who built the mole?")
    assert method_and_question("local", "Who built it?", False) == ("local", "Who built it?")
    assert method_and_question(None, None, True) == ("auto", None)


def test_a_mistyped_method_is_answered_with_the_one_that_was_meant() -> None:
    for given in (("gloabl", "What are the themes?"), ("lokal", None)):
        with pytest.raises(typer.BadParameter, match="did you mean"):
            method_and_question(*given, False)


@pytest.mark.parametrize(("theirs", "ours"), [("naive", "basic"), ("hybrid", "fusion"), ("Mix", "fusion")])
def test_a_method_of_another_program_is_answered_with_the_one_that_does_as_much_here(theirs: str, ours: str) -> None:
    with pytest.raises(typer.BadParameter, match=f"did you mean {ours}"):
        method_and_question(theirs, "Who built the mole?", False)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (("export", "obsidiann", "x"), "obsidian"),
        (("show", "entitty", "x"), "entity"),
        (("query", "--effort", "loww", "x"), "low"),
        (("exprt", "html"), "export"),
        (("names", "mrge"), "merge"),
    ],
)
def test_a_mistyped_choice_or_command_is_answered_with_the_one_that_was_meant(
    tmp_path: Path, typed: tuple[str, ...], meant: str
) -> None:
    missed = command(*typed, cwd=tmp_path)
    assert missed.returncode == 2 and f"did you mean {meant}?" in missed.stderr.lower().replace("'", "")
    assert "Value error" not in missed.stderr


def test_an_entity_is_shown_by_any_of_its_names(indexed: Path) -> None:
    titles = command("show", "entity", "ada thorne", cwd=indexed)
    assert titles.returncode == 0 and titles.stdout.startswith("Ada Thorne")
    missed = command("show", "entity", "Ada Thorn", cwd=indexed)
    assert missed.returncode == 9 and "did you mean Ada Thorne" in missed.stderr


def test_a_theme_is_called_as_its_report_is_and_as_on_the_page(indexed: Path) -> None:
    row = json.loads(command("show", "entity", "Ada Thorne", "--json", cwd=indexed).stdout)
    reports = {
        theme["community"]: json.loads(
            command("show", "community", str(theme["community"]), "--json", cwd=indexed).stdout
        )
        for theme in row["communities"]
    }
    assert reports
    for theme in row["communities"]:
        assert theme["title"] == reports[theme["community"]]["report"]["title"]


@pytest.mark.parametrize("word", ["quit", "EXIT"])
def test_a_conversation_ends_with_a_word(indexed: Path, word: str) -> None:
    lines = f"Who built the west mole?\n{word}\nWho led the railway?\n"
    done = command("query", "--chat", cwd=indexed, input=lines)
    assert done.returncode == 0, done.stderr
    assert "west mole" in done.stdout and "railway?" not in done.stdout


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(
    ("number", "said"),
    [(signal.SIGINT, "interrupted"), (signal.SIGTERM, "stopped by SIGTERM"), (signal.SIGHUP, "SIGHUP")],
)
def test_a_signal_ends_the_command_with_a_message_and_its_exit_code(
    indexed: Path, number: signal.Signals, said: str
) -> None:
    # A test run in the background ignores some signals, and so would what it starts.
    handler = "default_int_handler" if number == signal.SIGINT else "SIG_DFL"
    program = f"import signal; signal.signal({number.value}, signal.{handler}); from pipeline.cli import main; main()"
    words = [sys.executable, "-c", program, "query", "--chat"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        words, cwd=indexed, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin and process.stdout and process.stderr
        process.stdin.write(b"Who built the west mole?\n")
        process.stdin.flush()
        assert process.stdout.readline()  # it is at work
        time.sleep(0.1)
        process.send_signal(number)
        stderr = process.stderr.read().decode()
        assert process.wait() == 128 + number
    assert said in stderr and "the last published index is unchanged" in stderr and "Traceback" not in stderr


def test_a_text_is_broken_between_words_at_the_width_however_it_comes() -> None:
    text = "one two three four five\n\nsix seven eight"
    for size in (1, 3, 100):
        wrapped = Wrapped(10)
        shown = "".join(wrapped.add(text[start : start + size]) for start in range(0, len(text), size)) + wrapped.rest()
        assert shown.replace(" \n", "\n") == "one two\nthree four\nfive\n\nsix seven\neight"
