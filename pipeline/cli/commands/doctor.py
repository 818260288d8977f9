"""The command doctor: looks over everything a run rests on and says what is well and what is not."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

import typer

from pipeline.base.errors import GraphstrataError
from pipeline.base.settings import ModelSettings
from pipeline.base.store import Generation
from pipeline.cli.terminal import as_json
from pipeline.language.transport.api_keys import read_key
from pipeline.runner.project import Project
from pipeline.text.inflection import in_number

State = Literal["well", "note", "fault"]


@dataclass(frozen=True)
class Diagnosis:
    """One thing that was looked at."""

    what: str
    state: State
    text: str


def examine(root: Path, json: bool, online: bool) -> None:
    """Print the findings; the exit code is 2 when one is a fault."""
    findings = list(_findings(root, online))
    if json:
        typer.echo(as_json([asdict(finding) for finding in findings]))
    else:
        for finding in findings:
            typer.echo(f"{finding.state:6} {finding.what:24} {finding.text}")
    if any(finding.state == "fault" for finding in findings):
        raise typer.Exit(2)


def _findings(root: Path, online: bool) -> Iterator[Diagnosis]:
    yield Diagnosis("python", "well", sys.version.split()[0])
    try:
        project = Project.open(root)
    except GraphstrataError as error:
        yield _fault("settings", error)
        return
    yield Diagnosis("settings", "well", str(root / "settings.yaml"))
    yield _looked("input", lambda: _input(project))
    yield _looked("output", lambda: _output(project))
    last = _last(project)
    yield _looked("tokenizer", lambda: project.tokenizer(last)[1])
    yield _looked("index", lambda: _index(last))
    if not project.settings.models:
        yield Diagnosis("models", "note", "none: everything is done without a model, key or network")
    for name, model in project.settings.models.items():
        yield _looked(f"key of {name}", lambda name=name, model=model: _key(name, model))  # type: ignore[misc]
        text = "not in settings: costs are unknown, and --max-cost is refused" if model.unpriced else "known"
        yield Diagnosis(f"price of {name}", "note" if model.unpriced else "well", text)
        if online:
            yield from _probed(project, name)


def _looked(what: str, look: Callable[[], str]) -> Diagnosis:
    try:
        return Diagnosis(what, "well", look())
    except GraphstrataError as error:
        return _fault(what, error)


def _fault(what: str, error: GraphstrataError) -> Diagnosis:
    return Diagnosis(what, "fault", "; ".join(part for part in (error.found, error.why, error.fix) if part))


def _input(project: Project) -> str:
    if project.mirror is not None:
        return f"{project.mirror.count(project.settings.input):,} files at {project.settings.input.folder}"
    found = project.input_files().found
    left_out = f", {len(found.problems)} left out" if found.problems else ""
    others = "".join(f"; not read: {line}" for line in project.files_not_read())
    return f"{in_number(len(found.sources), 'file')} in {project.settings.input.folder}{left_out}{others}"


def _output(project: Project) -> str:
    project.store.prepare()
    return f"{project.store.folder} can be written"


def _last(project: Project) -> Generation | None:
    try:
        return project.store.last_or_error()[0]
    except GraphstrataError:
        return None  # reported under "index"


def _index(last: Generation | None) -> str:
    if last is None:
        return "none yet"
    broken = last.damage(thorough=True)
    if broken:
        raise GraphstrataError(
            "; ".join(f"{name}: {what}" for name, what in broken.items()),
            "questions that read these tables fail",
            "run: graphstrata index",
        )
    made = " by an earlier version, which the next run brings into today's form" if last.tables_folder else ""
    return f"generation {last.manifest.generation}, {last.manifest.status}, all files as published{made}"


def _key(name: str, model: ModelSettings) -> str:
    read_key(name, model)
    return f"{model.api_key_env} is set" if model.api_key_env else "none needed"


def _probed(project: Project, name: str) -> Iterator[Diagnosis]:
    from pipeline.language.transport.probe import probe

    found = probe(project.settings.models[name], name)
    state: State = "well" if found.reachable else "fault"
    yield Diagnosis(f"reaching {name}", state, "answers" if found.reachable else found.message)
    if found.structured:
        able = [mode for mode, can in found.structured.items() if can]
        own = project.settings.models[name].structured
        yield Diagnosis(
            f"structure of {name}",
            "well" if own in able else "fault",
            f"can: {', '.join(able) or 'none'}; settings say {own}",
        )
    if found.context is not None or found.context_ok is not None:
        yield Diagnosis(
            f"context of {name}",
            "well" if found.context_ok else "note",
            f"{found.context or 'unknown'} tokens by its own account",
        )
    if found.embedding_size is not None:
        yield Diagnosis(f"vectors of {name}", "well", f"{found.embedding_size} numbers each")
    if found.reachable and found.message:
        yield Diagnosis(f"notes on {name}", "note", found.message.replace("\n", "; "))
