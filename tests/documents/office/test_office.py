"""PDF and Word: read where the extra is installed, a clear reason where it is not, bombs refused."""

import io
import re
import sys
import zipfile
from collections.abc import Callable
from importlib import import_module

import pytest

from pipeline.base.files import Problem
from pipeline.documents.formats import FormatOptions, Parsed, parse
from pipeline.documents.places import PLACE_COLUMNS, file_place


def only(source: str, data: bytes, options: FormatOptions | None = None) -> Parsed | Problem:
    (found,) = parse(source, data, options)
    return found


def reason(source: str, data: bytes, options: FormatOptions | None = None) -> str:
    found = only(source, data, options)
    assert isinstance(found, Problem)
    return found.reason


def test_without_the_extra_the_reason_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pypdf", None)
    assert "graphstrata[office]" in reason("a.pdf", b"%PDF-1.4")


def pdf(pages: list[str]) -> bytes:
    """A PDF of pages with these contents, or a line in Helvetica; its bold is F2."""
    kids = " ".join(f"{4 + 2 * place} 0 R" for place in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    fonts = "/F1 3 0 R /F2 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >>"
    for place, words in enumerate(pages):
        stream = words if words.startswith("BT ") else f"BT /F1 12 Tf 50 700 Td ({words}) Tj ET"
        contents = f"/Contents {5 + 2 * place} 0 R" if words else ""
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /Resources << /Font << {fonts} >> >> /MediaBox [0 0 600 800] {contents} >>"
        )
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    body, places = "%PDF-1.4\n", []
    for number, item in enumerate(objects, 1):
        places.append(len(body))
        body += f"{number} 0 obj\n{item}\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    size = len(objects) + 1
    return f"{body}xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{len(body)}\n%%EOF".encode()


def without_spaces(words: str) -> bytes:
    """A PDF of one line, its words apart by gaps alone, in a composite font that has no space; its glyph 32 is a wide letter."""
    letters = sorted(set(words) - {" "})
    number = {letter: 30 + place for place, letter in enumerate(letters)}
    mapped = "".join(f"<{number[letter]:04X}> <{ord(letter):04X}>\n" for letter in letters)
    cmap = f"begincmap\n1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n{len(letters)} beginbfchar\n{mapped}endbfchar\nendcmap"
    shown = " -190 ".join("<" + "".join(f"{number[letter]:04X}" for letter in word) + ">" for word in words.split())
    content = f"BT /F3 12 Tf 50 700 Td [{shown}] TJ ET"
    widths = f"/W [30 [{' '.join('600' for _ in letters)}]]"
    font = (
        "/F3 << /Type /Font /Subtype /Type0 /BaseFont /Serif /Encoding /Identity-H /ToUnicode 6 0 R /DescendantFonts "
        f"[<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Serif /DW 1000 {widths} >>] >>"
    )
    return (
        pdf([content])
        .replace(b"/F1 3 0 R", font.encode() + b" /F1 3 0 R")
        .replace(
            b"xref\n", f"6 0 obj\n<< /Length {len(cmap)} >>\nstream\n{cmap}\nendstream\nendobj\nxref\n".encode(), 1
        )
    )


def test_words_of_a_pdf_whose_font_has_no_space_are_parted_by_its_gaps() -> None:
    pytest.importorskip("pypdf")
    found = only("a.pdf", without_spaces("the aims of this are plain"))
    assert isinstance(found, Parsed) and found.text == "the aims of this are plain"


def test_the_pages_of_a_pdf_are_paragraphs() -> None:
    pytest.importorskip("pypdf")
    found = only("the-siege.pdf", pdf(["Joan came to the town.", "", "She won."]))
    assert isinstance(found, Parsed)
    assert (found.title, found.text) == ("The Siege", "Joan came to the town.\n\nShe won.")


def test_pdfs_that_cannot_be_read_have_a_reason() -> None:
    pypdf = pytest.importorskip("pypdf")
    assert "not a PDF" in reason("a.pdf", b"words")
    assert "cannot be read" in reason("a.pdf", pdf(["x"])[:200])
    assert "no text layer" in reason("a.pdf", pdf([""]))
    assert "limit of 2" in reason("a.pdf", pdf(["a", "b", "c"]), FormatOptions(max_pages=2))
    assert "MB of text" in reason("a.pdf", pdf(["a" * 50]), FormatOptions(max_unpacked=10))
    assert "CPU seconds" in reason("a.pdf", pdf(["a"]), FormatOptions(max_seconds=-1))
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(pdf(["secret"])))
    writer.encrypt("password", algorithm="RC4-40")
    target = io.BytesIO()
    writer.write(target)
    assert "encrypted" in reason("a.pdf", target.getvalue())


def test_whatever_the_pdf_library_raises_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    pypdf = pytest.importorskip("pypdf")
    for error in (KeyError("/Kids"), RecursionError(), ZeroDivisionError("x"), AssertionError(object())):
        monkeypatch.setattr(pypdf.PageObject, "extract_text", raising(error))
        found = reason("a.pdf", pdf(["words"]))
        assert found.startswith(f"it cannot be read: {type(error).__name__}") and "0x" not in found
    monkeypatch.setattr(pypdf.PageObject, "extract_text", raising(MemoryError()))
    with pytest.raises(MemoryError):
        reason("a.pdf", pdf(["words"]))


def raising(error: Exception) -> Callable[..., str]:
    def extract_text(page: object, **options: object) -> str:
        raise error

    return extract_text


def cells(*rows: list[tuple[int, str]]) -> str:
    """The content of a page on which the words of each row are at these distances from the left."""
    written = ["Prices)"]
    for number, row in enumerate(rows):
        written += [f"ET BT /F1 12 Tf {50 + left} {660 - 20 * number} Td ({words})" for left, words in row]
    return " Tj ".join([*written, "ET BT /F1 12 Tf 50 500 Td (The end."])


def test_rows_of_a_table_on_a_page_read_with_the_names_of_their_columns() -> None:
    pytest.importorskip("pypdf")
    rows = [[(0, "Segment"), (150, "2022"), (250, "2023")], [(0, "Wind"), (152, "41"), (250, "523")]]
    found = only("a.pdf", pdf([cells(*rows, [(0, "Gas"), (150, "301"), (250, "198")])]))
    assert isinstance(found, Parsed)
    lines = ["Prices", "Segment | 2022 | 2023"]
    lines += ["Segment: Wind | 2022: 41 | 2023: 523", "Segment: Gas | 2022: 301 | 2023: 198", "The end."]
    assert [line.strip() for line in found.text.split("\n")] == lines


def test_two_columns_and_words_in_a_row_are_not_given_names() -> None:
    pytest.importorskip("pypdf")
    pairs = only("a.pdf", pdf([cells([(0, "Name"), (150, "Joan")], [(0, "Born"), (150, "1412")])]))
    assert isinstance(pairs, Parsed) and "Name | Joan\nBorn | 1412" in pairs.text
    prose = only("a.pdf", pdf([cells([(0, "Joan came"), (60, "by boat")], [(0, "and went"), (60, "by cart")])]))
    assert isinstance(prose, Parsed) and "|" not in prose.text
    steps = only("a.pdf", pdf([cells([(0, "1."), (30, "Stop it")], [(0, "2."), (30, "Start it")])]))
    assert isinstance(steps, Parsed) and "|" not in steps.text


def typed(*lines: tuple[int, str, str]) -> str:
    """The content of a page with these lines: height, type ("F1 12") and words; a sign is written as a line of its own."""
    return " ".join(
        f"BT /{font} Tf 14 TL 1 0 0 1 50 {height} Tm ({words}) Tj {'T*' if words == '*' else ''} ET"
        for height, font, words in lines
    )


def test_headings_paragraphs_and_items_of_a_pdf_are_found_by_its_type() -> None:
    pytest.importorskip("pypdf")
    page = typed(
        (760, "F2 18", "Steam"),
        (740, "F2 18", "in the North"),
        (700, "F1 10", "The first engine came to the mine in 1769, and the"),
        (688, "F1 10", "owners were content."),
        (664, "F1 10", "It broke twice."),
        (640, "F2 10", "Costs"),
        (622, "F1 10", "It needed"),
        (607, "F1 12", "*"),
        (609, "F1 10", "coal, which was dear,"),
        (594, "F1 12", "*"),
        (596, "F1 10", "water."),
        (572, "F1 10", "# is a sign here, and this line is longer than others."),
    )
    found = only("a.pdf", pdf([page]))
    assert isinstance(found, Parsed)
    assert found.text == (
        "# Steam in the North\n\nThe first engine came to the mine in 1769, and the\nowners were content.\n\nIt broke twice.\n\n"
        "## Costs\n\nIt needed\n- coal, which was dear,\n- water.\n\n # is a sign here, and this line is longer than others."
    )


def test_a_running_head_that_names_each_section_goes_by_its_number_of_the_page() -> None:
    pytest.importorskip("pypdf")
    told = {"1.1. Scope": "steam", "1.2. Terms": "coal", "2.1. Archive": "water", "2.2. Areas": "iron"}
    pages = [
        typed(
            (780, "F1 9", f"{section} {number}"),
            (740, "F2 14", section),
            (700, "F1 10", f"This part tells of {word}."),
            (400, "F1 10", f"So much of {word}, {'and more ' * number}of it."),
        )
        for number, (section, word) in enumerate(told.items(), 17)
    ]
    found = only("a.pdf", pdf(pages))
    assert isinstance(found, Parsed) and not re.search(r" \d\d$", found.text, re.MULTILINE)
    assert [line[2:] for line in found.text.split("\n") if line.startswith("#")] == list(told)


def test_words_that_a_line_of_a_pdf_divides_are_one_and_compounds_keep_their_hyphen() -> None:
    pytest.importorskip("pypdf")
    page = typed(
        (700, "F1 10", "The bug tracking of the project has a list that distri-"),
        (688, "F1 10", "butes mail. Its bug-"),
        (676, "F1 10", "tracking has first-"),
        (664, "F1 10", "and second-class queues."),
    )
    found = only("a.pdf", pdf([page]))
    assert isinstance(found, Parsed)
    assert found.text == (
        "The bug tracking of the project has a list that distributes mail. Its bug-tracking has first-\nand second-class queues."
    )
    place = file_place(
        dict(zip(PLACE_COLUMNS, found.places, strict=True)), found.text.index("distributes"), len(found.text)
    )
    assert place.label == "page 1" and place.end - place.start == len(
        "distri-\nbutes mail. Its bug-\ntracking has first-\nand second-class queues."
    )


def test_a_running_head_of_a_pdf_is_read_once_and_numbers_of_pages_never() -> None:
    pytest.importorskip("pypdf")
    pages = [
        typed(
            (780, "F1 9", "Mill & Co., Leeds"),
            (700, "F1 10", f"This is told on a page, {word}."),
            (20, "F1 9", f"{number}"),
        )
        for number, word in enumerate(("first", "second", "third", "fourth"), 1)
    ]
    found = only("a.pdf", pdf(pages))
    assert isinstance(found, Parsed)
    told = [f"This is told on a page, {word}." for word in ("first", "second", "third", "fourth")]
    assert found.text.split() == " ".join(["Mill & Co., Leeds", *told]).split()
    for sentence in told:
        at = found.text.index(sentence)
        place = file_place(dict(zip(PLACE_COLUMNS, found.places, strict=True)), at, at + len(sentence))
        assert (place.page, place.end - place.start) == (told.index(sentence) + 1, len(sentence))
        reader = import_module("pypdf").PdfReader(io.BytesIO(pdf(pages)))
        assert reader.pages[told.index(sentence)].extract_text()[place.start : place.end] == sentence


@pytest.mark.parametrize(("bold", "pairs"), [(False, "Born | 1412"), (True, "Name: Born | Joan: 1412")])
def test_a_word_document_keeps_headings_lists_and_tables(bold: bool, pairs: str) -> None:
    docx = pytest.importorskip("docx")
    document = docx.Document()
    document.add_heading("The Siege", 0)
    document.add_paragraph("Joan came.")
    document.add_paragraph("by boat", style="List Bullet")
    document.add_paragraph("by night", style="List Number")
    document.add_heading("After", 2)
    for cells in (["Year", "Event", "Place", "1429", "Relief", "Orléans"], ["Name", "Joan", "Born", "1412"]):
        table = document.add_table(2, len(cells) // 2)
        for cell, words in zip([cell for row in table.rows for cell in row.cells], cells, strict=True):
            cell.text = words
    for cell in table.rows[0].cells:
        cell.paragraphs[0].runs[0].bold = bold
    document.add_paragraph("End.")
    target = io.BytesIO()
    document.save(target)
    found = only("x.docx", target.getvalue())
    assert isinstance(found, Parsed)
    assert found.text.split("\n\n") == [
        "# The Siege",
        "Joan came.",
        "- by boat\n- by night",
        "## After",
        "Year | Event | Place\nYear: 1429 | Event: Relief | Place: Orléans",
        "Name | Joan\n" + pairs,
        "End.",
    ]
    assert found.title == "The Siege"


def archive(size: int, files: int = 1) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
        for number in range(files):
            packed.writestr(f"word/{number}.xml", b"0" * size)
    return target.getvalue()


def test_word_documents_that_would_burst_are_refused_before_they_are_unpacked() -> None:
    assert "refused" in reason("bomb.docx", archive(30_000_000))
    assert "refused" in reason("bomb.docx", archive(3_000_000), FormatOptions(max_unpacked=1_000_000))
    assert "refused" in reason("bomb.docx", archive(0, 20_001))


def test_what_is_no_word_document_has_a_reason() -> None:
    assert "not a .docx" in reason("a.docx", b"words")
    assert "old format" in reason("a.docx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    assert "cannot be read" in reason("a.docx", archive(10))


def word(body: str, prologue: str = "") -> bytes:
    """A Word document of this XML in its body, and nothing else."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
        kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
        link = f'<Relationship Id="r" Type="{kind}" Target="word/document.xml"/>'
        packed.writestr("_rels/.rels", f'<Relationships xmlns="r">{link}</Relationships>')
        space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
        packed.writestr(
            "word/document.xml", f'{prologue}<w:document xmlns:w="{space}"><w:body>{body}</w:body></w:document>'
        )
    return target.getvalue()


def test_what_a_word_document_declares_costs_nothing() -> None:
    cell = "<w:p><w:r><w:t>wide</w:t></w:r></w:p>"
    span = '<w:tcPr><w:gridSpan w:val="2000000000"/></w:tcPr>'
    found = only("a.docx", word(f"<w:tbl><w:tr><w:tc>{span}{cell}</w:tc><w:tc>{cell}</w:tc></w:tr></w:tbl>"))
    assert isinstance(found, Parsed)
    assert found.text == "wide | wide"
    assert "document type" in reason("a.docx", word(cell, '<!DOCTYPE x [<!ENTITY a "aaaa">]>'))
    deep = 50_000
    nested = "<w:sdt>" * deep + cell + "</w:sdt>" * deep
    found = only("a.docx", word(nested))
    assert isinstance(found, Parsed) and found.text == "wide"


def test_a_word_document_is_read_in_one_pass() -> None:
    found = only(
        "a.docx", word("<w:p><w:r><w:t>Joan came to the town.</w:t></w:r></w:p>" * 100_000 + "<w:p/>" * 100_000)
    )
    assert isinstance(found, Parsed) and found.text.count("\n\n") == 99_999


def test_text_boxes_and_tracked_changes_are_read_once() -> None:
    run = "<w:r><w:t>{}</w:t></w:r>"
    box = f"<w:p>{run.format('box')}</w:p>"
    body = (
        f"<w:p>{run.format('a')}<w:del><w:r><w:delText>old</w:delText></w:r></w:del><w:ins>{run.format('b')}</w:ins>"
        f"<w:moveFrom>{run.format('moved')}</w:moveFrom><w:r><w:tab/><w:t>c</w:t><w:br/><w:t>d</w:t></w:r></w:p>"
        f"<w:p><w:r><w:Choice>{box}</w:Choice><w:Fallback>{box}</w:Fallback></w:r>{run.format('around')}</w:p>"
    )
    found = only("a.docx", word(body))
    assert isinstance(found, Parsed) and found.text == "ab\tc\nd\n\nbox\n\naround"
