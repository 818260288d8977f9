"""How an index is: what runs, past runs, failures, calls and costs, what the next run would do, and whether the tables pass all checks."""

import threading
import time
from collections import defaultdict
from dataclasses import asdict
from typing import Annotated, Any
from weakref import WeakKeyDictionary

from pydantic import Field
from typing_extensions import TypedDict

from pipeline.base.errors import GraphstrataError
from pipeline.exchange.verify.verify import verify
from pipeline.language.cache import CACHE_FILE, read_spent
from pipeline.language.ledger import CallRow, costs_by_task
from pipeline.runner.progress_note import past_runs, running_now
from pipeline.runner.status import next_run
from pipeline.web.endpoint import BusyError, Limit, Offset, Registry, RequestModel, endpoint
from pipeline.web.projects import OpenIndex, ServedProject
from pipeline.web.questions.question_log import QuestionLog

ENDPOINTS: Registry = []

PLAN_SECONDS = 30
"""How long the plan of the next run is kept: making it reads all input files."""
RUNS = 50
_verifying = threading.Lock()
_plans: WeakKeyDictionary[ServedProject, tuple[float, int, "NextRunReply | None"]] = WeakKeyDictionary()
_planning = threading.Lock()


class RunningReply(TypedDict):
    """A run that is going on: its stage, requests of it done and of how many, stages done and of how many."""

    run: str
    stage: str
    message: str
    done: int
    total: int | None
    stages_done: int
    stages: int
    started: str


class DueStage(TypedDict):
    """A stage that is out of date, and why."""

    stage: str
    reason: str


class NextRunReply(TypedDict):
    """What the next run would do; ``documents`` counts those added, changed, removed and unchanged."""

    up_to_date: bool
    stages: list[DueStage]
    documents: dict[str, int]
    trouble: str


class StatusReply(TypedDict):
    """What is published, what runs now, and what the next run would do (null where that cannot be said)."""

    generation: int
    status: str
    damaged: dict[str, str]
    running: RunningReply | None
    next: NextRunReply | None


class StageTime(TypedDict):
    """What a stage of a run wrote, and how long it took."""

    stage: str
    rows: int
    seconds: float


class PastRun(TypedDict):
    """A run; ``stages`` are those that had something to do."""

    run: str
    status: str
    generation: int | None
    started: str
    ended: str
    seconds: float
    calls: int
    cost: float
    stages: list[StageTime]


class RunList(TypedDict):
    """Runs, the latest first."""

    items: list[PastRun]


class FailureItem(TypedDict):
    """What failed, or was left out on purpose (``skipped``), and why."""

    workflow: str
    task: str
    item: str
    kind: str
    reason: str
    attempts: int


class FailureList(TypedDict):
    """Failures, a page at a time."""

    items: list[FailureItem]
    total: int


class CostItem(TypedDict):
    """Calls to one model for one task of a stage; ``cost`` is null where a price is not known."""

    stage: str
    task: str
    model: str
    calls: int
    cached: int
    tokens_in: int
    tokens_out: int
    cost: float | None
    seconds: float


class CostList(TypedDict):
    """What the run that made this index asked of models, what the questions of today cost, and in words what all runs and
    questions took so far, also those that failed; null where no model was asked, or that cannot be read."""

    items: list[CostItem]
    currency: str
    total_cost: float
    questions_today: float
    spent_so_far: str | None
    max_cost_per_question: float | None
    max_cost_per_day: float | None


class CheckItem(TypedDict):
    """A promise of the tables that was looked into."""

    name: str
    ok: bool
    looked_at: int
    faults: int
    detail: str
    examples: list[str]


class VerifyReply(TypedDict):
    """All promises of the tables."""

    ok: bool
    checks: list[CheckItem]


class EmptyBody(RequestModel):
    """Nothing is needed."""


@endpoint(ENDPOINTS, "GET", "/projects/{project}/status")
def read_status(
    project: ServedProject,
    plan: Annotated[bool, Field(description="whether to say what the next run would do, which reads the input")] = True,
) -> StatusReply:
    """What is published, the run that is going on, and what the next one would do."""
    opened = project.open()
    generation = opened.index.generation
    running = running_now(generation.folder)
    return {
        "generation": opened.generation,
        "status": generation.manifest.status,
        "damaged": generation.damage(),
        "running": _running(running) if running else None,
        "next": _next(project, opened) if plan and not running else None,
    }


def _running(state: dict[str, Any]) -> RunningReply:
    return {
        "run": "index",
        "stage": str(state.get("stage", "")),
        "message": str(state.get("message", "")),
        "done": int(state.get("done", 0)),
        "total": state.get("total"),
        "stages_done": int(state.get("stages_done", 0)),
        "stages": int(state.get("stages", 0)),
        "started": str(state.get("started", "")),
    }


def _next(project: ServedProject, opened: OpenIndex) -> NextRunReply | None:
    """Return the plan for the next run, looked into once for all who ask within some seconds."""
    with _planning:
        made, generation, plan = _plans.get(project, (0.0, -1, None))
        if generation != opened.generation or time.monotonic() - made > PLAN_SECONDS:
            plan = _planned(project, opened)
            _plans[project] = time.monotonic(), opened.generation, plan
        return plan


def _planned(project: ServedProject, opened: OpenIndex) -> NextRunReply:
    generation = opened.index.generation
    try:
        found = next_run(project.project(), generation, generation.damage())
    except GraphstrataError as error:
        return {"up_to_date": False, "stages": [], "documents": {}, "trouble": error.found}
    changes = found.changes
    names = ("added", "changed", "removed", "unchanged")
    return {
        "up_to_date": not found.redo,
        "stages": [{"stage": stage, "reason": reason} for stage, reason in found.redo.items() if stage],
        "documents": {name: getattr(changes, name) for name in names} if changes else {},
        "trouble": found.trouble or found.redo.get("", ""),
    }


@endpoint(ENDPOINTS, "GET", "/projects/{project}/runs")
def list_runs(project: ServedProject) -> RunList:
    """The past runs of the index, the latest first, with what each stage took."""
    items: list[PastRun] = []
    for run in past_runs(project.open().index.generation.folder):
        items.append(
            {
                "run": str(run.get("run", "")),
                "status": str(run.get("status", "")),
                "generation": run.get("generation"),
                "started": str(run.get("started", "")),
                "ended": str(run.get("ended", "")),
                "seconds": float(run.get("seconds", 0)),
                "calls": int(run.get("calls", 0)),
                "cost": float(run.get("cost", 0)),
                "stages": run.get("stages", []),
            }
        )
        if len(items) == RUNS:
            break
    return {"items": items}


@endpoint(ENDPOINTS, "GET", "/projects/{project}/failures")
def list_failures(
    project: ServedProject, offset: Annotated[int, Offset] = 0, limit: Annotated[int, Limit] = 50
) -> FailureList:
    """What could not be done in the run that made this index, and what was left out on purpose."""
    opened = project.open()
    rows = opened.page("failures", list(FailureItem.__annotations__), offset, limit)
    return {"items": rows, "total": opened.count("failures")}  # type: ignore[typeddict-item]


@endpoint(ENDPOINTS, "GET", "/projects/{project}/costs")
def list_costs(project: ServedProject) -> CostList:
    """Calls, tokens and money by stage, task and model, and what questions may cost."""
    opened = project.open()
    calls = [CallRow(*row) for row in opened.columns.all("calls", *CallRow._fields)]
    seconds = defaultdict[tuple[str, str, str], float](float)
    for call in calls:
        seconds[call.workflow, call.task, call.model] += 0.0 if call.cached else call.seconds
    costs = costs_by_task(calls)
    items = [{**asdict(one), "seconds": seconds[one.stage, one.task, one.model]} for one in costs]
    settings = opened.index.settings
    serve = settings.serve
    spent = read_spent(opened.index.generation.folder / CACHE_FILE)
    return {
        "items": items,  # type: ignore[typeddict-item]
        "currency": settings.shown_currency,
        "total_cost": sum(one.cost or 0.0 for one in costs),
        "spent_so_far": str(spent) if spent and spent.requests else None,
        "questions_today": QuestionLog(opened.index.generation.folder).spent_today(),
        "max_cost_per_question": serve.max_cost_per_question,
        "max_cost_per_day": serve.max_cost_per_day,
    }


@endpoint(ENDPOINTS, "POST", "/projects/{project}/verify")
def verify_tables(project: ServedProject, body: EmptyBody) -> VerifyReply:
    """Every promise of the tables looked into, one reader at a time; this reads the whole index."""
    if not _verifying.acquire(blocking=False):
        raise BusyError("an index is being verified", "one at a time is enough for the disk", "try again in a moment")
    try:
        _, checks = verify(project.open().index.generation.folder)
    finally:
        _verifying.release()
    return {
        "ok": not any(check.faults for check in checks),
        "checks": [
            {
                "name": check.name,
                "ok": not check.faults,
                "looked_at": check.looked_at,
                "faults": check.faults,
                "detail": "; ".join(filter(None, (f"{check.looked_at:,} looked at", check.note, *check.examples[:1]))),
                "examples": list(check.examples),
            }
            for check in checks
        ],
    }
