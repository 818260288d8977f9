"""All language tasks by name: one file is one question, its prompt, its reply and its way without a model."""

from typing import Any

from pipeline.base.task import Task
from pipeline.language.tasks.drift.answer_follow_up import answer_follow_up
from pipeline.language.tasks.drift.prime_question import prime_question
from pipeline.language.tasks.drift.reduce_answers import reduce_answers
from pipeline.language.tasks.evaluation.write_questions import write_questions
from pipeline.language.tasks.indexing.extract_all import extract_all, glean_all
from pipeline.language.tasks.indexing.extract_claims import extract_claims, glean_claims
from pipeline.language.tasks.indexing.extract_facts import extract_facts, glean_facts
from pipeline.language.tasks.indexing.extract_graph import extract_graph, glean_graph
from pipeline.language.tasks.indexing.match_names import match_names
from pipeline.language.tasks.indexing.propose_settings import propose_settings
from pipeline.language.tasks.indexing.scan_text import scan_text
from pipeline.language.tasks.indexing.summarise_descriptions import summarise_descriptions
from pipeline.language.tasks.indexing.write_report import write_report, write_small_report
from pipeline.language.tasks.reader.answer_from_notebook import answer_from_notebook
from pipeline.language.tasks.reader.choose_neighbours import choose_neighbours
from pipeline.language.tasks.reader.choose_nodes import choose_nodes
from pipeline.language.tasks.reader.plan_reading import plan_reading
from pipeline.language.tasks.reader.read_chunk import read_chunk
from pipeline.language.tasks.reader.read_facts import read_facts
from pipeline.language.tasks.search.answer_from_passages import answer_from_passages
from pipeline.language.tasks.search.choose_method import choose_method
from pipeline.language.tasks.search.confirm_support import confirm_support
from pipeline.language.tasks.search.grade_documents import grade_documents
from pipeline.language.tasks.search.grade_strips import grade_strips
from pipeline.language.tasks.search.integrate_questions import integrate_questions
from pipeline.language.tasks.search.judge_answers import judge_answers
from pipeline.language.tasks.search.make_standalone import make_standalone
from pipeline.language.tasks.search.map_reports import map_reports
from pipeline.language.tasks.search.rate_reports import rate_reports
from pipeline.language.tasks.search.reduce_points import reduce_points
from pipeline.language.tasks.search.similar_questions import similar_questions
from pipeline.language.tasks.search.write_opening import write_opening
from pipeline.language.tasks.search.write_web_query import write_web_query

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
        extract_all,
        glean_all,
        match_names,
        propose_settings,
        summarise_descriptions,
        write_report,
        write_small_report,
        rate_reports,
        map_reports,
        reduce_points,
        answer_from_passages,
        similar_questions,
        integrate_questions,
        grade_documents,
        grade_strips,
        write_web_query,
        choose_method,
        prime_question,
        answer_follow_up,
        reduce_answers,
        make_standalone,
        confirm_support,
        write_opening,
        judge_answers,
        write_questions,
        plan_reading,
        choose_nodes,
        read_facts,
        read_chunk,
        choose_neighbours,
        answer_from_notebook,
    )
}
