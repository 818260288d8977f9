"""Reads books (.epub): the chapters in their order, each a page of HTML inside an archive."""

import io
import posixpath
import zipfile
from urllib.parse import unquote

from pipeline.base.files import Problem
from pipeline.documents.encoding import decode
from pipeline.documents.kinds.web_page import read_html
from pipeline.documents.office.word_parts import Attributes, XmlReader, parse_xml
from pipeline.documents.parsed import FormatOptions, Parsed, Read, Scalar, one_line, readable_name
from pipeline.documents.places import MappedText
from pipeline.documents.zip_limits import check_archive

_PAGES = frozenset({"application/xhtml+xml", "text/html"})


def read_epub(source: str, data: bytes, options: FormatOptions) -> Read:
    """One document: the text of all pages in reading order; a place is a page of the archive, by its name."""
    check_archive(data, ".epub", options)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        yield _book(source, archive, options)


def _book(source: str, archive: zipfile.ZipFile, options: FormatOptions) -> Parsed | Problem:
    names = set(archive.namelist())
    container = _Container()
    if "META-INF/container.xml" not in names:
        return Problem(source, "", "it names no book: META-INF/container.xml is missing")
    with archive.open("META-INF/container.xml") as part:
        parse_xml(part, container)
    if container.book not in names:
        return Problem(source, "", f"the book that it names, {container.book!r}, is missing")
    book = _Package()
    with archive.open(container.book) as part:
        parse_xml(part, book)
    read = MappedText()
    breaks, labels = [], []
    at = 0
    missing = []
    for href in book.pages():
        name = posixpath.normpath(posixpath.join(posixpath.dirname(container.book), unquote(href)))
        if name not in names:
            missing.append(href)
            continue
        text = _page(name, archive.read(name), options)
        if text:
            read.insert("\n\n" if read.length else "")
            breaks.append(at)
            labels.append(f"page {posixpath.basename(name)}")
            read.copy(text, at)
            at += len(text)
    title = one_line(book.values.get("title", "")) or readable_name(source)
    metadata: dict[str, Scalar] = {
        name: book.values[name] for name in ("creator", "language", "date") if book.values.get(name)
    }
    parsed = Parsed(title, read.text(), metadata, places=read.places("paragraph", 1, breaks, labels))
    return parsed.noted(f"pages that are missing: {', '.join(missing)}") if missing else parsed


def _page(name: str, data: bytes, options: FormatOptions) -> str:
    found = read_html(name, decode(data).text, options)
    return "\n\n".join(page.text.strip() for page in found if isinstance(page, Parsed))


class _Container(XmlReader):
    """The name of the part that lists the book."""

    def __init__(self) -> None:
        self.book = ""

    def start(self, name: str, attributes: Attributes) -> None:
        if name == "rootfile":
            self.book = self.book or attributes.get("full-path", "")


class _Package(XmlReader):
    """What the list of the book says: title, author, language, date, its pages and their order."""

    def __init__(self) -> None:
        self.values: dict[str, str] = {}
        self._inside = ""
        self._items: dict[str, str] = {}
        self._order: list[str] = []

    def pages(self) -> list[str]:
        """The pages in reading order, each once."""
        return list(dict.fromkeys(self._items[id] for id in self._order if id in self._items))

    def start(self, name: str, attributes: Attributes) -> None:
        if name == "item" and attributes.get("media-type") in _PAGES:
            self._items[attributes.get("id", "")] = attributes.get("href", "")
        elif name == "itemref":
            self._order.append(attributes.get("idref", ""))
        self._inside = name if name in ("title", "creator", "language", "date") and name not in self.values else ""

    def end(self, name: str) -> None:
        self._inside = ""

    def characters(self, text: str) -> None:
        if self._inside:
            self.values[self._inside] = f"{self.values.get(self._inside, '')}{text}"
