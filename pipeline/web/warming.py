"""What the first reader of a project would wait for is read soon after the start, while nobody waits."""

import asyncio
from collections.abc import Iterable
from contextlib import suppress

import anyio
import anyio.to_thread

from pipeline.base.errors import GraphstrataError
from pipeline.web.api.communities import read_report
from pipeline.web.api.documents import read_document
from pipeline.web.api.entities import read_entity, search_names
from pipeline.web.projects import ServedProject
from pipeline.web.questions.answer_pool import SOON
from pipeline.web.questions.questions import QuestionRuns


async def warm(projects: Iterable[ServedProject], questions: QuestionRuns) -> None:
    """Read ahead for the first project that can be read, after SOON seconds: who opens the page at once comes first."""
    await asyncio.sleep(SOON)
    await anyio.to_thread.run_sync(_first, projects, questions, abandon_on_cancel=True)


def _first(projects: Iterable[ServedProject], questions: QuestionRuns) -> None:
    for project in projects:
        with suppress(GraphstrataError):  # the reply to whoever opens the project says what is wrong with it
            questions.expect(project)
            read_first_rows(project)
            return


def read_first_rows(project: ServedProject) -> None:
    """Read one row of each kind that a reader looks at, and with it the columns and lookups of all of that kind."""
    opened = project.open()
    search_names(project, "a", 1)
    for table, column, read in (
        ("entities", "id", read_entity),
        ("documents", "id", read_document),
        ("community_reports", "community", read_report),
    ):
        for row in opened.page(table, [column], 0, 1):
            read(project, row[column])
