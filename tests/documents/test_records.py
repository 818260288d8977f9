"""Records of CSV and JSON: each a document with its own id, date and metadata, whatever its text."""

import json
from pathlib import Path
from typing import Any

import pytest

from pipeline.base.files import Problem
from pipeline.base.input_files import InputFile
from pipeline.base.settings import InputSettings
from pipeline.base.tokens import Estimate
from pipeline.documents.formats import FormatOptions, LeftOut, Parsed, parse
from workflows.stages import load_documents


class Noted:
    """Notes of a stage, for looking at."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.problems: list[tuple[str, str, str]] = []

    def report(self, line: str) -> None:
        self.lines.append(line)

    def problem(self, item: str, reason: str, kind: str) -> None:
        self.problems.append((item, reason, kind))


def loaded(files: dict[str, str], **settings: Any) -> tuple[list[dict[str, Any]], Noted]:
    """The rows of documents that the stage makes of files, and what it noted."""
    notes = Noted()
    read = [InputFile(source, text.encode()) for source, text in files.items()]
    parts = load_documents.run(files=read, settings=InputSettings(**settings), tokenizer=Estimate(), notes=notes)
    return [row for _, part in parts for row in part.to_pylist()], notes


def documents(source: str, data: str, options: FormatOptions | None = None) -> list[Parsed]:
    return [item for item in parse(source, data, options or FormatOptions()) if isinstance(item, Parsed)]


def test_tickets_with_repeated_texts_are_as_many_documents_with_their_own_ids_customers_and_dates() -> None:
    rows = [f"T-{n},Login,I cannot log in.,2024-03-{n % 28 + 1:02},Customer {n}" for n in range(200)]
    found, notes = loaded({"t.csv": "\n".join(["id,title,text,date,customer", *rows])})
    assert len(found) == len({row["id"] for row in found}) == 200 and not notes.problems and not notes.lines
    about = [json.loads(row["metadata"]) for row in found]
    assert [one["record"] for one in about] == [f"T-{n}" for n in range(200)]
    assert about[7]["customer"] == "Customer 7" and about[7]["date"] == "2024-03-08"


def test_a_file_with_the_text_of_another_is_still_skipped_and_logged() -> None:
    found, notes = loaded({"a.txt": "the same", "b.txt": "the same", "c.csv": "text\nthe same\n"})
    assert [row["source"] for row in found] == ["a.txt", "c.csv"]
    assert notes.problems == [("b.txt", "the same text as a.txt", "skipped")]


@pytest.mark.parametrize(
    "name", ["id", "ID", "Key", "ticket", "Ticket ID", "case_id", "TicketNumber", "issue-key", "UUID"]
)
def test_the_column_that_names_a_record_is_found_by_its_name(name: str) -> None:
    (found,) = documents("t.csv", f"{name},text\nA-1,words\n")
    assert (found.key, found.places.labels) == ("A-1", ("record A-1",))
    assert documents("t.csv", "text,customer id\nwords,C-1\n")[0].key == "row 2"


@pytest.mark.parametrize(
    "above",
    ["Export Ashcombe 2024;;;\n;;;\n", "Export Ashcombe 2024\n", "Export Ashcombe, 2024\n\n", "\nAshcombe 2024\r\n"],
)
def test_lines_above_the_names_of_columns_are_no_row_and_are_named(above: str) -> None:
    data = f"{above}No;Building;Status;Cost\nW1;Library;Open;10.00\nW2;Hall, left;;20.00\n"
    problem, first, second = parse("t.csv", data)
    assert isinstance(problem, Problem) and problem.kind == "skipped" and "Ashcombe" in problem.reason
    assert isinstance(first, Parsed) and first.text == "No: W1 | Building: Library | Status: Open | Cost: 10.00"
    assert isinstance(second, Parsed) and second.text == "No: W2 | Building: Hall, left | Cost: 20.00"
    assert first.places.first == 1 + data.splitlines().index("W1;Library;Open;10.00")
    offsets = zip(first.places.offsets, first.places.starts, strict=True)
    assert [data[start] for offset, start in offsets if start >= 0 and offset < len(first.text)] == ["W", "L", "O", "1"]


def test_a_first_line_of_one_name_is_no_title_where_the_rows_below_name_no_columns() -> None:
    assert [one.text for one in documents("t.csv", "text\nAda, Ben\n")] == ["Ada, Ben"]
    (problem,) = parse("t.csv", "name\nAda,Thorne\nBen,Marsh\n")
    assert isinstance(problem, Problem) and "its columns are: name" in problem.reason


def test_settings_name_the_columns_of_id_date_and_metadata() -> None:
    data = "id,code,text,opened,customer,agent\n1,A,words,3 July 2023,X,Y\n"
    options = FormatOptions(id_column="code", date_column="opened", metadata_columns=("customer",))
    (found,) = documents("t.csv", data, options)
    assert (found.key, found.metadata) == ("A", {"customer": "X", "date": "2023-07-03"})


@pytest.mark.parametrize(
    ("written", "date"),
    [
        ("2023-07-03", "2023-07-03"),
        ("2023-07-03T10:00", "2023-07-03T10:00"),
        ("3 July 2023", "2023-07-03"),
        ("25/06/2024", "2024-06-25"),
        ("05/06/2024", "05/06/2024"),
        ("July 2023", "July 2023"),
        ("?", "?"),
    ],
)
def test_a_date_is_kept_as_a_day_where_it_is_known_which(written: str, date: str) -> None:
    (found,) = documents("t.jsonl", json.dumps({"text": "a", "Created at": written}))
    assert found.metadata["date"] == date


def test_values_in_groups_and_lists_are_read_and_can_be_asked_and_filtered_for() -> None:
    anna = {
        "id": 1,
        "name": "Anna Berg",
        "address": {"city": "Oslo", "geo": {"lat": 59.9}},
        "orders": [{"sku": "A", "qty": 2}, {"sku": "B", "qty": 1}],
        "tags": ["new", "north"],
    }
    found, notes = loaded({"customers.json": json.dumps([anna])})
    assert found[0]["text"] == (
        "id: 1 | name: Anna Berg | address.city: Oslo | address.geo.lat: 59.9"
        " | orders: sku: A, qty: 2; sku: B, qty: 1 | tags: new, north"
    )
    assert json.loads(found[0]["metadata"])["address.city"] == "Oslo"
    assert not notes.problems and not notes.lines


def test_a_value_beside_a_group_of_its_name_keeps_its_own() -> None:
    (found,) = documents("t.json", '{"text": "x", "a.b": 1, "a": {"b": 2, "c": {}}}')
    assert found.metadata["a.b"] == 1 and "a.c" not in found.metadata


def test_what_is_not_kept_of_records_is_logged_in_one_line_by_count() -> None:
    records = [{"text": "a", "id": n, "deep": [[[[[1]]]]], "long": "y" * 501, "short": n} for n in range(3)]
    lines = "\n".join(map(json.dumps, records))
    found, notes = loaded({"t.jsonl": lines})
    assert notes.lines == ["t.jsonl: values that are not kept as metadata, by column: deep (3), long (3)"]
    assert json.loads(found[2]["metadata"]) == {"record": "2", "short": 2, "encoding": "utf-8"}
    _, notes = loaded({"t.jsonl": lines}, metadata_columns=("long",))
    assert notes.lines == ["t.jsonl: values that are not kept as metadata, by column: deep (3), short (3)"]
    assert not [item for item in parse("t.jsonl", '{"text": "a"}') if isinstance(item, LeftOut)]


def test_a_long_value_that_settings_name_is_kept() -> None:
    (found,) = documents("t.jsonl", json.dumps({"text": "a", "x": "y" * 900}), FormatOptions(metadata_columns=("x",)))
    assert found.metadata == {"x": "y" * 900}


def test_files_of_other_kinds_are_counted(tmp_path: Path) -> None:
    from pipeline.base.files import find

    for name in ("a.txt", "b.xlsx", "c.xlsx", "d.rst", "e"):
        (tmp_path / name).write_text("words")
    assert find(tmp_path, ["*.txt"]).others == "2 .xlsx, 1 .rst, 1 no ending"
    assert find(tmp_path, ["*"]).others == ""
