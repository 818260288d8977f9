"""What a workflow is: a pure generator from tables to tables that declares what it reads, asks and writes."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Literal, Protocol

import pyarrow as pa

from pipeline.base.errors import PlanError
from pipeline.base.table import Table


@dataclass(frozen=True)
class InputSource:
    """Something read that is not a table: the input files, or what is corrected by hand."""

    name: str
    help: str


FILES = InputSource("files", "the files of the input folder that match the settings' patterns")
CORRECTIONS = InputSource("corrections", "the corrections of names in corrections.yaml")
SPLITS = InputSource("splits", "those of the corrections that keep two names apart")
SOURCES = frozenset({FILES.name, CORRECTIONS.name, SPLITS.name})
"""What stages read that no stage writes."""

Parts = Iterator[tuple[Table, pa.Table]]
"""What a workflow yields: parts of its tables, in any grouping; the gate checks and writes each as it comes."""


class Notes(Protocol):
    """Where a workflow reports what it left out and what the user should know."""

    def report(self, line: str) -> None:
        """Show one line to whoever watches the run."""
        ...

    def problem(self, item: str, reason: str, kind: Literal["failed", "skipped"], task: str = "reading") -> None:
        """Enter one item that failed, or was skipped by a decision, into the failures table."""
        ...


@dataclass(frozen=True, eq=False)
class Workflow:
    """One stage: what it reads and writes, the tasks that it asks by name, the sections of settings that it is handed, tables
    that it takes from the last published generation, and the resources that it uses: ``tokenizer``, that of the index; ``embedder``,
    the embedding model or None; ``notes``. ``beside``: no stage that asks a model waits long for its tables, so that a worker
    may make them while the stages after it go on.

    Its work is the function ``run`` of the module ``workflows.NAME``, which is imported when it is first looked at: who only
    asks what is out of date needs none of it.
    """

    name: str
    reads: tuple[Table | InputSource, ...]
    writes: tuple[Table, ...]
    asks: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    previous: tuple[Table, ...] = ()
    resources: tuple[str, ...] = ()
    beside: bool = False

    @property
    def module(self) -> str:
        """The module that holds the work."""
        return f"workflows.{self.name}"

    @property
    def help(self) -> str:
        """What the work does, in a sentence or two."""
        return " ".join((self.run.__doc__ or "").split())

    @cached_property
    def run(self) -> Callable[..., Parts]:
        """The work. PlanError unless its parameters are what the stage declares: its reads by name, ``settings`` where it names
        a section (it is handed that section; further sections go by their own names), ``language`` where it asks,
        ``previous_NAME`` for each table of the last generation (None when there is none), and its resources."""
        run: Callable[..., Parts] = import_module(self.module).run
        expected = [*(read.name for read in self.reads), *parameters_of(self.settings)]
        expected += ["language"] if self.asks else []
        expected += [*(f"previous_{table.name}" for table in self.previous), *self.resources]
        found = list(inspect.signature(run).parameters)
        if found != expected:
            raise PlanError(f"workflow {self.name}: its parameters are {found}, its declaration says {expected}")
        return run

    def call(
        self,
        read: Callable[[Table | InputSource], object],
        settings: object,
        language: object,
        previous: Callable[[Table], object],
        resources: Mapping[str, object],
    ) -> Parts:
        """Run the stage with what it declares, and nothing else: its reads, its sections of ``settings``, ``language`` where it
        asks, what ``previous`` has of the last generation, and its resources."""
        given = {one.name: read(one) for one in self.reads}
        given |= {
            name: getattr(settings, section)
            for name, section in zip(parameters_of(self.settings), self.settings, strict=True)
        }
        given |= {"language": language} if self.asks else {}
        given |= {f"previous_{table.name}": previous(table) for table in self.previous}
        return self.run(**given, **{name: resources[name] for name in self.resources})


def parameters_of(sections: tuple[str, ...]) -> list[str]:
    """Return the parameters by which a workflow is handed its sections of settings: the first one as ``settings``."""
    return ["settings", *sections[1:]] if sections else []


def check_plan(stages: tuple[Workflow, ...], preset: frozenset[str] = frozenset()) -> None:
    """Raise PlanError unless each table has one writer and is written before it is read."""
    written = set(preset)
    for stage in stages:
        for read in stage.reads:
            if isinstance(read, Table) and read.name not in written:
                raise PlanError(f"workflow {stage.name} reads {read.name} before any workflow wrote it")
        for table in stage.writes:
            if table.name in written:
                raise PlanError(f"table {table.name} has a second writer, {stage.name}")
            written.add(table.name)


def stage_label(stage: str) -> str:
    """Return the name of a stage for people: s30_extract_graph is "extract graph"."""
    number, _, rest = stage.partition("_")
    return rest.replace("_", " ") if number[:1] == "s" and number[1:].isdigit() else stage
