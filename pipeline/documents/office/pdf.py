"""Reads the text layer of PDF files with pypdf, the library of the extra "office", imported when first needed."""

import io
import logging
import time
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any

from pipeline.base.files import Problem
from pipeline.documents.encoding import clean
from pipeline.documents.office.pdf_fonts import give_spaces
from pipeline.documents.office.pdf_layout import Edit, LaidOut, edits, lines_of
from pipeline.documents.office.pdf_tables import PagePieces, Table
from pipeline.documents.parsed import FormatOptions, Parsed, Read, imported, one_line, readable_name
from pipeline.documents.places import MappedText
from pipeline.documents.tables import column_names, write_row


def read_pdf(source: str, data: bytes, options: FormatOptions) -> Read:
    """One document of a PDF's text layer, pages parted by blank lines."""
    pypdf = imported("pypdf", "pypdf", "office")
    if not data.startswith(b"%PDF-") and b"%PDF-" not in data[:1024]:
        yield Problem(source, "", "it is not a PDF, whatever its name")
        return
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it warns of every oddity; what matters becomes a problem
    yield _document(source, pypdf.PdfReader(io.BytesIO(data)), options)


def _document(source: str, reader: Any, options: FormatOptions) -> Parsed | Problem:
    if reader.is_encrypted and not reader.decrypt(""):
        return Problem(source, "", "the PDF is encrypted with a password")
    if len(reader.pages) > options.max_pages:
        return Problem(source, "", f"the PDF has {len(reader.pages)} pages, more than the limit of {options.max_pages}")
    began = time.process_time()
    give_spaces(reader, import_module("pypdf.generic"))
    pages: list[LaidOut] = []
    starts = [0]
    replaced = 0
    for number, page in enumerate(reader.pages, 1):
        pieces = PagePieces()
        words, bad = clean(page.extract_text(visitor_text=pieces.take))
        if time.process_time() - began > options.max_seconds:
            return Problem(source, "", f"page {number} passed the limit of {options.max_seconds:g} CPU seconds")
        if starts[-1] + len(words) > options.max_unpacked:
            return Problem(source, "", f"page {number} passed the limit of {options.max_unpacked / 1e6:g} MB of text")
        placed = pieces.length == len(words)
        lines = lines_of(words, pieces.cells) if placed else []
        pages.append(LaidOut(words.rstrip(), lines, pieces.tables(words) if placed else []))
        starts.append(starts[-1] + len(words))
        replaced += bad
    if not any(page.text for page in pages):
        return Problem(source, "", "the PDF has no text layer, only images; recognise its text first", "skipped")
    title = one_line(clean(str(getattr(reader.metadata, "title", None) or ""))[0]) or readable_name(source)
    text = MappedText()
    for page, start, changes in zip(pages, starts, edits(pages, title), strict=False):
        if page.text:
            text.insert("\n\n" if text.length else "")
            _write(text, page, start, changes)
    parsed = Parsed(title, text.text(), places=text.places("page", 1, starts[:-1]))
    return parsed.noted(f"{replaced} unusable characters replaced") if replaced else parsed


def _write(text: MappedText, page: LaidOut, start: int, changes: Iterable[Edit]) -> None:
    """Write a page, whose text begins at position ``start``, with changes: rows of tables on lines of their own."""
    at = 0
    pieces: list[Edit | Table] = [*changes, *page.tables]
    for piece in sorted(pieces, key=_start):
        text.copy(page.text[at : _start(piece)], start + at)
        if isinstance(piece, Edit):
            text.insert(piece.text)
            at = piece.end
        else:
            _write_table(text, page.text, piece, start)
            at = piece[-1][-1].end
    text.copy(page.text[at:], start + at)


def _start(piece: Edit | Table) -> int:
    return piece.start if isinstance(piece, Edit) else piece[0][0].start


def _write_table(text: MappedText, page: str, table: Table, start: int) -> None:
    rows = [[page[cell.start : cell.end] for cell in line] for line in table]
    names = column_names(rows)
    for number, (line, cells) in enumerate(zip(table, rows, strict=True)):
        text.insert("\n" if number else "")
        _write_row(text, names if number else [], cells, [start + cell.start for cell in line])


def _write_row(text: MappedText, names: Sequence[str], cells: Sequence[str], starts: Sequence[int]) -> None:
    write_row(text, names, cells, lambda k: text.copy(cells[k], starts[k]))
