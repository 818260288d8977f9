"""A headless Chromium and a server of graphstrata, for benchmarks, screenshots and tests of the page."""

import json
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

from benchmarks.measure import ROOT, command

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
"""The system's browser; None where there is none (make chromium)."""
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--enable-unsafe-swiftshader",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
"""WebGL is drawn in software, and nothing is asked of any network."""


@contextmanager
def chromium() -> Iterator[Any]:
    """Give a browser, as Playwright has it; SystemExit where none is installed."""
    from playwright.sync_api import sync_playwright

    if CHROMIUM is None:
        raise SystemExit("no Chromium is installed: make chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@contextmanager
def served(project: Path) -> Iterator[str]:
    """Serve a project as a process of its own, and give the address of its page."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    arguments = command("serve", str(project), "--port", str(port))
    with subprocess.Popen(arguments, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            yield f"http://127.0.0.1:{port}/p/{_project(f'http://127.0.0.1:{port}', process)}/"
        finally:
            process.terminate()


def _project(url: str, process: subprocess.Popen[bytes]) -> str:
    """Return the id of the only project, as soon as the server answers."""
    while process.poll() is None:
        try:
            with urlopen(f"{url}/api/v1/projects") as reply:
                return str(json.load(reply)["projects"][0]["id"])
        except URLError:
            time.sleep(0.05)
    raise SystemExit("the server did not start")
