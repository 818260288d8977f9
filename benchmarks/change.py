"""What one percent of new documents costs: report contexts that stay as they were, and calls for one document.

The podcasts are indexed without a tail of one transcript, about one percent of them, then with it: once keeping the last
partition, once clustering afresh. ``contexts_kept_stable`` and ``contexts_kept_fresh`` are the shares of the report requests
of the second index whose content the first had too: each of them finds its reply in the cache. ``calls_for_one_document``
counts what the new document asks of a model that answers as rules do without a model, reports included.

    python benchmarks/change.py
"""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.measure import DATA
from pipeline.base.ids import content_id, dump
from pipeline.base.settings import parse_settings
from pipeline.base.task import Failure, Request, Task
from pipeline.language.language import Reply
from pipeline.runner.project import Project
from pipeline.runner.run import run_index
from tests.scripted_backend import ScriptedBackend

SHARE = 0.01


class Counting(ScriptedBackend):
    """Answers as rules do without a model, and remembers what reports were asked from."""

    def __init__(self) -> None:
        super().__init__({})
        self.contexts: set[str] = set()
        self.calls = 0

    def parts(self, task: Task[Any, Any], request: Request) -> dict[str, str]:
        """Remember the content of report requests, whether they are answered from the cache or not."""
        if task.name == "write_report":
            self.contexts.add(content_id(dump(request.content())))
        return super().parts(task, request)

    def answer(self, task: Task[Any, Any], request: Request) -> Reply[Any] | Failure:
        """Count the calls."""
        self.calls += 1
        self.asked.clear()
        return super().answer(task, request)


def indexed(project: Project, fresh: bool = False) -> Counting:
    """Index and return what was asked."""
    backend = Counting()
    run_index(project, default=backend, fresh=fresh)
    return backend


def main() -> None:
    """Measure."""
    if not DATA.exists():
        sys.exit(f"no corpora at {DATA}: this benchmark reads the podcasts there")
    files = sorted((DATA / "podcasts").glob("*.txt"))
    texts = {path.name: path.read_text(encoding="utf-8") for path in files}
    last = files[-1].name
    cut = len(texts[last]) - int(SHARE * sum(map(len, texts.values())))
    with tempfile.TemporaryDirectory() as scratch:
        figures: dict[str, float] = {}
        for fresh in (False, True):
            root = Path(scratch) / str(fresh)
            (root / "input").mkdir(parents=True)
            for name, text in texts.items():
                (root / "input" / name).write_text(text[:cut] if name == last else text, encoding="utf-8")
            project = Project(root, parse_settings({"extraction": {"max_gleanings": 0}}))
            before = indexed(project)
            (root / "input" / "new.txt").write_text(texts[last][cut:], encoding="utf-8")
            after = indexed(project, fresh)
            kept = len(after.contexts & before.contexts) / len(after.contexts)
            partition = "fresh" if fresh else "stable"
            print(
                f"{partition}: {kept:.1%} of {len(after.contexts)} contexts kept; {after.calls} calls for the new document"
            )
            figures[f"contexts_kept_{partition}"] = round(100 * kept, 1)
            if not fresh:
                figures["calls_for_one_document"] = after.calls
                figures["calls_for_all"] = before.calls
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
