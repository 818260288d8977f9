"""Which documents came, changed and went between two generations, or between a generation and the files of now."""

from collections.abc import Mapping
from dataclasses import dataclass

from pipeline.base.store import Rows


@dataclass(frozen=True)
class Changes:
    """Numbers of documents. A document is changed when its source stays and its text does not."""

    added: int
    changed: int
    removed: int
    unchanged: int

    def __str__(self) -> str:
        there = ", ".join(f"{count:,} {what}" for what, count in vars(self).items() if count)
        return f"documents: {there or 'none'}"


def compare(before: Rows | None, after: Rows) -> Changes:
    """Compare the documents of two generations by id and source."""
    return compare_sources(before, _sources(after))


def compare_sources(before: Rows | None, new: Mapping[str, set[str]]) -> Changes:
    """Compare the documents of a generation with others, given as the ids of each source."""
    old = _sources(before)
    gone = {source: old_ids - new.get(source, set()) for source, old_ids in old.items()}
    come = {source: new_ids - old.get(source, set()) for source, new_ids in new.items()}
    changed = sum(min(len(gone.get(source, ())), len(ids)) for source, ids in come.items())
    n_gone, n_come = sum(map(len, gone.values())), sum(map(len, come.values()))
    total = sum(map(len, new.values()))
    return Changes(n_come - changed, changed, n_gone - changed, total - n_come)


def _sources(documents: Rows | None) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    if documents is not None:
        for batch in documents.batches(["id", "source"], 16_384):
            for id, source in zip(batch["id"].to_pylist(), batch["source"].to_pylist(), strict=True):
                found.setdefault(source, set()).add(id)
    return found
