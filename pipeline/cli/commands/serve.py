"""What the command serve does: start the server, and say where it is."""

import os
from collections.abc import Sequence
from pathlib import Path

import typer

from pipeline.cli.terminal import StoppedBySignal


def serve_projects(roots: Sequence[Path], host: str, port: int, token: str | None, open_browser: bool) -> None:
    """Serve projects until Ctrl-C or SIGTERM."""
    from pipeline.web.server import TOKEN_VARIABLE, Address, serve

    address = Address(host, port, token or os.environ.get(TOKEN_VARIABLE) or None)
    try:
        serve(roots or [Path()], address, lambda line: typer.echo(line, err=True), open_browser)
    except StoppedBySignal:
        typer.echo("stopped", err=True)
