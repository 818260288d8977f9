"""Gives a space to fonts of a PDF that have none: TeX and others write no spaces and leave gaps between words instead.

pypdf takes a gap for a space by the width of the font's space. Where a composite font has no space, it takes the width of
whatever glyph has the number 32, and the words of justified lines run together.
"""

import re
from collections.abc import Iterator
from typing import Any

_WIDTH = 250
"""Width of a space as most fonts have it, in thousandths of the size of the type; half of it is a gap between words."""
_SPACE, _UNUSED = 0x20, 0xFFFF
"""A space, and the number of a glyph that no font has."""
_SECTION = re.compile(rb"beginbf(char|range)(.*?)endbf", re.DOTALL)
_CHAR = re.compile(rb"<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>")
_RANGE = re.compile(rb"<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>\s*(?:<([0-9A-Fa-f]+)>|\[([^\]]*)\])")
"""Parts of a font's map to Unicode: a glyph's number and its characters; the first and last of a range, and the characters of the
first, or of each."""


def give_spaces(reader: Any, generic: Any) -> None:
    """Have the composite fonts of an open PDF that have no space map a glyph without ink to one; ``generic`` is
    ``pypdf.generic``. Nothing is written anywhere."""
    seen: set[int] = set()
    for page in reader.pages:
        for font in _fonts(page.get("/Resources"), seen):
            if font.get("/Subtype") == "/Type0" and "/ToUnicode" in font and "/DescendantFonts" in font:
                _give_space(font, generic)


def _fonts(resources: Any, seen: set[int]) -> Iterator[Any]:
    """Yield the fonts of a page and of the forms on it, each once."""
    found = resources.get_object() if resources is not None else None
    if not isinstance(found, dict) or id(found) in seen:
        return
    seen.add(id(found))
    for font in _values(found.get("/Font")):
        if id(font) not in seen:
            seen.add(id(font))
            yield font
    for form in _values(found.get("/XObject")):
        if form.get("/Subtype") == "/Form":
            yield from _fonts(form.get("/Resources"), seen)


def _values(entries: Any) -> Iterator[Any]:
    found = entries.get_object() if entries is not None else None
    for value in found.values() if isinstance(found, dict) else ():
        item = value.get_object()
        if isinstance(item, dict):
            yield item


def _give_space(font: Any, generic: Any) -> None:
    to_unicode, described = font["/ToUnicode"].get_object(), font["/DescendantFonts"].get_object()
    if not isinstance(to_unicode, generic.StreamObject) or not described:
        return
    mapped = to_unicode.get_data()
    if b"endcmap" not in mapped or _maps_to_space(mapped):
        return
    extended = generic.DecodedStreamObject()
    own = b"1 beginbfchar\n<%04X> <%04X>\nendbfchar\nendcmap" % (_UNUSED, _SPACE)
    extended.set_data(mapped.replace(b"endcmap", own, 1))
    font[generic.NameObject("/ToUnicode")] = extended
    descendant = described[0].get_object()
    widths = descendant.get("/W")
    entry = [generic.NumberObject(_UNUSED), generic.ArrayObject([generic.NumberObject(_WIDTH)])]
    descendant[generic.NameObject("/W")] = generic.ArrayObject(
        [*(widths.get_object() if widths is not None else ()), *entry]
    )


def _maps_to_space(mapped: bytes) -> bool:
    for kind, lines in _SECTION.findall(mapped):
        if kind == b"char" and any(int(target, 16) == _SPACE for _, target in _CHAR.findall(lines)):
            return True
        for first, last, target, targets in _RANGE.findall(lines) if kind == b"range" else ():
            if target and int(target, 16) <= _SPACE <= int(target, 16) + int(last, 16) - int(first, 16):
                return True
            if any(int(one, 16) == _SPACE for one in re.findall(rb"<([0-9A-Fa-f]+)>", targets)):
                return True
    return False
