"""The questions of an evaluation: read from JSON lines, their gold documents found in the index."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from pipeline.base.errors import InputError
from pipeline.base.store import Generation


@dataclass(frozen=True)
class Example:
    """A question with its right answers and gold documents, as far as they are known; ``number`` is its line."""

    number: int
    question: str
    answers: tuple[str, ...] = ()
    gold: tuple[str, ...] = ()


def read_examples(path: Path, limit: int | None = None) -> list[Example]:
    """Read the first ``limit`` examples of a file of JSON lines, each ``{"question": ..., "answer": ..., "gold": [...]}``.

    ``answer`` is a text or a list of texts any of which is right, ``gold`` a list of titles, files, record keys or ids
    of documents; both may be missing. InputError for a file or a line that cannot be read.
    """
    try:
        with path.open(encoding="utf-8-sig") as file:
            lines = ((number, line) for number, line in enumerate(file, 1) if line.strip())
            examples = [_example(path, number, line) for number, line in islice(lines, limit)]
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{path} cannot be read: {error}", "it holds the questions, a JSON object a line", "name another file"
        ) from error
    if not examples:
        raise InputError(f"{path} holds no question", "there is nothing to evaluate", "write one JSON object a line")
    return examples


def _example(path: Path, number: int, line: str) -> Example:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise _unfit(path, number, f"not valid JSON: {error}") from error
    question = row.get("question") if isinstance(row, dict) else None
    if not isinstance(question, str) or not question.strip():
        raise _unfit(path, number, 'no "question"')
    answers = _texts(row.get("answer"))
    gold = _texts(row.get("gold"))
    if answers is None or gold is None:
        raise _unfit(path, number, '"answer" or "gold" is neither a text nor a list of texts')
    return Example(number, question.strip(), answers, gold)


def _texts(value: Any) -> tuple[str, ...] | None:
    """Return texts and numbers as texts; None for what is neither."""
    listed = [] if value is None else value if isinstance(value, list) else [value]
    if not all(isinstance(item, str | int) and not isinstance(item, bool) for item in listed):
        return None
    return tuple(str(item) for item in listed)


def _unfit(path: Path, number: int, why: str) -> InputError:
    return InputError(
        f"{path}, line {number}: {why}",
        'a line is {"question": "...", "answer": "..." or [...], "gold": [documents]}; only the question must be there',
        "mend the line",
    )


class GoldDocuments:
    """Finds documents by id, file, record key of their file, or title; of a title that several bear any will do."""

    def __init__(self, generation: Generation) -> None:
        self._ids: dict[str, set[str]] = {}
        rows = generation.table("documents", ["id", "title", "source", "metadata"]).to_pylist()
        keys = [{row["id"]: row["id"] for row in rows}, {}, {}, {}]
        for row in rows:
            record = json.loads(row["metadata"]).get("record")
            for place, key in enumerate((row["source"], record, row["title"]), 1):
                if key is not None:
                    keys[place][row["id"]] = str(key)
        for kind in keys:
            found: dict[str, set[str]] = {}
            for id, key in kind.items():
                found.setdefault(key.casefold(), set()).add(id)
            self._ids = found | self._ids

    def find(self, gold: Sequence[str]) -> tuple[list[set[str]], list[str]]:
        """Return the documents of each gold name that the index holds, and the names that it does not."""
        found = [(name, self._ids.get(name.casefold(), set())) for name in gold]
        return [ids for _, ids in found if ids], [name for name, ids in found if not ids]
