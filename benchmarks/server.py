"""How fast the server answers ten readers at once over 12,000 passages: rows of tables, entities, texts, names; and questions
without a model. Prints the middle and the slowest twentieth, memory, and errors.

Run from the project's folder: python benchmarks/server.py [--passages N] [--project DIR]. Passages are those of the question
sets in ../shared/data, filled up with new combinations of their halves; ``--project`` keeps the index for the next time.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import quote

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.measure import DATA, ROOT, command, run

SETS = ("2wiki", "hotpot", "musique")
READERS = 10
ROWS, QUESTIONS = 100, 12
"""Requests of each reader."""


def main() -> None:
    """Print the figures, the last line of them as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passages", type=int, default=12_000)
    parser.add_argument("--project", type=Path)
    options = parser.parse_args()
    if not DATA.exists():
        sys.exit(f"no corpora at {DATA}: this benchmark reads passages there")
    with tempfile.TemporaryDirectory() as scratch:
        project = options.project or Path(scratch) / "served"
        if not (project / "output" / "manifest.json").exists():
            write_project(project, options.passages)
            print(f"index: {run(command('index', '--root', str(project))).cpu_s:.0f} CPU-s")
        with served(project) as (port, pid):
            figures = measure(port, project.resolve().name, pid)
            figures["peak_mb"] = sum(peak(one) for one in (pid, *children(pid)))
    for key, value in figures.items():
        print(f"{key:16} {value}")
    print(json.dumps(figures))


def write_project(folder: Path, passages: int) -> None:
    """Write a project of so many passages, each a record."""
    given = [json.loads(line) for name in SETS for line in (DATA / name / "passages.jsonl").open(encoding="utf-8")]
    texts = [(str(one["title"]), str(one["text"])) for one in given if one.get("text")][:passages]
    chance = random.Random(0)
    while len(texts) < passages:
        (title, one), (_, other) = chance.sample(texts[: len(given)], 2)
        texts.append((f"{title}, continued", one[: len(one) // 2] + other[len(other) // 2 :]))
    (folder / "input").mkdir(parents=True, exist_ok=True)
    (folder / "settings.yaml").write_text("{}\n", encoding="utf-8")
    records = (json.dumps({"title": title, "text": text}, ensure_ascii=False) + "\n" for title, text in texts)
    (folder / "input" / "passages.jsonl").write_text("".join(records), encoding="utf-8")


@contextmanager
def served(project: Path) -> Iterator[tuple[int, int]]:
    """Serve a project by the command, and yield its port and the id of its process."""
    arguments = command("serve", str(project), "--port", "0")
    with subprocess.Popen(arguments, stderr=subprocess.PIPE, cwd=ROOT, text=True) as process:
        assert process.stderr is not None
        try:
            port = next(int(found[1]) for line in process.stderr if (found := re.search(r"127\.0\.0\.1:(\d+)", line)))
            yield port, process.pid
        finally:
            process.terminate()


def peak(pid: int) -> int:
    """Return the peak memory of a process in megabytes; 0 where the system does not say."""
    status = Path(f"/proc/{pid}/status")
    found = re.search(r"VmHWM:\s+(\d+)", status.read_text()) if status.exists() else None
    return int(found[1]) // 1024 if found else 0


def children(pid: int) -> list[int]:
    """Return the processes that a process started and that run; none where the system does not say."""
    lists = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for file in lists for child in file.read_text().split()]


def cpu_ms(pid: int) -> float:
    """Return the CPU time of a process and those that it started; 0 where the system does not say."""
    total = 0
    for one in (pid, *children(pid)):
        stat = Path(f"/proc/{one}/stat")
        fields = stat.read_text().rpartition(")")[2].split() if stat.exists() else ["0"] * 13
        total += int(fields[11]) + int(fields[12])
    return total * 1000 / os.sysconf("SC_CLK_TCK")


def measure(port: int, name: str, pid: int) -> dict[str, float]:
    """Return the figures of both kinds of requests; CPU is that of the server and its processes, for one request."""
    at = f"/api/v1/projects/{name.casefold()}"
    addresses = [f"{at}{path}" for path in paths(port, at)]
    questions = [json.loads(line)["question"] for line in (DATA / SETS[0] / "questions.jsonl").open(encoding="utf-8")]
    bodies = [json.dumps({"question": question, "method": "basic"}).encode() for question in questions]
    # The first questions open what all others share, in every process that answers.
    at_once(lambda number: ask(port, f"{at}/questions", bodies[-1 - number]), 2)
    began = cpu_ms(pid)
    rows, row_errors = at_once(lambda number: fetch(port, addresses[number % len(addresses)]), ROWS)
    between = cpu_ms(pid)
    asked, ask_errors = at_once(lambda number: ask(port, f"{at}/questions", bodies[number % len(bodies)]), QUESTIONS)
    ended = cpu_ms(pid)
    return {
        "rows_p50_ms": share(rows, 0.5),
        "rows_p95_ms": share(rows, 0.95),
        "rows_per_second": round(len(rows) * 1000 / (sum(rows) / READERS)),
        "rows_cpu_ms": round((between - began) / max(len(rows), 1), 1),
        "ask_p50_ms": share(asked, 0.5),
        "ask_p95_ms": share(asked, 0.95),
        "ask_cpu_ms": round((ended - between) / max(len(asked), 1), 1),
        "errors": row_errors + ask_errors,
    }


def paths(port: int, at: str) -> list[str]:
    """Return addresses of rows of every kind, spread over the index."""
    chance = random.Random(1)
    entities = json.loads(fetch(port, f"{at}/tables/entities?columns=id,title&limit=500&sort=-degree"))["items"]
    chunks = json.loads(fetch(port, f"{at}/tables/chunks?columns=id,document_id&limit=500&offset=3000"))["items"]
    themes = json.loads(fetch(port, f"{at}/themes"))["tree"]
    found = []
    for one in chance.sample(entities, 100):
        found += [f"/entities/{one['id']}", f"/search?q={quote(one['title'][:5])}", f"/map/edges?entity={one['id']}"]
    for one in chance.sample(chunks, 100):
        found += [f"/chunks/{one['id']}", f"/documents/{one['document_id']}"]
    found += [f"/reports/{one['community']}" for one in chance.sample(themes, min(100, len(themes)))]
    tables = ("entities", "relationships", "chunks", "documents", "claims", "facts", "communities")
    found += [f"/tables/{chance.choice(tables)}?offset={chance.randrange(3000)}&limit=50" for _ in range(100)]
    chance.shuffle(found)
    return found


def fetch(port: int, address: str, body: bytes | None = None) -> bytes:
    """Return the body of a reply; RuntimeError where it is none that succeeded."""
    connection = HTTPConnection("127.0.0.1", port, timeout=120)
    try:
        connection.request("POST" if body else "GET", address, body)
        reply = connection.getresponse()
        content = reply.read()
    finally:
        connection.close()
    if reply.status != 200:
        raise RuntimeError(f"{address}: {reply.status} {content[:200]!r}")
    return content


def ask(port: int, address: str, body: bytes) -> bytes:
    """Return the lines of an answer; RuntimeError where the last one is none."""
    content = fetch(port, address, body)
    if json.loads(content.splitlines()[-1])["event"] != "answer":
        raise RuntimeError(f"{address}: {content[-200:]!r}")
    return content


def at_once(one: Callable[[int], bytes], each: int) -> tuple[list[float], int]:
    """Have every reader make ``each`` requests, one after the other; return milliseconds of those that succeeded, and how
    many did not."""
    took: list[float] = []
    errors: list[Exception] = []

    def reader(number: int) -> None:
        for place in range(each):
            started = time.perf_counter()
            try:
                one(number * each + place)
                took.append((time.perf_counter() - started) * 1000)
            except (OSError, RuntimeError, ValueError) as error:
                errors.append(error)

    readers = [threading.Thread(target=reader, args=(number,)) for number in range(READERS)]
    for thread in readers:
        thread.start()
    for thread in readers:
        thread.join()
    for error in errors[:3]:
        print(f"error: {error}", file=sys.stderr)
    return took, len(errors)


def share(took: Sequence[float], part: float) -> float:
    """Return the time within which a part of the requests were answered."""
    return round(sorted(took)[min(int(len(took) * part), len(took) - 1)], 1)


if __name__ == "__main__":
    main()
