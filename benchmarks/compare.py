"""graphstrata beside Microsoft GraphRAG and nano-graphrag: the same book, the same look-alike server, one run.

    python benchmarks/compare.py [--microsoft PYTHON] [--nano PYTHON] [--spoiled]

PYTHON is that of an environment where the other product is installed; without it the product is skipped, with a word.
Each is driven by its own documented commands or calls, from a file in benchmarks/rivals.

Figures of the first index: CPU seconds, wall over ideal ((calls + embedding requests) x latency / concurrency), calls
(chat requests), embedding requests, peak memory; chunks, entities, relationships, reports; names that replies had and
the index does not know (whole spellings, case aside); entities without a community. Then calls and CPU of a run with
nothing new, and calls for one more document of one chunk.
Last, in a folder of its own, a first run in which 20 % of requests meet a 500, a 429 or a lost connection: what the
index has not (entities of the good run by name, and as many reports as it has fewer), and the exit code, which says
whether the product reported it. With ``--spoiled`` also one in which 20 % of replies come empty, cut off or refused, and what
is still missing when the same command is given once more. A run that does not end in driver.LIMIT seconds is "hung". A
figure that could not be had is null.
Not all that is lost is lost every time: it depends on which chunk a fault meets. In a new environment the first run of a
product also compiles: measure the second.

Equal for all: book, server, names of models, replies (rivals/replies.py: of one text the same entities, relationships,
descriptions), latency, calls in flight, chunks of 1200 tokens with 100 shared, one gleaning, no claims, communities of
at most ten. Faults are drawn by a hash of the request: their share is equal, not their places. Tries and waits are
each product's own, but where a setting can shorten the waits it does (Microsoft GraphRAG).
Not equal: graphstrata also finds atomic facts and a passage index (without the model here), cuts chunks at the ends of
sentences, and makes no vectors, as by default; the others make theirs, as by default, for their searches need them.
Each decides on its own when descriptions are summarised, which communities get a report and how many texts go into one
embedding request. Microsoft GraphRAG asks each of its models once before every run. The server shares the machine's
cores with the product.
"""

import argparse
import json
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.measure import DATA, Figures, run
from benchmarks.rivals.driver import AT_ONCE, CHAT, CHEAP, EMBEDDING, VECTOR
from benchmarks.rivals.replies import Replies
from tests.lookalike.server import LookAlike

LATENCY = 0.2
NEW = "In spring the tollgate of Camden Town was kept by Robert Crane. Every day old Ebenezer Scrooge and Robert Crane met."
FAULTS = {"500": 0.08, "429": 0.08, "drop": 0.04}
SPOILED = {"empty": 0.07, "cut": 0.07, "refused": 0.06}
SHOWN = 2000
"""Characters of what a failing run printed last that are shown."""


class Product:
    """One product with a folder and a server of its own."""

    def __init__(self, name: str, python: str, folder: Path, latency: float, faults: Mapping[str, float]) -> None:
        self.name, self.python, self.folder = name, python, folder
        self.replies = Replies()
        self.server = LookAlike(self.replies, faults, latency, VECTOR, (CHAT, CHEAP, EMBEDDING))

    def __enter__(self) -> "Product":
        self.server.__enter__()
        (self.folder / "input").mkdir(parents=True)
        self.add("book.txt", (DATA / "carol" / "book.txt").read_text(encoding="utf-8-sig"))
        self.run("prepare")
        return self

    def __exit__(self, *exc: object) -> None:
        self.server.__exit__(*exc)

    def add(self, file: str, text: str) -> None:
        """Lay a text into its input folder."""
        (self.folder / "input" / file).write_text(text, encoding="utf-8")

    def run(self, action: str) -> Figures:
        """Carry out an action of its driver; CalledProcessError when it fails or does not end."""
        module = f"benchmarks.rivals.{self.name}"
        return run([self.python, "-m", module, action, str(self.folder), self.server.url])

    def attempt(self, action: str) -> tuple[Figures | None, str]:
        """Carry out an action; return its figures, or None, and how it ended."""
        try:
            return self.run(action), "exit 0"
        except subprocess.CalledProcessError as error:
            sys.stderr.write(f"{self.name}, {action}: {str(error.output)[-SHOWN:]}\n")
            return None, "hung" if error.returncode == -signal.SIGALRM else f"exit {error.returncode}"

    def read(self) -> dict[str, Any]:
        """Return what its index holds, names in one spelling."""
        counts = json.loads(self.run("read").output.splitlines()[-1])
        return {**counts, "names": {name.upper() for name in counts["names"]}}


def measure(name: str, python: str, scratch: Path, spoiled: bool) -> dict[str, Any]:
    """Return the figures of one product."""
    with Product(name, python, scratch / "good", LATENCY, {}) as product:
        figures, names = first_index(product)
        calls = product.server.calls
        again, ended = product.attempt("index")
        figures |= {"calls_rerun": product.server.calls - calls, "ended_rerun": ended}
        figures["cpu_s_rerun"] = again and round(again.cpu_s, 1)
        product.add("new.txt", NEW)
        calls = product.server.calls
        updated, _ = product.attempt("update")
        figures["calls_one_document"] = updated and product.server.calls - calls

    def lost(product: Product) -> int:
        counts = product.read()
        return len(names - counts["names"]) + max(0, int(figures["reports"]) - int(counts["reports"]))

    with Product(name, python, scratch / "faults", 0.0, FAULTS) as product:
        _, ended = product.attempt("index")
        figures |= {"lost_under_faults": lost(product), "ended_under_faults": ended}
    if spoiled:
        with Product(name, python, scratch / "spoiled", 0.0, SPOILED) as product:
            _, ended = product.attempt("index")
            figures |= {"lost_when_spoiled": lost(product), "ended_when_spoiled": ended}
            product.attempt("index")
            figures["still_lost_after_next_run"] = lost(product)
    return figures


def first_index(product: Product) -> tuple[dict[str, Any], set[str]]:
    """Index for the first time; return the figures of that, and the names that the index knows."""
    first, ended = product.attempt("index")
    calls, embeddings = product.server.calls, product.server.counts["/embeddings"]
    ideal = (calls + embeddings) * LATENCY / AT_ONCE
    counts = product.read()
    names = counts.pop("names")
    return {
        "ended": ended,
        "cpu_s": first and round(first.cpu_s, 1),
        "wall_over_ideal": first and round(first.seconds / ideal, 2),
        "calls": calls,
        "embedding_requests": embeddings,
        "peak_mb": first and round(first.peak_mb),
        **counts,
        "names_not_kept": len({given.upper() for given in product.replies.given} - names),
    }, names


def measure_or_skip(name: str, python: str | None, scratch: Path, spoiled: bool) -> dict[str, Any] | str:
    """Return the figures of one product, or say why there are none."""
    if not python:
        return "skipped: no environment given"
    if not Path(python).exists():
        return f"skipped: {python} is not there"
    try:
        return measure(name, python, scratch, spoiled)
    except subprocess.CalledProcessError as error:
        return f"skipped: its driver ended with {error.returncode}"


def table(results: Mapping[str, dict[str, Any] | str]) -> str:
    """Return the figures as lines, one a figure, with a column for each product that was measured."""
    measured = {name: figures for name, figures in results.items() if not isinstance(figures, str)}
    rows = [("", list(measured))] + [
        (key, [figures[key] for figures in measured.values()]) for key in next(iter(measured.values()), {})
    ]
    lines = [f"{key:28}" + "".join(f"{value!s:>14}" for value in values) for key, values in rows]
    return "\n".join(lines + [f"{name}: {figures}" for name, figures in results.items() if isinstance(figures, str)])


def main() -> None:
    """Compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("microsoft", "nano"):
        parser.add_argument(f"--{name}", metavar="PYTHON", help="Python of the environment where it is installed")
    parser.add_argument("--spoiled", action="store_true", help="also a run with replies that are no good")
    options = parser.parse_args()
    if not DATA.exists():
        sys.exit(f"no corpora at {DATA}: this benchmark reads A Christmas Carol there")
    pythons = {"graphstrata": sys.executable, "microsoft": options.microsoft, "nano": options.nano}
    with tempfile.TemporaryDirectory() as scratch:
        results = {
            name: measure_or_skip(name, python, Path(scratch, name), options.spoiled)
            for name, python in pythons.items()
        }
    print(table(results))
    print(json.dumps(results))


if __name__ == "__main__":
    main()
