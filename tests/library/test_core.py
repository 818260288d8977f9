"""The core: where LangChain, LangGraph and OpenAI's client are not installed, everything that needs no model works."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.corpora import write_texts
from tests.paths import ROOT

MODELS_ALONE = {"langchain-core", "langchain-openai", "langgraph", "tiktoken"}
"""Dependencies that only models, and the two methods that run on LangGraph, need."""

BLOCK = """
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"langchain", "langchain_core", "langchain_openai", "langgraph", "langsmith", "openai", "tiktoken"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Blocked())
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("core")
    (folder / "sitecustomize.py").write_text(BLOCK)
    write_texts(folder / "input")
    (folder / "settings.yaml").write_text("{}\n")
    said = graphstrata(folder, "index")
    assert said.returncode == 0, said.stderr
    return folder


def graphstrata(root: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(root), str(ROOT)])}
    command = [sys.executable, "-m", "pipeline", *words, "--root", str(root)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_it_indexes_and_answers(root: Path) -> None:
    said = graphstrata(root, "query", "Who built the west mole?")
    assert said.returncode == 0 and "Ada Thorne" in said.stdout


def test_a_method_that_runs_on_langgraph_says_so(root: Path) -> None:
    said = graphstrata(root, "query", "local", "Who built the west mole?")
    assert said.returncode == 9
    assert "LangGraph is not installed" in said.stderr and "pip install langgraph" in said.stderr


def test_auto_chooses_a_method_that_can_run(root: Path) -> None:
    said = graphstrata(root, "query", "How are Ada Thorne and Edmund Vane connected?")
    assert said.returncode == 0 and "Vane" in said.stdout


def test_its_requirements_are_the_dependencies_without_those_of_models() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    lines = (ROOT / "requirements-core.txt").read_text(encoding="utf-8").splitlines()
    core = [line for line in lines if not line.startswith("#")]
    assert core == [one for one in declared if one.partition(">")[0] not in MODELS_ALONE]
