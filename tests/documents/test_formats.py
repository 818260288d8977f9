"""Input formats: what becomes a document, what becomes a problem, and that nothing a file holds raises."""

import csv
from collections.abc import Callable, Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.base.files import Problem
from pipeline.base.ids import dump
from pipeline.documents import formats
from pipeline.documents.formats import NOTE, FormatOptions, LeftOut, Parsed, parse
from pipeline.documents.parsed import readable_name
from pipeline.documents.places import PLACE_COLUMNS, file_place

ENDINGS = [".txt", ".md", ".csv", ".tsv", ".json", ".jsonl", ".html", ".pdf", ".docx", ".xyz", ""]


def documents(source: str, data: bytes | str, options: FormatOptions | None = None) -> list[Parsed]:
    """The documents of a file that has no problems."""
    found = list(parse(source, data, options))
    assert not [item for item in found if isinstance(item, Problem)]
    return [item for item in found if isinstance(item, Parsed)]


def reasons(source: str, data: bytes | str, options: FormatOptions | None = None) -> list[str]:
    return [f"{item.key}: {item.reason}" for item in parse(source, data, options) if isinstance(item, Problem)]


@given(st.sampled_from(ENDINGS), st.one_of(st.binary(max_size=400), st.text(max_size=400)))
@settings(deadline=None, max_examples=300)
def test_no_content_raises(ending: str, data: bytes | str) -> None:
    for item in parse(f"a/b{ending}", data):
        assert item.source == f"a/b{ending}" if isinstance(item, Problem) else item.text.strip()


MARKUP = ["<", ">", "<p>", "</p>", "<a b='", '"', "'", "<!--", "-->", "&", "&#", "9" * 5000, ";", "<script>", "</script>", "<pre>",
          "<td>", "<li>", "<br>", "<title>", "<svg>", "text ", "<head>", "\0", "---\n", "# ", "```\n", "a: *b\n", "[", "]", "{", ":", ",", "\n"]  # fmt: skip


@given(st.sampled_from(ENDINGS), st.lists(st.sampled_from(MARKUP), max_size=40).map("".join))
@settings(deadline=None, max_examples=300, suppress_health_check=[HealthCheck.too_slow])
def test_no_broken_markup_raises(ending: str, data: str) -> None:
    list(parse(f"b{ending}", data))


def test_empty_binary_and_blank_files_are_problems() -> None:
    assert reasons("a.txt", b"") == [": empty (0 bytes)"]
    assert reasons("a.md", b" \r\n") == [": no text in it"]
    assert reasons("a.html", b"\x89PNG\r\n\x1a\n....") == [": binary (PNG image)"]


def test_plain_text_is_kept_as_it_is_and_titled_by_its_name() -> None:
    (found,) = documents("letters/03-to_the-king.TXT", b"\xef\xbb\xbfa\r\n\r\nb\r ")
    assert (found.title, found.text, found.key) == ("To the King", "a\r\n\r\nb\r ", "")
    assert found.metadata == {"encoding": "utf-8"}


def test_an_ending_that_is_not_known_is_read_as_text_and_noted() -> None:
    (found,) = documents("a.log", "naïve".encode("cp1252"))
    assert found.text == "naïve"
    assert found.metadata["encoding"] == "cp1252"
    assert ".log" in str(found.metadata[NOTE])


def test_characters_that_could_not_be_read_are_noted() -> None:
    (found,) = documents("a.txt", "Größe und Maß. ".encode() * 10 + b"\xff")
    assert found.metadata[NOTE] == "1 characters could not be read and are U+FFFD"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("joan-of-arc.txt", "Joan of Arc"),
        ("x/EP_13_Behind_the_Tech.txt", "EP 13 Behind the Tech"),
        ("2024-05-01.md", "2024-05-01"),
        ("01.txt", "01"),
        ("01 Die Jungfrau.txt", "Die Jungfrau"),
        ("чума.txt", "Чума"),
        (".txt", ".txt"),
        ("___.txt", "___"),
    ],
)
def test_a_name_becomes_words(source: str, expected: str) -> None:
    assert readable_name(source) == expected


def deep(levels: int) -> str:
    """A value inside of so many groups, as JSON and YAML write it."""
    return '{"a": ' * levels + "1" + "}" * levels


# --- Markdown ---


def test_front_matter_becomes_metadata_and_the_text_begins_behind_it() -> None:
    data = (
        "---\r\ntitle: A Siege\r\ndate: 1429-05-08\r\ntags: [war, 'Orléans']\r\nmore: {a: 1}\r\nless: "
        + deep(9)
        + "\r\n---\r\n# Other\r\n\r\ntext\r\n"
    )
    (found,) = documents("s.md", data)
    assert (found.title, found.text) == ("A Siege", "# Other\r\n\r\ntext\r\n")
    assert found.metadata["date"] == "1429-05-08"
    assert found.metadata["tags"] == "war, Orléans"
    assert found.metadata["more.a"] == 1
    assert "left out: less.a.a.a.a" in str(found.metadata[NOTE])


def test_front_matter_that_is_broken_or_could_grow_is_text_and_noted() -> None:
    for block in ("a: [1", "a: &a {x: 1}\nb: {<<: [*a, *a]}", "a: &a words\nb: [*a, *a]"):
        found = list(parse("s.md", f"---\n{block}\n---\ntext"))
        assert isinstance(found[0], Problem) and found[0].kind == "skipped"
        assert isinstance(found[1], Parsed) and found[1].text.startswith("---\n")


ATTACKS = [
    "x: !!bool foo",
    "x: !!int ''",
    "x: !!float ''",
    "x: !!timestamp words",
    "x: !!null [1]",
    "? [a, b]\n: 1",
    "x: !!python/object:os.system {}",
    "x: " + "[" * 30_000,
    "x: " + "- " * 5_000 + "y",
    "x: " + "? " * 5_000 + "y",
]
"""Front matter that YAML's readers raise on, each another error, or that took them a minute."""
ODD = [
    f"x: 0x{'f' * 20_000}",
    f"x: 0x{'f' * 20_000}\n? 0x{'e' * 9_000}\n: 1",
    'x: "\\ud800"',
    '"\\ud800": y',
    'title: "\\ud800"',
    "x: !!binary aGVsbG8=",
    "x: !!omap [a: 1]",
    "title: !!int 0x" + "f" * 20_000,
    "x: .inf",
]
"""Front matter that is valid and gives what no table can hold as it is."""


@pytest.mark.parametrize("block", ATTACKS + ODD, ids=range(len(ATTACKS + ODD)))
def test_no_front_matter_costs_more_than_its_document_a_note(block: str) -> None:
    found = list(parse("s.md", f"---\n{block}\n---\ntext"))
    assert next(item for item in found if isinstance(item, Parsed)).text.endswith("text")
    assert len([item for item in found if isinstance(item, Problem)]) == (block in ATTACKS)
    for item in found:
        said = item.reason if isinstance(item, Problem) else f"{item.title} {dump(item.metadata)}"
        assert said.encode("utf-8")
        assert len(said) < 40_000


def test_a_set_in_front_matter_is_in_the_order_of_its_texts() -> None:
    names = [f"tag{number}" for number in range(30)]
    (found,) = documents("s.md", f"---\ntags: !!set {{{', '.join(reversed(names))}}}\n---\ntext")
    assert found.metadata["tags"] == ", ".join(sorted(names))


def test_whatever_a_reader_raises_is_a_problem_of_its_file_and_memory_errors_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def reader(error: BaseException) -> Callable[..., Iterator[Parsed]]:
        def read(source: str, text: str, options: FormatOptions) -> Iterator[Parsed]:
            yield Parsed("A", "first")
            raise error

        return read

    monkeypatch.setitem(formats._TEXTS, ".txt", reader(KeyError("what <x at 0x7f00> said")))
    found = list(parse("a.txt", b"words"))
    assert [item.text for item in found if isinstance(item, Parsed)] == ["first"]
    assert [item.reason for item in found if isinstance(item, Problem)] == [
        "it cannot be read: KeyError: 'what <x> said'"
    ]
    for error in (MemoryError, KeyboardInterrupt):
        monkeypatch.setitem(formats._TEXTS, ".txt", reader(error()))
        with pytest.raises(error):
            list(parse("a.txt", b"words"))


def test_rules_between_paragraphs_are_no_front_matter() -> None:
    assert documents("s.md", "---\nwords\n---\nmore")[0].text == "---\nwords\n---\nmore"


def test_the_title_of_markdown_is_its_first_heading_of_level_one() -> None:
    assert documents("s.md", "## Not this\n\n```\n# nor this\n```\n\n# *This* one\n\n# Later")[0].title == "This one"
    assert documents("the-siege.md", "text")[0].title == "The Siege"


# --- HTML ---

PAGE = """<!DOCTYPE html><html><head><meta charset="windows-1252"><title>The Siege &amp; more</title><style>p{}</style>
<script>if (a<b) document.write("<p>no</p>")</script></head><body><h1>Siege of <em>Orl&eacute;ans</em></h1>
<p>Joan came<br>to   the&nbsp;town. 3 < 4.</p><!-- <p>no</p> --><noscript>no</noscript>
<h2 title="a>b">After</h2><ul><li>one<li><p>two</p></ul>
<table><tr><th>Year<th>Event</tr><tr><td>1429</td><td>Relief</td></tr></table>
<pre>  kept
    as is</pre><svg><title>no</title></svg><div>outer<div>inner – “quoted”</div>tail</div></body></html>"""


def test_html_becomes_paragraphs_with_headings_and_lists() -> None:
    (found,) = documents("p.html", PAGE.encode("cp1252"))
    assert found.title == "The Siege & more"
    assert found.text.split("\n\n") == [
        "# Siege of Orléans",
        "Joan came\nto the town. 3 < 4.",
        "## After",
        "- one\n- two",
        "Year | Event\nYear: 1429 | Event: Relief",
        "  kept\n    as is",
        "outer",
        "inner – “quoted”",
        "tail",
    ]
    assert found.metadata["encoding"] == "cp1252"


def test_the_sign_that_links_a_heading_to_itself_is_no_part_of_it() -> None:
    page = "<h1>Pumps<a class='headerlink' href='#pumps'>¶</a></h1><p>They run.</p><p>¶</p><h2>Use <a href='#use'>#</a></h2><p>Turn C#"
    assert documents("p.html", page.encode())[0].text.split("\n\n") == [
        "# Pumps",
        "They run.",
        "¶",
        "## Use",
        "Turn C#",
    ]


@pytest.mark.parametrize(
    "code",
    [
        "<pre class='programlisting'>\nrun --all\n  # twice\n</pre>",
        "<pre><code class=x>run --all\n  # twice</code></pre>",
        "<div class='highlight'><pre><span></span>run --all\n  # twice</pre></div>",
    ],
)
def test_code_of_a_page_is_fenced_and_other_text_as_it_is_set_is_not(code: str) -> None:
    assert (
        documents("p.html", f"<p>Run:</p>{code}<p>Done.")[0].text == "Run:\n\n```\nrun --all\n  # twice\n```\n\nDone."
    )
    assert documents("p.html", "<p>Sung:</p><pre>O my\n  love</pre>")[0].text == "Sung:\n\nO my\n  love"


def test_what_a_page_defines_is_the_heading_of_its_definition() -> None:
    page = "<h2>Options</h2><dl><dt><code>--all</code>\n [no]<dd>Takes all.<dt>-n<dt>--none<dd>Takes <b>none</b>.</dl>"
    assert documents("p.html", page)[0].text == (
        "## Options\n\n###### --all [no]\n\nTakes all.\n\n###### -n\n\n###### --none\n\nTakes none."
    )


def test_html_without_a_title_is_named_by_its_heading_or_its_file() -> None:
    assert documents("p.html", "<h1>A <b>B</b></h1>x")[0].title == "A B"
    assert documents("my-page.htm", "<p>x")[0].title == "My Page"


def test_elements_that_are_never_closed_lose_no_text() -> None:
    assert documents("p.html", "<svg>a<noscript>b<!DOCTYPE x>c <d")[0].text == "abc <d"
    assert documents("p.html", "<head><title>T</title><p>body</p>")[0].text == "body"
    assert documents("p.html", "a &#99999999999; &#xD800; &unknown; b")[0].text == "a \ufffd \ufffd &unknown; b"


@pytest.mark.parametrize(
    "piece", ["<", "<!--", "<a ", "</", "<a x='", "<a '>'", "<td> ", "<svg>", "<head>", "&#", "<?", "<p>"]
)
def test_html_of_broken_pieces_is_read_in_one_pass(piece: str) -> None:
    list(parse("p.html", piece * 50_000))


# --- CSV ---

ROWS = (
    'id;Title;text;year\r\n7;A;"two\r\nlines ""q""";1429\r\n\r\n8;B;short\r\n;C;"x"y;1;2;3\r\n7;D;again;\r\n9;E;;1\r\n'
)


def test_csv_rows_are_documents_and_odd_rows_are_noted() -> None:
    found = list(parse("t.csv", "\ufeff" + ROWS, FormatOptions(metadata_columns=("year",))))
    parsed = [item for item in found if isinstance(item, Parsed)]
    assert [(item.key, item.title, item.text) for item in parsed] == [
        ("7", "A", 'two\r\nlines "q"'),
        ("8", "B", "short"),
        ("row 5", "C", "xy"),
        ("7 (row 6)", "D", "again"),
    ]
    assert parsed[0].metadata == {"year": "1429"}
    assert "3 cells, its header 4" in str(parsed[1].metadata[NOTE])
    assert "left out: 2;3" in str(parsed[2].metadata[NOTE])
    assert [(item.key, item.reason) for item in found if isinstance(item, Problem)] == [("9", "no text in it")]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_the_one_that_gives_the_text_column(delimiter: str) -> None:
    data = f"a{delimiter}text{delimiter}b\n1{delimiter}words{delimiter}2\n"
    assert documents("t.csv", data)[0].text == "words"
    assert documents("t.csv", f"sep={delimiter}\ntext{delimiter}b\nwords{delimiter}\n")[0].text == "words"


def test_a_text_column_at_the_end_keeps_its_unquoted_delimiters() -> None:
    (found,) = documents("t.csv", "title,text\nA,one, two, three\n")
    assert found.text == "one, two, three"
    assert "joined" in str(found.metadata[NOTE])


def test_columns_that_are_missing_are_noted() -> None:
    body = FormatOptions(text_column="body")
    assert reasons("t.csv", "a,b\n1,2\n", body) == [": no column 'body'; its columns are: a, b; set input.text_column"]
    assert reasons("t.csv", "text\nx\n", FormatOptions(metadata_columns=("when",)))[0].startswith("column when:")
    assert documents("t.csv", "body\nx\n", FormatOptions(text_column="body"))[0].title == "T, row 2"


def test_columns_of_one_name_and_of_none_keep_each_their_values() -> None:
    (found,) = documents("t.csv", "id,id,text,text,,\n1,2,first,second,x,y\n")
    assert (found.key, found.text) == ("1", "first")
    assert found.metadata == {"id (column 2)": "2", "text (column 4)": "second", "": "x", "(column 6)": "y"}
    assert file_place(dict(zip(PLACE_COLUMNS, found.places, strict=True)), 0, 5).start == len("id,id,text,text,,\n1,2,")


@pytest.mark.parametrize(
    ("source", "data", "reason"),
    [
        ("t.csv", "1,Ada built a mole.\n", "no row below its first, which names the columns: 1, Ada built a mole."),
        ("t.json", "[]", "nothing in it to read"),
        ("t.jsonl", "\n \n", "nothing in it to read"),
        ("t.srt", "Ada built a mole.\n", "no caption in it: none of its lines gives times, such as 00:00:01,000 --> 00:00:02,000"),
    ],
)  # fmt: skip
def test_a_file_of_which_nothing_is_read_is_a_row_with_a_reason(source: str, data: str, reason: str) -> None:
    assert reasons(source, data) == [f": {reason}"]


def test_what_is_beside_the_records_of_a_json_file_is_counted_as_left_out() -> None:
    found = list(parse("t.json", '{"total": 1, "items": [{"text": "x", "by": ' + deep(9) + '}], "about": "all"}'))
    assert found[1:] == [LeftOut("t.json", {"total": 1, "about": 1, "by.a.a.a.a": 1})]


def test_lines_that_all_end_with_cr_are_lines() -> None:
    assert [one.key for one in documents("t.jsonl", '{"id": 1, "text": "a"}\r{"id": 2, "text": "b"}\r')] == ["1", "2"]
    times = "00:00:0{0},000 --> 00:00:0{1},000\r"
    (said,) = documents("t.srt", f"1\r{times.format(1, 2)}Ada came.\r\r2\r{times.format(3, 4)}She left.\r")
    assert said.text == "Ada came.\n\nShe left."


def test_a_quote_that_is_never_closed_is_a_problem_with_its_line() -> None:
    assert reasons("t.csv", 'text\nfine\n"lost\nand lost\n') == [
        "row 3: the quote opened on line 3 is never closed; what is behind it to the end is lost (2 lines)"
    ]


def test_a_cell_may_be_long() -> None:
    assert len(documents("t.csv", 'text\n"' + "x " * 200_000 + '"\n')[0].text) == 400_000


# --- JSON ---


def test_json_lines_keep_the_good_ones_and_report_the_bad() -> None:
    data = '{"id": 1, "text": "a"}\r\n\n{bad\n{"text": null}\n{"text": 5, "title": 7}\n"plain \u2028 text"\n[1]\n{"body": "x"}\n{"text": ["a"]}'
    found = list(parse("t.jsonl", data))
    assert [(item.key, item.text) for item in found if isinstance(item, Parsed)] == [
        ("1", "a"),
        ("line 5", "5"),
        ("line 6", "plain \u2028 text"),
    ]
    assert [(item.key, item.kind) for item in found if isinstance(item, Problem)] == [
        ("line 3", "failed"),
        ("line 4", "skipped"),
        ("line 7", "failed"),
        ("line 8", "failed"),
        ("line 9", "failed"),
    ]


@pytest.mark.parametrize(
    ("data", "keys"),
    [
        ('[{"text": "a"}, {"text": "b", "id": "x"}, "c"]', ["record 1", "x", "record 3"]),
        ('{"meta": [1], "records": [{"text": "a"}]}', ["record 1"]),
        ('{"meta": "m", "articles": [{"text": "a"}, {"text": "b"}]}', ["record 1", "record 2"]),
        ('{"text": "a", "data": [{"text": "b"}]}', [""]),
    ],
)
def test_json_records_are_found_where_they_usually_are(data: str, keys: list[str]) -> None:
    assert [item.key for item in documents("t.json", data)] == keys


def test_what_is_no_json_is_a_problem_with_its_place() -> None:
    assert "line 2, character 1" in reasons("t.json", '{"text":\n')[0]
    assert ".jsonl" in reasons("t.json", '{"text": "a"}\n{"text": "b"}')[0]
    assert "no 'text' among its keys: a.a.a.a.a" in reasons("t.json", '{"a": ' + deep(9) + "}")[0]


def test_a_record_without_a_text_is_read_as_the_names_and_values_it_holds() -> None:
    (order,) = documents("orders.jsonl", '{"order": 7022, "customer": "Ines", "paid": true, "items": ["mole", "pier"]}')
    assert order.text == "order: 7022 | customer: Ines | paid: True | items: mole, pier" and order.key == "7022"
    assert "no 'body' among its keys" in reasons("t.jsonl", '{"a": 1}', FormatOptions(text_column="body"))[0]


def test_json_that_is_nested_too_deep_or_has_endless_numbers_is_refused() -> None:
    for data in ("[" * 100_000, '{"a":' * 100_000, '[{"text": "a", "b": ' + "[" * 65 + "]" * 65 + "}]"):
        assert "levels deep" in reasons("t.json", data)[0]
    assert "not usable JSON" in reasons("t.json", '{"text": 1' + "0" * 5000 + "}")[0]
    assert documents("t.json", '{"text": "' + "[" * 1000 + '", "b": ' + "[" * 60 + "]" * 60 + "}")[0].text == "[" * 1000


def test_records_beyond_the_limits_are_refused_and_the_others_read() -> None:
    small = FormatOptions(max_record=100, max_values=50)
    lines = ['{"text": "a"}', '{"text": "' + "b" * 100 + '"}', '{"text": "c"}']
    assert [item.key for item in parse("t.jsonl", "\n".join(lines), small)] == ["line 1", "line 2", "line 3"]
    assert "more than the limit" in reasons("t.jsonl", "\n".join(lines), small)[0]
    assert "more than 50 values" in reasons("t.json", '{"text": [' + "0," * 60 + "0]}", small)[0]


def test_a_cell_beyond_the_limit_ends_its_file_with_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    before = csv.field_size_limit(1000)
    try:
        found = list(parse("t.csv", 'text\na\n"' + "b\n" * 1000 + '"\nc\n', FormatOptions(max_record=1000)))
    finally:
        csv.field_size_limit(before)
    assert [item.text for item in found if isinstance(item, Parsed)] == ["a"]
    assert "nothing behind it is read" in next(item.reason for item in found if isinstance(item, Problem))


def test_what_no_table_can_hold_is_replaced_and_noted() -> None:
    (found,) = documents(
        "t.json", r'{"text": "a\ud800b\u0000c", "x": NaN, "y": 1.5}', FormatOptions(metadata_columns=("x", "y"))
    )
    assert found.text == "a\ufffdb\ufffdc"
    assert found.metadata == {"x": "nan", "y": 1.5, NOTE: "2 unusable characters replaced"}
