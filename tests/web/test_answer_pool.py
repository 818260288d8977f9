"""Questions without a model are answered by processes: the same answers, and none lost with a process."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from pipeline.query.index import Index
from pipeline.web.questions import answer_pool
from pipeline.web.questions.answer_pool import AnswerPool
from pipeline.web.questions.request import QuestionBody
from tests.forks import forking
from tests.query_cases import BATTLES, sample
from tests.web.server_cases import write_settings

pytestmark = [pytest.mark.long, pytest.mark.skipif(not Path("/proc/self").exists(), reason="this system has no /proc")]
BODY = QuestionBody(question=BATTLES, method="basic")


def with_pool(most: int, use: Callable[[AnswerPool, Path], Awaitable[None]], forked: bool = True) -> None:
    """Run ``use`` with a pool of so many processes over the sample; unless ``forked``, each starts as it does in a server."""
    root = write_settings(sample().parent)

    async def main() -> None:
        pool = AnswerPool(most)
        try:
            await asyncio.wait_for(use(pool, root), 120)
        finally:
            begun = pool.processes
            pool.close()
            await asyncio.wait_for(until(lambda: not any(Path(f"/proc/{one}").exists() for one in begun)), 60)

    with pytest.MonkeyPatch.context() as patch:
        if forked:
            patch.setattr(answer_pool, "CONTEXT", forking())
        asyncio.run(main())


async def answered(pool: AnswerPool, root: Path, body: QuestionBody = BODY) -> list[dict[str, Any]]:
    return [line async for line in pool.lines(root, body, lambda: None)]


async def until(met: Callable[[], bool], every: float = 0.005) -> None:
    """Wait for something to be so, and leave the processor to the processes that start or end meanwhile."""
    while not met():
        await asyncio.sleep(every)


def test_a_process_answers_as_the_library_does_and_is_used_again() -> None:
    async def use(pool: AnswerPool, root: Path) -> None:
        first = await answered(pool, root)
        [process] = pool.processes
        assert first[-1]["answer"]["text"] == Index.open(sample()).ask(BATTLES, "basic").text
        assert await answered(pool, root) == first and pool.processes == [process]

    with_pool(2, use, forked=False)


def test_there_are_never_more_processes_than_allowed_and_all_are_answered() -> None:
    async def use(pool: AnswerPool, root: Path) -> None:
        found = await asyncio.gather(*(answered(pool, root) for _ in range(12)))
        assert len(pool.processes) == 2 and all(lines == found[0] for lines in found)

    with_pool(2, use)


def test_a_question_whose_process_is_killed_is_answered_by_another() -> None:
    async def use(pool: AnswerPool, root: Path) -> None:
        expected = await answered(pool, root)
        [process] = pool.processes
        os.kill(process, signal.SIGSTOP)
        asked = asyncio.create_task(answered(pool, root))
        await asyncio.sleep(0.1)
        os.kill(process, signal.SIGKILL)
        assert await asked == expected
        assert process not in pool.processes

    with_pool(1, use)


def test_a_process_that_does_not_read_a_long_conversation_holds_nobody_else() -> None:
    past = {"question": BATTLES, "answer": "The army lost the battle. " * 1500}
    long = QuestionBody.model_validate({"question": BATTLES, "method": "basic", "conversation": [past] * 20})

    async def use(pool: AnswerPool, root: Path) -> None:
        await answered(pool, root)
        [process] = pool.processes
        os.kill(process, signal.SIGSTOP)
        asked = asyncio.create_task(answered(pool, root, long))
        await asyncio.sleep(0.1)  # others go on
        os.kill(process, signal.SIGKILL)
        assert (await asked)[-1]["event"] == "answer"

    with_pool(1, use)


def test_a_question_that_kills_every_process_ends_with_an_error_that_says_what_to_do() -> None:
    async def use(pool: AnswerPool, root: Path) -> None:
        asked = asyncio.create_task(answered(pool, root))
        killed: set[int] = set()
        while not asked.done():
            for process in set(pool.processes) - killed:
                killed.add(process)
                os.kill(process, signal.SIGKILL)
            await asyncio.sleep(0.005)  # to start takes many times as long
        [error] = asked.result()
        assert error["event"] == "error" and error["error"]["fix"] and len(killed) == answer_pool.TRIES
        assert (await answered(pool, root))[-1]["event"] == "answer"

    with_pool(1, use)


def test_whoever_leaves_frees_the_process_even_where_it_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_pool, "GRACE", 0.1)

    async def use(pool: AnswerPool, root: Path) -> None:
        await answered(pool, root)
        [process] = pool.processes
        os.kill(process, signal.SIGSTOP)
        ended = asyncio.Event()
        async with aclosing(pool.lines(root, BODY, ended.set)) as lines:
            coming = asyncio.ensure_future(anext(lines))
            await asyncio.sleep(0.1)
            coming.cancel()
            await asyncio.wait((coming,))
        await ended.wait()
        assert (await answered(pool, root))[-1]["event"] == "answer" and process not in pool.processes

    with_pool(1, use)


def test_a_process_that_says_nothing_for_too_long_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    async def use(pool: AnswerPool, root: Path) -> None:
        expected = await answered(pool, root)
        [process] = pool.processes
        os.kill(process, signal.SIGSTOP)
        monkeypatch.setattr(answer_pool, "SILENCE", 0.2)
        asked = asyncio.create_task(answered(pool, root))
        await until(lambda: process not in pool.processes, 0)  # its successor may be silent for longer from the first
        monkeypatch.setattr(answer_pool, "SILENCE", 60.0)
        assert await asked == expected

    with_pool(1, use)


def test_a_process_is_ready_before_the_question_of_whoever_opened_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_pool, "SOON", 0.01)

    async def use(pool: AnswerPool, root: Path) -> None:
        assert pool.processes == []
        pool.expect(root)
        await until(lambda: len(pool.processes) == 1)
        ready = pool.processes
        await answered(pool, root)
        assert pool.processes == ready

    with_pool(1, use)


def test_a_process_that_nobody_asks_ends_and_another_comes_on_demand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_pool, "SOON", 0.01)

    async def use(pool: AnswerPool, root: Path) -> None:
        monkeypatch.setattr(answer_pool, "IDLE", 0.05)
        first = await answered(pool, root)
        await until(lambda: not pool.processes)
        monkeypatch.setattr(answer_pool, "IDLE", 60.0)
        pool.expect(root)
        await until(lambda: len(pool.processes) == 1)
        ready = pool.processes
        assert await answered(pool, root) == first and pool.processes == ready

    with_pool(1, use)


def test_the_processes_end_with_the_pool() -> None:
    async def use(pool: AnswerPool, root: Path) -> None:
        await answered(pool, root)
        [process] = pool.processes
        pool.close()
        await until(lambda: not Path(f"/proc/{process}").exists())

    with_pool(1, use, forked=False)
