"""Excerpts in print: word for word as the file has them, rows of tables under the names of their columns."""

import csv
import io
from pathlib import Path

import pytest

from pipeline.documents.table_rows import quoted_row
from pipeline.query.answer import Place
from pipeline.query.evidence.citations import Sources, cite
from pipeline.query.evidence.excerpts import written
from pipeline.query.index import Index
from pipeline.runner.run import run_index
from pipeline.text.answering.blocks import units
from pipeline.text.answering.passage_units import Excerpt, PassageText
from tests.corpora import project

HTML = """<html><body><h1>Museum of salt</h1><p>Hours of the museum, by day.</p>
<table><tr><th>Day</th><th>Hours</th><th>Guide</th></tr><tr><td>Monday</td><td>closed</td><td></td></tr>
<tr><td>Tuesday</td><td>10 to 17</td><td>Ada Brine</td></tr></table></body></html>"""
BOATS = "boat,yard,launched\nMerlin,Appledore,1954\nPetrel,Wivenhoe,1961\n"


@pytest.fixture(scope="module")
def salt(tmp_path_factory: pytest.TempPathFactory) -> Index:
    folder = tmp_path_factory.mktemp("salt")
    made = project(folder, {"museum.html": HTML, "boats.csv": BOATS})
    run_index(made)
    return Index.open(made.store.folder)


def test_a_row_is_printed_by_its_cells_under_the_row_that_names_its_columns(salt: Index) -> None:
    answer = salt.ask("When is the museum open on Tuesday?", "basic")
    lines = [line.partition(" [")[0] for line in answer.text.splitlines()]
    assert "Day | Hours | Guide" in lines and "Tuesday | 10 to 17 | Ada Brine" in lines
    assert lines.index("Day | Hours | Guide") < lines.index("Tuesday | 10 to 17 | Ada Brine")
    row = next(source for source in answer.sources if source.quote == "Ada Brine")
    assert HTML[row.start : row.end] == "Ada Brine"


def test_a_record_without_a_text_column_is_printed_as_its_file_has_it(salt: Index) -> None:
    answer = salt.ask("Which yard launched the Merlin?", "basic")
    cells = {"".join(row) for row in csv.reader(io.StringIO(BOATS))}
    said = [line.partition(" [")[0] for line in answer.text.splitlines()]
    assert said[:2] == ["boat | yard | launched", "Merlin | Appledore | 1954"]
    assert all(line.replace(" | ", "") in cells for line in said)
    assert "Merlin,Appledore,1954" in {source.quote for source in answer.sources}
    assert all(BOATS[source.start : source.end] == source.quote for source in answer.sources)


def test_names_of_columns_are_printed_once_for_rows_of_one_table() -> None:
    text = "Pier: North | Length: 120 m\nPier: South | Length: 90 m"
    rows = [Excerpt(0, 0, 27, "row", 0), Excerpt(0, 28, len(text), "row", 0)]
    labels = {0: [(0, 6), (11, 22)], 28: [(0, 6), (11, 22)]}
    said = written(rows, [PassageText("a", "", text)], {0: "c1"}, lambda passage, start, end: labels[start])
    assert said == "Pier | Length [c1]\nNorth | 120 m [c1]\nSouth | 90 m [c1]"


CREW = "name;rank;since;ship\nOdell;;1954;Merlin\nVane;mate;1961;Petrel\n"


def test_rows_of_a_file_with_semicolons_are_printed_as_it_has_them(tmp_path: Path) -> None:
    made = project(tmp_path, {"crew.csv": CREW})
    run_index(made)
    answer = Index.open(made.store.folder).ask("On which ship is Odell?", "basic")
    said = [line.partition(" [")[0] for line in answer.text.splitlines()]
    assert answer.supported and said[:2] == ["name;rank;since;ship", "Odell;;1954;Merlin"]
    assert "Odell;;1954;Merlin" in {source.quote for source in answer.sources}
    assert all(CREW[source.start : source.end] == source.quote for source in answer.sources)


def test_a_row_with_a_quoted_cell_is_quoted_by_the_characters_of_its_file(tmp_path: Path) -> None:
    harbours = 'harbour,note,depth\nWivenhoe,"mud, and more mud",3\nAppledore,,12\n'
    made = project(tmp_path, {"harbours.csv": harbours})
    run_index(made)
    answer = Index.open(made.store.folder).ask("What is the note on Wivenhoe?", "basic")
    shown = (*answer.sources, *answer.closest)
    assert 'Wivenhoe,"mud, and more mud",3' in {source.quote for source in shown}
    assert all(harbours[source.start : source.end] == source.quote for source in shown)


def test_rows_with_empty_and_quoted_cells_stand_below_one_head_and_are_quoted_whole(tmp_path: Path) -> None:
    quays = 'quay,owner,crane,note\nNorth,Harbour Ltd,yes,\nSouth,,,"silted, closed"\nWest,Harbour Ltd,,dry\n'
    made = project(tmp_path, {"quays.csv": quays})
    run_index(made)
    answer = Index.open(made.store.folder).ask("How many quays are there?", "basic")
    said = [line.partition(" [")[0] for line in answer.text.splitlines()]
    assert said[2:] == [
        "quay | owner | crane | note",
        "North | Harbour Ltd | yes",
        "South |  |  | silted, closed",
        "West | Harbour Ltd |  | dry",
    ]
    assert [source.quote for source in answer.sources] == [
        "North,Harbour Ltd,yes",
        'South,,,"silted, closed"',
        "West,Harbour Ltd,,dry",
    ]
    assert all(quays[source.start : source.end] == source.quote for source in answer.sources)


QUOTED = '''"id","customer","amount","note"
"O-1","Acme Corp","120.50","He said ""yes"""
"O-2","Beta Labs","80.00",""
"O-3","","99.90","late, but ""whole"" again"
'''
MIXED = """id,customer,amount,note
O-1,Acme Corp,"€120.50",5" too long
O-2,"Beta Labs",80.00,""
O-3,"",99.90,"late, but ""whole"" again"
"""


@pytest.mark.parametrize("orders", [QUOTED, QUOTED.replace('","', '";"'), QUOTED.replace("\n", "\r\n"), MIXED])
def test_a_row_whose_cells_need_no_quotation_marks_is_quoted_whole_with_those_of_its_file(
    orders: str, tmp_path: Path
) -> None:
    made = project(tmp_path, {"orders.csv": orders})
    run_index(made)
    answer = Index.open(made.store.folder).ask("How many orders are there?", "basic")
    rows = [row.removesuffix(',""').removesuffix(';""') for row in orders.splitlines()[1:]]
    assert [source.quote for source in answer.sources] == rows
    assert all(orders[source.start : source.end] == source.quote for source in answer.sources)


def test_cells_of_a_row_with_a_line_break_are_printed_with_bars_between_them(tmp_path: Path) -> None:
    faults = 'id,subject,comment,hours\n1,Crane,"It is broken.\nWe need a new one, or two",4\n2,Pump,fine,5\n'
    made = project(tmp_path, {"faults.csv": faults})
    run_index(made)
    answer = Index.open(made.store.folder).ask("What is broken, and what do we need?", "basic")
    assert answer.text == "1 | Crane | It is broken. [1] We need a new one, or two | 4 [2]"
    assert all(faults[source.start : source.end] == source.quote for source in answer.sources)


FERRY = """<html><body><h1>Ferry</h1><table><tr><th>Day</th><th>First</th><th>Last</th></tr>
<tr><td colspan=3>Summer</td></tr><tr><td>Sunday</td><td>08:00</td><td>19:30</td></tr>
<tr><td>Winter</td></tr><tr><td>Weekday</td><td>07:30</td><td>18:00</td></tr>
<tr><td colspan=3>No ferry on Sunday</td></tr><tr><td colspan=3>Dogs sail free</td></tr></table></body></html>"""


def test_a_row_over_the_full_width_of_a_table_is_joined_to_no_other_row(tmp_path: Path) -> None:
    made = project(tmp_path, {"ferry.html": FERRY})
    run_index(made)
    index = Index.open(made.store.folder)
    (document,) = index.generation.table("documents").to_pylist()
    wide = ("Summer", "Winter", "No ferry on Sunday", "Dogs sail free")
    parts = [document["text"][unit.start : unit.end] for unit in units(document["text"])]
    assert [part for part in parts if any(said in part for said in wide)] == list(wide)
    answer = index.ask("When is the last ferry on Sunday?", "basic")
    assert "Sunday | 08:00 | 19:30" in [line.partition(" [")[0] for line in answer.text.splitlines()]
    assert all(FERRY[source.start : source.end] == source.quote for source in answer.sources)


def test_a_row_is_quoted_with_commas_only_where_its_file_is_one_of_rows(salt: Index) -> None:
    documents = salt.generation.table("documents").to_pylist()
    rows = [one for one in documents if one["place_unit"] == "row" and quoted_row(one, one["text"], 0)]
    assert rows
    for one in rows:
        assert quoted_row(one | {"place_unit": "page"}, one["text"], 0) is None


def test_a_cell_that_has_the_delimiter_is_quoted_as_in_its_file() -> None:
    text = 'Item: a "b"; c | Fee: 5'
    row = [Excerpt(0, 0, len(text), "row", 0)]
    labels = [(0, 6), (14, 22)]
    said = written(row, [PassageText("a", "", text)], {0: "c1"}, lambda p, s, e: labels, lambda p: "Item;Fee")
    assert said == 'Item;Fee [c1]\n"a ""b""; c";5 [c1]'


def test_code_that_is_set_in_is_cited_behind_its_last_line_and_fenced_code_below_it() -> None:
    for code, said in (("    a = 1\n\n    b = 2", "    a = 1\n\n    b = 2 [c1]"), ("```\na\n```", "```\na\n```\n[c1]")):
        drafted = written([Excerpt(0, 0, len(code), "code", 0)], [PassageText("a", "", code)], {0: "c1"})
        shown = cite(drafted, {"c1"}, lambda id, sentence: Place("a", 0, len(sentence)), Sources(None, None))  # type: ignore[arg-type]
        assert shown.text == said.replace("c1", "1")


def test_words_that_a_text_has_twice_are_cited_where_the_answer_has_them_from(tmp_path: Path) -> None:
    knobs = "# Organ\n\n- **tremulant**: Whether it trembles. Default: off.\n- **coupler_3**: What is coupled. Default: off.\n"
    made = project(tmp_path, {"organ.md": knobs})
    run_index(made)
    answer = Index.open(made.store.folder).ask("what is the default of coupler_3?", "basic")
    default = next(source for source in answer.sources if source.quote == "Default: off.")
    assert answer.supported and default.start == knobs.rindex("Default: off.")


LAMPS = """# Lamps

| lamp | watts | cap |
|---|---|---|
| hall lamp | 40 | E27 |
| yard lamp | 75 | E27 |
| reading lights | 7 | E14 |
"""


@pytest.mark.parametrize(
    ("question", "is_answered"),
    [
        ("how many watts should I use for the reading lights?", True),
        ("how many watts should I use for the lamps?", False),
    ],
)
def test_how_many_of_a_column_is_told_by_the_one_row_that_is_asked_about(
    question: str, is_answered: bool, tmp_path: Path
) -> None:
    made = project(tmp_path, {"lamps.md": LAMPS})
    run_index(made)
    answer = Index.open(made.store.folder).ask(question, "basic")
    assert ("| reading lights | 7 |" in answer.text) is is_answered
