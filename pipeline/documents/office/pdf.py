"""Reads the text layer of PDF files with pypdf, the library of the extra "office", imported when first needed."""

import io
import logging
import time
from collections.abc import Sequence
from typing import Any

from pipeline.base.files import Problem
from pipeline.documents.encoding import clean
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
    text = MappedText()
    starts = [0]
    replaced = 0
    for number, page in enumerate(reader.pages, 1):
        pieces = PagePieces()
        words, bad = clean(page.extract_text(visitor_text=pieces.take))
        if time.process_time() - began > options.max_seconds:
            return Problem(source, "", f"page {number} passed the limit of {options.max_seconds:g} CPU seconds")
        if starts[-1] + len(words) > options.max_unpacked:
            return Problem(source, "", f"page {number} passed the limit of {options.max_unpacked / 1e6:g} MB of text")
        if words.strip():
            text.insert("\n\n" if text.length else "")
            _write(text, words.rstrip(), starts[-1], pieces.tables(words) if pieces.length == len(words) else [])
        starts.append(starts[-1] + len(words))
        replaced += bad
    if not text.length:
        return Problem(source, "", "the PDF has no text layer, only images; recognise its text first", "skipped")
    title = one_line(clean(str(getattr(reader.metadata, "title", None) or ""))[0]) or readable_name(source)
    parsed = Parsed(title, text.text(), places=text.places("page", 1, starts[:-1]))
    return parsed.noted(f"{replaced} unusable characters replaced") if replaced else parsed


def _write(text: MappedText, page: str, start: int, tables: list[Table]) -> None:
    """Write a page, whose text begins at position ``start``: rows of tables on lines of their own, the rest as it is."""
    at = 0
    for table in tables:
        text.copy(page[at : table[0][0].start], start + at)
        rows = [[page[cell.start : cell.end] for cell in line] for line in table]
        names = column_names(rows)
        for number, (line, cells) in enumerate(zip(table, rows, strict=True)):
            text.insert("\n" if number else "")
            _write_row(text, names if number else [], cells, [start + cell.start for cell in line])
        at = table[-1][-1].end
    text.copy(page[at:], start + at)


def _write_row(text: MappedText, names: Sequence[str], cells: Sequence[str], starts: Sequence[int]) -> None:
    write_row(text, names, cells, lambda k: text.copy(cells[k], starts[k]))
