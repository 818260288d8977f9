"""How far the estimate before a run is from the run: every call counted, tokens summed, over the sample corpus.

The run goes over HTTP to a look-alike server that gives the replies made without a model as a model would: so what is
measured is the estimate, not the verbosity of a model. Each round of gleaning brings one record of each kind; none of
them is a new relationship, since the number of reports depends on the graph. ``calls_error`` and ``tokens_error`` are shares of the
run's own figures (0.05 is 5 %), for settings as they come, with ``one_pass``, and with ``gleanings: 2``.

    python benchmarks/estimate.py
"""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from pipeline.base.settings import parse_settings
from pipeline.base.task import Request, Task
from pipeline.language.backends.chat import ModelBackend
from pipeline.language.tasks.registry import TASKS
from pipeline.runner.estimate import estimate_index
from pipeline.runner.project import Project
from pipeline.runner.run import run_index
from tests.lookalike.server import LookAlike

RUNS: dict[str, dict[str, Any]] = {
    "default": {},
    "one_pass": {"extraction": {"one_pass": True}},
    "gleanings: 2": {"extraction": {"max_gleanings": 2}},
}


class Replies:
    """Knows which request a rendered question came from, and replies without a model."""

    def __init__(self) -> None:
        self.asked: dict[str, tuple[Task[Any, Any], Request]] = {}
        self.gleaned: dict[tuple[str, str], dict[str, Any]] = {}
        self.last: dict[str, list[Any]] = {}

    def watch(self) -> None:
        """Remember every question as it is rendered."""
        render = ModelBackend.render

        def remembered(backend: ModelBackend, task: Task[Any, Any], request: Request) -> tuple[str, str]:
            system, user = render(backend, task, request)
            self.asked[user] = (task, request)
            return system, user

        ModelBackend.render = remembered  # type: ignore[method-assign]

    def __call__(self, body: dict[str, Any]) -> Any:
        """Return the reply to a request; a gleaning brings the last record of each kind."""
        task, request = self.asked[body["messages"][-1]["content"]]
        kind = task.name.partition("_")[2]
        if task.only_model:
            return self.gleaned[kind, request.item]
        reply = json.loads(task.offline(request).model_dump_json())
        if f"glean_{kind}" in TASKS:
            self.last |= {name: rows[-1:] for name, rows in reply.items() if rows}
            self.gleaned[kind, request.item] = {
                name: [] if name == "relationships" else self.last.get(name, []) for name in reply
            }
        return reply


def main() -> None:
    """Estimate, run, compare."""
    found = {}
    for name, changed in RUNS.items():
        figures = compared(changed)
        print(f"{name}\n{'task':26} {'calls':>14} {'tokens':>20}")
        for task, (calls, made, tokens, used) in figures.items():
            print(f"{task:26} {calls:>6,} {made:>7,} {tokens:>10,} {used:>9,}")
        sums = [sum(values) for values in zip(*figures.values(), strict=True)]
        found[name] = {"calls_error": error(*sums[:2]), "tokens_error": error(*sums[2:])}
    print(json.dumps({**found.pop("default"), **found}))


def compared(changed: dict[str, Any]) -> dict[str, tuple[int, int, int, int]]:
    """Return by task the calls that were estimated and made, and the tokens."""
    replies = Replies()
    render = ModelBackend.render
    replies.watch()
    with tempfile.TemporaryDirectory() as scratch, LookAlike(replies) as server:
        content = {
            "input": {"folder": str(ROOT / "input")},
            "models": {"m": {"model": "look-alike", "base_url": server.url, "price_in": 1.0, "price_out": 4.0}},
            "language": {"default": "m"},
        }
        project = Project(Path(scratch), parse_settings(content | changed))
        costs = estimate_index(project)
        run_index(project)
        calls = [call for call in project.store.open().table("calls").to_pylist() if not call["cached"]]
    ModelBackend.render = render  # type: ignore[method-assign]
    figures = {}
    for task in sorted({cost.task for cost in costs} | {call["task"] for call in calls}):
        estimated = [cost for cost in costs if cost.task == task]
        made = [call for call in calls if call["task"] == task]
        figures[task] = (
            sum(cost.calls for cost in estimated),
            len(made),
            sum(cost.tokens_in + cost.tokens_out for cost in estimated),
            sum(call["tokens_in"] + call["tokens_out"] for call in made),
        )
    return figures


def error(estimated: float, made: float) -> float:
    """Return how far an estimate is off, as a share of what was."""
    return round(abs(estimated - made) / made, 4)


if __name__ == "__main__":
    main()
