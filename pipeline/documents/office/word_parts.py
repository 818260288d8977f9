"""Reads the parts of a Word document beside its body (relations, properties, styles), and parses XML in one pass."""

from collections.abc import Callable
from typing import IO
from xml.parsers import expat

from pipeline.base.errors import InputError

_PIECE = 1 << 18
"""Bytes of XML that are parsed at once."""

Attributes = dict[str, str]


class XmlReader:
    """Takes the elements of a part by their local names: Word's namespaces differ between editions, their names do not."""

    def start(self, name: str, attributes: Attributes) -> None:
        """Take the start of an element; attributes by their local names."""

    def end(self, name: str) -> None:
        """Take the end of an element."""

    def characters(self, text: str) -> None:
        """Take text."""


def parse_xml(part: IO[bytes], reader: XmlReader) -> None:
    """Hand the elements of a part to ``reader``. Raises InputError for a document type, ExpatError for broken XML."""
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


class Relations(XmlReader):
    """The name of the part that holds the body."""

    def __init__(self) -> None:
        self.main = ""

    def start(self, name: str, attributes: Attributes) -> None:
        if name == "Relationship" and attributes.get("Type", "").endswith("/officeDocument"):
            self.main = self.main or attributes.get("Target", "").lstrip("/")


class CoreProperties(XmlReader):
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


LIST = -1
"""The shape of an item of a list; 0 is plain text, 1 to 6 a heading of that level."""


class Styles(XmlReader):
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
                self._own[self._style] = heading_level(words[1], 0)
        elif name == "basedOn":
            self._base[self._style] = value
        elif name == "outlineLvl" and value.isdecimal() and int(value[:3]) < 9:
            self._own.setdefault(self._style, heading_level(value, 1))
        elif name == "numPr":
            self._own.setdefault(self._style, LIST)

    def shapes(self) -> dict[str, int]:
        """The shape of each style, its own or that of the nearest style it is based on."""
        return {style: self._shape(style) for style in {*self._own, *self._base}}

    def _shape(self, style: str) -> int:
        for _ in range(20):  # styles that are based on each other in a circle
            if style in self._own:
                return self._own[style]
            style = self._base.get(style, "")
        return 0


def heading_level(number: str, first: int) -> int:
    return max(1, min(int(number[:3]) + first, 6))
