"""Caps hold before a call is made, with what is in flight counted at its worst."""

import pytest

from pipeline.base.errors import BudgetError, SettingsError
from pipeline.base.settings import LimitSettings, ModelSettings
from pipeline.language.budget import Budget, CallSizes, Reservation


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def reserved(budget: Budget, cost: float) -> Reservation:
    reservation = budget.reserve(cost, "task", known=True)
    assert reservation is not None
    return reservation


def test_the_call_that_would_pass_the_cap_on_calls_is_not_made() -> None:
    budget = Budget(LimitSettings(max_calls=2))
    first, second = reserved(budget, 0), reserved(budget, 0)
    with pytest.raises(BudgetError, match="max_calls 2: 2 calls are made"):
        budget.reserve(0, "task", known=True)
    budget.settle(first, 0, 1)
    budget.settle(second, 0, 1)
    with pytest.raises(BudgetError):
        budget.reserve(0, "task", known=True)


def test_a_call_that_might_pass_the_cap_on_cost_waits_for_those_under_way() -> None:
    budget = Budget(LimitSettings(max_cost=1.0))
    first = reserved(budget, 0.6)
    assert budget.reserve(0.6, "task", known=True) is None
    budget.settle(first, 0.1, 1)
    second = reserved(budget, 0.6)
    budget.settle(second, 0.6, 1)
    assert budget.cost == pytest.approx(0.7)
    with pytest.raises(BudgetError, match=r"max_cost 1: 0\.7 is spent"):
        budget.reserve(0.4, "task", known=True)
    assert budget.reserve(0.2, "task", known=True) is not None


def test_waiting_calls_are_woken_when_one_is_settled() -> None:
    budget, woken = Budget(LimitSettings(max_cost=1.0)), []
    first = reserved(budget, 1.0)
    budget.on_settled(lambda: woken.append(1))
    assert not woken
    budget.settle(first, 0.0, 1)
    assert woken == [1]
    budget.on_settled(lambda: woken.append(2))
    assert woken == [1, 2], "nothing is under way, so nothing would ever wake it"


def test_the_first_call_of_a_task_goes_alone_where_money_is_capped() -> None:
    budget = Budget(LimitSettings(max_cost=1.0))
    first = budget.reserve(0.1, "new", known=False)
    assert first is not None and budget.reserve(0.1, "new", known=False) is None
    assert budget.reserve(0.1, "other", known=False) is not None
    budget.settle(first, 0.1, 1)
    assert budget.reserve(0.1, "new", known=False) is not None


def test_minutes_count_the_usual_length_of_a_call() -> None:
    clock = Clock()
    budget = Budget(LimitSettings(max_minutes=1), clock)
    reservation = reserved(budget, 0)
    clock.now = 30
    budget.settle(reservation, 0, 30)
    with pytest.raises(BudgetError, match="max_minutes 1"):
        budget.reserve(0, "task", known=True)
    with pytest.raises(BudgetError):
        budget.check_minutes(31)
    budget.check_minutes(29)


def test_a_cap_of_nothing_forbids_every_call_and_a_free_model_is_never_capped_by_cost() -> None:
    with pytest.raises(BudgetError):
        Budget(LimitSettings(max_calls=0)).reserve(0, "task", known=True)
    with pytest.raises(BudgetError):
        Budget(LimitSettings(max_cost=0)).reserve(0.001, "task", known=True)
    assert Budget(LimitSettings(max_cost=0)).reserve(0.0, "task", known=True) is not None


def test_a_cap_on_cost_without_a_price_is_an_error_before_any_call() -> None:
    capped, free = Budget(LimitSettings(max_cost=1)), Budget(LimitSettings())
    with pytest.raises(SettingsError, match="no price_in and no price_out"):
        capped.check_model("m", ModelSettings(model="x"))
    with pytest.raises(SettingsError, match="no price_out"):
        capped.check_model("m", ModelSettings(model="x", price_in=1))
    capped.check_model("m", ModelSettings(model="x", price_in=0, price_out=0))
    capped.check_model("e", ModelSettings(model="x", kind="embedding", price_in=1))
    free.check_model("m", ModelSettings(model="x"))


def test_calls_are_reckoned_from_the_longest_seen() -> None:
    sizes = CallSizes(ModelSettings(model="x", price_in=1, price_out=10))
    assert not sizes.known("read") and sizes.maximum("read", 900) == (901, 900)
    assert sizes.maximum("read", 9000) == (9001, 1000)
    sizes.learn("read", 1000, 250, 80)
    sizes.learn("read", 1000, 240, 100)
    assert sizes.known("read") and sizes.maximum("read", 1000) == (376, 201)
    assert sizes.usual("read", 1000) == 350
    assert sizes.cost(1_000_000, 100_000) == 2.0
    assert CallSizes(ModelSettings(model="x", max_output_tokens=70)).maximum("read", 10)[1] == 70
    assert CallSizes(ModelSettings(model="x", price_in=1)).cost(1, 1) is None
