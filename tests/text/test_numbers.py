"""Numbers: each has the value that its marks give it, and in doubt the one that its language does."""

import pytest

from pipeline.text.numbers import numbers_in, value_of, values_of


@pytest.mark.parametrize(
    ("written", "value"),
    [("0.125", 0.125), ("3,5", 3.5), ("1.000,50", 1000.5), ("1,234,567", 1234567), ("1500.250", 1500.25), ("−7", -7)],
)
def test_a_number_whose_marks_can_be_read_in_one_way_has_the_same_value_in_every_language(
    written: str, value: float
) -> None:
    assert value_of(written, ".") == value_of(written, ",") == value


def test_a_mark_before_three_digits_is_read_as_the_language_writes_it() -> None:
    assert (value_of("1.500", "."), value_of("1.500", ",")) == (1.5, 1500)
    assert numbers_in("It cost 1,500.", "en") == numbers_in("Es kostete 1.500.", "de") == {1500}


@pytest.mark.parametrize("written", ["", "Nan", "inf", "1_000", "1e5", "05.01.2024", "1.2.3", "10:30"])
def test_what_is_no_number_has_no_value(written: str) -> None:
    assert value_of(written, ".") is None


def test_numbers_of_texts_are_values_and_times_and_versions_are_as_written() -> None:
    said = "From 10:30 on, 3.5 of 1,500 or 35 with 2.0.1 on 05.01.2024, 1\u202f200 in all."
    assert numbers_in(said, "en") == {"10:30", 3.5, 1500, 35, "2.0.1", "05.01.2024", 1200}


def test_numbers_of_a_column_have_the_decimals_that_one_of_them_shows() -> None:
    assert values_of(["1.375", "12"], ["1.375", "12", "0.5"], "de") == [1.375, 12]
    assert str(values_of(["1.375"], ["1.375", "0.5", "0,5"], "de")) == "[nan]"
    assert values_of(["05.01.2024"], ["05.01.2024"], "de") is None
