"""All language tasks by name: one file is one question, its prompt, its reply and its way without a model."""

from typing import Any

from pipeline.base.task import Task
from pipeline.language.tasks.extract_claims import extract_claims, glean_claims
from pipeline.language.tasks.extract_facts import extract_facts, glean_facts
from pipeline.language.tasks.extract_graph import extract_graph, glean_graph
from pipeline.language.tasks.map_reports import map_reports
from pipeline.language.tasks.rate_reports import rate_reports
from pipeline.language.tasks.reduce_points import reduce_points
from pipeline.language.tasks.scan_text import scan_text
from pipeline.language.tasks.summarise_descriptions import summarise_descriptions
from pipeline.language.tasks.write_report import write_report, write_small_report

TASKS: dict[str, Task[Any, Any]] = {
    task.name: task
    for task in (
        scan_text,
        extract_graph,
        glean_graph,
        extract_claims,
        glean_claims,
        extract_facts,
        glean_facts,
        summarise_descriptions,
        write_report,
        write_small_report,
        rate_reports,
        map_reports,
        reduce_points,
    )
}
