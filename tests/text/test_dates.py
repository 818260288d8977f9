"""Dates: what is found, what it covers, and what is no date."""

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.text.dates import days_in, find_dates, in_one_order, is_year, iso_date


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("1874", "1874"),
        ("1874-02", "1874-02"),
        (" 1874-02-11T09:00:00 ", "1874-02-11"),
        ("-0044-03-15", "-0044-03-15"),
        ("last week", None),
        ("18741", None),
        ("", None),
    ],
)
def test_an_iso_date_is_as_exact_as_it_is_written(text: str, date: str | None) -> None:
    assert iso_date(text) == date


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("2024", ("2024-01-01", "2024-12-31")),
        ("2024-02", ("2024-02-01", "2024-02-29")),
        ("2024-02-03T10:00:00Z", ("2024-02-03", "2024-02-03")),
        ("3 February 2024", ("2024-02-03", "2024-02-03")),
        ("Acme", None),
    ],
)
def test_days_of_a_date_are_those_that_it_covers(text: str, days: tuple[str, str] | None) -> None:
    assert days_in(text) == days_in(text, alone=True) == days


def test_a_date_with_words_beside_it_is_not_alone() -> None:
    assert days_in("Fri, 3 May 2024 10:00 GMT") == ("2024-05-03", "2024-05-03")
    assert days_in("Fri, 3 May 2024 10:00 GMT", alone=True) is None
    assert days_in("the battle of 1415", alone=True) is None


def test_of_a_day_that_may_be_in_two_months_the_year_is_known() -> None:
    assert is_year(days_in("5/6/1944") or ("", "")) and not is_year(("1944-01-01", "1944-01-01"))


DATED = [
    ("She died on 23 May 1430.", "23 May 1430", "1430-05-23", "1430-05-23"),
    ("born May 23, 1430 (aged 19)", "May 23, 1430", "1430-05-23", "1430-05-23"),
    ("from 12–15 May 1429 they fought", "12–15 May 1429", "1429-05-12", "1429-05-15"),
    ("In February 1428 it snowed", "February 1428", "1428-02-01", "1428-02-29"),
    ("He lived 1412–1431.", "1412–1431", "1412-01-01", "1431-12-31"),
    ("in 1429-31 the war went on", "1429-31", "1429-01-01", "1431-12-31"),
    ("between 1429 and 1431", "1429 and 1431", "1429-01-01", "1431-12-31"),
    ("in the 15th century", "15th century", "1401-01-01", "1500-12-31"),
    ("since the fifteenth century", "fifteenth century", "1401-01-01", "1500-12-31"),
    ("in the 1980s", "1980s", "1980-01-01", "1989-12-31"),
    ("He died in 931, before the war", "931", "0931-01-01", "0931-12-31"),
    ("2024-02-29 was a Thursday", "2024-02-29", "2024-02-29", "2024-02-29"),
    ("Am 23. Mai 1430 geschah es", "23. Mai 1430", "1430-05-23", "1430-05-23"),
    ("Johanna führte 1429 ein Heer", "1429", "1429-01-01", "1429-12-31"),
    ("im 15. Jahrhundert", "15. Jahrhundert", "1401-01-01", "1500-12-31"),
    ("le 1er mai 1430", "1er mai 1430", "1430-05-01", "1430-05-01"),
    ("au XVe siècle", "XVe siècle", "1401-01-01", "1500-12-31"),
    ("el 23 de mayo de 1430", "23 de mayo de 1430", "1430-05-23", "1430-05-23"),
    ("en mai 1924 la cave", "mai 1924", "1924-05-01", "1924-05-31"),
    ("en mayo de 1924 volvió", "mayo de 1924", "1924-05-01", "1924-05-31"),
    ("nel maggio 1924 partì", "maggio 1924", "1924-05-01", "1924-05-31"),
    ("em março de 1924", "março de 1924", "1924-03-01", "1924-03-31"),
    ("w maju 1924 roku", "maju 1924", "1924-05-01", "1924-05-31"),
    ("23 мая 1430 года", "23 мая 1430", "1430-05-23", "1430-05-23"),
    ("в XV веке", "XV веке", "1401-01-01", "1500-12-31"),
    ("يوم 17 يوليو 1429", "17 يوليو 1429", "1429-07-17", "1429-07-17"),
    ("貞徳は1430年5月23日に", "1430年5月23日", "1430-05-23", "1430-05-23"),
    ("在15世纪", "15世纪", "1401-01-01", "1500-12-31"),
]

NOT_DATED = [
    "an army of 1500 men",
    "in 1200 cases",
    "page 1500",
    "1,500 soldiers",
    "$1999 and 3.1415",
    "in 44 BC and in 500 BCE",
    "31 February 1430",
    "may 1500 people come",
    "they march 1500 miles",
    "Route 1066 ends here",
]


@pytest.mark.parametrize(("text", "written", "first", "last"), DATED)
def test_a_date_covers_the_days_it_names(text: str, written: str, first: str, last: str) -> None:
    (found,) = find_dates(text)
    assert (text[found.start : found.end], found.first, found.last) == (written, first, last)


@pytest.mark.parametrize("text", NOT_DATED)
def test_a_number_without_the_look_of_a_date_is_none(text: str) -> None:
    assert find_dates(text) == []


def test_a_day_whose_month_is_open_is_known_by_its_year_only() -> None:
    (found,) = find_dates("signed 5/6/1944")
    assert (found.first, found.last) == ("1944-01-01", "1944-12-31")


@settings(deadline=None, max_examples=150)
@given(st.text(max_size=80) | st.text(alphabet="0123456789 -–./年月日,()ofinMayXVth", max_size=60))
def test_any_text_gives_ordered_disjoint_spans_of_real_days(text: str) -> None:
    at = 0
    for found in find_dates(text):
        assert at <= found.start < found.end <= len(text)
        assert date.fromisoformat(found.first) <= date.fromisoformat(found.last)
        at = found.end


def test_the_days_of_a_column_are_read_the_way_round_that_one_of_them_shows() -> None:
    assert in_one_order(["03/04/2024", "", "15/04/2024"]) == ["2024-04-03", "", "2024-04-15"]
    assert in_one_order(["3/4/2024", "4/15/2024", "soon"]) == ["2024-03-04", "2024-04-15", "soon"]
    for unclear in (["03/04/2024", "05/06/2024"], ["13/04/2024", "04/13/2024"], ["soon", "13/04/2024"]):
        assert in_one_order(unclear) == unclear
