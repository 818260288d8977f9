"""Answers and maps in documents and notebooks: everything is shown, and no text of a corpus becomes markup."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from pipeline.query.answer import Answer
from pipeline.query.display.map_view import map_view
from pipeline.query.index import Index
from pipeline.query.messages import message
from pipeline.text.question.asking_words import question_language
from tests.query_cases import BATTLES, opened

HOSTILE = "<script>alert(1)</script> ![x](javascript:y) `code` '\""


def index() -> Index:
    return opened()


def hostile() -> Answer:
    answer = index().ask(BATTLES, "basic")
    sources = tuple(replace(source, quote=HOSTILE, heading=HOSTILE) for source in answer.sources)
    return replace(
        answer, question=HOSTILE, text=f"# Lost\n\n- {HOSTILE} [1]\n- **two** [2]\n\n```\n<b>\n```", sources=sources
    )


def test_an_answer_as_markdown_has_its_question_its_text_and_every_source() -> None:
    answer = index().ask(BATTLES, "basic")
    shown = answer.to_markdown()
    assert shown.startswith(f"## {BATTLES}\n\n{answer.text}")
    for source in answer.sources:
        assert re.search(rf"^{source.number}\. .*joan-of-arc|^{source.number}\. ", shown, re.MULTILINE)
    assert shown.count("line") >= len(answer.sources)


def test_an_answer_that_was_not_found_shows_the_closest_passages() -> None:
    found = index().ask(BATTLES, "basic")
    answer = replace(found, outcome="closest", sources=(), closest=found.sources)
    assert "**Closest passages**" in answer.to_markdown() and "<details open>" in answer._repr_html_()


def test_no_quote_of_a_source_is_markup() -> None:
    answer = hostile()
    page = answer._repr_html_()
    assert "<script" not in page and page.count("<pre>") == 1 and "<h4>Lost</h4>" in page and "<b>two</b>" in page
    assert "<sup title='" in page and "'\"" not in page
    listed = answer.to_markdown().split(f"**{message('sources', question_language(HOSTILE))}**")[1]
    assert "\\<script\\>" in listed and "!\\[x\\]" in listed


@pytest.mark.parametrize(
    "text",
    [
        "It fell. [1](http://x.org/a) ![x](http://x.org/b.png) <img src=x>\n\n[1]: http://x.org/c",
        "\\\\<img src=x> \\<img src=x>",
        "~~~\n```\n~~~\n![x](http://x.org/b.png)\n```",
        "- ```\n  a\n  ```\n![x](http://x.org/b.png)",
        "`a\n` ![x](http://x.org/b.png) `",
        "``` a`b\n![x](http://x.org/b.png)\n```",
        "```\na\r```\r![x](http://x.org/b.png)\n```",
        "```py\na\n```\n![x](http://x.org/b.png)\n```py\nb\n```",
    ],
)
def test_the_text_of_an_answer_brings_no_link_image_or_tag_into_a_document(text: str) -> None:
    shown = replace(index().ask(BATTLES, "basic"), text=text, sentences=()).to_markdown()
    assert not re.search(r"\](?:\(|:)|(?<!\\)(?:\\\\)*<img", shown)


def test_code_of_an_answer_stays_as_it_is_in_markdown() -> None:
    text = "So:\n\n```c++\n#include <vector>\n```py\na[0](x)\n```\n\nand **a < b** [1]"
    assert text in replace(index().ask(BATTLES, "basic"), text=text, sentences=()).to_markdown()


def test_code_that_is_set_in_is_shown_as_code_with_its_number_behind_it() -> None:
    text = "So: [1]\n    a = b[0]\n\n    print(a) [2]\nThen that. [1]"
    shown = replace(index().ask(BATTLES, "basic"), text=text, sentences=())
    assert re.search(
        r"<pre>    a = b\[0\]\n\n    print\(a\) <sup [^>]*>\[2\]</sup></pre><p>Then that\.", shown._repr_html_()
    )
    assert "So: [1]\n\n    a = b[0]\n\n    print(a) [2]\n\nThen that. [1]" in shown.to_markdown()


def test_the_map_is_one_svg_that_names_communities_and_entities() -> None:
    opened = index()
    drawn = opened.map()
    picture = ElementTree.fromstring(str(drawn))
    titles = [title.text or "" for title in picture.iter("{http://www.w3.org/2000/svg}title")]
    assert len(titles) == len(drawn.disks) + len(drawn.dots) == len(opened.communities) + len(opened.entities)
    assert any(one.startswith("Joan of Arc") for one in titles)
    written = dict(zip(opened.community_reports["community"], opened.community_reports["title"], strict=True))
    assert {disk.title for disk in drawn.disks} == set(written.values())
    assert str(drawn) in drawn._repr_html_() and str(opened.map()) == str(drawn)


def test_an_index_without_a_layout_shows_its_top_communities() -> None:
    opened = index()
    drawn = map_view(opened._opened.rows("communities"), opened._opened.rows("entities"), None)
    top = opened.communities[opened.communities.level == 0]
    assert len(drawn.disks) == len(top) and not drawn.dots
    ElementTree.fromstring(str(drawn))
