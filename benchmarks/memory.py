"""How memory grows with the corpus: the peak of an index run over the podcasts, once, four and (--all) sixteen times.

Copies have their capitalised words altered, so that names, graph and communities grow with the corpus instead of merging.
The peak is that of the largest process, which is the one that holds the tables. ``peak_4x_over_1x`` is what grows.

    python benchmarks/memory.py [--all]
"""

import argparse
import json
import re
import sys
import tempfile
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.measure import DATA, command, make_project, run

RUNS = 3
NAME = re.compile(r"\b([A-Z])([a-z]{2,})\b")
SYLLABLES = ("", "ar", "el", "im", "on", "ud", "ath", "esk", "ilm", "orn", "usk", "and", "erd", "ist", "olf", "urm")


def altered(text: str, copy: int) -> str:
    """Return a text whose capitalised words are others, the same ones all through a copy."""
    return text if not copy else NAME.sub(lambda match: f"{match[1]}{match[2]}{SYLLABLES[copy]}", text)


def write_copies(times: int, folder: Path, files: int | None = None) -> None:
    """Write ``times`` copies of the podcasts, or of the first ``files`` of them, each copy with names of its own."""
    folder.mkdir(parents=True)
    for path in sorted((DATA / "podcasts").glob("*.txt"))[:files]:
        text = path.read_text(encoding="utf-8")
        for copy in range(times):
            (folder / f"{copy:02d}_{path.name}").write_text(altered(text, copy), encoding="utf-8")


def peak(times: int, folder: Path) -> float:
    """Return the peak in MB of indexing ``times`` copies, the middle one of RUNS: it depends on when pages are given back."""
    texts = folder / "texts"
    write_copies(times, texts)
    peaks = []
    for number in range(RUNS):
        project = folder / f"project{number}"
        make_project(project, texts, ("*.txt",))
        figures = run(command("index", "--root", str(project), "--json"))
        peaks.append(figures.peak_mb)
    rows = json.loads(figures.output)["rows"]
    shown = ", ".join(f"{mb:,.0f}" for mb in peaks)
    print(f"{times:>2} x: peaks {shown} MB, {rows['chunks']:,} chunks, {rows['entities']:,} entities")
    return median(peaks)


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help="sixteen times as well")
    sizes = (1, 4, 16) if parser.parse_args().all else (1, 4)
    if not DATA.exists():
        sys.exit(f"no corpora at {DATA}: this benchmark reads the podcasts there")
    with tempfile.TemporaryDirectory() as scratch:
        peaks = {times: peak(times, Path(scratch) / str(times)) for times in sizes}
    figures = {f"peak_{times}x_mb": round(mb) for times, mb in peaks.items()}
    print(json.dumps({"peak_4x_over_1x": round(peaks[4] / peaks[1], 2), **figures}))


if __name__ == "__main__":
    main()
