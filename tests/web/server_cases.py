"""A real server on loopback for tests, and requests to it."""

import http.client
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

import uvicorn

from pipeline.web.application import application
from pipeline.web.guard import Access, Bounds
from pipeline.web.projects import Projects
from pipeline.web.server import configuration


class Reply(NamedTuple):
    """What the server answered."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


class Running(NamedTuple):
    """A server that runs; ``ask`` makes one request on a connection of its own."""

    port: int

    def ask(
        self, path: str, method: str = "GET", body: Any = None, headers: dict[str, str] | None = None, **query: Any
    ) -> Reply:
        """Return the reply to a request; ``body`` is sent as JSON, or as it is where it is bytes."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        content = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        where = path + ("?" + urlencode(query, doseq=True) if query else "")
        connection.request(method, where, content, {"Content-Type": "application/json", **(headers or {})})
        reply = connection.getresponse()
        found = Reply(reply.status, {name.lower(): value for name, value in reply.getheaders()}, reply.read())
        connection.close()
        return found

    def api(self, path: str, **query: Any) -> Any:
        """Return the JSON of a GET request under the API, which must succeed."""
        reply = self.ask("/api/v1/" + quote(path, safe="/"), **query)
        assert reply.status == 200, reply.body
        return reply.json


@contextmanager
def running(roots: Sequence[Path], access: Access = Access(), bounds: Bounds = Bounds()) -> Iterator[Running]:  # noqa: B008
    """Serve project folders as long as the block lasts."""
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(configuration(application(Projects(roots), access, bounds)))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    until(lambda: server.started or not thread.is_alive(), 60)
    assert server.started
    try:
        yield Running(listening.getsockname()[1])
    finally:
        server.should_exit = True
        thread.join(20)
        listening.close()
    assert not thread.is_alive()


def until(met: Callable[[], bool], seconds: float = 90) -> None:
    """Wait for something to be so, which must happen within so many seconds: many times what it takes, since machines may be busy."""
    end = time.monotonic() + seconds
    while not met():
        assert time.monotonic() < end
        time.sleep(0.02)


def write_settings(root: Path, text: str = "{}\n") -> Path:
    """Give a folder settings, so that it can be served; the index stays as it is."""
    (root / "settings.yaml").write_text(text, encoding="utf-8")
    return root
