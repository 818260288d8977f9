"""The processes that answer questions without a model, so that the server's own is free for rows: as many as cores, each
started when it is first needed, replaced when it dies, and ended when nobody has asked it anything for some minutes.
"""

import asyncio
import itertools
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from pipeline.base.engine.choose import cores
from pipeline.base.errors import GraphstrataError
from pipeline.web.questions.answer_worker import ProjectToOpen, QuestionToAnswer, QuestionToCancel, answer_questions
from pipeline.web.questions.request import QuestionBody
from pipeline.web.replies import error_lines

Line = dict[str, Any]

MOST = 8
"""Processes on a machine of many cores: each opens the index for itself."""
TRIES = 2
"""Processes that a question is given to, one after the other, where they die of it or beside it."""
SILENCE = 300.0
"""Seconds without a line after which a process is taken to hang."""
SOON = 3.0
"""Seconds after which a process is started for a reader who may ask: a page that was just opened is drawn first."""
IDLE = 300.0
"""Seconds after which a process that nobody asks anything is ended: each holds the index that it answers from."""
GRACE = 5.0
"""Seconds that a question which nobody waits for may go on."""
CONTEXT = get_context("spawn")  # forking would copy the locks of threads that pyarrow has started

LOST = GraphstrataError(
    "the process that answered ended twice before its answer",
    "this question has no answer",
    "ask again; where that repeats, the machine has too little memory: see what the server printed",
)


class AnswerPool:
    """Processes that answer, and the questions that wait for one. All methods are called in one event loop."""

    def __init__(self, most: int | None = None) -> None:
        self._places = asyncio.Semaphore(most or min(cores(), MOST))
        self._idle: list[_AnswerProcess] = []
        self._all: set[_AnswerProcess] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._numbers = itertools.count()
        self._soon: asyncio.TimerHandle | None = None
        self._closed = False

    @property
    def processes(self) -> list[int]:
        """The ids of its processes."""
        return sorted(process.id for process in self._all)

    async def lines(self, root: Path, body: QuestionBody, ended: Callable[[], object]) -> AsyncGenerator[Line, None]:
        """Yield the lines of an answer, the last of them the answer or an error. ``ended`` is called when no process works on
        it any more, however slowly the lines are taken. Who stops taking them cancels the question."""
        job = _AnswerJob(QuestionToAnswer(next(self._numbers), root, body))
        task = asyncio.create_task(self._work(job, ended))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        try:
            while (line := await job.lines.get()) is not None:
                yield line
        finally:
            job.leave(task)

    def expect(self, root: Path) -> None:
        """Where no process runs, start one soon for whoever may ask about a project: to open it takes longer than an answer."""
        if self._soon is None and not self._all and not self._closed:
            self._soon = asyncio.get_running_loop().call_later(SOON, self._begin, root)

    def _begin(self, root: Path) -> None:
        self._soon = None
        if not self._all:
            task = asyncio.create_task(self._ready(root))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _ready(self, root: Path) -> None:
        async with self._places:
            with suppress(OSError):  # a question that needs it says why it cannot be started
                process = await self._process()
                process.open(root)
                self._rest(process)

    def _rest(self, process: "_AnswerProcess") -> None:
        """Keep a process for the next question; it ends where none comes for long."""
        self._idle.append(process)
        process.ends = asyncio.get_running_loop().call_later(IDLE, self._end, process)

    def _end(self, process: "_AnswerProcess") -> None:
        self._idle.remove(process)
        self._drop(process)

    def close(self) -> None:
        """End all processes."""
        self._closed = True
        if self._soon is not None:
            self._soon.cancel()
        for task in self._tasks:
            task.cancel()
        for process in tuple(self._all):
            self._drop(process)
        self._idle.clear()

    async def _work(self, job: "_AnswerJob", ended: Callable[[], object]) -> None:
        """Have a question answered: a process that dies meanwhile is replaced, and its successor's lines are the same."""
        try:
            for _ in range(TRIES):
                async with self._places:
                    process = await self._process()
                    try:
                        finished = await job.answered_by(process)
                    except BaseException:
                        self._drop(process)
                        raise
                    if finished:
                        self._rest(process)
                        return
                    self._drop(process)
                if job.left:
                    return
            job.lines.put_nowait({"event": "error", "error": error_lines(LOST)})
        except OSError as error:
            failed = GraphstrataError(f"no process can be started: {error}", "the question is not asked", "ask again")
            job.lines.put_nowait({"event": "error", "error": error_lines(failed)})
        finally:
            job.lines.put_nowait(None)
            ended()

    async def _process(self) -> "_AnswerProcess":
        while self._idle:
            process = self._idle.pop()
            process.stay()
            if process.alive:
                return process
            self._drop(process)
        starting = asyncio.ensure_future(asyncio.to_thread(_AnswerProcess, asyncio.get_running_loop()))
        try:
            process = await asyncio.shield(starting)
        except asyncio.CancelledError:
            starting.add_done_callback(self._keep)
            raise
        self._all.add(process)
        return process

    def _keep(self, starting: "asyncio.Future[_AnswerProcess]") -> None:
        """Keep a process for the next question: whoever it was started for is gone."""
        if starting.exception() is None and self._closed:
            starting.result().kill()
        elif starting.exception() is None:
            self._all.add(starting.result())
            self._rest(starting.result())

    def _drop(self, process: "_AnswerProcess") -> None:
        self._all.discard(process)
        process.stay()
        process.kill()


class _AnswerJob:
    """A question under way, and the lines of its answer that nobody took yet; None is behind the last."""

    def __init__(self, question: QuestionToAnswer) -> None:
        self.question, self.left = question, False
        self.lines: asyncio.Queue[Line | None] = asyncio.Queue()
        self._sent = 0
        self._process: _AnswerProcess | None = None

    async def answered_by(self, process: "_AnswerProcess") -> bool:
        """Take the lines of one process, without those that another gave before it; return whether they came to their end."""
        self._process = process
        process.ask(self.question)
        taken = 0
        while True:
            try:
                line = await asyncio.wait_for(process.messages.get(), SILENCE)
            except TimeoutError:
                return False
            if line is DEAD:
                return False
            if line is None:
                self._process = None
                return True
            taken += 1
            if taken > self._sent:
                self._sent = taken
                self.lines.put_nowait(line)

    def leave(self, task: "asyncio.Task[None]") -> None:
        """Nobody waits for the answer: whoever works on it ends soon, or is ended."""
        self.left = True
        if self._process is not None:
            self._process.cancel(self.question.number)
        elif not task.done():
            task.cancel()


DEAD = object()
"""The last message of a process that ended."""


class _AnswerProcess:
    """A worker process as the server sees it; ``messages`` are those that it sent."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop, self.messages = loop, asyncio.Queue[Any]()
        self.alive, self._asked = True, -1
        self.ends: asyncio.TimerHandle | None = None
        """Ends it unless it is asked something before."""
        self._unsent: SimpleQueue[Any] = SimpleQueue()
        self._ours, theirs = CONTEXT.Pipe()
        self._process = CONTEXT.Process(
            target=answer_questions, args=(theirs,), name="graphstrata-answers", daemon=True
        )
        self._process.start()
        self.id = int(self._process.pid or 0)
        theirs.close()
        for work in (self._receive, self._write):
            threading.Thread(target=work, name=f"answers-of-{self.id}", daemon=True).start()

    def open(self, root: Path) -> None:
        """Have it open a project, before anything is asked of that."""
        self._unsent.put(ProjectToOpen(root))

    def ask(self, question: QuestionToAnswer) -> None:
        """Give it a question. Where it is dead, its messages say so."""
        self._asked = question.number
        self._unsent.put(question)

    def cancel(self, number: int) -> None:
        """Have it end a question, and end it itself where that does not happen soon."""
        self._unsent.put(QuestionToCancel(number))
        self._loop.call_later(GRACE, self._kill_if_on, number)

    def stay(self) -> None:
        """Do not end for want of questions: there is one, or it ends at once."""
        if self.ends is not None:
            self.ends.cancel()

    def kill(self) -> None:
        """End it."""
        self._process.kill()

    def _kill_if_on(self, number: int) -> None:
        if self._asked == number:
            self.kill()

    def _write(self) -> None:
        """Send what is to be sent until the process is dead. Not in the loop: a process that does not read takes no more than
        fits into the pipe, and a conversation may be longer."""
        with suppress(OSError):
            while (message := self._unsent.get()) is not DEAD:
                self._ours.send(message)

    def _receive(self) -> None:
        with suppress(EOFError, OSError, RuntimeError):  # the latter: the loop was closed meanwhile
            try:
                while True:
                    self._loop.call_soon_threadsafe(self._take, self._ours.recv())
            finally:  # whatever ended it, nobody waits for more
                self._unsent.put(DEAD)
                self._loop.call_soon_threadsafe(self._take, DEAD)
        self._process.join()
        self._ours.close()

    def _take(self, message: Any) -> None:
        if message is DEAD:
            self.alive = False
        elif message is None:
            self._asked = -1
        self.messages.put_nowait(message)
