"""What the tasks that extract from a chunk are asked: to read it a first time, and to look for what was missed."""

from dataclasses import KW_ONLY, dataclass

from pipeline.base.task import Request
from pipeline.text.extraction.annotate import Reading
from pipeline.text.metadata import title_with


@dataclass(frozen=True)
class _ChunkToRead(Request):
    """A chunk, its anchor, and of its document the date and, of a mail, who ``sent`` it to whom, as its metadata give them, else empty.

    ``about`` says what counts as a claim, ``entities`` names those known in the chunk; empty for tasks that use neither.
    """

    text: str
    anchor: str
    _: KW_ONLY
    date: str = ""
    sent: str = ""
    about: str = ""
    entities: str = ""

    def shown(self, name: str) -> str:
        """Return the anchor with the date and who sent it: without them a model cannot tell when "today" is, nor who "I" and "P." are."""
        return title_with(self.anchor, self.date, self.sent) if name == "anchor" else super().shown(name)


@dataclass(frozen=True)
class ChunkToExtract(_ChunkToRead):
    """A chunk with its sentences and the known names in them, for the extraction without a model; of the first of a mail also the
    titles of who wrote it and of each whom it is to."""

    reading: Reading
    correspondents: tuple[tuple[str, str], ...] = ()

    def again(self, found: str) -> "ChunkToGlean":
        """Return the request for what is missing from ``found``."""
        known = {"date": self.date, "sent": self.sent, "about": self.about, "entities": self.entities}
        return ChunkToGlean(self.item, self.text, self.anchor, found, **known)


@dataclass(frozen=True)
class ChunkToGlean(_ChunkToRead):
    """A chunk with what was found in it so far."""

    found: str


CHUNK = """<material>
Title, and the heading that the text begins under: {anchor}

{text}
</material>
"""
"""How a prompt shows a chunk."""
