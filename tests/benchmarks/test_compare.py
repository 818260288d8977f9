"""The comparison is fair in what it answers: each product gets the same names of a chunk, in the form it asks for."""

import re
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from benchmarks.compare import measure_or_skip, table
from benchmarks.measure import DATA
from benchmarks.rivals.replies import Replies
from pipeline.language.tasks.indexing.extract_graph import USER, USER_GLEAN, Graph
from pipeline.language.transport.schema import strict_schema

CHUNK = (
    "It was then that Ada Thorne built the mole of Carrow, and old Edmund Vane paid for it.\n\nThe judges were Harriet Loss "
    "and Jonas Reed. In spring the road to Leith was\nclosed, and Carrow had no guests but Ada Thorne (again)."
)
NAMES = {"ADA THORNE", "CARROW", "EDMUND VANE", "HARRIET LOSS", "JONAS REED", "LEITH"}


def as_object(chunk: str, gleaning: bool) -> dict[str, Any]:
    """Return a request as graphstrata makes it."""
    shown = (USER_GLEAN if gleaning else USER).format(anchor="The Harbour of Carrow", text=chunk, found="nothing")
    schema = {"name": "Graph", "schema": strict_schema(Graph)}
    said = [{"role": "system", "content": "List entities."}, {"role": "user", "content": shown}]
    return {"messages": said, "response_format": {"type": "json_schema", "json_schema": schema}}


def as_tuples(chunk: str, gleaning: bool) -> dict[str, Any]:
    """Return a request of the shape that asks for delimited tuples."""
    asked = f"End with <|COMPLETE|>\n-Real Data-\n#####\nEntity_types: geo\nText: {chunk}\n#####\nOutput:\n"
    said = [{"role": "user", "content": asked}]
    if gleaning:
        said += [{"role": "assistant", "content": "<|COMPLETE|>"}, {"role": "user", "content": "What was missed?"}]
    return {"messages": said}


def graph_of_object(reply: Any) -> tuple[set[str], set[tuple[str, str]]]:
    graph = Graph.model_validate(reply)
    pairs = {(found.source.upper(), found.target.upper()) for found in graph.relationships}
    return {entity.title.upper() for entity in graph.entities}, pairs


def graph_of_tuples(reply: str) -> tuple[set[str], set[tuple[str, str]]]:
    records = [record.strip().strip("()").split("<|>") for record in re.split(r"##|<\|COMPLETE\|>", reply)]
    names = {record[1] for record in records if record[0] == '"entity"' and len(record) == 4}
    return names, {(record[1], record[2]) for record in records if record[0] == '"relationship"' and len(record) == 5}


@pytest.mark.parametrize("gleaning", [False, True])
def test_every_product_gets_the_same_entities_and_relationships_of_a_chunk(gleaning: bool) -> None:
    replies = Replies()
    of_object = graph_of_object(replies(as_object(CHUNK, gleaning)))
    assert of_object == graph_of_tuples(replies(as_tuples(CHUNK, gleaning)))
    assert of_object[0] and of_object[1]
    assert {name.upper() for name in replies.given} == of_object[0]


def test_gleaning_gives_what_the_first_reading_left_out() -> None:
    first, _ = graph_of_object(Replies()(as_object(CHUNK, False)))
    second, _ = graph_of_object(Replies()(as_object(CHUNK, True)))
    assert first | second == NAMES
    assert not first & second


def test_a_report_cites_only_where_citations_are_asked_for() -> None:
    asked = {"type": "object", "properties": {"findings": {}, "summary_citations": {}}}
    form = {"type": "json_schema", "json_schema": {"name": "Report", "schema": asked}}
    said = [
        {"role": "user", "content": "<material>\n[e1] Leith: a harbour\n[r4] Leith and Carrow: a road\n</material>"}
    ]
    assert Replies()({"messages": said, "response_format": form})["summary_citations"] == ["e1", "r4"]
    free = Replies()({"messages": said, "response_format": {"type": "json_object"}})
    assert "summary_citations" not in free and "citations" not in free["findings"][0]


@pytest.mark.parametrize(("python", "word"), [(None, "no environment given"), ("nowhere/python", "is not there")])
def test_a_missing_environment_is_skipped_with_a_word(python: str | None, word: str, tmp_path: Path) -> None:
    reason = measure_or_skip("nano", python, tmp_path, False)
    assert isinstance(reason, str) and reason.startswith("skipped: ") and word in reason
    assert f"nano: {reason}" in table({"graphstrata": {"calls": 3}, "nano": reason})


def test_an_environment_without_the_product_is_skipped_with_a_word(tmp_path: Path) -> None:
    if not (DATA / "carol" / "book.txt").exists():
        pytest.skip("the book of the comparison is not here")
    if find_spec("graphrag"):
        pytest.skip("the product is here")
    assert measure_or_skip("microsoft", sys.executable, tmp_path, False) == "skipped: its driver ended with 1"
