"""What people use from Python: ``build`` makes an index of texts, ``Index`` opens one, asks it questions and hands out
its tables. Every name here is documented in docs/reference/api.md; everything else may change without notice."""

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graphstrata.indexing import build
    from pipeline.base.errors import (
        BudgetError,
        GraphstrataError,
        InputError,
        ModelError,
        QuestionError,
        SettingsError,
        StoreError,
    )
    from pipeline.base.settings import Settings
    from pipeline.query.answer import Answer, Source
    from pipeline.query.index import Index
    from pipeline.query.method_names import Effort, Method
    from pipeline.query.several import Indexes

_HOMES = {
    "Answer": "pipeline.query.answer",
    "BudgetError": "pipeline.base.errors",
    "Effort": "pipeline.query.method_names",
    "GraphstrataError": "pipeline.base.errors",
    "Index": "pipeline.query.index",
    "Indexes": "pipeline.query.several",
    "InputError": "pipeline.base.errors",
    "Method": "pipeline.query.method_names",
    "ModelError": "pipeline.base.errors",
    "QuestionError": "pipeline.base.errors",
    "Settings": "pipeline.base.settings",
    "SettingsError": "pipeline.base.errors",
    "Source": "pipeline.query.answer",
    "StoreError": "pipeline.base.errors",
    "build": "graphstrata.indexing",
}
"""Where each public name is defined: it is imported when it is first used, so that this import costs next to nothing."""

__all__ = [
    "Answer",
    "BudgetError",
    "Effort",
    "GraphstrataError",
    "Index",
    "Indexes",
    "InputError",
    "Method",
    "ModelError",
    "QuestionError",
    "Settings",
    "SettingsError",
    "Source",
    "StoreError",
    "__version__",
    "build",
]


def _check_own_packages() -> None:
    """Raise ImportError where other modules take the place of graphstrata's own packages."""
    home = Path(__file__).resolve().parent.parent
    for name in ("pipeline", "workflows"):
        spec = find_spec(name)
        origin = Path(spec.origin).resolve() if spec and spec.origin else None
        if origin != home / name / "__init__.py":
            raise ImportError(
                f"the module {name!r} that Python finds is {origin}\n"
                f"graphstrata needs its own package of that name, at {home / name}\n"
                f"rename {origin.name if origin else name}, or run where it is not found before installed packages"
            )


_check_own_packages()


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return import_module("pipeline").__version__
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"graphstrata has no {name!r}; it has {', '.join(__all__)}")


def __dir__() -> list[str]:
    return list(__all__)
