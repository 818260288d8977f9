"""Mail, subtitles, reStructuredText, Org, books, spreadsheets and slides are read, and each span leads back into its file."""

import io
import zipfile
from time import process_time
from typing import Any

import pytest

from pipeline.base.files import Problem
from pipeline.documents.formats import ENDINGS, FormatOptions, parse
from pipeline.documents.parsed import Parsed
from pipeline.documents.places import PLACE_COLUMNS, FilePlace, file_place
from pipeline.text.answering.row_tables import rows_of_tables


def documents(source: str, data: bytes | str, **options: Any) -> list[Parsed]:
    found = list(parse(source, data, FormatOptions(**options)))
    assert all(isinstance(one, Parsed) for one in found), found
    return [one for one in found if isinstance(one, Parsed)]


def only(source: str, data: bytes | str) -> Parsed:
    (found,) = documents(source, data)
    return found


def reason(source: str, data: bytes | str) -> str:
    (found,) = parse(source, data)
    assert isinstance(found, Problem)
    return found.reason


def place_of(document: Parsed, words: str) -> FilePlace:
    start = document.text.index(words)
    return file_place(dict(zip(PLACE_COLUMNS, document.places, strict=True)), start, start + len(words))


def archive(**parts: str) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as file:
        for name, text in parts.items():
            file.writestr(name, text)
    return content.getvalue()


VTT = """WEBVTT

NOTE a remark

1
00:00:01.000 --> 00:00:03.000 align:start
<v Ruth Vale>The mill stood by
<i>the</i> river.

00:01:05.500 --> 00:01:07.000
<v Ruth Vale>It burned &amp; fell.

00:01:08.000 --> 00:01:09.000
<v Omar>Who rebuilt it?
"""


def test_subtitles_read_as_what_is_said_by_whom_with_the_time_as_place() -> None:
    found = only("talk.vtt", VTT)
    assert found.text == "Ruth Vale: The mill stood by the river.\n\nIt burned & fell.\n\nOmar: Who rebuilt it?"
    place = place_of(found, "Who rebuilt it?")
    assert place.label == "time 00:01:08"
    assert VTT[place.start : place.end] == "Who rebuilt it?"


def test_captions_are_read_in_time_linear_in_their_number() -> None:
    def seconds(n: int) -> float:
        times = (f"{i // 3600:02}:{i // 60 % 60:02}:{i % 60:02},000" for i in range(n))
        text = "".join(f"{i}\n{time} --> {time}\nThe wheel turned\n\n" for i, time in enumerate(times, 1))
        begin = process_time()
        only("long.srt", text)
        return process_time() - begin

    assert seconds(4000) < 40 * min(seconds(400), seconds(400))


def test_captions_of_srt_without_blank_lines_and_hours_are_read_without_their_numbers() -> None:
    text = "1\r\n00:00:01,000 --> 00:00:02,000\r\nThe wheel\r\n2\r\n00:00:02,000 --> 00:00:03,000\r\nturns.\r\n\r\n3\r\n01:00:02,000 --> 01:00:03,000\r\n{\\an8}It stops.\r\n"
    found = only("talk.srt", text)
    assert found.text == "The wheel turns.\n\nIt stops."
    assert place_of(found, "It stops.").label == "time 01:00:02"


def test_restructured_headings_become_headings_by_their_order_and_lines_stay() -> None:
    text = "=====\nMills\n=====\n\nWater mills.\n\nParts\n-----\n\nA wheel::\n\n    x = 1\n\nNotes\n~~~~~\nend\n"
    found = only("a.rst", text)
    assert found.title == "Mills"
    assert found.text == "# Mills\n\nWater mills.\n\n## Parts\n\nA wheel::\n\n    x = 1\n\n### Notes\nend\n"
    place = place_of(found, "A wheel")
    assert (place.label, text[place.start : place.end]) == ("line 10", "A wheel")


def test_a_table_of_restructured_text_is_no_heading() -> None:
    text = "Mills\n\n=====  =====\nname   river\n=====  =====\nOld    Ouse\n=====  =====\n"
    assert only("a.rst", text).text == text


def test_org_headings_lose_their_stars_states_and_tags() -> None:
    text = "#+TITLE: The log\n#+AUTHOR: Ruth Vale\n* TODO Repair the wheel :mill:\nIt creaks.\n** Parts\n"
    found = only("log.org", text)
    assert found.title == "The log"
    assert found.metadata["author"] == "Ruth Vale"
    assert "# Repair the wheel\nIt creaks.\n## Parts" in found.text
    assert place_of(found, "It creaks.").label == "line 4"


MAIL = (
    b"From: Ruth Vale <ruth@mill.example>\r\nTo: Omar <omar@mill.example>\r\nSubject: =?utf-8?q?The_wh=C3=A9el?=\r\n"
    b"Date: Tue, 05 Mar 2024 10:00:00 +0100\r\nContent-Type: text/plain; charset=utf-8\r\n"
    b"Content-Transfer-Encoding: quoted-printable\r\n\r\nIt creaks =E2=80=94 again.\r\n"
)


def test_a_mail_is_a_document_with_its_subject_sender_and_day() -> None:
    found = only("a.eml", MAIL)
    assert (found.title, found.text) == ("The whéel", "It creaks \u2014 again.")
    assert found.metadata["from"] == "Ruth Vale <ruth@mill.example>"
    assert found.metadata["date"] == "2024-03-05"
    assert place_of(found, "again").label == "line 8"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_mail_that_its_file_writes_as_it_is_has_its_places_there(end: str) -> None:
    head = "Subject: Creaks\nFrom: Ruth <r@x.example>\nContent-Type: text/plain; charset=utf-8\n"
    mail = f"{head}Content-Transfer-Encoding: 8bit\n\nThe wh\u00e9el turned.\n\nIt creaks\n\u2014 again.\n".replace(
        "\n", end
    )
    other = mail.replace("It creaks", "It sings")
    found = only("a.eml", mail.encode())
    place = place_of(found, f"It creaks{end}\u2014 again.")
    assert (place.label, mail[place.start : place.end]) == ("lines 8-9", f"It creaks{end}\u2014 again.")
    box = "".join(f"From r@x Tue Mar  5 10:00:00 2024{end}{one}{end}" for one in (mail, other))
    second = documents("box.mbox", box.encode())[1]
    place = place_of(second, "It sings")
    assert (place.label, box[place.start : place.end]) == ("line 20", "It sings")


@pytest.mark.parametrize("declared", ["", "Content-Type: text/plain\n", "Content-Type: text/plain; charset=us-ascii\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_a_mail_that_declares_no_encoding_or_a_wrong_one_keeps_its_characters_and_places(
    declared: str, encoding: str
) -> None:
    mail = f"Subject: \u00a380 f\u00fcr Zo\u00eb\nFrom: Zo\u00eb <z@x.example>\n{declared}\nEs kostet \u00a380.\n\nGr\u00fc\u00dfe\nZo\u00eb\n"
    found = only("a.eml", mail.encode(encoding))
    assert (found.title, found.metadata["from"]) == ("\u00a380 f\u00fcr Zo\u00eb", "Zo\u00eb <z@x.example>")
    assert found.text == "Es kostet \u00a380.\n\nGr\u00fc\u00dfe\nZo\u00eb"
    place = place_of(found, "Gr\u00fc\u00dfe")
    assert mail[place.start : place.end] == "Gr\u00fc\u00dfe"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_places_of_a_mail_in_quoted_printable_are_those_of_its_file(end: str) -> None:
    head = "Subject: x\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n"
    mail = f"{head}It costs =C2=A380, which is a lot, and nobody in the mill would like to pay for=\n it.\n\nIt creaks =E2=80=94 again.\nGr=C3=BC=C3=\n=9Fe\n".replace(
        "\n", end
    )
    found = only("a.eml", mail.encode())
    assert found.text.startswith("It costs \u00a380,") and "would like to pay for it." in found.text
    place = place_of(found, "It creaks \u2014 again.")
    assert (place.label, mail[place.start : place.end]) == ("line 8", "It creaks =E2=80=94 again.")
    place = place_of(found, "nobody in the mill")
    assert (place.label, mail[place.start : place.end]) == ("line 5", "nobody in the mill")
    place = place_of(found, "pay for it.")
    assert (place.label, mail[place.start : place.end]) == ("lines 5-6", f"pay for={end} it.")


def test_each_message_of_a_mailbox_is_a_document_and_a_line_that_begins_with_from_ends_none() -> None:
    second = (
        b"From: Omar <o@x.example>\r\nSubject: Two\r\n\r\nHello.\r\n>From here on it is dry.\r\nFrom there too.\r\n"
    )
    box = b"From ruth@x Tue Mar  5 10:00:00 2024\r\n" + MAIL + b"\r\nFrom o@x Wed Mar  6 10:00:00 2024\r\n" + second
    found = documents("box.mbox", box)
    assert [one.key for one in found] == ["message 1", "message 2"]
    assert found[1].text == "Hello.\nFrom here on it is dry.\nFrom there too."


def test_the_page_of_a_mail_is_read_where_it_has_no_plain_text_and_attachments_are_named() -> None:
    mail = (
        b'Subject: x\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\n'
        b"Content-Type: text/html; charset=latin-1\r\n\r\n<p>The wheel</p><script>x()</script>\r\n--b\r\n"
        b'Content-Type: application/pdf\r\nContent-Disposition: attachment; filename="plan.pdf"\r\n\r\nxx\r\n--b--\r\n'
    )
    found = only("a.eml", mail)
    assert found.text == "The wheel"
    assert "plan.pdf" in str(found.metadata["reading_note"])


def test_an_attachment_that_can_be_read_is_a_document_under_its_message() -> None:
    mail = (
        b"Subject: Report\r\nFrom: Ruth Vale <r@x.example>\r\nMIME-Version: 1.0\r\n"
        b'Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\n'
        b"Content-Type: text/plain\r\n\r\nSee the sheet.\r\n--b\r\n"
        b'Content-Type: text/csv\r\nContent-Disposition: attachment; filename="parts.csv"\r\n\r\n'
        b"item,finding\r\nseal,cracked face\r\n--b\r\n"
        b'Content-Type: image/png\r\nContent-Disposition: attachment; filename="seal.png"\r\n\r\nxx\r\n--b--\r\n'
    )
    message, part = documents("a.eml", mail)
    assert message.text == "See the sheet." and "seal.png" in str(message.metadata["reading_note"])
    assert "cracked face" in part.text and part.key.startswith("attachment parts.csv")
    assert part.metadata["attached_to"] == "Report" and part.metadata["from"] == "Ruth Vale <r@x.example>"


def test_a_mail_of_parts_that_says_not_where_they_end_is_read_as_one() -> None:
    (found,) = parse("a.eml", b"Subject: x\r\nContent-Type: multipart/mixed\r\n\r\nAda built a mole.\r\n")
    assert isinstance(found, Parsed) and found.text == "Ada built a mole."


def test_a_mail_without_text_and_a_mailbox_without_a_message_are_rows_with_a_reason() -> None:
    assert reason("a.eml", b"Subject: x\r\n\r\n") == "the message has no text"
    assert "no message in it" in reason("a.mbox", b"nothing\n")


EPUB = {
    "META-INF/container.xml": '<container><rootfiles><rootfile full-path="OPS/b.opf"/></rootfiles></container>',
    "OPS/b.opf": (
        '<package xmlns:dc="x"><metadata><dc:title>The Mill</dc:title><dc:creator>Ruth Vale</dc:creator></metadata><manifest>'
        '<item id="b" href="two%20b.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="a" href="one.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="c" href="gone.xhtml" media-type="application/xhtml+xml"/></manifest>'
        '<spine><itemref idref="a"/><itemref idref="b"/><itemref idref="c"/></spine></package>'
    ),
    "OPS/one.xhtml": "<html><body><h1>One</h1><p>The wheel turns.</p></body></html>",
    "OPS/two b.xhtml": "<html><body><p>It stops.</p></body></html>",
}


def test_a_book_is_its_pages_in_reading_order_and_a_missing_page_is_noted() -> None:
    found = only("b.epub", archive(**EPUB))
    assert found.title == "The Mill"
    assert found.metadata["creator"] == "Ruth Vale"
    assert found.text.index("The wheel turns.") < found.text.index("It stops.")
    assert place_of(found, "It stops.").label == "page two b.xhtml"
    assert "gone.xhtml" in str(found.metadata["reading_note"])


def test_a_book_without_a_list_of_its_parts_is_a_row_with_a_reason() -> None:
    assert "names no book" in reason("b.epub", archive(a="x"))
    assert "whatever its name" in reason("b.epub", b"no archive")


def spreadsheet(*rows: tuple[object, ...]) -> bytes:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.title = "Prices"
    for row in rows:
        book.active.append(row)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def test_a_sheet_reads_row_by_row_under_the_names_of_its_columns() -> None:
    found = only("list.xlsx", spreadsheet(("part", "maker", "price"), ("wheel", "Vale", 12.0), ("axle", "Omar", 7.5)))
    assert found.title == "List, Prices"
    assert (
        found.text
        == "part | maker | price\npart: wheel | maker: Vale | price: 12\npart: axle | maker: Omar | price: 7.5"
    )
    assert place_of(found, "axle").label == "sheet Prices, row 3"


KEYS = (
    ("Key no", "Opens", "Holder", "Returned"),
    (101, "Library", "Ada Thorne", None),
    (102, "Gate", None, "2024-02-01"),
)
KEYS_READ = """Key no | Opens | Holder | Returned
Key no: 101 | Opens: Library | Holder: Ada Thorne
Key no: 102 | Opens: Gate | Returned: 2024-02-01"""


@pytest.mark.parametrize(
    "above",
    [
        [],
        [("Keys of the college",)],
        [("Keys of the college",), ()],
        [("Keys of the college", None, None, "printed 3 May"), ("Site", "Ashcombe"), ()],
    ],
    ids=["nothing", "a title", "a title and a blank row", "several lines of cells"],
)
def test_the_names_of_columns_are_found_below_whatever_is_above_them(above: list[tuple[object, ...]]) -> None:
    found = only("keys.xlsx", spreadsheet(*above, *KEYS))
    assert found.text.endswith(KEYS_READ)
    assert found.text.count("\n\n") == bool(above)
    assert place_of(found, "Key no: 102").label == f"sheet Prices, row {len(above) + 3}"


def test_a_row_with_empty_cells_has_each_value_under_its_own_heading() -> None:
    matrix = only("m.xlsx", spreadsheet(("Rent",), (None, "Jan", "Feb"), ("North", None, 3), ("South", 2, None)))
    assert cells_of(matrix) == [{"": "North", "Jan": "", "Feb": "3"}, {"": "South", "Jan": "2", "Feb": ""}]
    two = only("m.xlsx", spreadsheet(("Meters",), ("Nr", "Stand"), ("Z1", 40), ("Z2", None), (None, 60)))
    assert cells_of(two) == [{"Nr": "Z1", "Stand": "40"}, {"Nr": "Z2", "Stand": ""}, {"Nr": "", "Stand": "60"}]
    stray = only("m.xlsx", spreadsheet(("No", "Item", "Fee"), (1, None, 3, "see note"), (2, "axle"), (3, "rim", 5)))
    assert cells_of(stray)[:2] == [
        {"No": "1", "Item": "", "Fee": "3", "(column 4)": "see note"},
        {"No": "2", "Item": "axle", "Fee": "", "(column 4)": ""},
    ]


def cells_of(document: Parsed) -> list[dict[str, str]]:
    return [row.cells for table in rows_of_tables(document.text) for row in table]


def test_headings_of_parts_and_notes_of_a_sheet_are_no_rows_of_its_table() -> None:
    head = ("Asset", "Item", "Value")
    north, south = [("P-1", "Boiler", 5), ("P-2", "Lift", None)], [("P-3", "Pump", 7)]
    data = spreadsheet(("Plant",), head, (), ("North",), *north, (), ("South",), *south, (), ("Prices without tax",))
    found = only("plant.xlsx", data)
    assert [row["Asset"] for row in cells_of(found)] == ["P-1", "P-2", "P-3"]
    assert "\n\nSouth\n\n" in found.text and found.text.endswith("\n\nPrices without tax")
    assert place_of(found, "Asset: P-3").label == "sheet Prices, row 9"


def test_rows_below_a_blank_one_go_on_with_their_table_unless_they_are_another() -> None:
    head = ("Asset", "Item", "Value")
    goes_on = only("p.xlsx", spreadsheet(head, ("P-1", "Boiler", 5), (), ("P-2", None, 6), (), ("Total", None, 11)))
    assert [row["Value"] for row in cells_of(goes_on)] == ["5", "6", "11"]
    other = (("Contact", "Role", "Firm"), ("Ada", "Caretaker", None))
    stacked = only("p.xlsx", spreadsheet(head, ("P-1", "Boiler", 5), (), *other))
    assert cells_of(stacked)[1] == {"Contact": "Ada", "Role": "Caretaker", "Firm": ""}


def test_a_sheet_that_names_no_columns_gets_no_names() -> None:
    found = only("list.xlsx", spreadsheet(("wheel", "Vale", 12), ("axle", None, 7)))
    assert found.text == "wheel | Vale | 12\naxle |  | 7"
    prose = only("list.xlsx", spreadsheet(("We met twice.",), ("The roof leaks.", "see B"), ("All is paid.",)))
    assert prose.text == "We met twice.\n\nThe roof leaks. | see B\nAll is paid."


def test_rows_of_a_sheet_with_a_text_column_are_records() -> None:
    data = spreadsheet(("id", "customer", "text"), ("T-1", "Acme", "The wheel creaks."), ("T-2", "Bolt", "It stopped."))
    found = documents("tickets.xlsx", data)
    assert [(one.key, one.text, one.metadata["customer"]) for one in found] == [
        ("T-1", "The wheel creaks.", "Acme"),
        ("T-2", "It stopped.", "Bolt"),
    ]


def test_a_title_above_the_text_column_of_a_sheet_is_no_record_and_is_named() -> None:
    above, found = parse("t.xlsx", spreadsheet(("Tickets of May",), ("id", "text"), ("T-1", "The wheel creaks.")))
    assert isinstance(above, Problem) and above.kind == "skipped" and "Tickets of May" in above.reason
    assert isinstance(found, Parsed) and (found.key, found.text) == ("T-1", "The wheel creaks.")


def test_columns_of_a_sheet_that_share_a_name_or_have_none_keep_each_their_values() -> None:
    data = spreadsheet(("id", "text", "id", None), ("T-1", "The wheel creaks.", "A-7", "urgent"))
    (found,) = documents("tickets.xlsx", data)
    assert (found.key, found.metadata["id (column 3)"], found.metadata[""]) == ("T-1", "A-7", "urgent")


def test_a_sheet_whose_row_has_a_number_that_no_sheet_has_is_a_row_with_a_reason_and_makes_up_no_rows() -> None:
    with zipfile.ZipFile(io.BytesIO(spreadsheet(("part", "maker"), ("wheel", "Vale")))) as book:
        parts = {name: book.read(name).decode() for name in book.namelist()}
    sheet = "xl/worksheets/sheet1.xml"
    parts[sheet] = parts[sheet].replace('r="2"', 'r="999999999"').replace('"A2"', '"A999999999"')
    assert "row beyond number 1,048,576" in reason("list.xlsx", archive(**parts))


def slides() -> bytes:
    """Two slides with a title each, a list on the first, notes on the second."""
    pptx = pytest.importorskip("pptx")
    show = pptx.Presentation()
    for title, lines in (("Mills", ["water", "wind"]), ("End", ["Questions?"])):
        slide = show.slides.add_slide(show.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = "\n".join(lines)
    slide.notes_slide.notes_text_frame.text = "Thank Ruth Vale."
    content = io.BytesIO()
    show.save(content)
    return content.getvalue()


def test_slides_read_as_headings_lists_tables_and_notes() -> None:
    found = only("talk.pptx", slides())
    assert found.text == "## Mills\n\n- water\n- wind\n\n## End\n\nQuestions?\n\nNotes: Thank Ruth Vale."
    assert place_of(found, "wind").label == "slide 1"
    assert place_of(found, "Thank Ruth Vale.").label == "slide 2"


@pytest.mark.parametrize("ending", sorted(ENDINGS))
def test_bytes_of_any_kind_under_any_ending_are_documents_or_reasons(ending: str) -> None:
    for data in (
        b"\x00\xff" * 400,
        b"PK\x03\x04" + bytes(200),
        b"From \n\nx",
        b"--> <v <v <v",
        b"\xef\xbb\xbf",
        b"{[<" * 99,
    ):
        for found in parse(f"a{ending}", data):
            assert not isinstance(found, Problem) or found.reason
