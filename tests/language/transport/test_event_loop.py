"""One loop for all calls: the same from every thread, new in a forked child, gone without a word at the end."""

import asyncio
import os
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator, Sequence
from functools import partial

import pytest

from pipeline.base.errors import ModelError
from pipeline.language.transport import event_loop
from pipeline.language.transport.rate_limit import ConcurrencyLimit
from pipeline.language.transport.task_pool import Stop, TaskPool, Work
from tests.paths import ROOT


async def double(number: int, stop: Stop) -> int:
    await asyncio.sleep(0.001 * (number % 3))
    return number * 2


async def fail(error: BaseException, stop: Stop) -> int:
    raise error


async def slow(done: list[int], stop: Stop) -> int:
    await asyncio.sleep(0.05)
    done.append(1)
    return 1


def as_finished(works: Sequence[Work[int]], at_once: int) -> Iterator[tuple[int, int]]:
    pool: TaskPool[int] = TaskPool()
    places = ConcurrencyLimit(at_once)

    async def limited(work: Work[int], stop: Stop) -> int:
        async with places:
            stop.check()
            return await work(stop)

    pool.begin((number, partial(limited, work)) for number, work in enumerate(works))
    try:
        for finished in pool.results():
            yield from finished
    finally:
        pool.close()


def test_every_thread_has_the_same_loop() -> None:
    found: list[object] = []
    threads = [threading.Thread(target=lambda: found.append(event_loop.loop())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(each) for each in found}) == 1


def test_work_is_handed_over_as_it_finishes_each_once() -> None:
    assert dict(as_finished([partial(double, n) for n in range(50)], 4)) == {n: 2 * n for n in range(50)}
    assert list(as_finished([], 4)) == []


def test_an_error_of_the_tree_ends_the_run_after_what_was_under_way() -> None:
    done: list[int] = []
    works = [partial(slow, done), partial(fail, ModelError("no", "why", "fix")), *[partial(slow, done)] * 20]
    got = []
    with pytest.raises(ModelError, match="no"):
        for position, _ in as_finished(works, 3):
            got.append(position)
    assert got and len(done) == len(got) < 5


def test_a_mistake_in_the_work_is_raised_as_it_is() -> None:
    with pytest.raises(ZeroDivisionError):
        list(as_finished([partial(fail, ZeroDivisionError())], 1))


def test_leaving_the_iterator_cancels_the_rest() -> None:
    done: list[int] = []
    for _ in as_finished([partial(double, 1), *[partial(slow, done)] * 30], 2):
        break
    time.sleep(0.15)
    assert len(done) <= 2


def test_work_may_be_begun_while_results_are_taken() -> None:
    pool: TaskPool[int] = TaskPool()
    pool.begin([("first", partial(double, 1))])
    tags = []
    for finished in pool.results():
        for tag, _ in finished:
            tags.append(tag)
            if tag == "first":
                pool.begin([("second", partial(double, 2))])
                pool.later(lambda: [("third", 3)])
    assert sorted(tags) == ["first", "second", "third"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_child_has_a_loop_of_its_own_and_processes_end_in_silence() -> None:
    script = textwrap.dedent(
        """
        import os, warnings
        warnings.simplefilter("ignore")
        from pipeline.language.transport.task_pool import TaskPool
        async def one(stop):
            return 1
        def finished():
            pool = TaskPool()
            pool.begin([(0, one)])
            return list(pool.results())
        assert finished() == [[(0, 1)]]
        child = os.fork()
        assert finished() == [[(0, 1)]]
        if child:
            assert os.waitpid(child, 0)[1] == 0
        """
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
