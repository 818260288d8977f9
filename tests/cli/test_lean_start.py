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


def heavy(modules: set[str]) -> set[str]:
    """Return which of HEAVY is among modules."""
    return {module.partition(".")[0] for module in modules} & set(HEAVY)


@cache
def modules(cwd: Path, *programs: str) -> list[set[str]]:
    """Return by program all modules that a process which runs them one after the other has imported when it is through with
    that one: its own, and those of the programs before it."""
    shown = "print('modules', *sys.modules, file=sys.stderr)"
    code = "\n".join(["import sys", *(f"{program}\n{shown}" for program in programs)])
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], cwd=cwd, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = [set(line.split()[1:]) for line in done.stderr.splitlines() if line.startswith("modules ")]
    assert len(found) == len(programs), done.stderr
    return found


def command(*words: str) -> str:
    return f"""
kept = [*globals().get("kept", ()), sys.stdout, sys.stderr]  # each command wraps them, and closes those that nobody has
sys.argv = ["graphstrata", *{words!r}]
from pipeline.cli import main
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
"""


COMMANDS = [("status",), ("index",), *(("query", method, QUESTION) for method in ("basic", "entity", "global"))]
"""Commands that need little. One process runs them all: none may import what it, or one behind it, does without."""


def of_commands(indexed: Path) -> dict[tuple[str, ...], set[str]]:
    """Return by command what is imported when it has run."""
    return dict(zip(COMMANDS, modules(indexed, *(command(*words) for words in COMMANDS)), strict=True))


@pytest.mark.parametrize("words", COMMANDS)
def test_what_needs_no_graph_imports_nothing_heavy(indexed: Path, words: tuple[str, ...]) -> None:
    assert heavy(of_commands(indexed)[words]) == set()


def test_what_is_out_of_date_is_found_without_importing_what_would_make_it(indexed: Path) -> None:
    work = (
        "workflows.s",
        "pipeline.text",
        "pipeline.documents",
        "pipeline.retrieval",
        "pipeline.language.tasks.indexing",
    )
    found = {module for module in of_commands(indexed)["status",] if module.startswith(work)}
    assert found == {"workflows.stages"}


def test_an_index_with_nothing_to_do_imports_neither_stages_nor_searches(indexed: Path) -> None:
    work = ("workflows.s", "pipeline.documents", "pipeline.retrieval")
    assert {one for one in of_commands(indexed)["index",] if one.startswith(work)} == {"workflows.stages"}


def test_a_question_imports_the_search_that_answers_it_and_no_other(indexed: Path) -> None:
    found = of_commands(indexed)["query", "basic", QUESTION]
    assert {module for module in found if module.endswith("_search")} == {
        "pipeline.query.methods.basic_search",
        "pipeline.retrieval.chunk_search",
    }


def test_a_first_index_without_a_model_imports_nothing_heavy(tmp_path: Path) -> None:
    (tmp_path / "settings.yaml").write_text("chunks:\n  size: 60\n  overlap: 10\n")
    project(tmp_path)
    assert heavy(modules(tmp_path, command("index"))[0]) == set()


@pytest.mark.parametrize("method", ["local", "fusion"])
def test_what_runs_a_graph_imports_langgraph_and_what_that_imports_itself(indexed: Path, method: str) -> None:
    assert heavy(modules(indexed, command("query", method, QUESTION))[0]) == {"langgraph", "langchain_core"}


METHODS = ["basic", "entity", "global"]


@pytest.mark.parametrize("method", METHODS)
def test_a_question_from_python_imports_nothing_heavy(indexed: Path, method: str) -> None:
    asked = [f"from graphstrata import Index\nIndex.open('output').ask({QUESTION!r}, {one!r})" for one in METHODS]
    assert heavy(modules(indexed, *asked)[METHODS.index(method)]) == set()
