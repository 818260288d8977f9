"""Evaluations that are kept, a folder each: what was measured, of which version of the index, by which version of graphstrata."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from pipeline import __version__
from pipeline.base.errors import QuestionError, StoreError
from pipeline.base.ids import content_id, dump
from pipeline.base.schema import CALLS, FAILURES
from pipeline.base.storage.disk import disk_errors, write_whole
from pipeline.base.store import Rows, write_apart
from pipeline.base.table import Table
from pipeline.query.evaluation.eval_questions import Example
from pipeline.query.evaluation.eval_tables import ANSWERS, RETRIEVAL
from pipeline.query.evaluation.evaluation import Evaluation
from pipeline.query.index import Index

RUNS = "runs"
RUN_FILE = "run.json"
EARLIER = (
    "supported",
    "false_answers",
    "contains",
    "quoted",
    "cited",
    "support",
    "words",
    "unique_claims",
    "tokens",
    "cost",
)
"""Measures of a candidate that are compared with those of an earlier run."""


class EvalRun(BaseModel):
    """An evaluation as its folder says."""

    model_config = ConfigDict(extra="forbid")
    number: int
    graphstrata: str
    """The version that measured."""
    generation: int
    index: str
    """Hash of the tables of the index; two generations with the same rows have the same."""
    questions: str
    """Hash of the questions with what they expect."""
    file: str
    n_questions: int
    search: str
    """Hash of the settings that shape answers: search, tasks, models."""
    answered_by: str
    """Name of the model that tasks use; empty for none."""
    results: dict[str, Any]

    def measured(self) -> str:
        """Return a hash of what was measured, whatever came out: rows, questions, settings, candidates and version."""
        said = self.model_dump(exclude={"number", "generation", "file", "results"})
        return content_id(dump(said), *sorted(map(dump, self.candidates)))

    @property
    def candidates(self) -> dict[tuple[str, str], dict[str, Any]]:
        """The measures of retrieval and of each method under each settings, by both."""
        return {(row["method"], row["settings"]): row for row in self.results["methods"]} | {
            ("retrieval", settings): measured for settings, measured in self.results["retrieval"].items()
        }


class Difference(BaseModel):
    """How one measure of a candidate differs between two runs."""

    candidate: str
    measure: str
    before: float
    after: float


def run_of(found: Evaluation, index: Index, examples: Sequence[Example], file: str) -> EvalRun:
    """Return the record of an evaluation, not yet numbered."""
    tables = index.generation.manifest.tables
    rows = {name: entry.hash for name, entry in tables.items() if name not in (CALLS.name, FAILURES.name)}
    settings = index.settings
    shaping = settings.model_dump(mode="json", include={"search", "tasks", "models", "language"})
    return EvalRun(
        number=0,
        graphstrata=__version__,
        generation=index.generation.manifest.generation,
        index=content_id(dump(rows)),
        questions=content_id(*(example.to_line() for example in examples)),
        file=file,
        n_questions=len(examples),
        search=content_id(dump(shaping)),
        answered_by=settings.models[settings.language.default].model if settings.language.default else "",
        results=found.to_dict(),
    )


def kept_runs(folder: Path) -> list[EvalRun]:
    """Return the runs kept below ``folder``, oldest first; StoreError for one that cannot be read."""
    found = []
    for path in sorted((folder / RUNS).glob(f"[0-9]*/{RUN_FILE}")):
        try:
            with disk_errors(path):
                found.append(EvalRun.model_validate(json.loads(path.read_bytes())))
        except (ValueError, ValidationError) as error:
            raise StoreError(
                f"{path} is not an evaluation that this program can read",
                "runs are compared with each other",
                f"remove the folder {path.parent}",
            ) from error
    return sorted(found, key=lambda run: run.number)


def chosen_run(folder: Path, number: int | None) -> EvalRun:
    """Return a run by its number, or the last; QuestionError where there is none."""
    runs = kept_runs(folder)
    chosen = [run for run in runs if number is None or run.number == number]
    if not chosen:
        listed = ", ".join(str(run.number) for run in runs)
        raise QuestionError(
            f"no run {number}" if number is not None else "no evaluation is kept here",
            f"there are {listed}" if listed else "runs are kept when one is made",
            "run: graphstrata eval show" if listed else "run: graphstrata eval make, and then: graphstrata eval run",
        )
    return chosen[-1]


def keep_run(folder: Path, run: EvalRun, found: Evaluation, page: str) -> EvalRun:
    """Write a run with its tables and its page below ``folder``, in place of one that measured the same; return it numbered."""
    runs = kept_runs(folder)
    same = [other.number for other in runs if other.measured() == run.measured()]
    number = same[-1] if same else max((other.number for other in runs), default=0) + 1
    run = run.model_copy(update={"number": number})
    place = run_folder(folder, number)
    for declared, table in found.tables().items():
        write_apart(declared, table, place / f"{declared.name}.parquet")
    with disk_errors(place):
        place.mkdir(parents=True, exist_ok=True)
        write_whole(place / "report.html", page.encode("utf-8"))
        write_whole(
            place / RUN_FILE, (json.dumps(run.model_dump(), ensure_ascii=False, indent=1) + "\n").encode("utf-8")
        )
    return run


def run_folder(folder: Path, number: int) -> Path:
    """Return the folder of a run."""
    return folder / RUNS / f"{number:04d}"


def earlier(runs: Sequence[EvalRun], run: EvalRun) -> EvalRun | None:
    """Return the last run before ``run`` that has the same questions and a candidate in common."""
    before = [other for other in runs if other.number < run.number and other.questions == run.questions]
    return next((other for other in reversed(before) if other.candidates.keys() & run.candidates.keys()), None)


def differences(before: EvalRun, after: EvalRun) -> list[Difference]:
    """Return the measures that differ between two runs, of the candidates that both have."""
    found = []
    for key in before.candidates.keys() & after.candidates.keys():
        one, other = before.candidates[key], after.candidates[key]
        names = one if key[0] == "retrieval" else EARLIER
        for name in names:
            if one.get(name) != other.get(name) and None not in (one.get(name), other.get(name)):
                candidate = ", ".join(part for part in key if part)
                found.append(Difference(candidate=candidate, measure=name, before=one[name], after=other[name]))
    return sorted(found, key=lambda one: (one.candidate != "retrieval", one.candidate, one.measure))


def changed_answers(folder: Path, before: EvalRun, after: EvalRun) -> list[dict[str, Any]]:
    """Return the questions whose outcome differs between two runs of the same questions: number, method, settings, question,
    what was measured (``answered``, ``contains``, or ``found``: the expected passage among ten chunks), before and after."""
    changed = []
    one, other = (_outcomes(run_folder(folder, run.number)) for run in (before, after))
    for place in sorted(one.keys() & other.keys()):
        question, outcomes = one[place]
        for name, value in outcomes.items():
            now = other[place][1].get(name)
            if None not in (value, now) and value != now:
                number, method, settings = place
                row = {"number": number, "method": method, "settings": settings, "question": question}
                changed.append(row | {"measure": name, "before": value, "after": now})
    return changed


_FOUND = 10
_Outcomes = dict[tuple[int, str, str], tuple[str, dict[str, Any]]]


def _outcomes(place: Path) -> _Outcomes:
    found: _Outcomes = {}
    for row in _rows(RETRIEVAL, place):
        ranked = None if row["rank"] is None else 0 < row["rank"] <= _FOUND
        found[row["number"], "retrieval", row["settings"]] = (row["question"], {"found": ranked})
    for row in _rows(ANSWERS, place):
        contains = None if row["contains"] is None else bool(row["contains"])
        outcomes = {"answered": row["supported"], "contains": contains}
        found[row["number"], row["method"], row["settings"]] = (row["question"], outcomes)
    return found


def _rows(declared: Table, folder: Path) -> list[dict[str, Any]]:
    path = folder / f"{declared.name}.parquet"
    return Rows(declared, path).table().to_pylist() if path.exists() else []
