"""A process that has little to do imports little: neither pandas nor scipy, and LangGraph only where a graph is run."""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.corpora import project
from tests.paths import ROOT

HEAVY = ("pandas", "scipy", "langgraph", "langchain_core", "langchain_openai", "networkx")
QUESTION = "Who built the west mole of Carrow?"


def imported(program: str, cwd: Path) -> set[str]:
    """Return which of HEAVY a process that runs ``program`` has imported at its end."""
    return {module.partition(".")[0] for module in modules(program, cwd)} & set(HEAVY)


@cache
def modules(program: str, cwd: Path) -> set[str]:
    """Return all modules that a process that runs ``program`` has imported at its end, found once for the tests that ask the same."""
    code = f"import sys\n{program}\nprint(*sys.modules, file=sys.stderr)"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], cwd=cwd, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return set(done.stderr.splitlines()[-1].split()) if done.stderr.strip() else set()


def command(*words: str) -> str:
    return f"""
sys.argv = ["graphstrata", *{words!r}]
from pipeline.cli import main
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
"""


@pytest.mark.parametrize(
    "words", [("status",), ("index",), *(("query", m, QUESTION) for m in ("basic", "entity", "global"))]
)
def test_what_needs_no_graph_imports_nothing_heavy(indexed: Path, words: tuple[str, ...]) -> None:
    assert imported(command(*words), indexed) == set()


def test_what_is_out_of_date_is_found_without_importing_what_would_make_it(indexed: Path) -> None:
    work = (
        "workflows.s",
        "pipeline.text",
        "pipeline.documents",
        "pipeline.retrieval",
        "pipeline.language.tasks.indexing",
    )
    found = {module for module in modules(command("status"), indexed) if module.startswith(work)}
    assert found == {"workflows.stages"}


def test_an_index_with_nothing_to_do_imports_neither_stages_nor_searches(indexed: Path) -> None:
    work = ("workflows.s", "pipeline.documents", "pipeline.retrieval")
    assert {one for one in modules(command("index"), indexed) if one.startswith(work)} == {"workflows.stages"}


def test_a_question_imports_the_search_that_answers_it_and_no_other(indexed: Path) -> None:
    found = modules(command("query", "basic", QUESTION), indexed)
    assert {module for module in found if module.endswith("_search")} == {
        "pipeline.query.methods.basic_search",
        "pipeline.retrieval.chunk_search",
    }


def test_a_first_index_without_a_model_imports_nothing_heavy(tmp_path: Path) -> None:
    (tmp_path / "settings.yaml").write_text("chunks:\n  size: 60\n  overlap: 10\n")
    project(tmp_path)
    assert imported(command("index"), tmp_path) == set()


@pytest.mark.parametrize("method", ["local", "fusion"])
def test_what_runs_a_graph_imports_langgraph_and_what_that_imports_itself(indexed: Path, method: str) -> None:
    assert imported(command("query", method, QUESTION), indexed) == {"langgraph", "langchain_core"}


@pytest.mark.parametrize("method", ["basic", "entity", "global"])
def test_a_question_from_python_imports_nothing_heavy(indexed: Path, method: str) -> None:
    program = f"from graphstrata import Index\nIndex.open('output').ask({QUESTION!r}, {method!r})"
    assert imported(program, indexed) == set()
