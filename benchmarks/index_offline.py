"""How long an index without a model takes: 2wiki's passages and the podcasts, the second run, questions, merging, contexts.

``python benchmarks/index_offline.py [--only 2wiki|podcasts|rerun|merge]``. Each run is a whole process. A corpus is
indexed twice: by one process, whose CPU seconds and memory are given (processes that run side by side on one core wait for its
caches and units, and count that as work), and with workers as by default, whose seconds are given. CPU seconds are given also in
loops: those of summing ``i * i`` over ``range(10**7)``, measured beside each figure, so that a busy or slow machine prints
nearly what a quiet or fast one does. The paper's numbers of
communities per level (GPT-4 graph of the podcasts, C0 to C3) are printed beside ours for orientation, not as
a target: its graph is another.
"""

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.measure import DATA, Figures, command, loop_cpu_s, make_project, run

PAPER_LEVELS = (34, 367, 969, 1310)
CORPORA = {"2wiki": ("2wiki", ("passages.jsonl",)), "podcasts": ("podcasts", ("*.txt",))}
QUESTION = "Which film has the director who was born first?"


def index(name: str, folder: Path, settings: str = "") -> tuple[Figures, dict[str, int]]:
    """Index one corpus whole, with further lines of settings, and return what it took and the rows of its tables."""
    texts, patterns = CORPORA[name]
    make_project(folder, DATA / texts, patterns, settings)
    figures = run(command("index", "--root", str(folder), "--json"))
    return figures, json.loads(figures.output)["rows"]


def levels(folder: Path) -> list[int]:
    """Return the number of communities per level."""
    shown = json.loads(run(command("show", "stats", "--root", str(folder), "--json")).output)
    return list(shown["communities_per_level"].values())


def corpus(name: str, folder: Path) -> dict[str, Any]:
    """Measure one corpus."""
    before = loop_cpu_s()
    figures, rows = index(name, folder, "engine: {workers: 1}\n")
    loops = figures.cpu_s / ((before + loop_cpu_s()) / 2)
    several, _ = index(name, folder.with_name(f"{name}_workers"))
    print(
        f"{name}: {figures.seconds:.1f} s, {figures.cpu_s:.1f} CPU-s ({loops:.1f} loops), peak {figures.peak_mb:.0f} MB;"
        f" with workers as by default {several.seconds:.1f} s, {several.cpu_s:.1f} CPU-s"
    )
    print("  " + ", ".join(f"{count:,} {table}" for table, count in rows.items() if count))
    found = levels(folder)
    print(f"  communities per level: {found}" + (f" (paper: {list(PAPER_LEVELS)})" if name == "podcasts" else ""))
    result: dict[str, Any] = {
        f"{name}_seconds": round(several.seconds, 2),
        f"{name}_one_process_seconds": round(figures.seconds, 2),
        f"{name}_cpu_s": round(figures.cpu_s, 2),
        f"{name}_loops": round(loops, 2),
        f"{name}_peak_mb": round(figures.peak_mb),
    }
    return result | {f"{name}_levels": found, f"{name}_rows": rows}


QUICK = {
    "rerun": ("index",),
    "status": ("status",),
    "query": ("query", "global", QUESTION),
    "local": ("query", "local", QUESTION),
}
"""Commands that a person waits for, each a process of its own over 2wiki: a run with nothing to do, and questions."""


def quick(folder: Path) -> dict[str, Any]:
    """Measure the quick commands over 2wiki, the middle of three runs; the index is made first where there is none."""
    if not (folder / "output" / "manifest.json").exists():
        index("2wiki", folder)
    result: dict[str, Any] = {}
    for name, words in QUICK.items():
        loop = loop_cpu_s()
        spent = sorted(run(command(*words, "--root", str(folder))).cpu_s for _ in range(3))[1]
        loop = (loop + loop_cpu_s()) / 2
        print(f"{' '.join(words[:2])}: {spent:.2f} CPU-s, {spent / loop:.2f} loops, process start included")
        result |= {f"{name}_cpu_s": round(spent, 3), f"{name}_loops": round(spent / loop, 2)}
    return result


def merge() -> dict[str, Any]:
    """Measure merging a million mentions of each kind, and the contexts of 1,400 reports."""
    from benchmarks.merge_contexts import contexts_figures, merge_figures

    figures = {**merge_figures(), **contexts_figures()}
    return {key: figures[key] for key in ("merge_cpu_s", "contexts_cpu_s")}


def main() -> None:
    """Run the parts asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=["2wiki", "podcasts", "rerun", "merge"])
    only = parser.parse_args().only
    figures: dict[str, Any] = {}
    if only != "merge" and not DATA.exists():
        sys.exit(f"no corpora at {DATA}: this benchmark reads 2wiki and podcasts there")
    with tempfile.TemporaryDirectory() as scratch:
        folders = {name: Path(scratch) / name for name in CORPORA}
        for name in CORPORA:
            if only in (None, name):
                figures |= corpus(name, folders[name])
        if only in (None, "rerun"):
            figures |= quick(folders["2wiki"])
    if only in (None, "merge"):
        figures |= merge()
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
