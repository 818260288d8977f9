"""What the commands verify, import and export do."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from pipeline.base.errors import InputError, SettingsError, VerifyError
from pipeline.cli.terminal import folded
from pipeline.runner.project import Project

if TYPE_CHECKING:
    from pipeline.exchange.folder import Exported


def verify_index(root: Path, path: Path | None, json: bool) -> None:
    """Print what is wrong with the index in ``path``, by default the project's; VerifyError when anything is."""
    from pipeline.base.input_files import InputFiles
    from pipeline.exchange.verify.check import as_json, as_text
    from pipeline.exchange.verify.verify import verify
    from pipeline.text.inflection import in_number
    from workflows.stages import index_passages

    files = None
    if path is None:
        project = Project.open(root)
        path, files = project.store.folder, InputFiles(project.input, project.settings.input)
    kind, checks = verify(path, files if files and files.folder.is_dir() else None, index_passages)
    faults = sum(check.faults for check in checks)
    typer.echo(as_json(kind, checks) if json else as_text(checks))
    if faults:
        wrong = [check.name for check in checks if check.faults]
        raise VerifyError(
            f"{in_number(faults, 'fault')} in {path}: {', '.join(wrong)}",
            "the lines above give counts and examples",
            "run graphstrata index, or graphstrata rollback"
            if kind == "graphstrata"
            else "graphstrata import microsoft repairs what can be repaired",
        )


def import_index(root: Path, kind: str, folder: Path) -> None:
    """Publish the index in ``folder`` (kind microsoft or lightrag), or a graph (kind graph), as the project's, and print
    what was put otherwise."""
    import time
    from contextlib import ExitStack, closing

    from pipeline.base.engine.choose import opened_engine
    from pipeline.cli.bars import closing_counts
    from pipeline.exchange.graphs.lightrag import read_lightrag
    from pipeline.exchange.graphs.own_graph import read_graph
    from pipeline.exchange.microsoft.read import Stages, read_microsoft_index
    from pipeline.exchange.microsoft.read import import_microsoft as bring_in
    from pipeline.language.backends.embedder import embedder
    from pipeline.language.backends.offline import OfflineBackend
    from pipeline.language.budget import Budget
    from pipeline.language.ledger import Ledger
    from pipeline.language.service import LanguageService
    from pipeline.runner.last_run import note_run
    from workflows.stages import (
        annotate_sentences,
        embed,
        extract_facts,
        index_passages,
        lay_out_map,
        resolve_names,
        write_reports,
    )

    project = Project.open(root)
    if not folder.exists():
        raise InputError(f"no file or folder at {folder}", "the index to take over should be there", "check the path")
    last = project.store.last()
    tokenizer, note = project.tokenizer(last)
    typer.echo(note, err=True)
    corrections = project.corrections()
    stages = Stages(annotate_sentences, resolve_names, extract_facts, lay_out_map, write_reports, index_passages, embed)
    settings, ledger, started = project.settings, Ledger(), time.monotonic()
    with ExitStack() as stack:
        engine = stack.enter_context(opened_engine(settings.engine))
        service = stack.enter_context(closing(LanguageService(OfflineBackend(engine), ledger)))
        vectors = embedder(settings, ledger, Budget(settings.limits), None, _note)
        if vectors:
            stack.enter_context(closing(vectors))
        read = {"microsoft": read_microsoft_index, "lightrag": read_lightrag, "graph": read_graph}[kind]
        imported = bring_in(
            folder, project.store, settings, tokenizer, service, stages, vectors, _note, corrections, read
        )
    did = f"import {kind}"
    note_run(project.store, did, imported.status, ledger, time.monotonic() - started, imported.generation)
    for line in imported.notes:
        _note(line)
    typer.echo(f"imported: generation {imported.generation}")
    typer.echo(closing_counts(imported.rows))
    typer.echo(f"tables are in {project.store.folder}; a run of graphstrata index replaces them by the input folder's")


def export_index(root: Path, kind: str, folder: Path, force: bool) -> None:
    """Write the project's index to ``folder``, and print what was written."""
    if kind == "html":
        from pipeline.web.one_file.write import export_html

        return _print_export(export_html(root, folder, force))
    generation = Project.open(root).store.open()
    if kind == "graphml":
        from pipeline.exchange.graphml import export_graphml as export
    elif kind == "json":
        from pipeline.exchange.json_lines import export_json as export
    elif kind == "microsoft":
        from pipeline.exchange.microsoft.write import export_microsoft as export
    elif kind == "neo4j":
        from pipeline.exchange.neo4j.csv_files import export_neo4j as export
    elif kind == "postgres":
        from pipeline.exchange.postgres import export_postgres as export
    elif kind == "obsidian":
        from pipeline.exchange.obsidian import export_obsidian as export
    elif kind == "turtle":
        from pipeline.exchange.rdf import export_turtle as export
    else:
        from pipeline.exchange.rdf import export_json_ld as export
    return _print_export(export(generation, folder, force))


def _print_export(exported: "Exported") -> None:
    typer.echo(folded(", ".join(f"{count:,} {name}" for name, count in exported.counts.items() if count) or "nothing"))
    for line in exported.notes:
        _note(line)
    files = sorted(exported.folder.iterdir()) if exported.folder.is_dir() else []
    typer.echo(f"written to {files[0] if len(files) == 1 else exported.folder}")


def load_neo4j(root: Path, uri: str, user: str, password_env: str, database: str | None) -> None:
    """Load the project's index into a running Neo4j; the password is read from an environment variable."""
    from pipeline.exchange.neo4j.load import connect, load

    password = os.environ.get(password_env)
    if not password:
        raise SettingsError(
            f"the environment variable {password_env} is not set",
            "it holds the password of the database; passwords are in no file and on no command line",
            f"set {password_env}",
        )
    generation = Project.open(root).store.open()
    with connect(uri, user, password) as driver:
        loaded = load(generation, driver, database)
    typer.echo(", ".join(f"{count:,} {name}" for name, count in loaded.counts.items()))


def _note(line: str) -> None:
    typer.echo(line, err=True)
