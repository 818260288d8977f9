"""Reads slides (.pptx) with python-pptx, a library of the extra "office", imported when first needed."""

import io
from collections.abc import Iterator
from typing import Any

from pipeline.base.files import Problem
from pipeline.documents.encoding import clean
from pipeline.documents.parsed import FormatOptions, Parsed, Read, imported, one_line, readable_name
from pipeline.documents.places import MappedText
from pipeline.documents.tables import column_names, row_text
from pipeline.documents.zip_limits import check_archive


def read_pptx(source: str, data: bytes, options: FormatOptions) -> Read:
    """One document: for each slide its title as a heading, its texts, lists and tables, and the speaker's notes."""
    pptx = imported("pptx", "python-pptx", "office")
    check_archive(data, ".pptx", options)
    show = pptx.Presentation(io.BytesIO(data))
    deck = _Deck()
    for slide in show.slides:
        deck.slide(slide)
    if not deck.text.length:
        yield Problem(source, "", "the slides have no text", "skipped")
        return
    title = one_line(str(show.core_properties.title or "")) or one_line(deck.title) or readable_name(source)
    yield Parsed(title, deck.text.text(), places=deck.text.places("slide", 1, deck.breaks))


class _Deck:
    """Collects the text of slides; positions count through the texts of all slides."""

    def __init__(self) -> None:
        self.text = MappedText()
        self.title = ""
        self.breaks: list[int] = []
        self._at = 0

    def slide(self, slide: Any) -> None:
        """Take a slide."""
        self.breaks.append(self._at)
        heading = slide.shapes.title
        if heading is not None and heading.has_text_frame:
            title = _plain(heading.text_frame.text)
            self.title = self.title or title
            self._block(title, "## ")
        for shape in _flat(slide.shapes):
            if heading is not None and shape.shape_id == heading.shape_id:
                continue
            if shape.has_text_frame:
                lines = [_plain(paragraph.text) for paragraph in shape.text_frame.paragraphs]
                several = sum(map(bool, lines)) > 1
                for place, line in enumerate(filter(None, lines)):
                    self._block(line, "- " if several else "", "\n" if several and place else "\n\n")
            elif getattr(shape, "has_table", False):
                self._table([[_plain(cell.text) for cell in row.cells] for row in shape.table.rows])
        if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
            self._block(_plain(slide.notes_slide.notes_text_frame.text), "Notes: ")

    def _block(self, words: str, before: str = "", gap: str = "\n\n") -> None:
        if words:
            self.text.insert((gap if self.text.length else "") + before)
            self.text.copy(words, self._at)
            self._at += len(words)

    def _table(self, rows: list[list[str]]) -> None:
        names = column_names(rows) if rows else []
        for place, cells in enumerate(rows):
            self._block(row_text(names if place else [], cells), gap="\n" if place else "\n\n")


def _flat(shapes: Any) -> Iterator[Any]:
    """The shapes, those of groups among them, from top to bottom and left to right."""
    for shape in sorted(shapes, key=lambda one: (one.top or 0, one.left or 0, one.shape_id)):
        if hasattr(shape, "shapes"):
            yield from _flat(shape.shapes)
        else:
            yield shape


def _plain(text: str) -> str:
    return clean(" ".join(text.split()))[0]
