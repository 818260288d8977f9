"""A process that answers questions without a model: one after the other, each at the generation that is published then."""

import gc
import os
import threading
from collections import OrderedDict
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

from pipeline.base.engine.worker_process import start_worker
from pipeline.base.errors import GraphstrataError
from pipeline.query.answer import Answer, Piece, Step
from pipeline.query.registry import SEARCHES
from pipeline.web.projects import OpenIndex, ServedProject
from pipeline.web.questions.answer_events import event_of
from pipeline.web.questions.cost import asks_models
from pipeline.web.questions.request import QuestionBody
from pipeline.web.replies import error_lines, known_error

OPEN = 3
"""Projects that one process keeps open: those that were asked last."""
COLUMN_BYTES = 64 * 2**20
"""Bytes of columns that it keeps of each, to place quotes."""


NICENESS = 2
"""How much lower its priority is than that of the server's own process: rows, which take milliseconds, come before answers. No more, since other
programs of the machine come first as well."""
ALLOCATIONS = 20_000
"""New objects after which the youngest are looked through for cycles, a few times a question; every 700, Python's own default,
that takes a twentieth of the time of an answer."""


class QuestionToAnswer(NamedTuple):
    """A question for a worker: its number, the folder of its project, and what is asked."""

    number: int
    root: Path
    body: QuestionBody


class ProjectToOpen(NamedTuple):
    """A project that questions are expected of."""

    root: Path


class QuestionToCancel(NamedTuple):
    """A question that a worker need not go on with."""

    number: int


class _Abandoned(Exception):
    """Whoever asked is gone."""


def answer_questions(server: Connection) -> None:
    """Answer questions until the server closes the connection: the main function of a worker process.

    For each, the lines of its answer are sent, and then None. A question that is cancelled ends at its next line.
    """
    start_worker()
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    gc.enable()
    gc.set_threshold(ALLOCATIONS, 20, 20)
    _AnswerWorker(server).run()


class _AnswerWorker:
    def __init__(self, server: Connection) -> None:
        self._server = server
        self._asked: SimpleQueue[QuestionToAnswer | ProjectToOpen | None] = SimpleQueue()
        self._cancelled = -1
        self._projects: OrderedDict[Path, ServedProject] = OrderedDict()

    def run(self) -> None:
        """Answer until there is nobody to answer."""
        threading.Thread(target=self._listen, name="questions", daemon=True).start()
        while (question := self._asked.get()) is not None:
            if isinstance(question, ProjectToOpen):
                self._warm(question.root)
                continue
            try:
                self._answer(question)
            except _Abandoned:
                pass
            except Exception as error:  # noqa: BLE001 -- whoever asked is sent the error, and the next question is answered
                self._server.send({"event": "error", "error": error_lines(known_error(error))})
            self._server.send(None)

    def _listen(self) -> None:
        try:
            while True:
                message = self._server.recv()
                if isinstance(message, QuestionToCancel):
                    self._cancelled = message.number
                else:
                    self._asked.put(message)
        except (EOFError, OSError):
            self._asked.put(None)

    def _warm(self, root: Path) -> None:
        """Answer a question that nobody asked, so that what is read once is read before the first one comes."""
        with suppress(Exception):  # the first answer says what is wrong with the project
            opened = self._project(root).open()
            index = opened.prepare()
            _ = SEARCHES["auto"]  # imports the other searches too
            if not asks_models(index):
                index.ask(str(opened.columns.get("entities", "title")[0]), "basic")

    def _answer(self, question: QuestionToAnswer) -> None:
        opened = self._project(question.root).open()
        index = question.body.index(opened.prepare())
        if asks_models(index):
            raise GraphstrataError(
                "the settings name a model since this question was begun", "it was not asked", "ask again"
            )

        def emit(event: Step | Piece) -> None:
            self._send(question, opened, event)

        body = question.body
        answer = index.ask(body.question, body.method, watch=emit, listen=emit, **body.options())
        self._send(question, opened, answer)

    def _send(self, question: QuestionToAnswer, opened: OpenIndex, event: Step | Piece | Answer) -> None:
        if self._cancelled == question.number:
            raise _Abandoned
        for line in event_of(opened, event):
            self._server.send(line)

    def _project(self, root: Path) -> ServedProject:
        found = self._projects.pop(root, None) or ServedProject("", root, COLUMN_BYTES)
        self._projects[root] = found
        while len(self._projects) > OPEN:
            self._projects.popitem(last=False)
        return found
