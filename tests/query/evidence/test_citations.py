"""Citations: ids become numbered sources, what was not offered never reaches a reader, what rests on nothing is marked."""

import re
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.base.task import NOT_SAID
from pipeline.query.answer import Place
from pipeline.query.evidence.citations import Cited, Page, Sources, cite, guarded, keep_offered, sentence_spans

PLACES: dict[str, Place | None] = {"c1": Place("a", 0, 4), "c2": Place("a", 5, 9), "p3": Place("b", 0, 4), "f4": None}


@dataclass
class NoRows:
    """Stands for a table that is not looked at."""

    def table(self, columns: Any = None) -> Any:
        raise AssertionError("nothing is looked up before sources are listed")


def numbered(text: str) -> Cited:
    return cite(text, PLACES, lambda id, _: PLACES[id], sources())


def uncited(text: str) -> list[str]:
    """The sentences that assert something and cite nothing; ``[c1]`` is a citation."""
    found = numbered(text)
    bare = (found.text[one.start : one.end] for one in found.sentences if one.asserts and not one.sources)
    return [re.sub(r" ?\[\d+\]", "", sentence) for sentence in bare]


def sources() -> Sources:
    return Sources(NoRows(), NoRows())  # type: ignore[arg-type]


FORMS = (
    "(c1)",
    "[^c1]",
    "[[c1]]",
    "[`c1`]",
    "[source c1]",
    "[id: c1]",
    "(see c1)",
    "【c1†source】",
    "[c1, page 3]",
    "<sup>c1</sup>",
)


@pytest.mark.parametrize("form", FORMS)
def test_a_model_may_cite_in_another_form(form: str) -> None:
    assert numbered(f"It broke {form}. It held.").text == "It broke [1]. It held."
    other = form.replace("c1", "x9")  # what was not offered is no citation in any form
    assert not re.search(r"\[\d", numbered(f"It broke {other}. It held.").text)


def test_what_only_looks_like_another_form_is_text_where_the_usual_one_is_used() -> None:
    said = "It broke at quay (c1) [p3]. See (x9) and a list (1)."
    assert numbered(said).text == "It broke at quay (c1) [1]. See (x9) and a list (1)."


@pytest.mark.parametrize(
    ("text", "expected", "removed"),
    [
        ("It broke [c1].", "It broke [1].", 0),
        ("It broke. [c2] It held. [c1] [c2]", "It broke. [1] It held. [2][1]", 0),
        ("It broke [c1, p3].", "It broke [1][2].", 0),
        ("It broke [c1][c1].", "It broke [1].", 0),
        ("It broke [c9].", "It broke.", 1),
        ("It broke [c1; x7 and p3].", "It broke [1][2].", 1),
        ("It broke [C1].", "It broke [1].", 0),
        ("It broke 【c1】.", "It broke [1].", 0),
        ("It broke [3].", "It broke.", 1),
        ("It broke [[x9]1].", "It broke.", 2),
        ("It broke [[c1]2].", "It broke [1].", 1),
        ("It broke [1234][0007].", "It broke.", 2),
        ("It broke [[[7]8]9].", "It broke.", 3),
        ("It broke [ 12 ].", "It broke.", 1),
        ("It broke [c1].[1]", "It broke [1].", 1),
        ("It broke [f4].", "It broke.", 0),
        ("In [May 1871] it broke [sic].", "In [May 1871] it broke [sic].", 0),
    ],
)
def test_ids_become_numbers_in_the_order_of_the_text(text: str, expected: str, removed: int) -> None:
    assert (numbered(text).text, numbered(text).removed) == (expected, removed)


@given(st.text(st.sampled_from("ab. [],c129p3\n"), max_size=60))
@settings(deadline=None, max_examples=200)
def test_no_id_and_no_number_that_was_not_given_survives(text: str) -> None:
    written = numbered(text).text
    numbers = {int(number) for number in re.findall(r"\[(\d+)\]", written)}
    assert numbers <= set(range(1, 4))
    assert not re.search(r"\[[a-z]\d+\]", written)


def test_the_sentence_that_cites_is_what_a_passage_is_looked_up_by() -> None:
    asked = []

    def resolve(id: str, sentence: str) -> Place:
        asked.append((id, sentence))
        return Place("a", len(asked), 9)

    cite("It broke. [c1] It held for years [c2]. Then nothing.\n\n[c1] A last line.", PLACES, resolve, sources())
    assert asked == [("c1", "It broke."), ("c2", "It held for years."), ("c1", "A last line.")]


def test_a_text_on_the_way_keeps_offered_ids_as_they_are() -> None:
    assert keep_offered("It broke [c1, x2]. It held [x3].", PLACES) == ("It broke [c1]. It held.", 2)


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("It broke. [c1] It held [c2].", []),
        ("It broke. It held. [c1]", ["It broke."]),
        ("It broke.[c1] It held.", ["It held."]),
        ("# Heading\n\nIt broke. [c1]", []),
        ("Told:\n- it broke in 1874 [c1]\n- it held for three years before", ["- it held for three years before"]),
        (NOT_SAID, []),
        ("The mole: It broke in a night. [c1] It was built in 1871. [c2]", []),
    ],
)
def test_a_sentence_without_a_source_is_listed(text: str, missing: list[str]) -> None:
    assert uncited(text) == missing


def test_a_sentence_that_tells_what_is_left_open_needs_no_source_in_any_language() -> None:
    text = "Ada baute die Mole. [c1] Wann sie starb, wird nirgends gesagt. [x0]"
    found = numbered(text)
    assert found.text == "Ada baute die Mole. [1] Wann sie starb, wird nirgends gesagt." and not found.removed
    assert [one.asserts for one in found.sentences] == [True, False] and not uncited(text)


def test_a_sentence_that_cites_asserts_something_even_where_it_also_leaves_something_open() -> None:
    (sentence,) = numbered("Ada built the mole, nobody says when. [c1][x0]").sentences
    assert sentence.asserts and sentence.sources == (1,)


def test_brackets_of_quoted_code_are_no_citations_and_stay() -> None:
    code = guarded("```py\nx = a[0] + b[c1]\n\ny = [1]\n```", is_code=True)
    found = numbered(f"It runs: [c1]\n{code}\n[c2]\nIt ends. [p3]")
    assert found.text == "It runs: [1]\n```py\nx = a[0] + b[c1]\n\ny = [1]\n```\n[2]\nIt ends. [3]"
    assert [one.sources for one in found.sentences] == [(1,), (2,), (3,)] and not found.removed
    said = [found.text[one.start : one.end] for one in found.sentences]
    assert said[0] == "It runs:" and said[1].startswith("```py") and said[1].endswith("```") and said[2] == "It ends."


def test_a_block_of_code_is_cited_as_a_whole_also_where_only_its_indentation_shows_it() -> None:
    code = "    a = rows[0].name\n\n    # Then this. And that.\n    print(a)"
    text = f"It is done so: [c1]\n{guarded(code, is_code=True)} [c2]\nThen it ends. [c1]"
    asked: list[str] = []

    def resolve(id: str, sentence: str) -> Place:
        asked.append(sentence)
        return Place(id, 0, len(sentence))

    cited = cite(text, {"c1", "c2"}, resolve, sources())
    assert cited.text == f"It is done so: [1]\n{code} [2]\nThen it ends. [3]"
    assert asked == ["It is done so:", code, "Then it ends."]
    assert [cited.text[one.start : one.end] for one in cited.sentences] == asked


def test_a_citation_behind_a_full_stop_ends_the_sentence_also_where_the_next_begins_in_lower_case() -> None:
    found = numbered("The gate is shut. [c1] the crane is worn. [c2]")
    assert found.text == "The gate is shut. [1] the crane is worn. [2]"
    assert [one.sources for one in found.sentences] == [(1,), (2,)]


def test_a_footnote_of_a_source_is_never_the_number_of_a_source() -> None:
    said = guarded("The mole [3] was built in 1871.[2] `a[1]` runs [1, 2] and 【1】.")
    found = numbered(f"{said} [c1]")
    assert found.text.replace("\u2060", "") == "The mole [3] was built in 1871.[2] `a[1]` runs [1, 2] and 【1】. [1]"
    assert re.findall(r"\[\d[\d, ]*\]", found.text.replace("`a[1]`", "")) == ["[1]"] and not found.removed
    assert found.sentences[-1].end == found.text.rindex(" [1]")
    two = numbered(f"{guarded('It broke in 1874.[2]')} [c1] {guarded('It was mended.[1][3]')} [c2]")
    assert [one.sources for one in two.sentences] == [(1,), (2,)]


@given(st.lists(st.tuples(st.sampled_from(["It broke.", "Ada Thorne built it in 1871."]), st.booleans()), min_size=1))
@settings(deadline=None, max_examples=100)
def test_exactly_the_sentences_without_a_number_are_listed(parts: list[tuple[str, bool]]) -> None:
    text = " ".join(f"{sentence} [c1]" if cited else sentence for sentence, cited in parts)
    assert uncited(text) == [sentence for sentence, cited in parts if not cited]


def test_a_page_of_the_web_is_a_source_by_its_address() -> None:
    class Empty(NoRows):
        def by_id(self, ids: Any, columns: Any) -> Any:
            return {}

    page = Page("https://example.org/storm", "The storm", "The storm broke the mole.")
    found = Sources(Empty(), Empty(), [page])  # type: ignore[arg-type]
    found.number(Place(page.url, 0, 9))
    (source,) = found.listed()
    assert (source.file, source.title, source.quote) == (page.url, "The storm", "The storm")


def test_a_heading_in_bold_goes_on_in_no_sentence_though_that_begins_in_lower_case() -> None:
    text = "**Build**\nsid is needed for a build. So it is.\n- **Command**\nlintian checks **all** of it."
    said = [text[start:end] for start, end in sentence_spans(text)]
    assert said == [
        "**Build**",
        "sid is needed for a build.",
        "So it is.",
        "- **Command**",
        "lintian checks **all** of it.",
    ]


def test_a_row_of_a_table_goes_on_no_sentence_so_that_each_has_its_own_citation() -> None:
    text = "The council would not go\nfurther than this\nbell | founder\nTenor | John Warrell\nit was said."
    said = [text[start:end] for start, end in sentence_spans(text)]
    assert said == [
        "The council would not go\nfurther than this",
        "bell | founder",
        "Tenor | John Warrell",
        "it was said.",
    ]
