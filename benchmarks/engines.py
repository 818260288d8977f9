"""What a Ray cluster costs on top of processes of this machine, and what a second worker brings where servers are waited for.

Two workers index the same podcasts, by ``engine: local`` and by ``engine: ray``, each in a process of its own; the start of
the cluster is given apart. Then workers answer requests that take 100 ms and no CPU, 50 at once on each: first one worker,
then two. All on this machine, on loopback.

``equal_tables`` is 1 when every table is equal byte for byte, ``lost_replies`` counts requests without their own reply.
``ray_over_local_wall`` compares wall seconds of the two runs, ``speedup_2`` those of one worker and of two;
``latency_over_ideal`` compares those of two with requests x latency / 100. Other work on the machine goes into all of them.

    python benchmarks/engines.py [--files 20] [--rounds 1]
"""

import argparse
import asyncio
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.measure import DATA, make_project, run
from pipeline.base.engine.choose import opened_engine
from pipeline.base.engine.engine import Engine
from pipeline.base.settings import EngineSettings

WORKERS, AT_ONCE, LATENCY, REQUESTS = 2, 50, 0.1, 2000


def sleeper() -> Callable[[Any], Awaitable[Any]]:
    """Return a call that answers a request by itself, after LATENCY."""

    async def call(request: int) -> int:
        await asyncio.sleep(LATENCY)
        return request

    return call


async def _answered(engine: Engine, requests: int) -> tuple[float, int]:
    """Answer requests by the workers of ``engine``; return the wall seconds, and how many had no reply of their own."""
    call = engine.calls(sleeper)
    assert call is not None
    await asyncio.gather(*(call(at) for at in range(2 * engine.workers)))  # the workers start
    places = asyncio.Semaphore(AT_ONCE * engine.workers)

    async def one(request: int) -> bool:
        async with places:
            return bool(await call(request) == request)

    started = time.perf_counter()
    answered = await asyncio.gather(*(one(at) for at in range(requests)))
    return time.perf_counter() - started, answered.count(False)


def latency(workers: int) -> dict[str, float]:
    """Return the wall seconds of simulated calls by ``workers``, and what was lost."""
    with opened_engine(EngineSettings(kind="ray", workers=workers)) as engine:
        seconds, lost = asyncio.run(_answered(engine, REQUESTS))
    return {"seconds": seconds, "lost": lost}


def index(kind: str, folder: Path) -> dict[str, Any]:
    """Index a project by one kind of engine; return the wall seconds, those of the engine's start, and the tables' hashes."""
    from pipeline.runner.project import Project
    from pipeline.runner.run import run_index

    opening = time.perf_counter()
    settings = EngineSettings.model_validate({"kind": kind, "workers": WORKERS})
    with opened_engine(settings) as engine:
        started = time.perf_counter()
        project = Project.open(folder)
        outcome = run_index(project, engine=engine)
        seconds = time.perf_counter() - started
    tables = {name: entry.hash for name, entry in project.store.open().manifest.tables.items()}
    requests = sum(fresh + kept for fresh, kept in outcome.asked.values())
    return {"seconds": seconds, "start": started - opening, "tables": tables, "requests": requests}


def _apart(*arguments: str) -> Any:
    """Run a part of this benchmark in a process of its own."""
    return json.loads(run([sys.executable, str(Path(__file__)), *arguments]).output.splitlines()[-1])


def main() -> None:
    """Measure; the last line is one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=0, help="only so many of the podcasts; all by default")
    parser.add_argument("--rounds", type=int, default=1, help="rounds, of which the fastest of each kind counts")
    parser.add_argument("--index", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--latency", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.index:
        print(json.dumps(index(given.index[0], Path(given.index[1]))))
        return
    if given.latency:
        print(json.dumps(latency(given.latency)))
        return
    if not DATA.exists():
        sys.exit(f"no corpora at {DATA}: this benchmark reads the podcasts there")
    found: dict[str, list[dict[str, Any]]] = {"local": [], "ray": []}
    with tempfile.TemporaryDirectory() as scratch:
        texts = Path(scratch) / "texts"
        texts.mkdir()
        for path in sorted((DATA / "podcasts").glob("*.txt"))[: given.files or None]:
            shutil.copy(path, texts)
        for number in range(given.rounds):
            for kind, runs in found.items():
                folder = Path(scratch) / f"{kind}{number}"
                make_project(folder, texts, ("*.txt",))
                runs.append(_apart("--index", kind, str(folder)))
                print(f"{kind}: {runs[-1]['seconds']:.1f} s, after a start of {runs[-1]['start']:.1f} s")
    waits = {workers: _apart("--latency", str(workers)) for workers in (1, 2)}
    ideal = REQUESTS * LATENCY / (2 * AT_ONCE)
    print(
        f"{REQUESTS:,} requests of {LATENCY:g} s: {waits[1]['seconds']:.1f} s by one worker, {waits[2]['seconds']:.1f} s by two"
    )
    local, ray = (min(one["seconds"] for one in found[kind]) for kind in ("local", "ray"))
    first = found["local"][0]
    figures = {
        "equal_tables": int(all(one["tables"] == first["tables"] for runs in found.values() for one in runs)),
        "lost_replies": sum(abs(one["requests"] - first["requests"]) for one in found["ray"])
        + sum(wait["lost"] for wait in waits.values()),
        "ray_over_local_wall": round(ray / local, 2),
        "speedup_2": round(waits[1]["seconds"] / waits[2]["seconds"], 2),
        "latency_over_ideal": round(waits[2]["seconds"] / ideal, 2),
        "cluster_start_s": round(min(one["start"] for one in found["ray"]), 1),
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
