"""The command in processes of its own, without a start of Python for each: a process that has imported it forks them."""

import atexit
import gc
import json
import os
import subprocess
import sys
import tempfile
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import pipeline.cli.commands
from pipeline.cli import main
from tests.forks import import_stages
from tests.paths import ROOT


def command(*arguments: str, cwd: Path, input: str = "") -> "subprocess.CompletedProcess[str]":
    """Run ``graphstrata`` with these arguments in a folder, with ``input`` to read; return its exit code and what it wrote."""
    with tempfile.TemporaryDirectory() as folder:
        written = [Path(folder) / "stdout", Path(folder) / "stderr"]
        read = Path(folder) / "stdin"
        read.write_text(input, encoding="utf-8")
        order = {
            "arguments": arguments,
            "cwd": str(cwd),
            "read": str(read),
            "written": [str(path) for path in written],
        }
        server = _server()
        assert server.stdin is not None and server.stdout is not None
        server.stdin.write(json.dumps(order) + "\n")
        server.stdin.flush()
        code = int(server.stdout.readline())
        stdout, stderr = (path.read_text(encoding="utf-8") for path in written)
    return subprocess.CompletedProcess(arguments, code, stdout, stderr)


@cache
def _server() -> "subprocess.Popen[str]":
    """Start the process that forks the commands; it ends with the tests."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.commands"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    atexit.register(process.communicate)
    return process


def serve() -> None:
    """Fork a process for each order on standard input, and say on standard output how it ended. Returns in those forked."""
    import_module("pipeline.cli.app")
    for module in iter_modules(pipeline.cli.commands.__path__, "pipeline.cli.commands."):
        import_module(module.name)
    import_stages()
    gc.freeze()  # what all share is not looked through by any
    while line := sys.stdin.readline():
        order = json.loads(line)
        child = os.fork()
        if not child:
            _obey(order)
            return
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
    sys.exit(0)


def _obey(order: dict[str, Any]) -> None:
    os.dup2(os.open(order["read"], os.O_RDONLY), 0)
    for number, path in enumerate(order["written"], start=1):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT), number)
    os.chdir(order["cwd"])
    sys.argv[1:] = order["arguments"]


if __name__ == "__main__":
    serve()
    main()
