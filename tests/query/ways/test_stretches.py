"""The passages that name two things: the shortest of a chunk, none over another name where one does without it."""

from functools import cache

import pytest

from graphstrata import build
from pipeline.query.evidence.connections import end_of
from pipeline.query.index import Index
from pipeline.query.ways.stretches import End, PassageOfBoth, stretches
from pipeline.text.keys import keys_of

TEXTS = {
    "storm": "Ada Thorne was called at noon and came at six. The mole was broken by then. The ships of Porth Eilan lay on the rocks.",
    "night": "Ada Thorne and Jonas Lindley sleep at night. Jonas Lindley writes to Porth Eilan.",
    "minutes": "# Minutes\n\nPresent: Ben Okar, Mary Voss.\n\n1. Ben Okar praised the harbour.\n\n2. It rained. It was late.\n\nEnd.",
    "letter": "From: Mary Voss\nTo: Ben Okar\nSubject: The light\n\nDear Ben Okar,\n\nthe light went out on Sunday. The boiler burst.\n",
}


@cache
def index() -> Index:
    return build(TEXTS)


def between(one: str, other: str) -> list[PassageOfBoth]:
    tables = {name: index()._opened.rows(name) for name in ("chunks", "entities")}
    ends = [
        end_of(title, tables["entities"], "en") if title[0].isupper() else End(title, [keys_of(title, "en")], None)
        for title in (one, other)
    ]
    return stretches(ends[0], ends[1], tables, "en")


def text_of(stretch: PassageOfBoth) -> str:
    rows = index()._opened.rows("chunks").by_id({place.chunk_id for place in stretch.places}, ["text"])
    return " ".join(rows[place.chunk_id]["text"][place.start : place.end] for place in stretch.places)


def test_a_passage_that_needs_no_third_comes_before_a_shorter_one_over_a_third() -> None:
    first, second = between("Ada Thorne", "Porth Eilan")
    assert text_of(first) == TEXTS["storm"] and not first.detours
    assert text_of(second) == TEXTS["night"] and second.detours == 1


def test_a_list_of_who_was_there_is_no_passage_that_names_both() -> None:
    assert between("Ben Okar", "Mary Voss") == []


@pytest.mark.parametrize(("thing", "said"), [("boiler", "The boiler burst."), ("mole", "")])
def test_who_wrote_a_letter_is_connected_to_what_it_says(thing: str, said: str) -> None:
    found = between("Mary Voss", thing)
    assert [text_of(one) for one in found] == ([f"From: Mary Voss {said}"] if said else [])
    assert all(one.by_writer for one in found)
