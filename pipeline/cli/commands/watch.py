"""What the command index --watch does: index whenever the input changed and then stayed as it is, until Ctrl-C."""

import signal
import time
from collections.abc import Callable
from pathlib import Path

import typer

from pipeline.base.errors import GraphstrataError, SettingsError
from pipeline.base.settings import SETTINGS_FILE
from pipeline.cli.terminal import StoppedBySignal
from pipeline.resolution.corrections_file import CORRECTIONS_FILE
from pipeline.runner.project import Project

EVERY = 1.0
"""Seconds between two looks at the folder: polled, which also works on network disks, where nothing is announced."""
SETTLED = 2.0
"""Seconds for which nothing may change before a run begins, so that a file that is still being copied is waited for."""

Look = dict[str, tuple[int, int]]
"""What was seen: path to (size, time of the last change)."""


def watch_project(root: Path, index: Callable[[], None]) -> None:
    """Run ``index`` at once, and again after each change of the input, the settings or the corrections.

    An error of a run is printed, and the next change is waited for. Ctrl-C while waiting ends the command with success;
    during a run it interrupts that run, as without --watch.
    """
    if (project := Project.open(root)).mirror is not None:
        raise SettingsError(
            f"input.folder is {project.settings.input.folder}",
            "a folder of this machine can be watched; every look at an address costs a listing",
            "run graphstrata index by a timer: only files that changed are copied and read again",
        )
    before: Look | None = None
    while True:
        here = _settled(root, before)
        if here is None:
            return
        before = here
        try:
            index()
        except GraphstrataError as error:
            typer.echo(str(error), err=True)
        typer.echo("watching for changes; Ctrl-C ends", err=True)


def _settled(root: Path, before: Look | None) -> Look | None:
    """Wait until what is seen differs from ``before`` and has stayed so; None when Ctrl-C came."""
    try:
        seen, since = look(root), time.monotonic()
        while seen == before or (before is not None and time.monotonic() - since < SETTLED):
            time.sleep(EVERY)
            now = look(root)
            if now != seen:
                seen, since = now, time.monotonic()
    except StoppedBySignal as stopped:
        if stopped.exit_code != 128 + signal.SIGINT:
            raise
        typer.echo("stopped watching", err=True)
        return None
    return seen


def look(root: Path) -> Look:
    """Return the size and time of every file of the input that can be seen, and of the settings and corrections."""
    found: Look = {}
    try:
        folder = Project.open(root).input
    except GraphstrataError:  # settings in the middle of an edit: the next change is looked at
        folder = None
    paths = [root / SETTINGS_FILE, root / CORRECTIONS_FILE]
    for path in [*paths, *(folder.rglob("*") if folder else ())]:
        try:
            state = path.stat()
        except OSError:
            continue
        if path.is_file():
            found[str(path)] = state.st_size, state.st_mtime_ns
    return found
