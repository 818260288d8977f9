"""index --watch: a change that has settled is indexed, errors are outlived, and Ctrl-C ends it with success."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pipeline.base.store import Store
from tests.corpora import write_texts
from tests.paths import ROOT

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")

STARTED = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    "from pipeline.cli.commands import watch; watch.EVERY, watch.SETTLED = 0.1, 0.2\n"
    "import sys; from pipeline.cli import main; sys.argv[0] = 'graphstrata'; main()"
)
"""A test run in the background ignores Ctrl-C, and so would what it starts. It looks ten times as often as people need."""


def documents(root: Path) -> int:
    last = Store(root / "output").last()
    return last.manifest.tables["documents"].rows if last else 0


def read_to(line: str, process: "subprocess.Popen[str]") -> str:
    """Return what the process writes up to and with a line that begins so."""
    assert process.stdout is not None
    said = ""
    for found in process.stdout:
        said += found
        if found.startswith(line):
            return said
    raise AssertionError(said)


def test_changes_are_indexed_until_ctrl_c(tmp_path: Path) -> None:
    write_texts(tmp_path / "input")
    (tmp_path / "settings.yaml").write_text("chunks:\n  size: 60\n  overlap: 10\n")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        [sys.executable, "-c", STARTED, "index", "--watch", "--root", str(tmp_path)],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    read_to("watching", process)
    assert documents(tmp_path) == 3
    (tmp_path / "settings.yaml").write_text("chunks:\n  sise: 60\n")  # an edit that is not finished
    assert "did you mean size?" in read_to("watching", process)
    (tmp_path / "input" / "more.txt").write_text("Clara Finch drew the mole of Carrow.\n")
    (tmp_path / "settings.yaml").write_text("chunks:\n  size: 60\n  overlap: 10\n")
    read_to("watching", process)
    assert documents(tmp_path) == 4
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=30)
    assert process.returncode == 0, said
    assert said.rstrip().endswith("stopped watching")
