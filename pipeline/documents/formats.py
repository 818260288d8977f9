"""Turns the bytes of an input file into documents, by the ending of its name; what cannot be read is in the same stream."""

import re
from collections.abc import Callable
from pathlib import PurePosixPath

from pipeline.base.errors import InputError
from pipeline.base.files import Problem
from pipeline.documents.composed import Composition
from pipeline.documents.days import dated
from pipeline.documents.encoding import Decoded, clean, decode
from pipeline.documents.kinds.book import read_epub
from pipeline.documents.kinds.csv_files import read_csv
from pipeline.documents.kinds.json_files import read_json, read_json_lines
from pipeline.documents.kinds.markdown import read_markdown
from pipeline.documents.kinds.markup import read_org, read_rst
from pipeline.documents.kinds.subtitles import read_subtitles
from pipeline.documents.kinds.web_page import declared_encoding, read_html
from pipeline.documents.letters import signed
from pipeline.documents.office.pdf import read_pdf
from pipeline.documents.office.slides import read_pptx
from pipeline.documents.office.spreadsheet import read_xlsx
from pipeline.documents.office.word import read_docx
from pipeline.documents.parsed import NOTE, FormatOptions, LeftOut, Parsed, Read, Scalar, readable_name
from pipeline.documents.places import copied, line_starts
from pipeline.text.attribution import message_head
from pipeline.text.metadata import head_metadata

__all__ = ["ENCODING", "NOTE", "FormatOptions", "LeftOut", "Parsed", "Problem", "Read", "decoded", "parse"]

ENCODING = "encoding"
"""Key of the metadata that holds the encoding of a text file."""


def _read_text(source: str, text: str, options: FormatOptions) -> Read:
    """One document, titled by the file's name; a message with its headers above it by its subject, which says who sent it and when."""
    title, metadata = readable_name(source), dict[str, Scalar]()
    if head := message_head(text):
        title, metadata = head.get("subject") or title, head_metadata(head["from"], head.get("date", ""))
    parsed = Parsed(title, text, metadata, places=copied(text, 0, line_starts(text)))
    ending = PurePosixPath(source).suffix.lower()
    yield parsed if ending in (*_TEXTS, "") else parsed.noted(f"read as plain text: {ending} has no reader of its own")


_TEXTS: dict[str, Callable[[str, str, FormatOptions], Read]] = {
    ".txt": _read_text,
    ".text": _read_text,
    ".md": read_markdown,
    ".markdown": read_markdown,
    ".csv": read_csv,
    ".tsv": read_csv,
    ".json": read_json,
    ".jsonl": read_json_lines,
    ".ndjson": read_json_lines,
    ".html": read_html,
    ".htm": read_html,
    ".xhtml": read_html,
    ".rst": read_rst,
    ".org": read_org,
    ".srt": read_subtitles,
    ".vtt": read_subtitles,
}


def _read_mail(source: str, data: bytes, options: FormatOptions) -> Read:
    from pipeline.documents.kinds.mail import read_mail, read_mbox  # the library of mail takes as long as all others

    yield from (read_mbox if source.lower().endswith(".mbox") else read_mail)(
        source, data, options, (_documents, ENDINGS)
    )


_BINARIES: dict[str, Callable[[str, bytes, FormatOptions], Read]] = {
    ".pdf": read_pdf,
    ".docx": read_docx,
    ".xlsx": read_xlsx,
    ".pptx": read_pptx,
    ".epub": read_epub,
    ".eml": _read_mail,
    ".mbox": _read_mail,
}
ENDINGS = frozenset({*_TEXTS, *_BINARIES})
"""Endings of names, in lower case, that have a reader of their own."""


def parse(source: str, data: bytes | str, options: FormatOptions | None = None) -> Read:
    """Yield the documents of one file and its problems, in the file's order. Nothing that a file holds raises.

    ``source`` is the path relative to the input folder; its ending names the format, any case, and an ending that is not
    known is read as plain text. ``data`` may be text already decoded. A document without a character to read is a problem,
    and so is whatever a reader raises; only MemoryError passes, because it says nothing of the file.
    Metadata hold the ENCODING of a text file, the ``date`` of a document where anything tells it (see ``dated``), who signed a
    letter and whom it greets (see ``signed``), and, under NOTE,
    what was decided or lost in reading.
    """
    for item in _documents(source, data, options or FormatOptions()):
        yield signed(dated(item, source)) if isinstance(item, Parsed) else item


def _documents(source: str, data: bytes | str, options: FormatOptions) -> Read:
    """The same, as its reader gives it: what is attached to a mail has the date of the mail."""
    if not data:
        yield Problem(source, "", "empty (0 bytes)", "skipped")
        return
    found = _read(source, data, options)
    empty = True
    while True:
        try:
            item = next(found, None)
        except MemoryError:
            raise
        except InputError as error:
            item = Problem(source, "", error.found)
        except Exception as error:  # noqa: BLE001  readers and their libraries raise nearly anything on broken files
            item = Problem(source, "", f"it cannot be read: {_reason(error)}")
        if item is None:
            if empty:
                yield Problem(source, "", "nothing in it to read", "skipped")
            return
        empty = False
        if isinstance(item, Parsed) and not item.text.strip():
            item = Problem(source, item.key, "no text in it", "skipped")
        yield item


def _read(source: str, data: bytes | str, options: FormatOptions) -> Read:
    ending = PurePosixPath(source).suffix.lower()
    if ending in _BINARIES and isinstance(data, bytes):
        yield from _BINARIES[ending](source, data, options)
        return
    text = decoded(source, data)
    composition = Composition(text.text)
    for item in _TEXTS.get(ending, _read_text)(source, composition.text, options):
        yield _with_encoding(item.at(composition.back(item.places)), text) if isinstance(item, Parsed) else item


def _reason(error: Exception) -> str:
    """What was raised, on one line and the same in every run: addresses of objects are left out."""
    message = re.sub(r" at 0x[0-9a-f]+", "", " ".join(str(error).split()))
    return f"{type(error).__name__}: {clean(message[:200])[0]}" if message else type(error).__name__


def decoded(source: str, data: bytes | str) -> Decoded:
    """The characters of a text file, in which places are counted. Raises InputError for binary data."""
    if isinstance(data, str):
        text, replaced = clean(data.removeprefix("\ufeff"))
        return Decoded(text, "", bool(replaced))
    page = _TEXTS.get(PurePosixPath(source).suffix.lower()) is read_html
    return decode(data, declared_encoding(data) if page else None)


def _with_encoding(parsed: Parsed, decoded: Decoded) -> Parsed:
    if decoded.encoding:
        parsed.metadata[ENCODING] = decoded.encoding
    lost = parsed.text.count("\ufffd") if decoded.lossy else 0
    return parsed.noted(f"{lost} characters could not be read and are U+FFFD") if lost else parsed
