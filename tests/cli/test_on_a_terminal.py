"""What a person sees on a terminal: bold numbers, quiet sources, a conversation with orders; and plain text elsewhere."""

import os
import signal
import sys
from io import StringIO
from pathlib import Path

import pytest

from pipeline.cli.evaluating.results import table_of
from pipeline.cli.progress import stage_line, time_to_go
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


def test_tables_are_shown_in_columns_that_go_on_below_themselves(root: Path) -> None:
    lines = seen(root, "show", "tables").replace("\r", "").split("\n")
    assert max(map(len, lines)) <= 60
    below = lines[lines.index(next(line for line in lines if line.startswith("sentences"))) + 1]
    assert below.startswith(" " * 20) and below.strip()


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


def test_a_stage_says_what_it_made_in_words_and_in_the_right_number() -> None:
    assert stage_line("s70_find_communities", {"communities": 1}, 0.2).endswith("  1 community")
    made = stage_line("s90_index_passages", {"retrieval_passages": 14, "retrieval_terms": 1402}, 0.2)
    assert made.startswith("index passages") and made.endswith("  14 passages, 1,402 words")


def test_measures_that_are_wider_than_the_terminal_are_shown_below_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    measured = [{"method": name, **dict.fromkeys(("exact", "contains", "cited", "quoted"), 0.5)} for name in "ab"]
    names = list(measured[0])
    monkeypatch.setenv("COLUMNS", "30")
    assert table_of(measured, names).splitlines()[0].split() == names
    monkeypatch.setattr("sys.stdout", FakeTerminal())
    shown = table_of(measured, names).splitlines()
    assert shown[0].split() == ["method", "a", "b"] and shown[2].split() == ["exact", "50.0", "%", "50.0", "%"]


class FakeTerminal(StringIO):
    def isatty(self) -> bool:
        return True
