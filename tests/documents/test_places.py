"""Places: where a span of a document's text is in its file, in characters and in words."""

import html
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.documents.formats import FormatOptions, Parsed, parse
from pipeline.documents.places import NO_PLACES, PLACE_COLUMNS, FilePlace, PlaceMap, file_place, quotable
from tests.documents.kinds.test_kinds import slides
from tests.documents.office.test_office import pdf, word


def parsed(source: str, data: bytes | str, options: FormatOptions | None = None) -> list[Parsed]:
    return [item for item in parse(source, data, options) if isinstance(item, Parsed)]


def where(found: Parsed, quote: str) -> FilePlace:
    start = found.text.index(quote)
    return file_place(columns(found.places), start, start + len(quote))


def columns(places: PlaceMap) -> dict[str, object]:
    return dict(zip(PLACE_COLUMNS, places, strict=True))


@pytest.mark.parametrize("ending", [".txt", ".md"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252", "shift_jis"])
@pytest.mark.parametrize("front", ["", "---|title: T|---|"])
def test_places_of_plain_text_are_characters_of_the_decoded_file(
    ending: str, line_end: str, encoding: str, front: str
) -> None:
    words = {"cp1252": "Größe über alles", "shift_jis": "会社の歴史について。これは長い文章です。"}.get(
        encoding, "naïve words"
    )
    text = f"{front}# One||first {words}|second line||third".replace("|", line_end)
    (found,) = parsed(f"a{ending}", text.encode(encoding))
    lines = 3 if ending == ".md" and front and line_end != "\r" else 0
    for quote, line in (("# One", 1), (f"first {words}", 3), (f"{words}{line_end}second", 3), ("third", 6)):
        place = where(found, quote)
        assert text[place.start : place.end] == quote
        number = line + (lines or len(front.split("|")) - 1)
        assert place.label in (f"line {number}", f"lines {number}-{number + 1}")


def test_far_into_a_long_line_its_number_and_the_column_lead_to_the_words() -> None:
    line = "One line holds all of it. " * 100 + "The ferry sank. Nobody saw it."
    (found,) = parsed("a.txt", f"A first line.\n{line}")
    place = where(found, "The ferry sank.")
    assert place.label == "line 2, column 2601"
    assert line[2600:].startswith("The ferry sank.")
    assert where(found, "A first line.").label == "line 1"


PAGE = """<html><head><title>T</title></head>
<body><h1>Caf&eacute;  <em>Orl&eacute;ans</em></h1>
<p>Joan   came<br>to &amp; from
  the <b>town</b>&nbsp;hall.</p><ul><li>one<li>two &lt; three</ul>
<table><tr><th>Year<th>Event</tr><tr><td>1429</td><td>Relief of it</td></tr></table>
<pre>  a &gt; b
 c</pre></body></html>"""


@pytest.mark.parametrize(
    ("quote", "file", "line"),
    [
        ("Café Orléans", "Caf&eacute;  <em>Orl&eacute;ans", 2),
        ("Café", "Caf&eacute;", 2),
        ("# Café", "Caf&eacute;", 2),
        ("Joan came", "Joan   came", 3),
        ("& from the town", "&amp; from\n  the <b>town", 3),
        ("hall.", "hall.", 4),
        (" hall.", "&nbsp;hall.", 4),
        ("- two < three", "two &lt; three", 4),
        ("Year: 1429 | Event: Relief", "1429</td><td>Relief", 5),
        ("Relief of it", "Relief of it", 5),
        ("  a > b\n c", "  a &gt; b\n c", 6),
        ("- one\n- two", "one<li>two", 4),
    ],
)
def test_places_of_a_page_are_where_its_markup_has_the_words(quote: str, file: str, line: int) -> None:
    (found,) = parsed("p.html", PAGE)
    place = where(found, quote)
    assert PAGE[place.start : place.end] == file
    assert place.label.split("-")[0] in (f"line {line}", f"lines {line}")


PIECES = ["<p>", "</p>", "<b>", "</b>", "<br>", "<li>", "<td>", "<tr>", "<h2>", "<pre>", "</pre>", "<code>", "<dt>", "&amp;", "&nbsp;", "&#233;", "&",
          "word", " two words ", "\n", "  ", "é", "<table>", "<!-- x -->", "<th>Head"]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join), st.data())
@settings(deadline=None, max_examples=200)
def test_every_span_of_a_page_is_found_in_the_file(page: str, data: st.DataObject) -> None:
    for found in parsed("p.html", page):
        words = [match.span() for match in re.finditer(r"\w+", found.text)]
        start, end = data.draw(st.sampled_from(words or [(0, 0)]))
        place = file_place(columns(found.places), start, max(end, start + 1))
        shown = html.unescape(re.sub("<[^>]*>", "", page[place.start : place.end]))
        if found.text[end : end + 1] != ":":  # the name of a column, which is where its row is not
            assert start == end or shown == found.text[start:end]


CSV = 'sep=;\r\nid;text;note\r\nT-1;"He said ""yes"", twice";a\r\n\r\nT-2;plain, words;b\r\n;"two\r\nlines";\r\n'


@pytest.mark.parametrize(
    ("key", "quote", "file", "label"),
    [
        ("T-1", 'said "yes", twice', 'said ""yes"", twice', "record T-1"),
        ("T-2", "plain", "plain", "record T-2"),
        ("row 5", "two\r\nlines", "two\r\nlines", "row 5"),
    ],
)
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_places_of_csv_are_characters_of_the_file_and_a_record(
    key: str, quote: str, file: str, label: str, mark: str
) -> None:
    (found,) = (item for item in parsed("t.csv", (mark + CSV).encode()) if item.key == key)
    place = where(found, quote)
    assert CSV[place.start : place.end] == file
    assert place.label == label
    assert (place.page, place.record) == (None, None)


def test_a_column_that_is_not_called_text_is_part_of_the_place() -> None:
    (found,) = parsed("t.csv", "key,note\nT-10003,words\n", FormatOptions(text_column="note"))
    assert where(found, "words").label == "record T-10003, column note"


def test_a_row_without_a_text_column_reads_with_the_names_of_its_columns() -> None:
    data = "item,price,stock\nAnvil,12,\nRope,3,40\n"
    first, second = parsed("t.csv", data)
    assert (first.text, second.text) == ("item: Anvil | price: 12", "item: Rope | price: 3 | stock: 40")
    place = where(second, "price: 3 | stock: 40")
    assert (data[place.start : place.end], place.label) == ("3,40", "row 3")
    long = parsed("t.csv", f'from,body\nA,"{"words " * 50}\nmore"\n')[0]
    assert long.text.startswith("from: A\nbody: words")


@pytest.mark.parametrize(
    ("span", "quoted"),
    [
        ("item: Rope | note: Three strands, tarred. | stock: 40", "Three strands, tarred."),
        ("| note: Three strands, tarred.", "Three strands, tarred."),
        ("strands, tar", "strands, tar"),
        ("note: ", "note: "),
    ],
)
def test_a_quote_of_a_row_is_what_its_file_says_without_the_names_of_columns(span: str, quoted: str) -> None:
    data = 'item,note,stock\nRope,"Three strands, tarred.",40\n'
    (found,) = parsed("t.csv", data)
    low, high = quotable(columns(found.places), span, found.text.index(span))
    assert span[low:high] == quoted
    assert quoted == "note: " or quoted in data


def test_places_of_json_count_in_the_text_of_their_record() -> None:
    lines = '{"id": "a", "text": "caf\\u00e9\\nbar"}\n\n{"text": "more"}\n'
    first, second = parsed("t.jsonl", lines)
    assert where(first, "bar") == FilePlace("record a", 5, 8, record=1, within="record a")
    assert where(second, "more") == FilePlace("line 3", 0, 4, record=3, within="line 3")
    second = parsed("t.json", '[{"text": "a"}, {"text": "b"}]')[1]
    assert where(second, "b") == FilePlace("record 2", 0, 1, record=2, within="record 2")
    assert where(parsed("t.json", '{"text": "alone"}')[0], "alone").label == "record 1"


def test_places_of_a_pdf_are_pages_and_characters_of_their_text() -> None:
    pypdf = pytest.importorskip("pypdf")
    import io

    data = pdf(["Joan came to the town.", "", "She won."])
    (found,) = parsed("a.pdf", data)
    place = where(found, "won")
    assert (place.label, place.page) == ("page 3", 3)
    assert pypdf.PdfReader(io.BytesIO(data)).pages[2].extract_text()[place.start : place.end] == "won"
    assert where(found, "town.\n\nShe").label == "pages 1-3"


def test_places_of_a_word_document_are_its_paragraphs_and_rows() -> None:
    paragraph = "<w:p><w:r><w:t>{}</w:t></w:r></w:p>"
    cells = "".join(f"<w:tc>{paragraph.format(words)}</w:tc>" for words in ("Anvil", "12"))
    table = f"<w:tbl><w:tr>{cells}</w:tr><w:tr>{cells}</w:tr></w:tbl>"
    (found,) = parsed("a.docx", word(paragraph.format("one") + "<w:p/>" + table + paragraph.format("three words")))
    assert where(found, "one") == FilePlace("paragraph 1", 0, 3, within="paragraph 1")
    assert where(found, "words") == FilePlace("paragraph 3", 6, 11, within="paragraph 3")
    assert where(found, "Anvil").label == "table 1, row 1"
    (two,) = parsed("b.docx", word(paragraph.format("one") + paragraph.format("two")))
    assert where(two, "one\n\ntwo").label == "paragraphs 1-2"
    over = where(found, "12\n\nthree")
    assert (over.label, over.within) == ("table 1, row 2 to paragraph 3", "table 1, row 2")


def test_a_passage_that_holds_a_table_is_quoted_up_to_the_table_and_not_to_its_first_cell() -> None:
    rows = "<tr><td>Item</td><td>Cost</td></tr><tr><td>Gate</td><td>9</td></tr>"
    (found,) = parsed("a.html", f"<p>The culvert was four feet wide.</p><table>{rows}</table>")
    assert found.text.endswith("Item | Cost\nGate | 9")
    low, high = quotable(columns(found.places), found.text, 0)
    assert found.text[low:high] == "The culvert was four feet wide."


@pytest.mark.parametrize(("span", "quoted"), [("- Oars", "Oars"), ("```\nrow --fast\n```", "row --fast")])
def test_a_quote_is_without_the_sign_or_fence_that_reading_put_around_it(span: str, quoted: str) -> None:
    (found,) = parsed("a.html", "<ul><li>Oars<li>Rope</ul><pre class=code>row --fast</pre>")
    low, high = quotable(columns(found.places), span, found.text.index(span))
    assert span[low:high].strip() == quoted


def test_characters_count_in_the_unit_that_is_named_and_in_the_file_where_none_is() -> None:
    file = "1\n00:00:01,000 --> 00:00:02,000\nANN: The gate is shut.\n"
    (said,) = parsed("a.srt", file)
    place = where(said, "gate")
    assert (file[place.start : place.end], place.within) == ("gate", "")
    (deck,) = parsed("a.pptx", slides())
    place = where(deck, "Ruth Vale")
    assert (place.label, place.within) == ("slide 2", "slide 2")
    assert "EndQuestions?Thank Ruth Vale."[place.start : place.end] == "Ruth Vale"


def test_a_text_without_a_map_has_its_own_characters_and_no_name() -> None:
    assert file_place(columns(NO_PLACES), 3, 7) == FilePlace("", 3, 7)
