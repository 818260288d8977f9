"""One server and one browser for all tests of the page: the system's Chromium, driven by Playwright's Python package."""

import os
import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from benchmarks.browser import CHROMIUM, FLAGS
from benchmarks.server import children
from tests.paths import ROOT
from tests.query_cases import sample
from tests.web.server_cases import Running, running


class Site(NamedTuple):
    """A server over some projects, as a browser sees it."""

    running: Running
    projects: list[str]

    def api(self, path: str = "", place: int = 0) -> Any:
        """Return what the API says of a project."""
        reply = self.running.ask(f"/api/v1/projects/{self.projects[place]}{path}")
        assert reply.status == 200, reply.body
        return reply.json

    def page(self, address: str = "#/map", place: int = 0) -> str:
        """Return the URL of a view."""
        return f"http://127.0.0.1:{self.running.port}/p/{self.projects[place]}/{address}"


@contextmanager
def serve(*projects: Path) -> Iterator[Site]:
    """Serve project folders as long as the block lasts."""
    with running(projects) as found:
        yield Site(found, [one["id"] for one in found.api("projects")["projects"]])


PATIENCE = 90
"""Seconds after which what was waited for counts as never seen: many times what it takes, since machines may be busy."""


def until(page: Any, condition: str) -> None:
    """Wait until a condition holds in the page; Playwright's own way needs eval, which the page's policy refuses."""
    deadline = time.monotonic() + PATIENCE
    while not page.evaluate(condition):
        assert time.monotonic() < deadline, f"never: {condition}"
        page.wait_for_timeout(30)


@pytest.fixture(scope="package")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sample's project, so that tests may correct it."""
    folder = tmp_path_factory.mktemp("projects") / "joan"
    shutil.copytree(sample().parent, folder)
    shutil.copy(ROOT / "settings.yaml", folder)
    return folder


@pytest.fixture(scope="package")
def site(project: Path) -> Iterator[Site]:
    """A server over the sample's project."""
    with serve(project) as found:
        yield found


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    """A headless Chromium; closed after the last test here, since Playwright keeps an event loop running meanwhile."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed: pip install -e '.[dev]'"
    )
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed: make chromium")
    with playwright.sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        with ended_if_stuck():
            chromium.close()


STUCK = 300.0
"""Seconds after which a browser counts as stuck and is killed. Most calls of Playwright have no time limit: they then raise
an error, and so do all later ones; an alarm in the middle of one would leave Playwright waiting for its own loop."""


@contextmanager
def ended_if_stuck() -> Iterator[None]:
    """Kill the browser of this process where the block takes longer than any should."""
    timer = threading.Timer(STUCK, _kill_browser, (os.getpid(),))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _kill_browser(parent: int) -> None:
    for child in children(parent):
        _kill_browser(child)
        with suppress(OSError):
            if Path(f"/proc/{child}/comm").read_text().startswith("chrom"):
                os.kill(child, signal.SIGKILL)


class Window(NamedTuple):
    """A page in a profile of its own, and what went wrong in it."""

    page: Any
    faults: list[str]

    def clear(self) -> None:
        """Leave nothing of what a test did here."""
        for other in self.page.context.pages:
            if other != self.page:
                other.close()
        self.page.evaluate("localStorage.clear(); sessionStorage.clear()")
        self.page.context.clear_cookies()
        self.page.goto("about:blank")
        self.faults.clear()


def new_window(browser: Any, width: int, height: int, **options: Any) -> Window:
    """Return a window that is open; ``options`` are Playwright's."""
    context = browser.new_context(viewport={"width": width, "height": height}, **options)
    context.add_init_script(
        "addEventListener('securitypolicyviolation', e => (window.violations ??= []).push(e.violatedDirective + ' ' + e.blockedURI))"
    )
    page, faults = context.new_page(), []
    page.set_default_timeout(PATIENCE * 1000)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: faults.append(said.text) if "Content Security Policy" in said.text else None)
    return Window(page, faults)


@pytest.fixture(scope="package")
def idle() -> list[Window]:
    """Windows that wait for the next test: to start one takes nearly twice the CPU of showing a page."""
    return []


Open = Callable[..., Any]


@pytest.fixture
def open_page(browser: Any, site: Site, idle: list[Window]) -> Iterator[Open]:
    """Open a view in a window of its own, or in one that a test before has left and that was cleared: without options, over the
    sample's project. The test fails when the page had an error or was refused something by its policy."""
    used: list[tuple[Window, bool]] = []

    def opened(
        address: str = "#/map",
        width: int = 1280,
        height: int = 800,
        place: int = 0,
        of: Site = site,
        **options: Any,
    ) -> Any:
        again = of is site and not options
        if again and idle:
            window = idle.pop()
            window.page.set_viewport_size({"width": width, "height": height})
        else:
            window = new_window(browser, width, height, **options)
        used.append((window, again))
        window.page.goto(of.page(address, place))
        window.page.wait_for_selector("main h1, main .report h1")
        return window.page

    faults: list[str] = []
    with ended_if_stuck():
        yield opened
        for window, again in used:
            for page in window.page.context.pages:
                window.faults.extend(page.evaluate("window.violations ?? []"))
            faults += window.faults
            if again:
                window.clear()
                idle.append(window)
            else:
                window.page.context.close()
    assert faults == []
