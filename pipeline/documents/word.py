"""Reads Word documents (.docx): a ZIP archive of XML, looked at before it is unpacked and read in one pass.

The time is linear in the size of the XML, and nothing that it declares (spans of columns, depth, entities) costs more.
"""

import io
import zipfile
from collections.abc import Callable
from typing import IO
from xml.parsers import expat

from pipeline.base.errors import InputError
from pipeline.base.files import Problem
from pipeline.documents.parsed import FormatOptions, Parsed, Read, one_line, readable_name

_MOST_FILES = 20_000
_MOST_PACKED = 200
"""Times that an office document may be larger unpacked; documents of mere repetition reach about 100."""
_PIECE = 1 << 18
"""Bytes of XML that are parsed at once."""


def read_docx(source: str, data: bytes, options: FormatOptions) -> Read:
    """One document: paragraphs, headings as Markdown headings, items of lists behind "- ", tables row by row."""
    refusal = _refusal(data, options)
    if refusal:
        yield Problem(source, "", refusal)
        return
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        main = _main_part(archive)
        styles = _Styles()
        core = _CoreProperties()
        for name, reader in ((_beside(main, "styles.xml"), styles), ("docProps/core.xml", core)):
            if name in archive.namelist():
                with archive.open(name) as part:
                    _parse(part, reader)
        body = _Body(styles.shapes())
        with archive.open(main) as part:
            _parse(part, body)
    if not body.blocks:
        yield Problem(source, "", "the Word document has no text", "skipped")
        return
    headings = [text[2:] for text, _ in body.blocks if text.startswith("# ")]
    title = one_line(core.title) or one_line(headings[0] if headings else "") or readable_name(source)
    yield Parsed(title, body.text())


def _refusal(data: bytes, options: FormatOptions) -> str:
    """Why an archive is not to be unpacked; "" where it may be. Python reads no more of a member than its entry declares."""
    if not zipfile.is_zipfile(io.BytesIO(data)):
        if data.startswith(b"\xd0\xcf\x11\xe0"):
            return "it is encrypted or in the old .doc format; save it as .docx"
        return "it is not a .docx, whatever its name"
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = archive.infolist()
    total = sum(entry.file_size for entry in entries)
    if len(entries) > _MOST_FILES or total > options.max_unpacked or total > _MOST_PACKED * max(len(data), 50_000):
        return f"it would unpack to {total / 1e6:.0f} MB in {len(entries)} parts from {len(data) / 1e6:.2f} MB: refused"
    if any(entry.flag_bits & 1 for entry in entries):
        return "it is encrypted with a password"
    return ""


def _main_part(archive: zipfile.ZipFile) -> str:
    relations = _Relations()
    with archive.open("_rels/.rels") as part:
        _parse(part, relations)
    return relations.main or "word/document.xml"


def _beside(part: str, name: str) -> str:
    return f"{part.rpartition('/')[0]}/{name}".lstrip("/")


# --- XML ------------------------------------------------------------------------------------------------------------

Attributes = dict[str, str]


class _XmlReader:
    """Takes the elements of a part by their local names: Word's namespaces differ between editions, their names do not."""

    def start(self, name: str, attributes: Attributes) -> None:
        """Take the start of an element; attributes by their local names."""

    def end(self, name: str) -> None:
        """Take the end of an element."""

    def characters(self, text: str) -> None:
        """Take text."""


def _parse(part: IO[bytes], reader: _XmlReader) -> None:
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    local: Callable[[str], str] = _local

    def start(name: str, attributes: Attributes) -> None:
        reader.start(
            local(name), {local(key): value for key, value in attributes.items()} if attributes else attributes
        )

    def refuse(*_: object) -> None:
        raise InputError("its XML declares a document type, which Word never writes: refused")

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda name: reader.end(local(name))
    parser.CharacterDataHandler = reader.characters
    parser.StartDoctypeDeclHandler = refuse
    while piece := part.read(_PIECE):
        parser.Parse(piece, False)
    parser.Parse(b"", True)


def _local(name: str) -> str:
    return name.rpartition(" ")[2]


class _Relations(_XmlReader):
    """The name of the part that holds the body."""

    def __init__(self) -> None:
        self.main = ""

    def start(self, name: str, attributes: Attributes) -> None:
        if name == "Relationship" and attributes.get("Type", "").endswith("/officeDocument"):
            self.main = self.main or attributes.get("Target", "").lstrip("/")


class _CoreProperties(_XmlReader):
    """The title in the document's properties."""

    def __init__(self) -> None:
        self.title = ""
        self._inside = False

    def start(self, name: str, attributes: Attributes) -> None:
        self._inside = name == "title"

    def end(self, name: str) -> None:
        self._inside = False

    def characters(self, text: str) -> None:
        if self._inside:
            self.title += text


_LIST = -1
"""The shape of an item of a list; 0 is plain text, 1 to 6 a heading of that level."""


class _Styles(_XmlReader):
    """What the styles of paragraphs say of shape: headings, lists, and which style each is based on."""

    def __init__(self) -> None:
        self._own: dict[str, int] = {}
        self._base: dict[str, str] = {}
        self._style = ""

    def start(self, name: str, attributes: Attributes) -> None:
        value = attributes.get("val", "")
        if name == "style":
            self._style = attributes.get("styleId", "")
        elif name == "name":
            words = value.casefold().split()
            if words == ["title"]:
                self._own[self._style] = 1
            elif len(words) == 2 and words[0] == "heading" and words[1].isdecimal():
                self._own[self._style] = _level(words[1], 0)
        elif name == "basedOn":
            self._base[self._style] = value
        elif name == "outlineLvl" and value.isdecimal() and int(value[:3]) < 9:
            self._own.setdefault(self._style, _level(value, 1))
        elif name == "numPr":
            self._own.setdefault(self._style, _LIST)

    def shapes(self) -> dict[str, int]:
        """The shape of each style, its own or that of the nearest style it is based on."""
        return {style: self._shape(style) for style in {*self._own, *self._base}}

    def _shape(self, style: str) -> int:
        for _ in range(20):  # styles that are based on each other in a circle
            if style in self._own:
                return self._own[style]
            style = self._base.get(style, "")
        return 0


def _level(number: str, first: int) -> int:
    return max(1, min(int(number[:3]) + first, 6))


class _Body(_XmlReader):
    """Collects paragraphs and rows of tables. A table within a table is part of the cell it is in."""

    def __init__(self, shapes: dict[str, int]) -> None:
        self._shapes = shapes
        self.blocks: list[tuple[str, str]] = []
        """Text and kind: paragraph, list or row."""
        self._texts: list[list[str]] = []
        """The text of each open paragraph; a text box is a paragraph within one."""
        self._shape: list[int] = []
        self._tables = 0
        self._cells: list[list[str]] = []
        self._in_text = self._properties = self._skipped = 0

    def start(self, name: str, attributes: Attributes) -> None:
        if self._skipped or name in _SKIPPED:
            self._skipped += 1
        elif name == "p":
            self._texts.append([])
            self._shape.append(0)
        elif name == "t":
            self._in_text += 1
        elif name in ("pPr", "tblPr", "tblGrid"):
            self._properties += 1
        elif self._properties:
            self._property(name, attributes.get("val", ""))
        elif name in _SIGNS and self._texts and attributes.get("type", "textWrapping") == "textWrapping":
            self._texts[-1].append(_SIGNS[name])
        elif name == "tbl":
            self._tables += 1
        elif name == "tr" and self._tables == 1:
            self._cells = []
        elif name == "tc" and self._tables == 1:
            self._cells.append([])

    def _property(self, name: str, value: str) -> None:
        if not self._shape:
            return
        if name == "pStyle":
            self._shape[-1] = self._shapes.get(value, 0)
        elif name == "outlineLvl" and value.isdecimal() and int(value[:3]) < 9:
            self._shape[-1] = _level(value, 1)
        elif name == "numPr" and self._shape[-1] == 0:
            self._shape[-1] = _LIST

    def end(self, name: str) -> None:
        if self._skipped:
            self._skipped -= 1
        elif name == "p" and self._texts:
            self._end_paragraph("".join(self._texts.pop()), self._shape.pop())
        elif name == "t":
            self._in_text -= 1
        elif name in ("pPr", "tblPr", "tblGrid"):
            self._properties -= 1
        elif name == "tr" and self._tables == 1:
            cells = [" ".join(" ".join(cell).split()) for cell in self._cells]
            if any(cells):
                self.blocks.append((" | ".join(cells), "row"))
        elif name == "tbl":
            self._tables -= 1

    def characters(self, text: str) -> None:
        if self._in_text and self._texts and not self._skipped:
            self._texts[-1].append(text)

    def _end_paragraph(self, text: str, shape: int) -> None:
        if not text.strip():
            return
        if self._tables:
            if self._cells:
                self._cells[-1].append(text)
        elif shape > 0:
            self.blocks.append((f"{'#' * shape} {' '.join(text.split())}", "paragraph"))
        elif shape == _LIST:
            self.blocks.append((f"- {text.strip()}", "list"))
        else:
            self.blocks.append((text, "paragraph"))

    def text(self) -> str:
        """All blocks: rows of a table and items of a list on lines, others with blank lines between them."""
        pieces: list[str] = []
        before = ""
        for text, kind in self.blocks:
            pieces.append(("\n" if kind == before != "paragraph" else "\n\n") if pieces else "")
            pieces.append(text)
            before = kind
        return "".join(pieces)


_SKIPPED = frozenset(("Fallback", "pPrChange", "rPrChange", "moveFrom"))
"""A second version of a drawing for older programs, and what tracked changes replaced."""
_SIGNS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
