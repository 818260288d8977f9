"""The cost estimate: stages run over replies made without a model, counted as requests to the models of the settings; no call."""

import tempfile
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

from pipeline.base.store import Draft
from pipeline.base.tokens import choose
from pipeline.language.estimate import EstimateCache
from pipeline.language.factory import open_estimate
from pipeline.language.ledger import CallRow
from pipeline.runner.progress import Progress, Silent
from pipeline.runner.project import Project
from pipeline.runner.run import Run
from workflows.stages import STAGES


@dataclass(frozen=True)
class TaskCost:
    """What one task of one stage would take. ``cost`` is None when a model's price is not in the settings."""

    stage: str
    task: str
    model: str
    calls: int
    cached: int
    tokens_in: int
    tokens_out: int
    cost: float | None


def estimate_index(project: Project, progress: Progress | None = None) -> list[TaskCost]:
    """Return what an index run would ask of models now, stage by stage, with what is up to date or cached left out.

    Exact in calls where the number of requests does not depend on replies; every round of gleaning is assumed to be made. Nothing is published, no call is made and no key needed.
    """
    progress = progress or Silent()
    store = project.store
    last, _ = store.last_or_error()
    tokenizer, _ = choose(project.settings.chunks.tokenizer, last.manifest.tokenizer if last else None)
    with ExitStack() as stack:
        scratch = stack.enter_context(tempfile.TemporaryDirectory())
        cache = EstimateCache(Path(scratch), store.folder / "cache.sqlite")
        opened = stack.enter_context(closing(open_estimate(project.settings, project.root, tokenizer, cache)))
        progress.line(opened.models)
        draft = Draft(Path(scratch), 1, last)
        files = project.input_files(progress.line)
        run = Run(project, progress, draft, files, tokenizer, opened.service, opened.embedder)
        run.corrections = project.corrections()
        run.damage = last.damage() if last else {}
        for stage in STAGES:
            run.go(stage)
    return _by_task(opened.service.ledger.calls)


def _by_task(calls: list[CallRow]) -> list[TaskCost]:
    groups: dict[tuple[str, str, str], list[CallRow]] = {}
    for call in calls:
        groups.setdefault((call.workflow, call.task, "" if call.cached else call.model), []).append(call)
    found = []
    for (stage, task, model), some in sorted(groups.items()):
        made = [call for call in some if not call.cached]
        costs = [call.cost for call in made]
        found.append(
            TaskCost(
                stage,
                task,
                model or "cache",
                len(made),
                len(some) - len(made),
                sum(call.tokens_in for call in made),
                sum(call.tokens_out for call in made),
                None if None in costs else sum(cost or 0.0 for cost in costs),
            )
        )
    return found
