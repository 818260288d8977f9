"""The structure of the project: imports go down the floors, every file says what it is, tables have one writer, settings are documented."""

import ast
import gc
import os
import re
from collections import Counter
from functools import cache
from graphlib import TopologicalSorter
from importlib import import_module
from pathlib import Path

import pytest

from pipeline.base.errors import PlanError
from pipeline.base.schema import TABLES
from pipeline.base.settings import ModelSettings, Section, Settings, TaskSettings, write_settings
from pipeline.base.source_hash import closure
from pipeline.base.workflow import SOURCES, Workflow, check_plan
from pipeline.language.tasks.registry import TASKS
from pipeline.language.tasks.registry import module_of as task_module
from tests.paths import ROOT
from workflows.stages import STAGES

FLOORS = {
    "pipeline.base": 0,
    "pipeline.text": 1,
    "pipeline.graph": 1,
    "pipeline.documents": 2,
    "pipeline.retrieval": 2,
    "pipeline.language": 2,
    "pipeline.resolution": 2,
    "workflows": 3,
    "pipeline.query": 3,
    "pipeline.exchange": 3,
    "pipeline.runner": 4,
    "pipeline.web": 5,
    "pipeline.cli": 6,
    "pipeline.__main__": 7,
    "pipeline": 0,
    "graphstrata": 7,
}
MODULES = sorted(
    path for package in ("graphstrata", "pipeline", "workflows") for path in (ROOT / package).rglob("*.py")
)


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def package_of(module: str) -> str:
    return next(
        package
        for package in sorted(FLOORS, key=len, reverse=True)
        if module == package or module.startswith(f"{package}.")
    )


@cache
def trees() -> dict[Path, ast.Module]:
    """Return the syntax trees of all files, parsed once for all tests: their half a million nodes hold no cycles to look for."""
    gc.disable()
    try:
        return {path: ast.parse(path.read_text(encoding="utf-8")) for path in MODULES}
    finally:
        gc.enable()


def tree_of(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return trees()[path]


@cache
def nodes_of(path: Path) -> list[ast.AST]:
    """Return every node of the tree of a file."""
    return list(ast.walk(tree_of(path)))


def imports_of(path: Path) -> set[str]:
    found = set()
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name} imports relatively"
            found.add(node.module or "")
    return {name for name in found if name.split(".")[0] in ("graphstrata", "pipeline", "workflows")}


def test_imports_go_down_the_floors() -> None:
    upwards = []
    for module, path in zip(map(module_of, MODULES), MODULES, strict=True):
        own = package_of(module)
        others = {imported: package_of(imported) for imported in imports_of(path)}
        upwards += [(module, name) for name, other in others.items() if other != own and FLOORS[other] >= FLOORS[own]]
    assert not upwards, "each of these modules imports the one behind it, which is no floor below"


def test_no_folder_holds_more_than_fifteen_source_files() -> None:
    sizes = Counter(path.parent for path in MODULES if path.name != "__init__.py")
    assert {str(folder): size for folder, size in sizes.items() if size > 15} == {}


def test_class_names_are_unique_over_the_project() -> None:
    names: Counter[str] = Counter()
    for path in MODULES:
        names.update({node.name for node in nodes_of(path) if isinstance(node, ast.ClassDef)})
    assert {name: count for name, count in names.items() if count > 1} == {}, "these name two classes"


@cache
def imports() -> dict[str, set[str]]:
    """Return by module the modules of the project that it imports; what only types need does not count."""
    paths = {module_of(path): path for path in MODULES}
    graph: dict[str, set[str]] = {}
    for module, path in paths.items():
        hidden = [
            node for node in nodes_of(path) if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        ]
        for_types = {inner for node in hidden for inner in ast.walk(node)}
        graph[module] = set()
        for node in nodes_of(path):
            if isinstance(node, ast.ImportFrom) and node not in for_types:
                inner = {f"{node.module}.{alias.name}" for alias in node.names}
                graph[module] |= ({*(inner & paths.keys())} or {str(node.module)}) & paths.keys()
            elif isinstance(node, ast.Import) and node not in for_types:
                graph[module] |= {alias.name for alias in node.names} & paths.keys()
    return graph


def test_modules_do_not_import_each_other_in_a_circle() -> None:
    list(TopologicalSorter(imports()).static_order())  # CycleError names the circle


def test_folders_beside_each_other_do_not_import_each_other_in_a_circle() -> None:
    folders: dict[str, set[str]] = {}
    for module, imported in imports().items():
        for other in imported:
            own, others = module.split("."), other.split(".")
            depth = next((at for at, (a, b) in enumerate(zip(own, others, strict=False)) if a != b), len(own))
            if depth > 0 and depth + 1 < min(len(own), len(others)):
                folders.setdefault(".".join(own[: depth + 1]), set()).add(".".join(others[: depth + 1]))
    list(TopologicalSorter(folders).static_order())


def test_every_file_opens_by_saying_what_it_is() -> None:
    openings = {path: (ast.get_docstring(tree_of(path)) or "").split("\n\n")[0] for path in MODULES}
    assert not [str(path) for path, opening in openings.items() if not opening.endswith((".", ":"))]


UNPICKLE = {"pickle", "_pickle", "cPickle", "marshal", "shelve", "dill", "cloudpickle", "joblib", "builtins"}
RUN = {"eval", "exec", "compile", "__import__"}
METHODS = {"yaml.load", "yaml.unsafe_load", "yaml.full_load", "os.system", "os.popen", "np.load", "numpy.load"}
METHODS |= {"pd.read_pickle", "pandas.read_pickle", "pd.eval", "pandas.eval"}


def unsafe(nodes: list[ast.AST]) -> tuple[set[str], set[str]]:
    """Return what a module imports, and what it names that would run or unpickle data."""
    imported = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    named = {node.id for node in nodes if isinstance(node, ast.Name)} & RUN
    named |= {ast.unparse(node) for node in nodes if isinstance(node, ast.Attribute)} & METHODS
    named |= {"allow_pickle" for node in nodes if isinstance(node, ast.keyword) and node.arg == "allow_pickle"}
    return imported, named


@pytest.mark.parametrize(
    "source",
    ["from pickle import loads", "import pickle as p", "run = eval", "yaml.load(x)", "np.load(f, allow_pickle=True)"],
)
def test_the_next_test_sees(source: str) -> None:
    imported, named = unsafe(list(ast.walk(ast.parse(source))))
    assert named or imported & UNPICKLE


def test_nothing_is_unpickled_or_evaluated_and_parquet_is_touched_in_one_module() -> None:
    for path in MODULES:
        imported, named = unsafe(nodes_of(path))
        assert not named, path
        assert not {name.partition(".")[0] for name in imported} & UNPICKLE, path
        if package_of(module_of(path)) != "pipeline.exchange" and path.name != "parquet.py":
            assert "pyarrow.parquet" not in imported, (
                f"{path} touches Parquet; only pipeline/base/storage/parquet.py may"
            )


LEAN = ("pipeline.base", "pipeline.graph", "pipeline.query", "pipeline.retrieval", "workflows")


def test_what_questions_and_stages_run_through_never_makes_pyarrow_import_pandas() -> None:
    for path in MODULES:
        if package_of(module_of(path)) in LEAN and path.name != "build.py":
            calls = re.findall(r"\bpa\.(?:array|scalar)\(|\.to_numpy\(", path.read_text(encoding="utf-8"))
            assert not calls, f"{path} calls {calls[0]}: see pipeline/base/arrow/build.py"


def test_every_table_has_one_writer_and_is_written_before_it_is_read() -> None:
    written = [table.name for stage in STAGES for table in stage.writes]
    assert len(written) == len(set(written))
    assert set(written) | {"failures", "calls"} == set(TABLES)


def test_a_second_writer_is_refused_at_import() -> None:
    with pytest.raises(PlanError, match="second writer"):
        check_plan((*STAGES, STAGES[0]), SOURCES)


def test_a_workflow_whose_parameters_are_not_its_reads_is_refused() -> None:
    wrong = Workflow("s20_cut_chunks", reads=(TABLES["chunks"],), writes=())
    with pytest.raises(PlanError, match="its declaration says"):
        _ = wrong.run


def test_the_work_of_every_stage_takes_what_the_stage_declares() -> None:
    assert all(callable(stage.run) for stage in STAGES)  # PlanError names the one that does not


def test_every_reference_names_a_declared_column() -> None:
    for table in TABLES.values():
        for column in table.references:
            target, name = str(column.refers).split(".")
            assert name in {other.name for other in TABLES[target].columns}, f"{table.name}.{column.name}"


def test_every_table_column_setting_stage_and_task_is_documented() -> None:
    for table in TABLES.values():
        assert table.help and all(column.help for column in table.columns)
        assert all(value in column.help for column in table.columns for value in column.among)
    for section in [*(field.default for field in Settings.model_fields.values()), ModelSettings, TaskSettings]:
        if isinstance(section, Section) or section in (ModelSettings, TaskSettings):
            kind = section if isinstance(section, type) else type(section)
            assert kind.__doc__
            assert all(field.description for field in kind.model_fields.values()), kind.__name__
    assert all(stage.help for stage in STAGES)
    assert all(import_module(task_module(name)).__doc__ for name in TASKS)


def test_the_settings_of_the_sample_are_those_that_init_writes() -> None:
    assert (ROOT / "settings.yaml").read_text(encoding="utf-8") == write_settings()


def test_every_task_that_a_stage_asks_is_listed_by_its_name() -> None:
    for stage in STAGES:
        for name in stage.asks:
            assert TASKS[name].name == name
            assert task_module(name) in closure(stage.module), f"{stage.name} never asks {name}"


def test_every_task_is_declared_with_its_function_without_a_model_where_the_registry_says() -> None:
    for name, task in TASKS.items():
        assert task.name == name and task.offline.__module__ == task_module(name)
        assert task.reply.__module__ in closure(task_module(name))


def test_stages_are_in_the_order_of_their_files() -> None:
    names = [stage.name for stage in STAGES]
    assert names == sorted(names)
    files = {path.stem for path in (ROOT / "workflows").glob("s[0-9]*.py")}
    assert files == set(names)


def test_the_project_speaks_of_itself_alone() -> None:
    for path in [*MODULES, ROOT / "README.md", ROOT / "Makefile", *(ROOT / "benchmarks").glob("*.py")]:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"/work/|/root/|/home/\w+/|/opt/", text), f"{path.name} names a path of a machine"


def test_tests_of_a_module_run_in_one_process(request: pytest.FixtureRequest) -> None:
    """Where groups are not known, each process makes for itself what the tests of a module share."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        pytest.skip("all tests run in one process")
    assert request.node.nodeid.endswith("@tests/test_house.py")
