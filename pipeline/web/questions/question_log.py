"""The log of questions beside the index: a line when one begins and one when it ends, so that what a day cost outlives the server."""

import json
import os
import threading
import time
from pathlib import Path
from typing import Any

from pipeline.base.errors import BudgetError, StoreError
from pipeline.base.storage.json_line import last_objects

LOG_FILE = "questions.jsonl"
KEPT = 2_000_000
"""Bytes of the log that are read, from its end: far more than a day's questions take."""


class QuestionLog:
    """The log of one output folder. A question that was begun and has no end cost at most what was set aside for it."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / LOG_FILE
        self._lock = threading.Lock()

    def begin(self, run: str, method: str, limit: float | None) -> None:
        """Enter a question that may cost up to ``limit``, on disk before it is asked; None where there is no cap. What is
        asked is not entered."""
        self._append({"run": run, "began": _now(), "method": method, "limit": limit})

    def end(self, run: str, outcome: str, cost: float | None, calls: int, seconds: float) -> None:
        """Enter how a question ended; ``cost`` is None where a price is not known."""
        line = {"run": run, "ended": _now(), "outcome": outcome, "cost": cost, "calls": calls}
        self._append({**line, "seconds": round(seconds, 3)})

    def spent_today(self) -> float:
        """Return what the questions of this day cost, those under way or broken off at their limit."""
        day = time.strftime("%Y-%m-%d")
        cost: dict[str, float] = {}
        for line in last_objects(self.path, KEPT):
            if "run" not in line:
                continue
            if str(line.get("began", "")).startswith(day):
                cost[line["run"]] = float(line.get("limit") or 0.0)
            elif "ended" in line and line["run"] in cost:
                cost[line["run"]] = float(line.get("cost") or 0.0)
        return sum(cost.values())

    def allowance(self, per_question: float | None, per_day: float | None) -> float | None:
        """Return what one more question may cost; None without a cap. BudgetError where the day's is used up."""
        if per_day is None:
            return per_question
        left = per_day - self.spent_today()
        if left <= 0:
            raise BudgetError(
                f"serve.max_cost_per_day {per_day:g} is used up",
                "no question that asks a model is taken today; answers that are cached and searches without a model are free",
                "ask again tomorrow, or raise it in settings.yaml",
            )
        return left if per_question is None else min(per_question, left)

    def _append(self, line: dict[str, Any]) -> None:
        data = (json.dumps(line, ensure_ascii=False) + "\n").encode("utf-8", "replace")
        try:
            with self._lock, self.path.open("ab") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise StoreError(
                f"{self.path} cannot be written: {error.strerror}",
                "what questions cost is entered there, so none is asked",
                "make room on the disk, and the file writable",
            ) from error


def _now() -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S")
