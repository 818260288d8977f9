"""What is served, and a project at a glance: counts, themes, suggested questions, methods."""

from typing import get_args

from typing_extensions import TypedDict

from pipeline.query.method_names import DEFAULT_METHOD, Effort
from pipeline.query.registry import SEARCHES
from pipeline.web.api.communities import theme_tree
from pipeline.web.api.suggestions import suggested_questions
from pipeline.web.endpoint import Registry, endpoint
from pipeline.web.projects import OpenIndex, Projects, ServedProject, State
from pipeline.web.questions.questions import QuestionRuns
from pipeline.web.reading.metadata import MetadataColumn, metadata_columns
from pipeline.web.replies import ErrorLines, error_lines

ENDPOINTS: Registry = []

COUNTED = ("documents", "chunks", "entities", "relationships", "claims", "facts", "communities")
THEMES = 12
NAMED = 6
"""Documents that an overview names."""


class ProjectRow(TypedDict):
    """A project that is served; ``empty`` has no index yet, ``broken`` one that cannot be read."""

    id: str
    title: str
    state: State
    error: ErrorLines | None
    generation: int | None


class ProjectList(TypedDict):
    """All projects."""

    projects: list[ProjectRow]


class LevelRow(TypedDict):
    """A level of communities, and how many it has."""

    level: int
    communities: int


class ThemeRow(TypedDict):
    """A report, as an overview shows it."""

    community: int
    title: str
    summary: str
    size: int
    rank: float
    level: int


class DocumentTitle(TypedDict):
    """A document by name."""

    id: str
    title: str


class MethodRow(TypedDict):
    """A search method; ``costs`` says whether it asks a model."""

    name: str
    description: str
    streams: bool
    costs: bool


class Overview(TypedDict):
    """A project at a glance."""

    id: str
    title: str
    generation: int
    counts: dict[str, int]
    documents: list[DocumentTitle]
    levels: list[LevelRow]
    themes: list[ThemeRow]
    questions: list[str]
    model: str | None
    method: str
    methods: list[MethodRow]
    efforts: list[str]
    filters: list[MetadataColumn]


@endpoint(ENDPOINTS, "GET", "/projects")
def list_projects(projects: Projects) -> ProjectList:
    """The projects that are served, and how each is."""
    rows: list[ProjectRow] = []
    for project in projects:
        found = project.state()
        error = error_lines(found.error) if found.error else None
        rows.append(
            {
                "id": project.id,
                "title": project.title,
                "state": found.state,
                "error": error,
                "generation": found.generation,
            }
        )
    return {"projects": rows}


@endpoint(ENDPOINTS, "GET", "/projects/{project}")
def read_overview(project: ServedProject, questions: QuestionRuns | None = None) -> Overview:
    """A project at a glance: its counts, its themes, questions to begin with, and how it can be asked."""
    opened = project.open()
    if questions is not None:
        questions.expect(project)
    return opened.once("overview", lambda: _overview(project, opened))


def _overview(project: ServedProject, opened: OpenIndex) -> Overview:
    settings = opened.index.settings
    models = settings.has_chat_model
    counts = {name: opened.count(name) for name in COUNTED} | {"reports": opened.count("community_reports")}
    themes = _themes(opened)
    return {
        "id": project.id,
        "title": project.title,
        "generation": opened.generation,
        "counts": counts,
        "documents": opened.page("documents", ["id", "title"], 0, NAMED),  # type: ignore[typeddict-item]
        "levels": _levels(opened),
        "themes": themes,
        "questions": suggested_questions(opened, [theme["community"] for theme in themes]),
        "model": settings.models[settings.language.default].model if settings.language.default else None,
        "method": DEFAULT_METHOD,
        "methods": [
            {"name": name, "description": search.help, "streams": True, "costs": models and bool(search.asks)}
            for name, search in SEARCHES.items()
        ],
        "efforts": list(get_args(Effort)),
        "filters": metadata_columns(opened),
    }


def _levels(opened: OpenIndex) -> list[LevelRow]:
    levels = opened.columns.get("communities", "level").to_pylist()
    return [{"level": level, "communities": levels.count(level)} for level in sorted(set(levels))]


def _themes(opened: OpenIndex) -> list[ThemeRow]:
    """Return the reports of level 0 that are on most, which together are about everything, and of the next level where those are
    few. Ratings of large themes lie close together: among hundreds, by rating alone the largest may not be listed at all."""
    tree = [row for row in theme_tree(opened) if row["has_report"]]
    listed = sorted(tree, key=lambda row: (row["level"], -(row["rank"] or 0) * row["size"] ** 0.5, row["community"]))[
        :THEMES
    ]
    sizes = {row["community"]: row["size"] for row in listed}
    rows = [opened.row("community_reports", "community", row["community"], "report") for row in listed]
    best = opened.columns.rows("community_reports", ["community", "title", "summary", "rank", "level"], rows)
    return [{**row, "size": sizes[row["community"]]} for row in best]  # type: ignore[typeddict-item]
