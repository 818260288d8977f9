"""How far the bill before a run is from the run: every call counted, tokens summed, over the sample corpus.

The run goes over HTTP to a look-alike server that gives the replies of the offline way as a model would: so what is
measured is the reckoning, not the verbosity of a model. ``calls_error`` and ``tokens_error`` are shares of the run's
own figures (0.05 is 5 %); calls of extraction and its first gleaning are exact, those of reports hang on the graph.

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
from pipeline.runner.estimate import estimate_index
from pipeline.runner.project import Project
from pipeline.runner.run import run_index
from tests.lookalike.server import LookAlike


class Offline:
    """Knows which request a rendered question came from, and replies the offline way."""

    def __init__(self) -> None:
        self.asked: dict[str, tuple[Task[Any, Any], Request]] = {}

    def watch(self) -> None:
        """Remember every question as it is rendered."""
        render = ModelBackend.render

        def remembered(backend: ModelBackend, task: Task[Any, Any], request: Request) -> tuple[str, str]:
            system, user = render(backend, task, request)
            self.asked[user] = (task, request)
            return system, user

        ModelBackend.render = remembered  # type: ignore[method-assign]

    def __call__(self, body: dict[str, Any]) -> Any:
        """Return the offline reply to a request."""
        task, request = self.asked[body["messages"][-1]["content"]]
        return json.loads(task.offline(request).model_dump_json())


def main() -> None:
    """Estimate, run, compare."""
    replies = Offline()
    replies.watch()
    with tempfile.TemporaryDirectory() as scratch, LookAlike(replies) as server:
        settings = parse_settings(
            {
                "input": {"folder": str(ROOT / "input")},
                "models": {"m": {"model": "look-alike", "base_url": server.url, "price_in": 1.0, "price_out": 4.0}},
                "language": {"default": "m"},
            }
        )
        project = Project(Path(scratch), settings)
        bills = estimate_index(project)
        run_index(project)
        calls = project.store.open().table("calls").to_pylist()
    figures = {}
    print(f"{'task':26} {'calls':>14} {'tokens':>20}")
    for task in sorted({bill.task for bill in bills} | {call["task"] for call in calls}):
        told = [bill for bill in bills if bill.task == task]
        made = [call for call in calls if call["task"] == task]
        tokens = (
            sum(bill.tokens_in + bill.tokens_out for bill in told),
            sum(c["tokens_in"] + c["tokens_out"] for c in made),
        )
        counts = sum(bill.calls for bill in told), len(made)
        print(f"{task:26} {counts[0]:>6,} {counts[1]:>7,} {tokens[0]:>10,} {tokens[1]:>9,}")
        figures[task] = (*counts, *tokens)
    sums = [sum(values) for values in zip(*figures.values(), strict=True)]
    print(json.dumps({"calls_error": error(*sums[:2]), "tokens_error": error(*sums[2:])}))


def error(told: float, made: float) -> float:
    """Return how far an estimate is off, as a share of what was."""
    return round(abs(told - made) / made, 4)


if __name__ == "__main__":
    main()
