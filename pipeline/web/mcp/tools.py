"""Tools and resources by which a language model reads an index: ask, find, look up, read on. Imports the SDK."""

from collections.abc import Callable
from importlib.util import find_spec
from typing import Annotated, Any, Literal, TypeVar

import anyio.to_thread
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations
from pydantic import Field
from typing_extensions import TypedDict

from pipeline import __version__
from pipeline.base.errors import GraphstrataError
from pipeline.query.method_names import Effort, Method
from pipeline.web.api import cypher
from pipeline.web.api.communities import ReportReply, TreeRow, read_report, theme_tree
from pipeline.web.api.cypher import SCHEMA, CypherBody, CypherReply, Query, Rows
from pipeline.web.api.documents import ChunkReply, read_chunk, read_document
from pipeline.web.api.entities import EntityReply, NameItem, read_entity, search_names
from pipeline.web.api.map import FocusReply, read_edges
from pipeline.web.endpoint import RequestError
from pipeline.web.projects import Projects, ServedProject
from pipeline.web.questions.questions import QuestionRuns
from pipeline.web.questions.request import QuestionBody

T = TypeVar("T")
READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
THEMES = 60
"""Themes that one reply lists."""

INSTRUCTIONS = """An index of a collection of texts: entities, relationships, claims, themes with reports, and the passages \
themselves. To answer a question about the collection, call `ask` first: it searches, and returns an answer whose numbered \
sources quote the texts word for word. To look around instead, begin with `list_themes`, go on with `get_report`, and follow \
its citations with `read_passage`. For one person, place or thing, `find_entities` gives its id, `get_entity` what is known of \
it, `neighbours` what it is connected to. Quote only what a source or a passage says, and name the file that it is from."""

Project = Annotated[
    str, Field(description="id of the collection; may be left out where there is only one", max_length=200)
]


class AskSource(TypedDict):
    """A passage that the answer's text refers to as [number]; ``chunk`` is for read_passage."""

    number: int
    title: str
    file: str
    place: str
    quote: str
    chunk: str
    document: str


class AskReply(TypedDict):
    """An answer. outcome: answered; closest (nothing answers it clearly, the closest passages are shown); nothing (no passage
    has to do with it); needs_acceptance (it would cost what ``estimate`` says: ask the user, then call with accept_cost).
    ``left_out``: how many documents ``where`` leaves out because they have no such metadata."""

    outcome: Literal["answered", "closest", "nothing", "needs_acceptance"]
    text: str
    method: str
    sources: list[AskSource]
    closest: list[AskSource]
    coverage: str
    left_out: list[str]
    estimate: dict[str, Any] | None


class FoundNames(TypedDict):
    """Names that fit, best first."""

    found: list[NameItem]


class ThemeList(TypedDict):
    """Themes, the most general first; ``total`` counts those there are."""

    themes: list[TreeRow]
    total: int


def mcp_server(projects: Projects, questions: QuestionRuns | None = None) -> MCPServer:
    """Return the server of tools and resources over ``projects``, for either transport."""
    server = MCPServer("graphstrata", instructions=INSTRUCTIONS, version=__version__, log_level="WARNING")
    _add_ask(server, projects, questions or QuestionRuns())
    _add_entities(server, projects)
    _add_themes(server, projects)
    if find_spec("ladybug") is not None:
        _add_cypher(server, projects)
    _add_resources(server, projects)
    return server


def _add_ask(server: MCPServer, projects: Projects, questions: QuestionRuns) -> None:
    @server.tool(annotations=READS)
    async def ask(
        question: Annotated[str, Field(description="a whole question, in any language", min_length=1, max_length=8000)],
        method: Annotated[
            Method,
            Field(
                description="auto picks one. global: what runs through the whole collection; local: how things connect, read "
                "step by step; entity: all on one thing; drift: from the whole to the detail; basic: one plain fact; "
                "fusion: several wordings, graded"
            ),
        ] = "auto",
        effort: Annotated[Effort | None, Field(description="how much a global question may read")] = None,
        where: Annotated[
            str, Field(description='filter on metadata of documents, such as: customer = "X" and date >= 2024')
        ] = "",
        accept_cost: Annotated[bool, Field(description="true once the user agreed to what a model would cost")] = False,
        project: Project = "",
    ) -> AskReply:
        """Answer a question from the texts, with numbered sources that quote them word for word. Use this first for any
        question about the collection; use the other tools to look further into what it found."""
        served = _project(projects, project)
        body = QuestionBody(
            question=question, method=method, effort=effort, where=where or None, accept_cost=accept_cost
        )
        async for event in questions.ask(served, body):
            if event["event"] == "error":
                raise ToolError("\n".join(event["error"].values()))
            if event["event"] == "needs_acceptance":
                return _unasked(event["estimate"])
            if event["event"] == "answer":
                return _reply(event["answer"])
        raise ToolError("the question ended without an answer")


def _unasked(estimate: dict[str, Any]) -> AskReply:
    text = f"This takes {estimate['calls']} calls to a model. Ask the user, then call again with accept_cost."
    return {
        "outcome": "needs_acceptance",
        "text": text,
        "method": "",
        "sources": [],
        "closest": [],
        "coverage": "",
        "left_out": [],
        "estimate": estimate,
    }


def _reply(answer: dict[str, Any]) -> AskReply:
    return {
        "outcome": answer["outcome"],
        "text": answer["text"],
        "method": answer["method"],
        "sources": [_source(one) for one in answer["sources"]],
        "closest": [_source(one) for one in answer["closest"]],
        "coverage": answer["coverage"].get("description", ""),
        "left_out": list(answer["left_out"]),
        "estimate": None,
    }


def _source(one: dict[str, Any]) -> AskSource:
    names = ("number", "title", "file", "place", "quote", "chunk", "document")
    return {name: one[name] for name in names}  # type: ignore[return-value]


def _add_entities(server: MCPServer, projects: Projects) -> None:
    @server.tool(annotations=READS)
    async def find_entities(
        name: Annotated[
            str, Field(description="a name, or the beginning of one; misspellings are forgiven", max_length=200)
        ],
        limit: Annotated[int, Field(ge=1, le=50)] = 12,
        project: Project = "",
    ) -> FoundNames:
        """Find people, places, organisations and things of the collection by name, besides themes and documents of that name.
        Use this to learn how the texts write a name, and its id for get_entity and neighbours."""
        found = await _in_thread(lambda: search_names(_project(projects, project), name, limit))
        return {"found": found["items"]}

    @server.tool(annotations=READS)
    async def get_entity(
        entity: Annotated[str, Field(description="id, title or alias", max_length=2000)], project: Project = ""
    ) -> EntityReply:
        """Everything known of one entity: description, other names, relationships by weight, dated claims with the words they
        rest on, the passages that mention it, and the themes it belongs to."""
        return await _in_thread(lambda: read_entity(_project(projects, project), entity))

    @server.tool(annotations=READS)
    async def neighbours(
        entity: Annotated[str, Field(description="id, title or alias", max_length=2000)], project: Project = ""
    ) -> FocusReply:
        """The relationships of one entity as edges of the graph, with ids of both ends, weight and description. Use this to walk
        from entity to entity; use get_entity for what is known of one."""

        def work() -> FocusReply:
            served = _project(projects, project)
            found: FocusReply = read_edges(served, read_entity(served, entity)["id"])
            return found

        return await _in_thread(work)


def _add_themes(server: MCPServer, projects: Projects) -> None:
    @server.tool(annotations=READS)
    async def list_themes(
        level: Annotated[int | None, Field(ge=0, description="0: the broadest; null: all levels")] = 0,
        project: Project = "",
    ) -> ThemeList:
        """The themes of the collection: communities of entities with the titles of their reports, the largest first. Use this to
        learn what the collection is about, then get_report for one of them."""

        def work() -> ThemeList:
            tree = theme_tree(_project(projects, project).open())
            rows = [row for row in tree if level is None or row["level"] == level]
            return {"themes": rows[:THEMES], "total": len(rows)}

        return await _in_thread(work)

    @server.tool(annotations=READS)
    async def get_report(
        community: Annotated[int, Field(ge=0, description="number of the theme")], project: Project = ""
    ) -> ReportReply:
        """The report on one theme: summary and findings, each with the rows and passages that it rests on, and the entities of
        the theme."""
        return await _in_thread(lambda: read_report(_project(projects, project), community))

    @server.tool(annotations=READS)
    async def read_passage(
        chunk: Annotated[
            str, Field(description="id of a passage, as sources, citations and entities give it", max_length=200)
        ],
        project: Project = "",
    ) -> ChunkReply:
        """A passage in full, with the file it is from, the entities it names, and the ids of the passages before and after it.
        Use this to check a quote in its surroundings, or to read on."""
        return await _in_thread(lambda: read_chunk(_project(projects, project), chunk))


def _add_cypher(server: MCPServer, projects: Projects) -> None:
    description = f"""Run one query in Cypher, which may only read, over the collection as a graph. Use this to count, to compare, \
and to follow relationships over several steps; use `ask` for what the texts say. {SCHEMA}"""

    @server.tool(annotations=READS, description=description)
    async def query_graph(
        query: Query, parameters: dict[str, Any] | None = None, limit: Rows = 100, project: Project = ""
    ) -> CypherReply:
        body = CypherBody(query=query, parameters=parameters or {}, limit=limit)
        return await _in_thread(lambda: cypher.query_graph(_project(projects, project), body))


def _add_resources(server: MCPServer, projects: Projects) -> None:
    @server.resource("graphstrata://{project}/documents/{document}", mime_type="text/plain")
    async def document(project: str, document: str) -> str:
        """The text of a document, at most its first 60,000 characters."""
        return await _in_thread(lambda: read_document(_project(projects, project), document)["text"])

    @server.resource("graphstrata://{project}/reports/{community}", mime_type="text/markdown")
    async def report(project: str, community: str) -> str:
        """The report on a theme, as Markdown."""

        def work() -> str:
            found = read_report(_project(projects, project), int(community))
            findings = "\n\n".join(f"## {one['summary']}\n\n{one['explanation']}" for one in found["findings"])
            return f"# {found['title']}\n\n{found['summary']}\n\n{findings}\n"

        return await _in_thread(work)


def _project(projects: Projects, id: str) -> ServedProject:
    if id:
        return projects.get(id)
    listed = list(projects)
    if len(listed) == 1:
        return listed[0]
    names = ", ".join(one.id for one in listed)
    raise RequestError("no project is named", f"there are {len(listed)}: {names}", "give one of these as project")


async def _in_thread(work: Callable[[], T]) -> T:
    try:
        return await anyio.to_thread.run_sync(work)
    except GraphstrataError as error:
        raise ToolError(str(error)) from error
