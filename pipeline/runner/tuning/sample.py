"""A sample of a corpus, the same for the same seed, read without a model as far as its entities and claims."""

import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from pipeline.base.errors import InputError
from pipeline.base.settings import InputSettings, OutputSettings, Settings, laid_over
from pipeline.base.store import Generation
from pipeline.runner.build import build_index
from pipeline.runner.progress import Progress, Silent, Spent
from pipeline.runner.project import Project
from pipeline.runner.run import run_index
from workflows.stages import STAGES

_LAST = "s50_extract_claims"


class CorpusRead(NamedTuple):
    """What was read of a corpus."""

    tables: Generation
    documents: int
    of: int
    """Documents that there are."""
    characters: int


class _StagesOnly(Silent):
    """Hands on the stages of a run, and none of its lines: that no model is set up is true of the sample alone."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    def stage(self, name: str, help: str) -> None:
        """Hand on."""
        self._progress.stage(name, help)

    def step(self, done: int, total: int | None, spent: Spent) -> None:
        """Hand on."""
        self._progress.step(done, total, spent)

    def finished(self, name: str, rows: dict[str, int], seconds: float) -> None:
        """Hand on."""
        self._progress.finished(name, rows, seconds)


@contextmanager
def read_sample(project: Project, characters: int, seed: int, progress: Progress) -> Iterator[CorpusRead]:
    """Read documents drawn with ``seed``, about so many characters of them, in a folder that is removed afterwards."""
    settings = _offline(project.settings)
    with tempfile.TemporaryDirectory(prefix="graphstrata-tune-") as scratch:
        whole = Project(Path(scratch, "whole"), laid_over(settings, {"input": {"folder": str(project.input)}}))
        whole.root.mkdir()
        run_index(whole, stages=STAGES[:1])
        rows = whole.store.open().table("documents", ["id", "title", "text"]).to_pylist()
        if not rows:
            raise InputError("no document could be read", "there is nothing to tune by", "run: graphstrata doctor")
        rows.sort(key=lambda row: row["id"])
        random.Random(seed).shuffle(rows)
        chosen: list[dict[str, str]] = []
        taken = 0
        for row in rows:
            if chosen and taken >= characters:
                break
            part = row["text"][: characters - taken] if not chosen else row["text"]
            chosen.append(row | {"text": part})
            taken += len(part)
        last = next(place for place, stage in enumerate(STAGES) if stage.name == _LAST)
        plain = settings.model_copy(update={"input": InputSettings()})
        index, _ = build_index(
            pd.DataFrame(chosen),
            plain,
            root=Path(scratch, "sample"),
            progress=_StagesOnly(progress),
            stages=STAGES[: last + 1],
        )
        yield CorpusRead(index.generation, len(chosen), len(rows), taken)


def _offline(settings: Settings) -> Settings:
    """Return settings without models, prompts and earlier stop phrases."""
    extraction = settings.extraction.model_copy(update={"stop_phrases": ()})
    without = {"models": {}, "tasks": {}, "output": OutputSettings()}
    return settings.without_models().model_copy(update={**without, "extraction": extraction})
