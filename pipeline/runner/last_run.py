"""The note on the last run, whether it published or not: it holds a clock, so it is no table. Written and read here."""

import json
import time
from typing import Any

from pipeline.base.errors import InputError
from pipeline.base.files import read
from pipeline.base.store import Store
from pipeline.language.ledger import Ledger
from pipeline.runner.progress_note import NotedProgress

RUN_FILE = "run.json"
_MOST_BYTES = 100_000_000


def note_run(
    store: Store,
    did: str,
    status: str,
    ledger: Ledger,
    seconds: float,
    generation: int | None,
    progress: NotedProgress | None = None,
) -> None:
    """Write what a run did: the command, how it ended, what it asked and what failed; ``generation`` is the one that
    is published after it. ``progress`` ends with it: the run goes into the history."""
    content: dict[str, Any] = {
        "run": did,
        "status": status,
        "generation": generation,
        "ended": time.strftime("%Y-%m-%d %H:%M:%S"),
        "seconds": round(seconds, 3),
        "calls": ledger.totals(),
        "faults": ledger.overcome(),
        "failures": sorted(set(ledger.failures)),
    }
    if progress is not None:
        calls = content["calls"]
        ended = {name: content[name] for name in ("run", "status", "generation", "ended", "seconds")}
        progress.end({**ended, "calls": calls["calls"], "cost": calls["cost"]})
    store.note(RUN_FILE, json.dumps(content, ensure_ascii=False, indent=1))


def describe_last_run(store: Store) -> str:
    """Return in a few words how the last run ended; a note that is missing or damaged is no error."""
    if not (store.folder / RUN_FILE).exists():
        return f"unknown: no {RUN_FILE}"
    try:
        run: Any = json.loads(read(store.folder, RUN_FILE, _MOST_BYTES))
        return f"{run['run']}: {run['status']}, ended {run['ended']}"
    except (InputError, ValueError, RecursionError, KeyError, TypeError):
        return f"unknown: {RUN_FILE} is damaged or from another version"
