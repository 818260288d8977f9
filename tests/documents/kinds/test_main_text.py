"""Web pages without their menus and footers: what is kept, where it is in the file, and what happens without the extra."""

import sys

import pytest

from pipeline.base.files import Problem
from pipeline.documents.formats import FormatOptions, parse
from pipeline.documents.parsed import NOTE, Parsed
from pipeline.documents.places import file_place

MAIN = FormatOptions(web_pages="main")
PAGE = """<!DOCTYPE html><html><head><title>The mole of Carrow</title></head><body>
<nav><ul><li><a href="/">Home</a></li><li><a href="/news">News</a></li></ul></nav>
<div class="cookie">We use cookies to improve your experience. <button>Accept all</button></div>
<main><article><h1>The mole</h1>
<p>Ada Thorne built the west mole of Carrow in 1871, and the Northern Dock Company paid for the stone &amp; the barges.</p>
<h2>The storm</h2>
<p>The storm of 1874 broke the west mole within a night. The company accused <b>Ada Thorne</b> of neglect, but a court at
Carrow found no fault in her work.</p>
<table><tr><th>Year</th><th>Event</th></tr><tr><td>1871</td><td>Mole built</td></tr></table>
</article></main>
<aside><h3>Related articles</h3><ul><li><a href="/x">Ten harbours to see</a></li></ul></aside>
<footer><p>Copyright 2026 Harbour News. <a href="/terms">Terms</a></p></footer></body></html>"""


def read(page: str, options: FormatOptions) -> Parsed:
    (found,) = parse("page.html", page.encode(), options)
    assert isinstance(found, Parsed)
    return found


def test_menus_notices_and_footers_are_left_out_and_headings_and_tables_of_the_text_stay() -> None:
    pytest.importorskip("trafilatura", reason="the extra web is not installed")
    text = read(PAGE, MAIN).text
    assert not any(word in text for word in ("Home", "cookies", "Related", "Ten harbours", "Copyright"))
    assert "# The mole\n" in text and "## The storm\n" in text and "Year: 1871 | Event: Mole built" in text
    assert "stone & the barges." in text


def test_places_in_the_file_are_exact_without_the_menus_too() -> None:
    pytest.importorskip("trafilatura", reason="the extra web is not installed")
    found = read(PAGE, MAIN)
    row = {f"place_{name}": value for name, value in found.places._asdict().items()}
    for words in ("The storm of 1874 broke", "Mole built", "found no fault in her work."):
        place = file_place(row, found.text.index(words), found.text.index(words) + len(words))
        assert PAGE[place.start : place.end] == words
        assert place.label == f"line {PAGE.count(chr(10), 0, place.start) + 1}"


def test_all_but_marked_navigation_is_read_unless_it_is_asked_for_otherwise() -> None:
    text = read(PAGE, FormatOptions(web_pages="whole")).text
    assert "- Home" in text and "Copyright" in text
    text = read(PAGE, FormatOptions()).text
    assert "- Home" not in text and "Copyright" in text


@pytest.mark.parametrize(
    "menu",
    [
        "<nav><ul><li>Up</ul></nav>",
        '<div role="navigation"><div>Up</div><p>Next</div>',
        "<DIV CLASS='page navheader'><table><tr><td>Up</table></DIV>",
        '<ul class="docnav top"><li class="next">Up</ul>',
        "<table class=nav><tr><td><table><tr><td>Up</table></table>",
    ],
)
def test_navigation_is_what_a_page_says_is(menu: str) -> None:
    assert read(f"<div><p>One.{menu}<p>Two.</div>", FormatOptions()).text == "One.\n\nTwo."


@pytest.mark.parametrize("page", ["<nav>One.</nav>", "<div class=nav>One.", "<p class=navy>One.</p>", "<nav>One.<p>"])
def test_navigation_is_read_where_a_page_has_nothing_else_or_it_does_not_end(page: str) -> None:
    assert read(page, FormatOptions()).text == "One."


def test_a_page_without_a_main_text_is_read_whole_and_says_so() -> None:
    pytest.importorskip("trafilatura", reason="the extra web is not installed")
    found = read("<p>One.</p>", MAIN)
    assert found.text == "One." and found.metadata.get(NOTE) in (
        None,
        "no main text was found, so the whole page is read",
    )
    empty = read("<ul><li>a</ul>", MAIN)
    assert empty.text and "no main text" in str(empty.metadata[NOTE])


def test_without_the_extra_the_page_is_a_problem_that_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "trafilatura", None)
    (found,) = parse("page.html", PAGE.encode(), MAIN)
    assert isinstance(found, Problem) and "pip install 'graphstrata[web]'" in found.reason
