"""Headings: which lines are, and which are not."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.text.headings import anchor_at, find_headings


def titles(text: str) -> list[str]:
    return [heading.title for heading in find_headings(text)]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_headings_are_found_with_any_line_end(end: str) -> None:
    text = "# One #\n\ntext\n\nTwo\n===\n\n### Thr*e*e and [four](x)\ntext\n\nCHAPTER V.\n\nA PLACE IN FRANCE\n\ntext".replace(
        "\n", end
    )
    assert [(heading.level, heading.title) for heading in find_headings(text)] == [
        (1, "One"),
        (1, "Two"),
        (3, "Three and four"),
        (1, "CHAPTER V"),
        (2, "A PLACE IN FRANCE"),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "Chapter 12",
        "STAVE ONE",
        "CHAPTER 29. Enter the captain; to him, the mate.",
        "Chapter XII. In which nobody sleeps.",
        "Book II: The Siege",
        "Act III",
        "Kapitel 3",
        "Глава 4",
        "第一章 出生",
        "Part the First",
        "PREFACE",
    ],
)
def test_divisions_of_books_are_headings(line: str) -> None:
    assert len(titles(f"before\n\n  {line}\n\nafter")) == 1


@pytest.mark.parametrize(
    "text",
    [
        "one\nPREFACE\ntwo",
        "KEVIN SCOTT:\n\ntext",
        "MAX_DELAY = 2.5\n\ntext",
        "[MUSIC]\n\ntext",
        "A\n\nI. X.\n\n",
        "SAME HEADER\n\na\n\nSAME HEADER\n\nb\n\nSAME HEADER\n\nc",
        "```\n# a comment\n```\n",
        "Chapter one of this story tells of kings, and it goes on as running text that ends like this.\n\nnext",
        "#hashtag\n\nnext",
        "1429\n\nnext",
        "Section 4. The tenant pays the rent in advance.\n\nnext",
        "text\n\n---\n\nnext",
        "x" * 200 + "\n===\n",
        "A" * 200,
    ],
)
def test_what_only_looks_like_a_heading_is_none(text: str) -> None:
    assert titles(text) == []


@given(st.lists(st.sampled_from(["# A", "A B C D", "text", "", "===", "---", "```", "CHAPTER I", "\t", "x. y"])))
@settings(deadline=None)
def test_headings_are_in_order_and_do_not_overlap(lines: list[str]) -> None:
    text = "\n".join(lines)
    found = find_headings(text)
    for before, after in pairwise(found):
        assert before.end <= after.start
    for heading in found:
        assert heading.title
        assert heading.title.split()[0] in text[heading.start : heading.end]


def test_a_place_in_a_passage_is_under_the_last_heading_before_it() -> None:
    text = "It went on.\n\n## 19. Cash stays\n\nWe kept it.\n\n## 18. The rota\n\nPetra did it."
    assert anchor_at(0, text, "Decisions > 20. The pager") == "Decisions > 20. The pager"
    assert anchor_at(text.index("We kept"), text, "Decisions > 20. The pager") == "Decisions > 19. Cash stays"
    assert anchor_at(text.index("Petra"), text, "Decisions") == "Decisions > 18. The rota"
    assert anchor_at(9, "# Decisions", "Decisions") == "Decisions"
    assert anchor_at(0, "No heading.", "") == ""


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("## asn1_delete_element, a function", "asn1_delete_element, a function"),
        ("# The `__init__` of *every* class", "The __init__ of every class"),
        ("# _Bold_ and [the `url_for` guide](x.md) ##", "Bold and the url_for guide"),
    ],
)
def test_a_heading_keeps_its_identifiers_and_loses_its_marks(line: str, title: str) -> None:
    (heading,) = find_headings(line)
    assert heading.title == title


def test_a_fence_is_closed_by_one_of_its_kind_that_is_as_long() -> None:
    text = "````{tip}\n```python\n# no heading\n```\n````\n\n# A heading"
    assert titles(text) == ["A heading"]


def test_the_numbered_titles_of_a_contract_are_headings_and_its_clauses_and_lists_are_none() -> None:
    text = (
        "3. Hire of Boats.\n\nThe parties agree as follows.\n\n3.1. Duty of care\n\nThe hirer pays.\n\n4. Rent\n-------\n\n"
        "5. The hirer shall keep the boat clean.\n\n6. Oars\n\n7. Lamps\n\n8. Ropes\n\n3 eggs\n\nWhisk them."
    )
    assert [(heading.level, heading.title) for heading in find_headings(text)] == [
        (2, "3. Hire of Boats"),
        (3, "3.1. Duty of care"),
        (2, "4. Rent"),
        (2, "8. Ropes"),
    ]


@pytest.mark.parametrize(
    "code",
    [
        "Run this::\n\n   # a comment\n\n   A NOTE IN CAPITALS\n\nThen wait.",
        "Run this:\n\n-----\n$ pump start\n# a comment\n$ pump stop\n-----\n\nThen wait.",
        "$ pump start\n# a comment\n```\n\nThen wait.\n\n```sh\n$ pump stop\n```\n",
    ],
)
def test_nothing_in_code_is_a_heading_also_where_a_passage_begins_inside_it(code: str) -> None:
    assert titles(code) == []
    assert anchor_at(len(code) - 1, code, "Pumps > Start") == "Pumps > Start"
