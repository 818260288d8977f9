"""Builds the wheel and the sdist and tries them in clean environments: ``python tests/check_wheel.py [PYTHON ...]``.

Without arguments each of python3.11 to python3.13 that the machine has is tried, those of pyenv among them. In each, a new
environment gets the wheel at the versions of requirements.lock and nothing else; the first one gets the sdist too, and the wheel
with requirements-core.txt alone. From an empty folder a project is made, indexed, asked and served, and the library is imported. The last line is one JSON object:
the size of each environment in megabytes (2**20 bytes), and of the import in loops, the CPU seconds of
``sum(i*i for i in range(10**7))``.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VERSIONS = ("3.11", "3.12", "3.13")
TEXT = "# The mole\n\nAda Thorne built the west mole of Carrow in 1871. The storm of 1874 broke the west mole.\n"
QUESTION = "Who built the west mole of Carrow?"
LIBRARY = f"""
from graphstrata import Index, build
answer = Index.open(".").ask({QUESTION!r})
assert "Ada Thorne" in answer.text, answer.text
assert build(["Edmund Vane led the railway of Carrow for twenty years."]).count("documents") == 1
"""
LOOPS = """
import os, time
def cpu(): return sum(os.times()[:2])
began = cpu(); sum(i * i for i in range(10**7)); loop = cpu() - began
began = cpu(); import graphstrata; print(round((cpu() - began) / loop, 3))
"""


def pythons(given: Sequence[str]) -> dict[str, str]:
    """Return the interpreters to try, by version."""
    places = [Path.home() / ".pyenv" / "versions"]
    found: dict[str, str] = {}
    tried = given or [
        *(f"python{version}" for version in VERSIONS),
        *(str(path) for place in places for path in sorted(place.glob("3.1[123].*/bin/python"))),
    ]
    for name in tried:
        says = "import sys; print('%d.%d' % sys.version_info[:2])"
        done = subprocess.run([name, "-c", says], capture_output=True, text=True, check=False)
        if done.returncode == 0 and done.stdout.strip() in VERSIONS:
            found.setdefault(done.stdout.strip(), name)
    return found


def run(*words: str | Path, cwd: Path, said: str = "") -> str:
    """Run a command; SystemExit where it fails, or does not print ``said``. Returns what it printed."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(list(map(str, words)), cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    if done.returncode or said not in done.stdout:
        sys.exit(f"{' '.join(map(str, words))}: exit {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def install(python: str, package: Path, folder: Path, core: bool = False) -> Path:
    """Return the ``bin`` of a new environment that holds the package; ``core``: with what runs without a model alone."""
    run(python, "-m", "venv", folder, cwd=ROOT)
    options = ("--quiet", "--no-compile", "--disable-pip-version-check", "--constraint", ROOT / "requirements.lock")
    for given in (("-r", ROOT / "requirements-core.txt"), ("--no-deps", package)) if core else ((package,),):
        run(folder / "bin" / "python", "-m", "pip", "install", *options, *given, cwd=ROOT)
    return folder / "bin"


def try_out(bin: Path, folder: Path) -> float:
    """Make, index, ask and serve a project in an empty folder with an installed program; return the loops of its import."""
    folder.mkdir()
    command = bin / "graphstrata"
    run(command, "--version", cwd=folder, said="graphstrata ")
    run(command, "init", cwd=folder)
    (folder / "input").mkdir(exist_ok=True)
    (folder / "input" / "mole.md").write_text(TEXT, encoding="utf-8")
    run(command, "index", cwd=folder)
    run(command, "query", QUESTION, cwd=folder, said="Ada Thorne")
    run(command, "eval", "make", "--count", "2", cwd=folder, said="questions.jsonl")
    run(command, "serve", "--help", cwd=folder, said="--port")
    run(command, "verify", cwd=folder)
    run(bin / "python", "-c", LIBRARY, cwd=folder)
    return float(run(bin / "python", "-c", LOOPS, cwd=folder))


def megabytes(folder: Path) -> int:
    """Return the size of the files below a folder."""
    return round(sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file()) / 2**20)


def main() -> None:
    """Try every Python; exit with what failed first."""
    found = pythons(sys.argv[1:])
    if not found:
        sys.exit(f"none of Python {', '.join(VERSIONS)} is here: name one as an argument")
    figures = {}
    with tempfile.TemporaryDirectory(prefix="graphstrata-wheel-") as scratch:
        folder = Path(scratch)
        run(sys.executable, "-m", "hatchling", "build", "--directory", folder / "dist", cwd=ROOT)
        (wheel,), (sdist,) = (folder / "dist").glob("*.whl"), (folder / "dist").glob("*.tar.gz")
        for place, (version, python) in enumerate(sorted(found.items())):
            for kind, package in (("wheel", wheel), ("sdist", sdist), ("core", wheel))[: 3 if place == 0 else 1]:
                name = f"{kind}-{version}"
                bin = install(python, package, folder / name, core=kind == "core")
                size = megabytes(folder / name)
                loops = try_out(bin, folder / f"project-{name}")
                print(f"{kind} on Python {version}: installed in {size} MB, import in {loops} loops", flush=True)
                figures[name] = {"megabytes": size, "import_loops": loops}
    print(json.dumps({"installed": figures, "missing": [version for version in VERSIONS if version not in found]}))


if __name__ == "__main__":
    main()
