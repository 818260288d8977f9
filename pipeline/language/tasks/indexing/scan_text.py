"""Which names and phrases may stand in a chunk: statistics for the vocabulary, never a model's work."""

from dataclasses import dataclass

from pipeline.base.task import Ask, Task
from pipeline.text.names.names import Scan, scan


@dataclass(frozen=True)
class ChunkToScan(Ask):
    """A chunk's text and its anchor."""

    text: str
    anchor: str


def offline(ask: ChunkToScan) -> Scan:
    """Return the candidates of one chunk with their counts."""
    return scan(ask.text, ask.anchor)


scan_text = Task("scan_text", None, ChunkToScan, Scan, offline)
