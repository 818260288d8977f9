"""What is skipped a thousand times is said once, and files that could not be read are named once."""

import re
from pathlib import Path

from pipeline.language.ledger import FailureRow, Ledger
from pipeline.runner.progress import Silent
from pipeline.runner.run import run_index
from pipeline.runner.stage_notes import StageNotes, grouped, unreadable_files
from tests.corpora import project


class Lines(Silent):
    def __init__(self) -> None:
        self.said: list[str] = []

    def line(self, text: str) -> None:
        self.said.append(text)


def test_a_thousand_skipped_rows_of_a_file_are_one_line_and_a_thousand_rows_of_failures() -> None:
    ledger, lines = Ledger(), Lines()
    notes = StageNotes("s10_load_documents", ledger, lines)
    for number in range(1000):
        notes.problem(f"rows.csv#row {number}", f"its 'text' is null, {number} characters", "skipped")
    notes.problem("a.txt", "the same text as b.txt", "skipped")
    notes.close()
    assert len(lines.said) == 2 and len(ledger.failures) == 1001
    assert lines.said[0].startswith(
        "s10_load_documents: skipped: 1,000 records of rows.csv (row 0, row 1, row 2, ...): "
    )
    assert lines.said[1].endswith("a.txt: the same text as b.txt")


def test_what_differs_in_more_than_numbers_is_said_separately() -> None:
    lines = grouped([("x.csv#1", "too long: 900"), ("y.csv#1", "too long: 901"), ("x.csv#2", "no text")])
    assert len(lines) == 3


def test_only_whole_files_are_unreadable() -> None:
    rows = [("bad.docx", "reading"), ("x.csv#3", "reading"), ("c1", "extract_graph")]
    assert unreadable_files(FailureRow("s", task, item, "failed", "r", 1) for item, task in rows) == ["bad.docx"]


def test_key_elements_that_are_left_out_are_said_with_the_reason_in_plain_words(tmp_path: Path) -> None:
    lines = Lines()
    text = "Ada Thorne built the mole of Carrow. Ada Thorne saw a storm at Carrow."
    run_index(project(tmp_path, {"a.txt": text}), progress=lines)
    [said] = [line for line in lines.said if "key element" in line]
    assert re.fullmatch(r"s60_extract_facts: \d+ key elements? left out: in one fact alone they connect nothing", said)


def test_what_had_no_room_in_the_context_of_a_report_is_counted(tmp_path: Path) -> None:
    lines = Lines()
    names = ["Ada Thorne", "Bram Holm", "Cora Lund", "Dora Pike", "Eli Frost", "Finn Marsh"]
    text = "\n\n".join(
        f"{one} met {other} in Carrow, and both built the long mole of Carrow."
        for one in names
        for other in names
        if one < other
    )
    run_index(project(tmp_path, {"a.txt": text}, reports={"context_tokens": 100}), progress=lines)
    [said] = [line for line in lines.said if "had no room" in line]
    assert re.fullmatch(
        r"s80_write_reports: [\d,]+ records? of \d+ communit(?:y|ies) had no room in the contexts of their reports"
        r" \(reports\.context_tokens is 100\)",
        said,
    )
