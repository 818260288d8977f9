"""The fingerprint of a module: its own source and that of everything in this program that it imports, however far down."""

import os
import re
from collections.abc import Iterator
from functools import cache
from hashlib import blake2b
from pathlib import Path

from pipeline.base.errors import PlanError

ROOT = Path(__file__).resolve().parent.parent.parent
"""The folder that the program's packages are in."""
PACKAGES = ("pipeline", "workflows")
"""Packages whose sources count; installed libraries are not part of a fingerprint."""

_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n#(]+)|import[ \t]+([\w., \t]+))", re.MULTILINE
)


def source_hash(module: str, root: Path = ROOT) -> str:
    """Return a hash over the import closure of ``module``, a dotted name below ``root``.

    A file counts with its path and its bytes, and so do the data files (any suffix but .py) in its folder. Imports
    inside functions count like those at the top of a file. PlanError when ``module`` has no source below ``root``.
    """
    digest = blake2b(digest_size=16)
    for name in sorted(closure(module, root)):
        digest.update(_read(name, root)[1])
    return digest.hexdigest()


def program_hash(root: Path = ROOT) -> str:
    """Return a hash over all sources and data files of the program's packages, and nothing that Python keeps beside them:
    another process may write it just then.
    """
    digest = blake2b(digest_size=16)
    files = (file for package in PACKAGES for file in (root / package).rglob("*") if file.parent.name != "__pycache__")
    for file in sorted(file for file in files if file.suffix != ".pyc" and file.is_file()):
        _enter(digest, file.relative_to(root).as_posix(), file.read_bytes())
    return digest.hexdigest()


def _enter(digest: blake2b, name: str, content: bytes) -> None:
    """Enter a file in a hash, so that no two lists of files have the same."""
    digest.update(f"{name}:{len(content)}:".encode())
    digest.update(content)


@cache
def closure(module: str, root: Path = ROOT) -> frozenset[str]:
    """Return ``module``, the modules of this program that it imports, those that they import, and so on."""
    if _path(module, root) is None:
        raise PlanError(f"the module {module} has no source file below {root}")
    found, waiting = {module}, [module]
    while waiting:
        imported = _read(waiting.pop(), root)[0] - found
        found |= imported
        waiting += imported
    return frozenset(found)


@cache
def _read(module: str, root: Path) -> tuple[frozenset[str], bytes]:
    """Return what a module imports of this program, and a hash over its file and the data files beside it."""
    path = _path(module, root)
    assert path is not None, module
    content = path.read_bytes()
    digest = blake2b(_data_hash(path.parent), digest_size=16)
    _enter(digest, path.relative_to(root).as_posix(), content)
    found = {module.rpartition(".")[0]} - {""}  # importing a module runs its package first
    for name in _named(content.decode("utf-8")):
        if name.partition(".")[0] in PACKAGES and _path(name, root) is not None:
            found.add(name)
    return frozenset(found), digest.digest()


@cache
def _data_hash(folder: Path) -> bytes:
    """Return a hash over the data files of a folder, made once for all modules in it."""
    digest = blake2b(digest_size=16)
    data = (file for file in folder.iterdir() if file.suffix not in (".py", ".pyc", ".pyi") and file.is_file())
    for file in sorted(data):
        _enter(digest, file.name, file.read_bytes())
    return digest.digest()


def _named(source: str) -> Iterator[str]:
    """Yield what import statements name; ``from a import b`` names a.b too, which is nothing where b is no module."""
    for match in _IMPORT.finditer(source):
        package, names, modules = match.groups()
        if modules:
            yield from (part.split()[0] for part in modules.split(",") if part.strip())
            continue
        yield package
        yield from (f"{package}.{part.split()[0]}" for part in names.strip("()").split(",") if part.strip())


@cache
def _path(module: str, root: Path) -> Path | None:
    base = f"{root}{os.sep}{module.replace('.', os.sep)}"
    candidates = (
        f"{base}{os.sep}__init__.py",
        f"{base}.py",
    )  # texts: Paths of a thousand names take a tenth of a start
    return next((Path(path) for path in candidates if os.access(path, os.R_OK)), None)
