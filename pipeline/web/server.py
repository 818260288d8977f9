"""The server process: its socket, its address and token, and an end in good order."""

import asyncio
import secrets
import socket
import webbrowser
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from pipeline.base.errors import SettingsError
from pipeline.web.application import application
from pipeline.web.guard import LOCAL, Access
from pipeline.web.projects import Projects, check_folders

PORT = 8741
TOKEN_VARIABLE = "GRAPHSTRATA_TOKEN"
HEADER_SECONDS = 10
"""How long a connection may take to send the head of a request."""
STOP_SECONDS = 5
"""How long replies under way may take once the server is asked to stop."""
CONNECTIONS = 1000
HEAD_BYTES = 32_768
BACKLOG = 1024
ANY = frozenset({"0.0.0.0", "::", ""})


@dataclass(frozen=True)
class Address:
    """Where the server listens; ``token`` is needed from elsewhere than this machine."""

    host: str = "127.0.0.1"
    port: int = PORT
    token: str | None = None

    @property
    def local(self) -> bool:
        """Whether only this machine can reach it."""
        return self.host in LOCAL

    def access(self) -> Access:
        """Return who may ask: from this machine alone, or from anywhere with the token."""
        if self.local:
            return Access(LOCAL, self.token)
        return Access(
            None if self.host in ANY else LOCAL | {self.host.casefold()}, self.token or secrets.token_urlsafe(24)
        )


def serve(roots: Sequence[Path], address: Address, show: Callable[[str], None], open_browser: bool = False) -> None:
    """Serve projects until the process is stopped. ``show`` is called with each line for whoever started it.

    Where the host is not this machine's own and no token is given, one is made and shown. SettingsError where nothing is
    to serve, or the address cannot be used.
    """
    check_folders(roots)
    access = address.access()
    projects = Projects(roots)
    listening = _listen(address)
    port = listening.getsockname()[1]
    host = "localhost" if address.host in ANY else address.host
    name = f"[{host}]" if ":" in host else host
    url = f"http://{name}:{port}/" + (f"#token={access.token}" if access.token else "")
    config = configuration(application(projects, access))
    for project in projects:
        found = project.state()
        state = f"{found.error.found}; {found.error.fix}" if found.error else f"generation {found.generation}"
        show(f"{project.title}: {state}")
    show(f"open {url}" + (" (from elsewhere: with this machine's name)" if address.host in ANY else ""))
    if access.token:
        reports = (f"/p/{project.id}/reports?token={access.token}" for project in projects)
        show(f"without JavaScript: {', '.join(url.partition('/#')[0] + path for path in reports)}")
    show("Ctrl-C stops the server")
    if open_browser:
        webbrowser.open(url)
    with listening:
        uvicorn.Server(config).run(sockets=[listening])


def configuration(app: ASGIApp) -> uvicorn.Config:
    """Return how uvicorn is to serve an application: with bounds on connections, heads of requests and the end."""
    return uvicorn.Config(
        app,
        http=_BoundedProtocol,
        ws="none",
        loop="asyncio",
        access_log=False,
        log_level="warning",
        server_header=False,
        limit_concurrency=CONNECTIONS,
        timeout_keep_alive=10,
        timeout_graceful_shutdown=STOP_SECONDS,
        h11_max_incomplete_event_size=HEAD_BYTES,
    )


def _listen(address: Address) -> socket.socket:
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    listening = socket.socket(family)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((address.host, address.port))
        listening.listen(BACKLOG)  # before the address is shown
    except (OSError, OverflowError) as error:
        listening.close()
        raise SettingsError(
            f"cannot listen on {address.host} port {address.port}: {error}",
            "another program may use this port, or the address is not this machine's",
            "choose another with --port, or 0 for any that is free",
        ) from error
    return listening


class _BoundedProtocol(H11Protocol):
    """HTTP as uvicorn speaks it; a connection that does not finish the head of a request in time is closed."""

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Start the clock."""
        super().connection_made(transport)
        self._restart()

    def data_received(self, data: bytes) -> None:
        """Take what came; between requests the clock runs."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop()
        elif self._waiting is None:
            self._restart()

    def on_response_complete(self) -> None:
        """Start the clock again: what follows may have begun to come while the reply was written."""
        super().on_response_complete()
        if self.cycle is None or self.cycle.response_complete:
            self._restart()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the clock."""
        self._stop()
        super().connection_lost(exc)

    def _restart(self) -> None:
        self._stop()
        self._waiting = self.loop.call_later(HEADER_SECONDS, self.transport.close)

    def _stop(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
