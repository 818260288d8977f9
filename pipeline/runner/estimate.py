"""The cost estimate: stages run over replies made without a model, counted as requests to the models of the settings; no call."""

import tempfile
from contextlib import ExitStack, closing
from pathlib import Path

from pipeline.base.store import Draft
from pipeline.language.estimate import EstimateCache
from pipeline.language.factory import open_estimate
from pipeline.language.ledger import TaskCost, costs_by_task
from pipeline.runner.progress import Progress, Silent
from pipeline.runner.project import Project
from pipeline.runner.run import Run
from workflows.stages import STAGES


def estimate_index(project: Project, progress: Progress | None = None) -> list[TaskCost]:
    """Return what an index run would ask of models now, stage by stage, with what is up to date or cached left out.

    Exact in calls where the number of requests does not depend on replies; every round of gleaning is assumed to be made. Nothing is published, no call is made and no key needed.
    """
    progress = progress or Silent()
    store = project.store
    last, _ = store.last_or_error()
    tokenizer, _ = project.tokenizer(last)
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
    calls = opened.service.ledger.calls
    return costs_by_task(call._replace(model="cache") if call.cached else call for call in calls)
