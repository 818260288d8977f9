"""The fingerprint of the program itself: what a stage or an offline reply was made with."""

from functools import cache
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path

from pipeline.base.errors import PlanError


@cache
def source_hash(*modules: str) -> str:
    """Return a hash over the sources of ``modules``; a package stands for the files directly inside it."""
    digest = blake2b(digest_size=16)
    for module in sorted(modules):
        for path in _files(module):
            content = path.read_bytes()
            digest.update(f"{module}/{path.name}:{len(content)}:".encode())
            digest.update(content)
    return digest.hexdigest()


def _files(module: str) -> list[Path]:
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise PlanError(f"the module {module} has no source file")
    origin = Path(spec.origin)
    return sorted(origin.parent.glob("*.py")) if origin.name == "__init__.py" else [origin]
