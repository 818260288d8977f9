"""Each notebook's cells run from the first to the last, in the folder of a project."""

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.paths import ROOT

NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


def read(path: Path) -> dict[str, Any]:
    notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return notebook


def code_of(notebook: dict[str, Any]) -> Iterator[str]:
    return ("".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code")


def run_cell(code: str, namespace: dict[str, Any]) -> Any:
    """Run a cell; return what its last line shows, None where that is a statement."""
    tree = ast.parse(code)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), namespace)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), namespace) if last else None


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_cells_of_a_notebook_run_in_order_and_show_something(path: Path, project: Path) -> None:
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for code in code_of(read(path)):
        shown = run_cell(code, namespace)
        assert shown is None or repr(shown)
        if hasattr(shown, "_repr_html_"):
            assert shown._repr_html_()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_without_its_outputs(path: Path) -> None:
    notebook = read(path)
    assert notebook["nbformat"] == 4
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)


def test_the_guide_names_every_notebook() -> None:
    guide = (ROOT / "docs" / "guides" / "notebooks.md").read_text(encoding="utf-8")
    assert [path.name for path in NOTEBOOKS if f"../notebooks/{path.name}" not in guide] == []
    assert len(NOTEBOOKS) >= 3
