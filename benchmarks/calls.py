"""Many calls to a model: wall time beside the ideal, CPU and memory, and what a kill in the middle costs.

The server is simulated inside the process that asks, so that its CPU seconds are those of everything but a client: 300 ms
an answer, 5 % faults (server errors, lost connections, replies that cannot be used, refusals for too many requests), and a
limit per minute that it enforces. 200 calls are in flight at once. One run is killed in the middle by SIGKILL; the next
goes on from the cache. Another goes from the beginning to the end: its wall time and CPU are what is reported.

``wall_over_ideal`` compares with calls x latency / 200, without any fault; what is imported for the first call is imported
before. ``places_busy`` is the share of the 200 places that had a call under way, from the first call until every request had
been made once: what is missing there is the program's own doing, however busy the machine; the rest above the ideal are
calls that failed and the last ones that are tried again. ``repeated`` counts requests that were put to the
server although their reply was in the cache, ``lost`` those without a reply in the end, and ``memory_growth_mb`` is what the
process grew by from a fifth of the calls to the end.

    python benchmarks/calls.py [--all | --calls 10000]
"""

import argparse
import asyncio
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.measure import run
from benchmarks.overhead import READ, Chunk, Graph
from pipeline.base.engine.engine import Call, PartT, ResultT
from pipeline.base.settings import parse_settings
from pipeline.language.backends.chat import chat_backends
from pipeline.language.backends.offline import OfflineBackend
from pipeline.language.budget import Budget
from pipeline.language.cache import Cache
from pipeline.language.language import Reply
from pipeline.language.ledger import Ledger
from pipeline.language.service import LanguageService
from pipeline.language.spending import Spending
from pipeline.language.transport import event_loop
from pipeline.language.transport.calls import CallToModel
from pipeline.language.transport.classify_errors import Fault
from pipeline.language.transport.structured import RawReply

AT_ONCE, LATENCY, FAULTS = 200, 0.3, 0.05
PER_MINUTE = int(1.5 * 60 * AT_ONCE / LATENCY)
TASK = READ["graph"]
ANSWER = Graph.model_validate(
    {
        "entities": [{"title": f"E{i}", "type": "PERSON", "description": "A person of the text."} for i in range(4)],
        "relationships": [],
    }
).model_dump_json()


class SimulatedServer:
    """An engine whose calls answer by themselves; requests are logged by item in the file ``asked``."""

    workers, inline = 1, True

    def __init__(self, asked: Path, seed: int) -> None:
        self._asked = asked.open("a", buffering=1 << 16)
        self._random = random.Random(seed)
        self._level, self._at = float(PER_MINUTE / 12), time.monotonic()
        self.refused = self._busy = 0
        self._begun = self._changed = 0.0
        self._taken = 0.0
        self._seen: set[str] = set()
        self.places_busy = 0.0

    def map(self, work: Callable[[PartT], ResultT], parts: Iterable[PartT]) -> Iterator[ResultT]:
        """Work on parts here."""
        return map(work, parts)

    def calls(self, build: Callable[[], Call]) -> Call:
        """Return what answers."""
        return self._answer

    def close(self) -> None:
        """Close the log."""
        self._asked.close()

    async def _answer(self, one: CallToModel) -> RawReply | Fault:
        item = one.user.rpartition(" ")[2]
        self._asked.write(item + "\n")
        self._under_way(1)
        if item not in self._seen:
            self._seen.add(item)
            self.places_busy = self._taken / AT_ONCE / max(self._changed - self._begun, 1e-9)
        try:
            return await self._replied()
        finally:
            self._under_way(-1)

    def _under_way(self, more: int) -> None:
        """Count calls under way, and the seconds of places that they take."""
        now = time.monotonic()
        self._begun = self._begun or now
        self._taken += self._busy * (now - (self._changed or now))
        self._busy, self._changed = self._busy + more, now

    async def _replied(self) -> RawReply | Fault:
        if not self._admitted():
            self.refused += 1
            return Fault("rate_limit", "retry", "429", slow=True)
        await asyncio.sleep(LATENCY)
        luck = self._random.random() / FAULTS
        if luck < 0.5:
            return Fault("server_error", "retry", "500")
        if luck < 0.7:
            return Fault("no_connection", "retry", "reset", billed=True, answered=False)
        if luck < 0.9:
            return RawReply("I cannot say.", "stop", tokens_in=700, tokens_out=5)
        if luck < 1:
            return Fault("rate_limit", "retry", "429", slow=True)
        return RawReply(ANSWER, "stop", tokens_in=700, tokens_out=120)

    def _admitted(self) -> bool:
        now = time.monotonic()
        self._level = min(PER_MINUTE / 12, self._level + (now - self._at) * PER_MINUTE / 60)
        self._at = now
        self._level -= 1
        return self._level >= 0


def ask(folder: Path, calls: int, end_after: int | None) -> dict[str, float]:
    """Make ``calls`` requests; ``end_after`` so many replies this process ends itself, as ``kill -9`` does."""
    sys.setswitchinterval(0.001)  # as the command does
    model = {
        "model": "simulated",
        "concurrency": AT_ONCE,
        "requests_per_minute": PER_MINUTE,
        "base_url": "http://localhost",
    }
    settings = parse_settings({"models": {"m": model}, "language": {"default": "m", "max_repairs": 4}})
    server, ledger = SimulatedServer(folder / "asked", end_after or 0), Ledger("extract")
    cache = Cache(folder / "cache.sqlite", 1)
    budget = Budget(settings.limits, spending=Spending(cache))
    default, others = chat_backends(settings, ledger, budget, tasks={}, engine=server)
    lost = at_a_fifth = 0
    with closing(LanguageService(OfflineBackend(), ledger, default, cache, others)) as service:
        texts = ("word " * 400 + str(number) for number in range(calls))
        requests = (Chunk(str(number), text) for number, text in enumerate(texts))
        event_loop.run(asyncio.sleep(0))
        started, cpu = time.perf_counter(), time.process_time()
        for at, (_, reply) in enumerate(service.map(TASK, requests, calls)):
            lost += not isinstance(reply, Reply)
            if at == calls // 5:
                at_a_fifth = _resident()
            if at + 1 == end_after:
                os.kill(os.getpid(), signal.SIGKILL)
        wall, cpu = time.perf_counter() - started, time.process_time() - cpu
    server.close()
    grown = (_resident() - at_a_fifth) / 1e6
    return {
        "wall": wall,
        "cpu": cpu,
        "lost": lost,
        "grown": grown,
        "refused": server.refused,
        "busy": server.places_busy,
    }


def _resident() -> int:
    """Return the bytes of this process that are in memory."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def main() -> None:
    """Measure; the last line is one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=10_000, help="requests of each run")
    parser.add_argument("--all", action="store_true", help="100,000 requests")
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    calls = 100_000 if given.all else given.calls
    if given.one:
        end_after = int(given.one[1]) or None
        print(json.dumps(ask(Path(given.one[0]), calls, end_after)))
        return

    def apart(folder: Path, end_after: int) -> dict[str, float]:
        folder.mkdir(exist_ok=True)
        command = [sys.executable, str(Path(__file__)), "--calls", str(calls), "--one", str(folder), str(end_after)]
        found: dict[str, float] = json.loads(run(command).output.splitlines()[-1])
        return found

    with tempfile.TemporaryDirectory() as scratch:
        killed = Path(scratch) / "killed"
        try:
            apart(killed, calls // 2)
        except subprocess.CalledProcessError as error:
            print(f"killed in the middle by signal {-error.returncode}")
        with closing(sqlite3.connect(killed / "cache.sqlite")) as db:
            stored = {item for (item,) in db.execute("SELECT item FROM replies")}
        (killed / "asked").unlink(missing_ok=True)
        resumed = apart(killed, 0)
        repeated = sum(line in stored for line in (killed / "asked").read_text().splitlines())
        whole = apart(Path(scratch) / "whole", 0)
    ideal = calls * LATENCY / AT_ONCE
    print(
        f"{calls:,} calls: {whole['wall']:.1f} s, ideal {ideal:.1f} s; {len(stored):,} replies were stored at the kill"
    )
    figures = {
        "wall_over_ideal": round(whole["wall"] / ideal, 3),
        "places_busy": round(whole["busy"], 3),
        "cpu_ms_per_call": round(1000 * whole["cpu"] / calls, 2),
        "repeated": repeated,
        "lost": int(whole["lost"] + resumed["lost"]),
        "memory_growth_mb": round(whole["grown"]),
        "refused_for_rate": int(whole["refused"]),
        "calls": calls,
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
