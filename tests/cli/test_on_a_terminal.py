"""What a person sees on a terminal: bold numbers, quiet sources, a conversation with orders; and plain text elsewhere."""

import os
import signal
import sys
from pathlib import Path

import pytest

from pipeline.cli.progress import time_to_go
from pipeline.cli.terminal import Styled
from tests.paths import ROOT

pexpect = pytest.importorskip("pexpect", reason="pexpect is not installed")
pytestmark = pytest.mark.skipif(os.name != "posix", reason="pseudo terminals of POSIX")

BUILT = "Who built the west mole of Carrow?"


@pytest.fixture(scope="module")
def root(indexed: Path) -> Path:
    return indexed


def terminal(root: Path, *words: str, **environment: str) -> "pexpect.spawn[str]":
    given = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color", **environment}
    given.pop("COLUMNS", None)
    arguments = ["-m", "pipeline", *words, "--root", str(root)]

    def heeds_ctrl_c() -> None:  # also where the tests run in the background, which ignores it
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    size = (30, 60)
    return pexpect.spawn(
        sys.executable, arguments, env=given, dimensions=size, timeout=60, encoding="utf-8", preexec_fn=heeds_ctrl_c
    )


def seen(root: Path, *words: str, **environment: str) -> str:
    process = terminal(root, *words, **environment)
    process.expect(pexpect.EOF)
    process.close()
    assert process.exitstatus == 0, process.before
    return str(process.before)


def test_numbers_are_bold_sources_quiet_and_lines_as_wide_as_the_terminal(root: Path) -> None:
    shown = seen(root, "query", "basic", BUILT)
    assert "\x1b[1m[1]\x1b[0m" in shown and "\x1b[2m" in shown.partition("Sources")[0]
    lines = [line.rpartition("\x1b[K")[2] for line in shown.replace("\r", "").split("\n")]
    plain = [line.replace("\x1b[1m", "").replace("\x1b[2m", "").replace("\x1b[0m", "") for line in lines]
    assert max(map(len, plain)) <= 60 and len(plain) > 4


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}])
def test_no_style_is_shown_where_none_is_wanted(root: Path, environment: dict[str, str]) -> None:
    shown = seen(root, "query", "basic", BUILT, **environment)
    assert "[1]" in shown and "\x1b[1m" not in shown and "\x1b[2m" not in shown


def test_json_on_a_terminal_is_plain(root: Path) -> None:
    assert "\x1b" not in seen(root, "query", "basic", BUILT, "--json")


def test_a_conversation_has_a_banner_orders_and_sources_on_demand(root: Path) -> None:
    talk = terminal(root, "query", "basic", "--chat")
    talk.expect("/help shows more")
    for order, said in (
        ("/sources", "nothing was answered yet"),
        (BUILT, "/sources shows"),
        ("/sources", r"harbour\.md, line 3"),
        ("/metod", r"did you mean /method\?"),
        ("/method lokal", r"did you mean local\?"),
        ("/method entity", "method: entity"),
        ("/help", "/exit"),
        ("/new", "the next question begins a new conversation"),
    ):
        talk.expect("> $")
        talk.sendline(order)
        talk.expect(said)
    talk.expect("> $")
    talk.sendline("/exit")
    talk.expect(pexpect.EOF)
    talk.close()
    assert talk.exitstatus == 0


def test_ctrl_c_at_the_prompt_ends_a_conversation_with_its_exit_code(root: Path) -> None:
    talk = terminal(root, "query", "basic", "--chat")
    talk.expect("> $")
    talk.sendintr()
    talk.expect(pexpect.EOF)
    talk.close()
    assert talk.exitstatus == 130 and "Traceback" not in talk.before


def test_no_text_can_bring_a_style_of_its_own() -> None:
    styled = Styled(["a \x1b[31mred", ("\x1b[1m", "b \x1b]0;title\x07", "\x1b[0m")])
    assert styled == "a \ufffd[31mred\x1b[1mb \ufffd]0;title\ufffd\x1b[0m"


@pytest.mark.parametrize(
    ("least", "most", "shown"),
    [
        (0.2, 0.9, "1 s"),
        (40, 95, "40 to 95 s"),
        (100, 300, "2 to 5 min"),
        (179, 181, "3 min"),
        (3600, 9000, "1 to 2 h"),
    ],
)
def test_the_time_to_go_is_a_range_in_one_unit(least: float, most: float, shown: str) -> None:
    assert time_to_go(least, most) == shown
