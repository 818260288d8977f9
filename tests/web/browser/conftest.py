"""One server and one browser for all tests of the page: the system's Chromium, driven by Playwright's Python package."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from tests.paths import ROOT
from tests.query_cases import sample

CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--enable-unsafe-swiftshader",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


class Server:
    """`graphstrata serve` over some projects, as a process of its own."""

    def __init__(self, *projects: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        command = [sys.executable, "-m", "pipeline", "serve", *map(str, projects), "--port", str(port)]
        self.process = subprocess.Popen(
            command, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)}, stdout=subprocess.DEVNULL
        )
        deadline = time.monotonic() + 60
        while True:
            try:
                self.projects = [one["id"] for one in self.get("/api/v1/projects")["projects"]]
                return
            except (URLError, ConnectionError):
                assert self.process.poll() is None and time.monotonic() < deadline, "the server did not start"
                time.sleep(0.1)

    def get(self, path: str) -> Any:
        """Return what the API answers."""
        with urlopen(self.url + path) as reply:
            return json.load(reply)

    def project(self, path: str = "", place: int = 0) -> Any:
        """Return what the API says of a project."""
        return self.get(f"/api/v1/projects/{self.projects[place]}{path}")

    def page(self, address: str = "#/map", place: int = 0) -> str:
        """Return the URL of a view."""
        return f"{self.url}/p/{self.projects[place]}/{address}"

    def stop(self) -> None:
        """End the process."""
        self.process.terminate()
        self.process.wait(20)


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sample's project, so that tests may correct it."""
    folder = tmp_path_factory.mktemp("projects") / "joan"
    shutil.copytree(sample().parent, folder)
    shutil.copy(ROOT / "settings.yaml", folder)
    return folder


@pytest.fixture(scope="session")
def server(project: Path) -> Iterator[Server]:
    """A server over the sample's project."""
    running = Server(project)
    yield running
    running.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A headless Chromium."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed: pip install -e '.[dev]'"
    )
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed: make chromium")
    with playwright.sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


Open = Callable[..., Any]


@pytest.fixture
def open_page(browser: Any, server: Server) -> Iterator[Open]:
    """Open a view in a window of its own; the test fails when the page had an error or was refused something by its policy."""
    faults: list[str] = []
    contexts = []

    def opened(
        address: str = "#/map",
        width: int = 1280,
        height: int = 800,
        place: int = 0,
        of: Server = server,
        **options: Any,
    ) -> Any:
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        context.add_init_script(
            "addEventListener('securitypolicyviolation', e => (window.violations ??= []).push(e.violatedDirective + ' ' + e.blockedURI))"
        )
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda said: faults.append(said.text) if "Content Security Policy" in said.text else None)
        page.goto(of.page(address, place))
        page.wait_for_selector("main h1, main .report h1")
        return page

    yield opened
    for context in contexts:
        for page in context.pages:
            faults += page.evaluate("window.violations ?? []")
        context.close()
    assert faults == []
