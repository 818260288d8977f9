"""What the tasks that extract from a chunk are asked: to read it a first time, and to look for what was missed."""

from dataclasses import dataclass

from pipeline.base.task import Request
from pipeline.text.extraction.annotate import Reading


@dataclass(frozen=True)
class ChunkToExtract(Request):
    """A chunk, its anchor, and its sentences with the known names in them, for the extraction without a model.

    ``about`` says what counts as a claim, ``entities`` names those known in the chunk; empty for tasks that use neither.
    """

    text: str
    anchor: str
    reading: Reading
    about: str = ""
    entities: str = ""

    def again(self, found: str) -> "ChunkToGlean":
        """Return the request for what is missing from ``found``."""
        return ChunkToGlean(self.item, self.text, self.anchor, found, self.about, self.entities)


@dataclass(frozen=True)
class ChunkToGlean(Request):
    """A chunk with what was found in it so far."""

    text: str
    anchor: str
    found: str
    about: str = ""
    entities: str = ""
