"""The texts of a sample: its chunks, its sentences, and each place where a sentence names an entity."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pipeline.base.store import Generation
from pipeline.text.scripts import fold


class SampleSentence(NamedTuple):
    """A sentence of the sample: its span in the text of its chunk, and the entities it names with their spans there."""

    chunk: str
    start: int
    end: int
    language: str
    titles: Sequence[str]
    starts: Sequence[int]
    ends: Sequence[int]


class NamedPlace(NamedTuple):
    """One place where a sentence names an entity: by its title, by another form of its name, or by a pronoun."""

    title: str
    text: str
    """Of the chunk; ``start`` to ``end`` is what is written in it, ``sentence`` what that is in."""
    start: int
    end: int
    sentence: SampleSentence

    @property
    def written(self) -> str:
        """What is written there."""
        return self.text[self.start : self.end]

    @property
    def is_title(self) -> bool:
        """Whether the title itself is written there, whatever its case."""
        return fold(self.written) == fold(self.title)


class SampleTexts:
    """Chunks and sentences of a sample, read once."""

    def __init__(self, tables: Generation) -> None:
        self.chunks: dict[str, str] = dict(tables.values("chunks", "id", "text"))
        rows = tables.values("sentences", "chunk_id", *SampleSentence._fields[1:])
        self.sentences = [SampleSentence(*row) for row in rows]

    def places(self) -> Iterator[NamedPlace]:
        """Every place where a sentence names an entity."""
        for sentence in self.sentences:
            text = self.chunks[sentence.chunk]
            for title, start, end in zip(sentence.titles, sentence.starts, sentence.ends, strict=True):
                yield NamedPlace(title, text, start, end, sentence)
