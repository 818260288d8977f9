"""Rows are looked up by value as a walk through the column would find them, few at a time or many."""

import random

import pyarrow as pa
import pytest

from pipeline.base.arrow.build import array
from pipeline.base.arrow.rows_by_value import MANY, RowsByValue


def column(lists: bool) -> list[str | None] | list[list[str]]:
    """Return values of which some are repeated often, and some are null or empty lists."""
    chance = random.Random(3)

    def value() -> str:
        return f"v{int(chance.paretovariate(0.7)) % 400}"

    if lists:
        return [[value() for _ in range(chance.randrange(4))] for _ in range(900)]
    return [None if chance.random() < 0.1 else value() for _ in range(900)]


@pytest.mark.parametrize("lists", [False, True])
def test_every_row_that_holds_a_value_is_found_and_the_first_of_many_values_at_once(lists: bool) -> None:
    values = column(lists)
    found = RowsByValue(array(values, pa.list_(pa.string()) if lists else pa.string()))

    def expected(value: str) -> list[int]:
        return [row for row, held in enumerate(values) if (value in held if isinstance(held, list) else value == held)]

    wanted = [f"v{number}" for number in range(420)]
    assert max(len(expected(value)) for value in wanted) >= MANY > 0 in {len(expected(value)) for value in wanted}
    assert [found.rows(value) for value in wanted] == [expected(value) for value in wanted]
    first = {value: expected(value)[0] for value in wanted if expected(value)}
    assert found.first_rows(wanted) == first and list(found.first_rows(wanted)) == list(first)
    assert found.first_rows(wanted[:5]) == {value: first[value] for value in wanted[:5] if value in first}


def test_an_empty_column_holds_nothing() -> None:
    found = RowsByValue(array([], pa.string()))
    assert found.rows("a") == [] and found.row("a") is None and found.first_rows(["a"] * 20) == {}
    assert found.first_rows([str(number) for number in range(2 * MANY)]) == {}
