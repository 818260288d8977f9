"""The two transports: standard input and output for a program on this machine, and HTTP under /mcp of the server."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from importlib.util import find_spec
from pathlib import Path

from starlette.applications import Starlette
from starlette.types import ASGIApp

from pipeline.base.errors import SettingsError
from pipeline.web.projects import Projects, check_folders
from pipeline.web.questions.questions import QuestionRuns


def installed() -> bool:
    """Return whether the SDK is there."""
    return find_spec("mcp") is not None


def missing() -> SettingsError:
    """Return the error that says how to get the SDK."""
    return SettingsError(
        "the Python package 'mcp' is not installed", "it speaks MCP", "install it: pip install 'graphstrata[mcp]'"
    )


def run_stdio(roots: Sequence[Path]) -> None:
    """Serve projects over standard input and output until the input ends; SettingsError without the SDK."""
    if not installed():
        raise missing()
    from pipeline.web.mcp.tools import mcp_server

    check_folders(roots)
    mcp_server(Projects(roots)).run("stdio")


class McpOverHttp:
    """The application at /mcp; its sessions live as long as ``running`` does."""

    def __init__(self, projects: Projects, questions: QuestionRuns) -> None:
        from mcp.server.transport_security import TransportSecuritySettings

        from pipeline.web.mcp.tools import mcp_server

        # Host, origin, token and size are checked before anything comes here.
        trusting = TransportSecuritySettings(enable_dns_rebinding_protection=False)
        self._app: Starlette = mcp_server(projects, questions).streamable_http_app(
            streamable_http_path="/mcp", transport_security=trusting, max_sessions=100
        )

    @property
    def app(self) -> ASGIApp:
        """What answers requests."""
        return self._app

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Keep sessions for as long as the block lasts."""
        async with self._app.router.lifespan_context(self._app):
            yield
