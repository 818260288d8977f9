"""How each stage grows with the corpus: CPU seconds of every stage, and the peak memory, over 1, 4 and 16 times the podcasts.

Copies have their capitalised words altered, so that names, graph and communities grow with the corpus instead of merging.
Everything is done in one process, whose CPU seconds other work on the machine hardly changes. The exponent of a stage is
that of its CPU seconds in the number of chunks between the two larger sizes: 1 is linear, 2 is quadratic. Stages that
take less than a second at the middle size are printed and do not count. Beside it is the exponent in the rows that the
stage wrote: words in lower case are the same in each copy, so that more of them become names, and mentions and
relationships grow faster than the text. Last is what a stage added, at its peak, to the memory that the process had when it
began, at the largest size (Linux alone); what follows the last stage writes what questions look up.

    python benchmarks/growth.py [--files 5] [--sizes 1,4,16]
"""

import argparse
import json
import math
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.measure import DATA, make_project, new_peak, peak_mb, run
from benchmarks.memory import write_copies

PUBLISHING = "publishing"
SHORT = 1.0
"""CPU seconds below which a stage's growth is that of its constant costs."""


def measured(project: Path) -> dict[str, Any]:
    """Index a project in this process; return CPU seconds by stage, rows by table, and the peak in MB."""
    from pipeline.base.release_memory import one_heap

    one_heap()  # as the command does, before Arrow is imported
    from pipeline.runner.progress import Silent
    from pipeline.runner.project import Project
    from pipeline.runner.run import run_index

    class Stages(Silent):
        """Notes what each stage takes."""

        def __init__(self) -> None:
            self.cpu: dict[str, float] = {}
            self.added: dict[str, float] = {}
            self.peak = 0.0
            self._before, self._held = time.process_time(), 0.0

        def stage(self, name: str, help: str) -> None:
            """Note the memory that the stage begins with."""
            self._begin()

        def finished(self, name: str, rows: dict[str, int], seconds: float) -> None:
            """Note the CPU seconds since the stage before, and the memory that was added."""
            now = time.process_time()
            self.cpu[name], self._before = now - self._before, now
            self.end(name)

        def end(self, name: str) -> None:
            """Note what was added at most since the last beginning; what follows begins here."""
            peak = peak_mb()
            self.peak, self.added[name] = max(self.peak, peak), peak - self._held
            self._begin()

        def _begin(self) -> None:
            self._held = new_peak()

    stages = Stages()
    outcome = run_index(Project.open(project), stages)
    stages.end(PUBLISHING)
    return {"cpu": stages.cpu, "rows": outcome.rows, "peak_mb": stages.peak, "added": stages.added}


def exponent(small: dict[str, Any], large: dict[str, Any], stage: str, tables: Sequence[str]) -> float:
    """Return the exponent of a stage's CPU seconds in the number of rows of these tables; NaN where that did not grow."""
    grown = sum(large["rows"][table] for table in tables) / max(sum(small["rows"][table] for table in tables), 1)
    return math.log(large["cpu"][stage] / small["cpu"][stage]) / math.log(grown) if grown > 1 else math.nan


def main() -> None:
    """Measure; the last line is one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=0, help="only so many of the podcasts; all by default")
    parser.add_argument("--sizes", default="1,4,16", help="how often they are taken, three numbers")
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        print(json.dumps(measured(given.one)))
        return
    if not DATA.exists():
        sys.exit(f"no corpora at {DATA}: this benchmark reads the podcasts there")
    sizes = [int(size) for size in given.sizes.split(",")]
    found = {}
    with tempfile.TemporaryDirectory() as scratch:
        for times in sizes:
            folder = Path(scratch) / str(times)
            write_copies(times, folder / "texts", given.files or None)
            make_project(folder / "project", folder / "texts", ("*.txt",))
            output = run([sys.executable, str(Path(__file__)), "--one", str(folder / "project")]).output
            found[times] = json.loads(output.splitlines()[-1])
            rows = found[times]["rows"]
            print(
                f"{times:>3} x: {rows['chunks']:,} chunks, {rows['entities']:,} entities, {found[times]['peak_mb']:,.0f} MB"
            )
    show(found, sizes)


def show(found: dict[int, dict[str, Any]], sizes: Sequence[int]) -> None:
    """Print the stages and, last, the JSON object."""
    from workflows.stages import STAGES

    _, middle, large = (found[times] for times in sizes)
    print(f"{'stage':<22}" + "".join(f"{f'{times} x':>10}" for times in sizes) + "  exponent  in its rows  adds MB")
    worst = 0.0
    for stage in STAGES:
        counts = middle["cpu"][stage.name] >= SHORT
        slope = exponent(middle, large, stage.name, ["chunks"])
        in_rows = exponent(middle, large, stage.name, [table.name for table in stage.writes])
        worst = max(worst, slope) if counts else worst
        seconds = "".join(f"{found[times]['cpu'][stage.name]:>10.2f}" for times in sizes)
        added = large["added"][stage.name]
        print(f"{stage.name:<22}{seconds}  {slope:8.2f}  {in_rows:11.2f}  {added:7.0f}{'' if counts else ' (short)'}")
    print(f"{PUBLISHING:<72}{large['added'][PUBLISHING]:7.0f}")
    print(json.dumps({"worst_exponent": round(worst, 2), f"peak_{sizes[-1]}x_mb": round(large["peak_mb"])}))


if __name__ == "__main__":
    main()
