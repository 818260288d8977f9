"""PDF and Word: read where the extra is installed, a clear reason where it is not, bombs refused."""

import io
import sys
import zipfile

import pytest

from pipeline.base.files import Problem
from pipeline.documents.formats import FormatOptions, Parsed, parse


def only(source: str, data: bytes, options: FormatOptions | None = None) -> Parsed | Problem:
    (found,) = parse(source, data, options)
    return found


def reason(source: str, data: bytes, options: FormatOptions | None = None) -> str:
    found = only(source, data, options)
    assert isinstance(found, Problem)
    return found.reason


@pytest.mark.parametrize(("source", "module"), [("a.pdf", "pypdf"), ("a.docx", "docx")])
def test_without_the_extra_the_reason_says_how_to_get_it(
    source: str, module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    assert "graphstrata[office]" in reason(source, b"%PDF-1.4")


def pdf(pages: list[str]) -> bytes:
    """A PDF of lines in Helvetica."""
    kids = " ".join(f"{4 + 2 * place} 0 R" for place in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for place, words in enumerate(pages):
        stream = f"BT /F1 12 Tf 50 700 Td ({words}) Tj ET"
        contents = f"/Contents {5 + 2 * place} 0 R" if words else ""
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /Resources << /Font << /F1 3 0 R >> >> /MediaBox [0 0 600 800] {contents} >>"
        )
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    body, places = "%PDF-1.4\n", []
    for number, item in enumerate(objects, 1):
        places.append(len(body))
        body += f"{number} 0 obj\n{item}\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    size = len(objects) + 1
    return f"{body}xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{len(body)}\n%%EOF".encode()


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


def test_a_word_document_keeps_headings_and_tables() -> None:
    docx = pytest.importorskip("docx")
    document = docx.Document()
    document.add_heading("The Siege", 0)
    document.add_paragraph("Joan came.")
    document.add_heading("After", 2)
    table = document.add_table(2, 2)
    for cell, words in zip(
        [cell for row in table.rows for cell in row.cells], ["Year", "Event", "1429", "Relief"], strict=True
    ):
        cell.text = words
    document.add_paragraph("End.")
    target = io.BytesIO()
    document.save(target)
    found = only("x.docx", target.getvalue())
    assert isinstance(found, Parsed)
    assert found.text.split("\n\n") == ["# The Siege", "Joan came.", "## After", "Year | Event\n1429 | Relief", "End."]
    assert found.title == "The Siege"


def archive(size: int, files: int = 1) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
        for number in range(files):
            packed.writestr(f"word/{number}.xml", b"0" * size)
    return target.getvalue()


def test_word_documents_that_would_burst_are_refused_before_they_are_unpacked() -> None:
    pytest.importorskip("docx")
    assert "refused" in reason("bomb.docx", archive(30_000_000))
    assert "refused" in reason("bomb.docx", archive(3_000_000), FormatOptions(max_unpacked=1_000_000))
    assert "refused" in reason("bomb.docx", archive(0, 20_001))


def test_what_is_no_word_document_has_a_reason() -> None:
    pytest.importorskip("docx")
    assert "not a .docx" in reason("a.docx", b"words")
    assert "old .doc" in reason("a.docx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    assert "cannot be read" in reason("a.docx", archive(10))
