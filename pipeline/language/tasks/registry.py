"""All language tasks by name: one file is one question, its prompt, its reply and its way without a model."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from pipeline.base.task import Task

_FILES = {
    "indexing.scan_text": ("scan_text",),
    "indexing.extract_graph": ("extract_graph", "glean_graph"),
    "indexing.extract_claims": ("extract_claims", "glean_claims"),
    "indexing.extract_facts": ("extract_facts", "glean_facts"),
    "indexing.extract_all": ("extract_all", "glean_all"),
    "indexing.match_names": ("match_names",),
    "indexing.propose_settings": ("propose_settings",),
    "indexing.summarise_descriptions": ("summarise_descriptions",),
    "indexing.write_report": ("write_report", "write_small_report"),
    "search.rate_reports": ("rate_reports",),
    "search.map_reports": ("map_reports",),
    "search.reduce_points": ("reduce_points",),
    "search.answer_from_passages": ("answer_from_passages",),
    "search.similar_questions": ("similar_questions",),
    "search.integrate_questions": ("integrate_questions",),
    "search.grade_documents": ("grade_documents",),
    "search.grade_strips": ("grade_strips",),
    "search.write_web_query": ("write_web_query",),
    "search.choose_method": ("choose_method",),
    "drift.prime_question": ("prime_question",),
    "drift.answer_follow_up": ("answer_follow_up",),
    "drift.reduce_answers": ("reduce_answers",),
    "search.make_standalone": ("make_standalone",),
    "search.translate_question": ("translate_question",),
    "search.confirm_support": ("confirm_support",),
    "search.write_opening": ("write_opening",),
    "search.judge_answers": ("judge_answers",),
    "evaluation.write_questions": ("write_questions",),
    "reader.plan_reading": ("plan_reading",),
    "reader.choose_nodes": ("choose_nodes",),
    "reader.read_facts": ("read_facts",),
    "reader.read_chunk": ("read_chunk",),
    "reader.choose_neighbours": ("choose_neighbours",),
    "reader.answer_from_notebook": ("answer_from_notebook",),
}
_MODULES = {name: f"{__package__}.{file}" for file, names in _FILES.items() for name in names}


class _Tasks(Mapping[str, Task[Any, Any]]):
    """The tasks by name; the module of a task is imported when the task is first looked up."""

    def __getitem__(self, name: str) -> Task[Any, Any]:
        task: Task[Any, Any] = getattr(import_module(_MODULES[name]), name)
        return task

    def __iter__(self) -> Iterator[str]:
        return iter(_MODULES)

    def __len__(self) -> int:
        return len(_MODULES)

    def __contains__(self, name: object) -> bool:
        return name in _MODULES


TASKS = _Tasks()


def module_of(name: str) -> str:
    """Return the module that declares the task of this name, which need not have been imported."""
    return _MODULES[name]
