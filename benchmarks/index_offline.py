"""How long an index without a model takes: 2wiki's passages and the podcasts, the second run, a query, merging, contexts.

``python benchmarks/index_offline.py [--only 2wiki|podcasts|rerun|merge]``. Each run is a whole process; CPU seconds are
those of the process and its workers. The paper's numbers of communities per level (GPT-4 graph of the podcasts,
C0 to C3) stand beside ours for orientation, not as a target: its graph is another.
"""

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.measure import DATA, Figures, command, make_project, run

PAPER_LEVELS = (34, 367, 969, 1310)
CORPORA = {"2wiki": ("2wiki", ("passages.jsonl",)), "podcasts": ("podcasts", ("*.txt",))}
QUESTION = "Which film has the director who was born first?"


def index(name: str, folder: Path) -> tuple[Figures, dict[str, int]]:
    """Index one corpus whole and return what it took and the rows of its tables."""
    texts, patterns = CORPORA[name]
    make_project(folder, DATA / texts, patterns)
    figures = run(command("index", "--root", str(folder), "--json"))
    return figures, json.loads(figures.output)["rows"]


def levels(folder: Path) -> list[int]:
    """Return the number of communities per level."""
    shown = json.loads(run(command("show", "stats", "--root", str(folder), "--json")).output)
    return list(shown["communities_per_level"].values())


def corpus(name: str, folder: Path) -> dict[str, Any]:
    """Measure one corpus."""
    figures, rows = index(name, folder)
    print(f"{name}: {figures.seconds:.1f} s, {figures.cpu_s:.1f} CPU-s, peak {figures.peak_mb:.0f} MB")
    print("  " + ", ".join(f"{count:,} {table}" for table, count in rows.items() if count))
    found = levels(folder)
    print(f"  communities per level: {found}" + (f" (paper: {list(PAPER_LEVELS)})" if name == "podcasts" else ""))
    result: dict[str, Any] = {
        f"{name}_seconds": round(figures.seconds, 2),
        f"{name}_cpu_s": round(figures.cpu_s, 2),
        f"{name}_peak_mb": round(figures.peak_mb),
    }
    return result | {f"{name}_levels": found, f"{name}_rows": rows}


def rerun(folder: Path) -> dict[str, Any]:
    """Measure a run with nothing changed, and a query, over 2wiki; the index is made first where there is none."""
    if not (folder / "output" / "manifest.json").exists():
        index("2wiki", folder)
    again = run(command("index", "--root", str(folder)))
    asked = run(command("query", "global", QUESTION, "--root", str(folder)))
    print(f"second run {again.cpu_s:.2f} CPU-s, query {asked.cpu_s:.2f} CPU-s, process start included")
    return {"rerun_cpu_s": round(again.cpu_s, 3), "query_cpu_s": round(asked.cpu_s, 3)}


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
            figures |= rerun(folders["2wiki"])
    if only in (None, "merge"):
        figures |= merge()
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
