"""``build``: from texts to an index, in one call. What it does is imported when it is called."""

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd
    from langchain_core.language_models import BaseChatModel

    from pipeline.base.settings import Settings
    from pipeline.query.index import Index
    from pipeline.runner.progress import Progress


def build(
    texts: "str | Path | Sequence[str] | Mapping[str, str] | pd.DataFrame",
    *,
    settings: "Settings | Mapping[str, Any] | str | Path | None" = None,
    model: "BaseChatModel | None" = None,
    root: str | Path | None = None,
    progress: "Progress | None" = None,
) -> "Index":
    """Index ``texts`` and return the index, opened.

    ``texts`` are a folder of files, a project (a folder with settings.yaml), a list of texts, texts by their names, or a
    DataFrame with a column ``text`` and, where there are any, ``id``, ``title``, ``date``, ``metadata`` (mappings) and
    further columns, which are metadata too. ``settings`` are Settings, a file of settings, or a mapping as settings.yaml
    has it, which changes those of the project. ``model``, any LangChain chat model, answers in place of the one that
    settings name as ``language.default``; its replies are cached under its class and parameters, so that none is paid
    for twice.

    ``root`` is the project's folder, where the index, its cache and texts that are no files are kept: calling ``build``
    with it again does only what has changed, and the command goes on there with ``--root``. Without it, what is no
    project is indexed in a temporary folder, which is deleted when the index is no longer used. ``progress`` watches
    the run.

    Raises InputError, SettingsError, ModelError, BudgetError or StoreError. Items that failed end nothing: a warning
    counts them, and ``index.failures`` has their reasons.
    """
    from pipeline.runner.build import build_index

    index, outcome = build_index(texts, settings, model, root, progress)
    if outcome.failures:
        warnings.warn(
            f"failed items: {len(outcome.failures)}; answers rest on the others, and index.failures has the reasons",
            stacklevel=2,
        )
    return index
