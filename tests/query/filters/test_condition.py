"""What a condition on metadata says is what it selects."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.base.errors import QuestionError
from pipeline.query.filters.condition import parse_condition

RECORD = {
    "customer": "Acme Corp",
    "date": "2024-03-09",
    "hours": 12.5,
    "open": True,
    "tags": ["late", "Harbour"],
    "note": "none or more",
    "empty": "",
    "due": "€1,200.50",
    "share": "5.5%",
    "fee": "EUR 980",
}


@pytest.mark.parametrize(
    "text",
    [
        "customer = Acme Corp",
        "CUSTOMER = 'acme corp'",
        'customer == "Acme Corp"',
        "customer != Bolt",
        "nobody != Bolt",
        "customer contains acme",
        "customer in (Bolt, Acme Corp)",
        "date >= 2024 and date < 2025",
        "date = 2024",
        "date = 2024-03",
        "date > 2023-12-31",
        "date <= 9 March 2024",
        "not date < 2024-03-09",
        "hours > 9",
        "hours = 12.50",
        "open = true",
        "due > 500",
        "due = $1200.50",
        "share < 20%",
        "fee >= 980 EUR",
        "tags = harbour",
        "note = 'none or more'",
        "customer = Bolt or (hours > 12 and not tags = early)",
        "customer = Bolt and hours > 1 or date = 2024",
    ],
)
def test_a_condition_that_is_true_of_a_record_holds(text: str) -> None:
    assert parse_condition(text).holds(RECORD)


@pytest.mark.parametrize(
    "text",
    [
        "customer = Acme",
        "nobody = Bolt",
        "empty = x",
        "empty < x",
        "date >= 2025",
        "date = 2024-04",
        "date > 2024",
        "hours > 100",
        "hours < 9",
        "due < €500",
        "share > 20 %",
        "customer < 5",
        "customer > 2020",
        "tags = arb",
        "customer in (Acme, Corp)",
        "customer = Acme Corp and (date < 2024 or hours > 100)",
    ],
)
def test_a_condition_that_is_not_true_of_a_record_does_not_hold(text: str) -> None:
    assert not parse_condition(text).holds(RECORD)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "the name of a column is missing"),
        ("customer", "no comparison"),
        ("customer = ", "a value behind customer = is missing"),
        ("customer = 'Acme", "a quotation that is not closed"),
        ("(customer = Acme", "a parenthesis is not closed"),
        ("customer in Acme", "a list in parentheses"),
        ("customer in (Acme", "the list is not closed"),
        ("customer = Acme) and", "is not expected"),
        ("customer = Acme and", "the name of a column is missing"),
        ("= Acme", "the name of a column is missing"),
        ("(" * 5000, "within each other"),
        ("not " * 5000 + "open = true", "within each other"),
    ],
)
def test_what_is_no_condition_is_refused_with_the_place_and_an_example(text: str, what: str) -> None:
    with pytest.raises(QuestionError) as caught:
        parse_condition(text)
    assert what in caught.value.found
    assert "such as: customer = " in caught.value.fix


def test_conditions_side_by_side_may_be_many() -> None:
    assert parse_condition(" or ".join(["(not (hours < 1 and open = true))"] * 1000)).holds(RECORD)


@given(st.text(max_size=40))
def test_any_text_is_a_condition_or_a_clear_error(text: str) -> None:
    try:
        parse_condition(text).holds(RECORD)
    except QuestionError as error:
        assert "cannot be read at character" in error.found


def test_what_has_no_day_and_no_number_is_neither_before_nor_after_one() -> None:
    for text in ("due > 2024-05-01", "due < 2024-05-01", "due >= 2024", "due <= March 2024", "due > 5"):
        assert not parse_condition(text).holds({"due": "unknown"})
    assert not parse_condition("due < 2024-05-01").holds({"due": 12})


@pytest.mark.parametrize("name", ["Nan", "Inf", "Infinity"])
def test_names_that_programs_take_for_numbers_are_names(name: str) -> None:
    assert parse_condition(f"customer = {name}").holds({"customer": name})
    assert not parse_condition(f"customer != {name}").holds({"customer": name})


def test_numbers_are_compared_by_their_values_however_they_are_written() -> None:
    for cell in ("1.180,50", "1,180.50", "1180.5", 1180.5):
        assert parse_condition("amount > 999.125").holds({"amount": cell})
    assert parse_condition("share < 0.001").holds({"share": 0.00005})
