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
    "import sys; from pipeline.cli import main; sys.argv[0] = 'graphstrata'; main()"
)
"""A test run in the background ignores Ctrl-C, and so would what it starts."""


def documents(root: Path) -> int:
    last = Store(root / "output").last()
    return last.manifest.tables["documents"].rows if last else 0


def wait_for(root: Path, count: int, process: "subprocess.Popen[str]") -> None:
    until = time.monotonic() + 60
    while documents(root) != count:
        assert process.poll() is None and time.monotonic() < until
        time.sleep(0.1)


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
    wait_for(tmp_path, 3, process)
    (tmp_path / "settings.yaml").write_text("chunks:\n  sise: 60\n")  # an edit that is not finished
    time.sleep(4)
    (tmp_path / "settings.yaml").write_text("chunks:\n  size: 60\n  overlap: 10\n")
    (tmp_path / "input" / "more.txt").write_text("Clara Finch drew the mole of Carrow.\n")
    wait_for(tmp_path, 4, process)
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=30)
    assert process.returncode == 0, said
    assert "did you mean size?" in said
    assert said.rstrip().endswith("stopped watching")
