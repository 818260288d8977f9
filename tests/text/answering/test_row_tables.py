"""Tables of texts: rows by the names of their columns, and columns of numbers and days."""

import math

import pytest

from pipeline.text.answering.row_tables import days_of, figures_of, rows_of_tables


def test_rows_are_read_by_the_names_of_their_columns_however_the_table_is_written() -> None:
    bars = "| Ship | Seats |\n|---|---|\n| *Skua* | 120 |\n| Auk | 210 |\n"
    named = "Ship | Seats\nShip: Skua | Seats: 120\nShip: Auk | Seats: 210\n"
    unheaded = named.partition("\n")[2]
    for text in (f"We run two.\n\n{bars}\nBoth sail.", named, unheaded):
        ((first, second),) = rows_of_tables(text)
        assert (first.cells, second.cells) == ({"Ship": "Skua", "Seats": "120"}, {"Ship": "Auk", "Seats": "210"})
        assert "Auk" in text[second.start : second.end] and "Skua" not in text[second.start : second.end]


def test_a_row_that_leaves_out_its_empty_cells_is_a_row_of_its_table() -> None:
    rows = "Ship: Skua | Seats: 120\nShip: Auk | Seats: 210 | Note: sold\nShip: Loon\nShip: Gull | Note: new\n"
    for text in (rows, f"Ship | Seats | Note\n{rows}"):
        found = [row for table in rows_of_tables(text) for row in table]
        assert [row.cells["Ship"] for row in found] == ["Skua", "Auk", "Loon", "Gull"]
        assert [row.cells.get("Note", "") for row in found] == ["", "sold", "", "new"]


def test_a_line_that_names_no_column_is_of_no_table_and_takes_no_row_from_one() -> None:
    rows = "Ship: Skua | Seats: 120\nShip: Auk | Seats: 210\n"
    for text in (f"{rows}Note: both sail.\n", f"Fleet: ours\n{rows}", f"Ship | Seats\n{rows}Note: both sail.\n"):
        assert [[row.cells["Ship"] for row in table] for table in rows_of_tables(text)] == [["Skua", "Auk"]]
    assert not list(rows_of_tables("From: Ann\nTo: Tom\nDate: May\n"))


def test_a_row_with_other_cells_than_its_head_is_none_and_a_head_alone_is_no_table() -> None:
    assert not list(rows_of_tables("| Ship | Seats |\n|---|---|\n| Skua |\n"))
    assert not list(rows_of_tables("| Ship | Seats |\n|---|---|\n"))


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["240.50", "1180.00"], [240.5, 1180]),
        (["1.180,00 €", "240,50 €"], [1180, 240.5]),
        (["£1,200.50", "£35"], [1200.5, 35]),
        (["1,200", "35"], [1200, 35]),
        (["5 h", "2.5 h"], [5, 2.5]),
        (["-3", "4"], [-3, 4]),
        (["0.125", "1.375"], [0.125, 1.375]),
        (["1.375 kg", "1,000.250 kg"], [1.375, 1000.25]),
    ],
)
def test_numbers_are_read_as_their_column_writes_them(cells: list[str], expected: list[float]) -> None:
    assert figures_of(cells, cells, "en") == expected


def test_what_is_no_number_of_one_unit_is_no_column_of_numbers() -> None:
    for cells in (["A-1001"], ["3 June", "4 June"], ["5 kg", "5 lb"], ["12", "none"], ["", ""]):
        assert figures_of(cells, cells, "en") is None
    (one, empty) = figures_of(["7", ""], ["7", ""], "en") or (0, 0)
    assert one == 7 and math.isnan(empty)


def test_where_nobody_knows_which_mark_is_before_decimals_no_number_is_guessed() -> None:
    for cells, language in ((["1.375", "2.250"], "en"), (["1,375", "35"], "de"), (["1.5", "2,5"], "en")):
        assert all(map(math.isnan, figures_of(cells, cells, language) or ()))


def test_the_mark_before_decimals_is_that_of_the_whole_column() -> None:
    assert figures_of(["1.375"], ["0.125", "1.375"], "de") == [1.375]
    assert figures_of(["1.375"], ["1.375", "2.250"], "de") == [1375]


def test_days_are_put_in_order_and_none_is_guessed() -> None:
    early, late = days_of(["05.01.2024", "11.02.2024"]) or (0, 0)
    assert early < late
    assert days_of(["3 June", "4 June"]) is None and days_of(["5/6/1944"]) is None and days_of(["soon"]) is None
    old, new = days_of(["1968", "1994"]) or (0, 0)
    assert old < new
