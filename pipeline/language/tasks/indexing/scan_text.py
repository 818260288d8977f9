"""Which names and phrases may be in a chunk: statistics for the vocabulary, never a model's work."""

from dataclasses import dataclass

from pipeline.base.task import Request, Task
from pipeline.text.names.chunk_scan import Scan, scan


@dataclass(frozen=True)
class ChunkToScan(Request):
    """A chunk's text and its anchor."""

    text: str
    anchor: str


def offline(request: ChunkToScan) -> Scan:
    """Return the candidates of one chunk with their counts."""
    return scan(request.text, request.anchor)


scan_text = Task("scan_text", None, ChunkToScan, Scan, offline)
