"""Measuring a whole process: wall seconds, CPU seconds of it and its children, and its peak memory."""

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT.parent / "shared" / "data"


class Figures(NamedTuple):
    """What one process took; ``peak_mb`` is that of the largest single process among it and its children."""

    seconds: float
    cpu_s: float
    peak_mb: float
    output: str


def command(*arguments: str) -> list[str]:
    """Return the command line of graphstrata with these arguments."""
    return [sys.executable, "-m", "pipeline", *arguments]


def run(arguments: Sequence[str]) -> Figures:
    """Run a process to its end; CalledProcessError, with what it said, when it fails.

    Modules are compiled once, as in an installation, also where the environment forbids to keep what was compiled: compiling
    them at each start takes a third of a short command.
    """
    started = time.perf_counter()
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    with (
        tempfile.TemporaryFile() as said,
        subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=said, cwd=ROOT, env=environment) as process,
    ):
        assert process.stdout is not None
        output = process.stdout.read().decode("utf-8", "replace")
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            said.seek(0)
            sys.stderr.write(said.read().decode("utf-8", "replace"))
            raise subprocess.CalledProcessError(process.returncode, arguments, output)
    return Figures(time.perf_counter() - started, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / _PER_MB, output)


def loop_cpu_s() -> float:
    """Return the CPU seconds of summing ``i * i`` over ten million numbers in a process of its own, the middle of three
    runs: the unit ("loop") in which figures of machines that differ, or are busy, can be compared."""
    spent = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", "sum(i*i for i in range(10**7))"], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return sorted(spent)[1]


def peak_mb() -> float:
    """Return the most megabytes that this process had in memory, on Linux since ``new_peak``."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / _PER_MB


def new_peak() -> float:
    """Have this process's peak begin anew where the system can do that (Linux); return the megabytes that it is now."""
    clear = Path("/proc/self/clear_refs")
    if clear.exists():
        clear.write_text("5", encoding="ascii")
    return peak_mb()


_PER_MB = 1_000_000 if sys.platform == "darwin" else 1000


def make_project(folder: Path, texts: Path, patterns: Sequence[str] = ("**/*",), settings: str = "") -> None:
    """Write settings for indexing ``texts`` where they are, and further lines of them, into ``folder``."""
    listed = ", ".join(f'"{pattern}"' for pattern in patterns)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "settings.yaml").write_text(
        f'input:\n  folder: "{texts}"\n  patterns: [{listed}]\noutput:\n  folder: output\n{settings}', encoding="utf-8"
    )
