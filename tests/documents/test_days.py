"""The day of a document is its date, wherever its file tells it: in metadata, in a line above the text, in its name."""

import pytest

from pipeline.documents.days import day_of_name
from pipeline.documents.formats import Parsed, parse


def date_of(source: str, text: str) -> object:
    (found,) = (one for one in parse(source, text) if isinstance(one, Parsed))
    return found.metadata.get("date")


@pytest.mark.parametrize(
    "line",
    [
        "Date: 5 March 2025, 10:00 to 11:45",
        "**Date:** Wednesday, 5 March 2025",
        "- **Date**: 2025-03-05",
        "| Date | 5 March 2025 |",
        "Datum: Mittwoch, 5. März 2025",
        "Fecha: 5 de marzo de 2025",
        "Дата: 5 марта 2025",
        "日時：2025年3月5日",
    ],
)
@pytest.mark.parametrize("source", ["kickoff.md", "kickoff.txt"])
def test_a_line_in_the_first_lines_gives_the_date_of_minutes(source: str, line: str) -> None:
    assert date_of(source, f"# Kick-off\n\n{line}\nPlace: Weir Lane\n\nThe mast had lost power.\n") == "2025-03-05"


def test_what_front_matter_says_goes_before_a_line_and_a_line_before_the_name_of_the_file() -> None:
    front, line = "---\ndate: 2025-03-05\n---\n", "Date: 6 March 2025\n"
    assert date_of("2025-03-07-kickoff.md", f"{front}{line}Text.") == "2025-03-05"
    assert date_of("2025-03-07-kickoff.md", f"---\ndatum: 5. März 2025\n---\n{line}Text.") == "2025-03-05"
    assert date_of("2025-03-07-kickoff.md", f"---\ntitle: x\n---\n{line}Text.") == "2025-03-06"
    assert date_of("2025-03-07-kickoff.md", "Text.") == "2025-03-07"


def test_a_day_below_other_days_is_the_date_of_nothing_but_its_part() -> None:
    both = "Date: 5 March 2025\nOne.\n\nDate: 6 March 2025\nTwo.\n"
    assert date_of("both.md", both) is None
    assert date_of("2025-03-07-both.md", both) == "2025-03-07"
    assert date_of("late.md", 20 * "A line.\n" + "Date: 5 March 2025\n") is None


def test_what_is_no_single_day_is_no_date() -> None:
    for said in ("March 2025", "5-6 March 2025", "03/04/2025", "to be announced"):
        assert date_of("x.md", f"Date: {said}\n\nText.") is None, said
    assert date_of("x.md", "Date: 03/04/2025\n\nThe next one is on 15/04/2025.") == "2025-04-03"


@pytest.mark.parametrize(
    ("source", "day"),
    [
        ("2025-03-05-kickoff.md", "2025-03-05"),
        ("minutes/2025-03-05 minutes.txt", "2025-03-05"),
        ("2025-03-05.md", "2025-03-05"),
        ("20250305-kickoff.md", "2025-03-05"),
        ("20250305_kickoff.md", "2025-03-05"),
        ("2025-02-30-kickoff.md", ""),
        ("05032025-kickoff.md", ""),
        ("20250305123-order.md", ""),
        ("20250305a.md", ""),
        ("2025-03-kickoff.md", ""),
        ("kickoff-2025-03-05.md", "2025-03-05"),
        ("letter_to_hale_2025-03-05.txt", "2025-03-05"),
        ("order-12025-03-05.md", ""),
        ("kickoff-2025-03-05-final.md", ""),
        ("kickoff-05032025.md", ""),
        ("2025-03-05/kickoff.md", ""),
    ],
)
def test_a_day_that_begins_or_ends_the_name_of_a_file_is_its_date(source: str, day: str) -> None:
    assert day_of_name(source) == day


def test_a_mail_keeps_the_day_it_was_sent_and_records_the_days_of_their_columns() -> None:
    mail = "From: Ruth Vale <ruth@mill.example>\nDate: Tue, 05 Mar 2024 10:00:00 +0100\nSubject: Wheel\n\nIt creaks.\n"
    (sent,) = parse("2024-03-09-wheel.eml", mail.encode())
    assert isinstance(sent, Parsed) and sent.metadata["date"] == "2024-03-05"
    rows = list(parse("2024-03-09-export.csv", "id,text\n1,It creaks.\n2,It sings.\n"))
    assert all(isinstance(row, Parsed) and "date" not in row.metadata for row in rows)


def test_what_is_attached_to_a_mail_has_the_day_of_the_mail() -> None:
    mail = (
        "From: Ruth <ruth@mill.example>\nDate: Tue, 05 Mar 2024 10:00:00 +0100\nSubject: Minutes\nMIME-Version: 1.0\n"
        'Content-Type: multipart/mixed; boundary="b"\n\n--b\nContent-Type: text/plain\n\nSee below.\n--b\n'
        "Content-Type: text/markdown\nContent-Disposition: attachment; filename=2024-03-01-minutes.md\n\n"
        "# Minutes\n\nThe wheel creaks.\n--b--\n"
    )
    dates = [one.metadata["date"] for one in parse("a.eml", mail.encode()) if isinstance(one, Parsed)]
    assert dates == ["2024-03-05", "2024-03-05"]
