"""What recurs over the documents of a project, each with a question that asks for it."""

from typing_extensions import TypedDict

from pipeline.query.evidence.themes import ThemeFinder, Unit
from pipeline.query.messages import suggested
from pipeline.web.api.suggestions import corpus_language
from pipeline.web.endpoint import Registry, endpoint
from pipeline.web.projects import OpenIndex, ServedProject

ENDPOINTS: Registry = []

MOST = 10


class RecurringRow(TypedDict):
    """What recurs: in how many of how many documents, files or passages, what is said with it, and a question for it."""

    title: str
    related: list[str]
    found_in: int
    total: int
    unit: Unit
    question: str


class RecurringReply(TypedDict):
    """What recurs, the most telling first."""

    items: list[RecurringRow]


@endpoint(ENDPOINTS, "GET", "/projects/{project}/recurring")
def read_recurring(project: ServedProject) -> RecurringReply:
    """What recurs over the documents, as an answer without a model names it."""
    opened = project.open()
    return opened.once("recurring", lambda: _recurring(opened))


def _recurring(opened: OpenIndex) -> RecurringReply:
    language = corpus_language(opened)
    rows = opened.index.generation.rows
    finder = ThemeFinder(*map(rows, ("facts", "key_elements", "chunks", "entities", "documents")))
    return {
        "items": [
            {
                "title": theme.title,
                "related": list(theme.related),
                "found_in": theme.found_in,
                "total": theme.total,
                "unit": theme.unit,
                "question": suggested("thing", language, (theme.title,)),
            }
            for theme in finder.find((), language, MOST)
            if theme.unit
        ]
    }
