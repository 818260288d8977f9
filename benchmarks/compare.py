"""graphstrata beside Microsoft GraphRAG and nano-graphrag: the same book, the same look-alike server, one run.

For each product: CPU seconds of its process, wall over ideal (calls x latency / concurrency), calls, calls of a second run
with nothing changed, calls for one more document, peak memory, and records lost under 20 % faults (entities, against
the run without faults). The others are measured where they are installed, in environments of their own:

    python benchmarks/compare.py [--microsoft PYTHON --microsoft-driver FILE] [--nano PYTHON --nano-driver FILE]

A driver is a script that is called with the server's address, a folder and the book, indexes it, and prints one JSON
object {"entities": N}; without one the product is skipped, with a word. Each product is driven the way its own
documentation says, so drivers stand with whoever runs the comparison, not here.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.measure import DATA, Figures, command, run
from tests.lookalike.server import LookAlike

LATENCY, AT_ONCE = 0.2, 25
NEW = "Robert Crane kept the tollgate of Camden Town. Ebenezer Scrooge passed it every morning, and Robert Crane bowed."


def settings(folder: Path, server: LookAlike) -> None:
    """Write a project for the book, with the look-alike as its model."""
    (folder / "input").mkdir(parents=True, exist_ok=True)
    (folder / "input" / "book.txt").write_bytes((DATA / "carol" / "book.txt").read_bytes())
    model = {"model": "look-alike", "base_url": server.url, "concurrency": AT_ONCE, "price_in": 1, "price_out": 1}
    content = {"models": {"m": model}, "language": {"default": "m"}, "chunks": {"size": 1200, "overlap": 100}}
    (folder / "settings.yaml").write_text(json.dumps(content), encoding="utf-8")


def entities(figures: Figures) -> int:
    """Return the number of entities that an index run tells."""
    return int(json.loads(figures.output)["rows"]["entities"])


def ours(scratch: Path) -> dict[str, Any]:
    """Measure graphstrata."""
    root = scratch / "ours"
    with LookAlike(latency=LATENCY) as server:
        settings(root, server)
        first = run(command("index", "--root", str(root), "--json"))
        calls = server.calls
        run(command("index", "--root", str(root), "--json"))
        again = server.calls - calls
        (root / "input" / "new.txt").write_text(NEW, encoding="utf-8")
        run(command("index", "--root", str(root), "--json"))
        added = server.calls - calls - again
    with LookAlike(faults={"500": 0.2}) as server:
        settings(scratch / "faults", server)
        faulty = run(command("index", "--root", str(scratch / "faults"), "--json"))
    return {
        "cpu_s": round(first.cpu_s, 1),
        "wall_over_ideal": round(first.seconds / (calls * LATENCY / AT_ONCE), 2),
        "calls": calls,
        "calls_rerun": again,
        "calls_one_document": added,
        "peak_mb": round(first.peak_mb),
        "lost_under_faults": entities(first) - entities(faulty),
    }


def other(python: str | None, driver: str | None, scratch: Path) -> dict[str, Any] | str:
    """Measure another product by its driver, or say why not."""
    if not python or not driver:
        return "skipped: no environment and driver given"
    if not Path(python).exists() or not Path(driver).exists():
        return f"skipped: {python} or {driver} is not there"
    book = str(DATA / "carol" / "book.txt")
    with LookAlike(latency=LATENCY) as server:
        try:
            first = run([python, driver, server.url, str(scratch), book])
        except subprocess.CalledProcessError as error:
            return f"skipped: its driver ended with {error.returncode}"
        calls = server.calls
        run([python, driver, server.url, str(scratch), book])
    return {
        "cpu_s": round(first.cpu_s, 1),
        "wall_over_ideal": round(first.seconds / (calls * LATENCY / AT_ONCE), 2),
        "calls": calls,
        "calls_rerun": server.calls - calls,
        "peak_mb": round(first.peak_mb),
    }


def main() -> None:
    """Compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("microsoft", "nano"):
        parser.add_argument(f"--{name}", help="Python of its environment")
        parser.add_argument(f"--{name}-driver", help="script that indexes with it")
    given = vars(parser.parse_args())
    if not DATA.exists():
        sys.exit(f"no corpora at {DATA}: this benchmark reads A Christmas Carol there")
    with tempfile.TemporaryDirectory() as scratch:
        results: dict[str, Any] = {"graphstrata": ours(Path(scratch))}
        for name in ("microsoft", "nano"):
            results[name] = other(given[name], given[f"{name}_driver"], Path(scratch) / name)
    for name, figures in results.items():
        print(f"{name:12} {figures if isinstance(figures, str) else json.dumps(figures)}")
    print(json.dumps(results))


if __name__ == "__main__":
    main()
