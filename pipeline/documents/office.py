"""Reads PDF (pypdf) and Word documents (python-docx), the libraries of the extra "office", imported when first needed.

Both formats are packed, so what they would unpack to is looked at before it is unpacked.
"""

import io
import logging
import time
import zipfile
from collections.abc import Iterator
from typing import Any

from pipeline.base.files import Problem
from pipeline.documents.encoding import clean
from pipeline.documents.parsed import FormatOptions, Parsed, Read, one_line, readable_name

_NEEDED = "reading it needs {}; install the extra: pip install 'graphstrata[office]'"
_MOST_FILES = 20_000
_MOST_PACKED = 200
"""Times that an office document may be larger unpacked; documents of mere repetition reach about 100."""


def read_pdf(source: str, data: bytes, options: FormatOptions) -> Read:
    """One document of a PDF's text layer, pages parted by blank lines."""
    try:
        import pypdf
    except ImportError:
        yield Problem(source, "", _NEEDED.format("pypdf"))
        return
    if not data.startswith(b"%PDF-") and b"%PDF-" not in data[:1024]:
        yield Problem(source, "", "it is not a PDF, whatever its name")
        return
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it warns of every oddity; what matters is told as a problem
    try:
        yield _pdf(source, pypdf.PdfReader(io.BytesIO(data)), options)
    except Exception as error:  # noqa: BLE001  broken files make the library raise nearly anything
        yield Problem(source, "", f"the PDF cannot be read: {_reason(error)}")


def _pdf(source: str, reader: Any, options: FormatOptions) -> Parsed | Problem:
    if reader.is_encrypted and not reader.decrypt(""):
        return Problem(source, "", "the PDF is encrypted with a password")
    if len(reader.pages) > options.max_pages:
        return Problem(source, "", f"the PDF has {len(reader.pages)} pages, more than the limit of {options.max_pages}")
    began = time.process_time()
    pages: list[str] = []
    size = 0
    for page in reader.pages:
        pages.append(page.extract_text().strip())
        size += len(pages[-1])
        if time.process_time() - began > options.max_seconds:
            return Problem(source, "", f"page {len(pages)} passed the limit of {options.max_seconds:g} CPU seconds")
        if size > options.max_unpacked:
            return Problem(
                source, "", f"page {len(pages)} passed the limit of {options.max_unpacked / 1e6:g} MB of text"
            )
    if not size:
        return Problem(source, "", "the PDF has no text layer, only images; recognise its text first", "skipped")
    title = one_line(str(getattr(reader.metadata, "title", None) or "")) or readable_name(source)
    return _cleaned(title, "\n\n".join(page for page in pages if page))


def read_docx(source: str, data: bytes, options: FormatOptions) -> Read:
    """One document: paragraphs, headings as Markdown headings, tables row by row with " | " between cells."""
    try:
        import docx
    except ImportError:
        yield Problem(source, "", _NEEDED.format("python-docx"))
        return
    try:
        refusal = _unsafe(data, options)
        if refusal:
            yield Problem(source, "", refusal)
            return
        document = docx.Document(io.BytesIO(data))
        yield _word(source, document)
    except Exception as error:  # noqa: BLE001  as above
        yield Problem(source, "", f"the Word document cannot be read: {_reason(error)}")


def _unsafe(data: bytes, options: FormatOptions) -> str:
    """Why an archive is not to be unpacked; "" where it may be. Python reads no more of a member than its entry declares."""
    if not zipfile.is_zipfile(io.BytesIO(data)):
        old = data.startswith(b"\xd0\xcf\x11\xe0")
        return (
            "it is encrypted or in the old .doc format; save it as .docx"
            if old
            else "it is not a .docx, whatever its name"
        )
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = archive.infolist()
    total = sum(entry.file_size for entry in entries)
    if len(entries) > _MOST_FILES or total > options.max_unpacked or total > _MOST_PACKED * max(len(data), 50_000):
        return f"it would unpack to {total / 1e6:.0f} MB in {len(entries)} parts from {len(data) / 1e6:.2f} MB: refused"
    if any(entry.flag_bits & 1 for entry in entries):
        return "it is encrypted with a password"
    return ""


def _word(source: str, document: Any) -> Parsed | Problem:
    blocks = [block for block in _blocks(document) if block.strip()]
    if not blocks:
        return Problem(source, "", "the Word document has no text", "skipped")
    headings = [block[2:] for block in blocks if block.startswith("# ")]
    title = one_line(document.core_properties.title or "") or one_line(headings[0] if headings else "")
    return _cleaned(title or readable_name(source), "\n\n".join(blocks))


def _blocks(document: Any) -> Iterator[str]:
    for item in document.iter_inner_content():
        if hasattr(item, "rows"):
            yield "\n".join(" | ".join(_cells(row)) for row in item.rows)
            continue
        style = str(getattr(item.style, "name", ""))
        words = style.split()
        level = (
            1
            if style == "Title"
            else int(words[1])
            if len(words) == 2 and words[0] == "Heading" and words[1].isdigit()
            else 0
        )
        yield f"{'#' * min(level, 6)} {' '.join(item.text.split())}" if level and item.text.strip() else item.text


def _cells(row: Any) -> Iterator[str]:
    """The texts of a row's cells; a cell that spans columns is given once."""
    last = None
    for cell in row.cells:
        if cell._tc is not last:
            yield " ".join(cell.text.split())
        last = cell._tc


def _cleaned(title: str, text: str) -> Parsed:
    text, replaced = clean(text)
    parsed = Parsed(clean(title)[0], text)
    return parsed.noted(f"{replaced} unusable characters replaced") if replaced else parsed


def _reason(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
