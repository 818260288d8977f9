"""Reads Word documents (.docx): a ZIP archive of XML, looked at before it is unpacked and read in one pass.

The time is linear in the size of the XML, and nothing that it declares (spans of columns, depth, entities) costs more.
"""

import io
import zipfile
from collections.abc import Sequence

from pipeline.base.files import Problem
from pipeline.documents.encoding import clean
from pipeline.documents.office.word_parts import (
    LIST,
    Attributes,
    CoreProperties,
    Relations,
    Styles,
    XmlReader,
    heading_level,
    parse_xml,
)
from pipeline.documents.parsed import FormatOptions, Parsed, Read, one_line, readable_name
from pipeline.documents.places import MappedText
from pipeline.documents.tables import column_names, write_row
from pipeline.documents.zip_limits import check_archive


def read_docx(source: str, data: bytes, options: FormatOptions) -> Read:
    """One document: paragraphs, headings as Markdown headings, items of lists behind "- ", tables row by row."""
    check_archive(data, ".docx", options)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        main = _main_part(archive)
        styles = Styles()
        core = CoreProperties()
        for name, reader in ((_beside(main, "styles.xml"), styles), ("docProps/core.xml", core)):
            if name in archive.namelist():
                with archive.open(name) as part:
                    parse_xml(part, reader)
        body = _Body(styles.shapes())
        with archive.open(main) as part:
            parse_xml(part, body)
    if not body.text.length:
        yield Problem(source, "", "the Word document has no text", "skipped")
        return
    title = one_line(core.title) or one_line(body.heading) or readable_name(source)
    yield Parsed(title, body.text.text(), places=body.text.places("paragraph", 1, body.breaks, body.labels))


def _main_part(archive: zipfile.ZipFile) -> str:
    relations = Relations()
    with archive.open("_rels/.rels") as part:
        parse_xml(part, relations)
    return relations.main or "word/document.xml"


def _beside(part: str, name: str) -> str:
    return f"{part.rpartition('/')[0]}/{name}".lstrip("/")


class _TableRow:
    """A row of a table: for each cell its paragraphs."""

    def __init__(self) -> None:
        self.cells: list[list[str]] = []
        self.spans = self.repeated = self.bold = False
        """Whether a cell spans columns; whether the row is repeated on every page; whether all its text is bold."""

    def words(self) -> list[str]:
        """The text of each cell on one line."""
        return [" ".join(" ".join(cell).split()) for cell in self.cells]


class _Body(XmlReader):
    """Writes paragraphs and rows of tables. A table within a table is part of the cell it is in.

    Paragraphs are numbered as Word's own are: those of the body from 1 on, empty ones among them, those of tables apart.
    """

    def __init__(self, shapes: dict[str, int]) -> None:
        self._shapes = shapes
        self.text = MappedText()
        self.heading = ""
        self.breaks: list[int] = []
        self.labels: list[str] = []
        self._length = 0
        """Characters of the paragraphs and rows so far, what reading inserts left aside."""
        self._last = ""
        """The last block: paragraph, list or the table it is of."""
        self._open: list[_Paragraph] = []
        """A text box is a paragraph within one."""
        self._paragraphs = self._tables = self._depth = 0
        self._rows: list[_TableRow] = []
        """The rows of the open table."""
        self._bold = False
        self._in_text = self._properties = self._skipped = 0

    def start(self, name: str, attributes: Attributes) -> None:
        if self._skipped or name in _SKIPPED:
            self._skipped += 1
        elif name == "p":
            self._paragraphs += not self._depth and not self._open
            self._open.append(_Paragraph())
        elif name == "t":
            self._in_text += 1
        elif name == "r":
            self._bold = False
        elif name in _PROPERTIES:
            self._properties += 1
        elif self._properties:
            self._property(name, attributes.get("val", ""))
        elif name in _SIGNS and self._open and attributes.get("type", "textWrapping") == "textWrapping":
            self._open[-1].texts.append(_SIGNS[name])
        elif name == "tbl":
            self._depth += 1
            self._rows = [] if self._depth == 1 else self._rows
        elif name == "tr" and self._depth == 1:
            self._rows.append(_TableRow())
            self._rows[-1].bold = True
        elif name == "tc" and self._depth == 1 and self._rows:
            self._rows[-1].cells.append([])
        elif name == "b":
            self._bold = attributes.get("val", "1") not in ("0", "false", "off")

    def _property(self, name: str, value: str) -> None:
        if name in ("gridSpan", "tblHeader") and self._rows:
            self._rows[-1].spans |= name == "gridSpan"
            self._rows[-1].repeated |= name == "tblHeader"
        elif not self._open:
            return
        elif name == "pStyle":
            self._open[-1].shape = self._shapes.get(value, 0)
        elif name == "outlineLvl" and value.isdecimal() and int(value[:3]) < 9:
            self._open[-1].shape = heading_level(value, 1)
        elif name == "numPr" and self._open[-1].shape == 0:
            self._open[-1].shape = LIST

    def end(self, name: str) -> None:
        if self._skipped:
            self._skipped -= 1
        elif name == "p" and self._open:
            self._end_paragraph(self._open.pop())
        elif name == "t":
            self._in_text -= 1
        elif name in _PROPERTIES:
            self._properties -= 1
        elif name == "tbl":
            self._depth -= 1
            if not self._depth and self._rows:
                self._end_table(self._rows)

    def characters(self, text: str) -> None:
        if self._in_text and self._open and not self._skipped:
            self._open[-1].texts.append(text)
            if self._depth and self._rows:
                self._rows[-1].bold &= self._bold

    def _end_paragraph(self, paragraph: "_Paragraph") -> None:
        text = clean("".join(paragraph.texts))[0]
        if self._depth:
            if self._rows and self._rows[-1].cells:
                self._rows[-1].cells[-1].append(text)
        elif text.strip():
            shape = paragraph.shape
            self._begin("list" if shape == LIST else "paragraph", f"paragraph {self._paragraphs}")
            if shape > 0:
                text = " ".join(text.split())
                self.heading = self.heading or (text if shape == 1 else "")
                self.text.insert("#" * shape + " ")
            elif shape == LIST:
                self.text.insert("- ")
            self._copy(text)

    def _end_table(self, rows: list[_TableRow]) -> None:
        """Write the rows of a table, each cell behind the name of its column where the first row gives names."""
        self._tables += 1
        words = [row.words() for row in rows]
        marked = rows[0].repeated or (rows[0].bold and not rows[-1].bold)
        names = [] if rows[0].spans else column_names(words, marked)
        for number, (row, cells) in enumerate(zip(rows, words, strict=True), 1):
            if any(cells):
                self._begin(f"table {self._tables}", f"table {self._tables}, row {number}")
                self._write_row([] if number == 1 or row.spans else names, cells)

    def _write_row(self, names: Sequence[str], cells: Sequence[str]) -> None:
        write_row(self.text, names, cells, lambda k: self._copy(cells[k]))

    def _begin(self, kind: str, label: str) -> None:
        """Begin a block: rows of a table and items of a list follow on lines, others behind blank lines."""
        if self._last:
            self.text.insert("\n" if kind == self._last != "paragraph" else "\n\n")
        self._last = kind
        self.breaks.append(self._length)
        self.labels.append(label)

    def _copy(self, text: str) -> None:
        self.text.copy(text, self._length)
        self._length += len(text)


class _Paragraph:
    """The texts of a paragraph, and its shape."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.shape = 0


_PROPERTIES = frozenset(("pPr", "tblPr", "tblGrid", "trPr", "tcPr"))
_SKIPPED = frozenset(("Fallback", "pPrChange", "rPrChange", "moveFrom"))
"""A second version of a drawing for older programs, and what tracked changes replaced."""
_SIGNS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
