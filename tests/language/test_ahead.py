"""Windows are worked on ahead of who takes the results, in threads, and the results do not show it."""

import threading
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from pipeline.language.scheduler import AHEAD
from pipeline.language.scheduler import _ahead as ahead


def test_results_come_in_the_order_of_the_works_whichever_ends_first() -> None:
    first_may_end = threading.Event()

    def slow() -> str:
        assert first_may_end.wait(10)
        return "slow"

    def quick() -> str:
        first_may_end.set()
        return "quick"

    assert list(ahead([slow, quick])) == ["slow", "quick"]


def test_no_more_works_are_begun_than_may_be_under_way_beside_the_one_at_hand() -> None:
    begun: list[int] = []

    def work(number: int) -> int:
        begun.append(number)
        return number

    def works() -> Iterator[Callable[[], int]]:
        for number in range(20):
            taken.append(number)
            yield partial(work, number)

    taken: list[int] = []
    for number in ahead(works()):
        assert len(taken) <= number + AHEAD + 1
    assert sorted(begun) == list(range(20))


def test_what_a_work_raises_is_raised_in_its_place() -> None:
    def broken() -> int:
        raise ValueError("this one")

    results = ahead([lambda: 1, broken, lambda: 3])
    assert next(results) == 1
    with pytest.raises(ValueError, match="this one"):
        next(results)


def test_who_stops_taking_results_leaves_no_thread_behind() -> None:
    results = ahead([lambda: 1] * 50)
    assert next(results) == 1
    results.close()  # type: ignore[attr-defined]
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("ahead")]
