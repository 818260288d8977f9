"""What is read ahead is what the first reader would wait for."""

from pipeline.web.api.entities import read_entity
from pipeline.web.projects import ServedProject
from pipeline.web.warming import read_first_rows
from tests.query_cases import sample
from tests.web.server_cases import write_settings


def test_one_row_of_each_kind_is_read_and_nothing_is_left_for_the_first_reader() -> None:
    project = ServedProject("sample", write_settings(sample().parent))
    read_first_rows(project)
    opened = project.open()
    made = set(opened._by_value)
    (entity,) = opened.page("entities", ["id"], 1, 1)
    read_entity(project, entity["id"])
    assert made and set(opened._by_value) == made
