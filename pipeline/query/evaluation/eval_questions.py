"""The questions of an evaluation: read from JSON lines and written as such."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from pipeline.base.errors import InputError
from pipeline.base.storage.disk import disk_errors, write_whole

FOLDER = "evaluation"
"""Where questions and runs are kept, in the project."""
QUESTIONS = "questions.jsonl"


@dataclass(frozen=True)
class ExpectedPassage:
    """The words of a document that answer a question: ``text[start:end]`` of the document as it was when they were chosen.

    ``document`` is its file, or its id where a file holds several; ``quote`` finds the words again when they moved.
    """

    document: str
    start: int
    end: int
    quote: str


@dataclass(frozen=True)
class Example:
    """A question with its right answers and gold documents, as far as they are known; ``number`` is its line.

    ``answerable`` is False where the corpus does not hold the answer, and None where that is not said.
    """

    number: int
    question: str
    answers: tuple[str, ...] = ()
    gold: tuple[str, ...] = ()
    passages: tuple[ExpectedPassage, ...] = ()
    answerable: bool | None = None
    kind: str = ""
    """How it was made: see ``eval make``; empty where a person wrote it."""

    def to_line(self) -> str:
        """Return the question as a line of JSON, which ``read_examples`` reads."""
        row: dict[str, Any] = {"question": self.question, "answer": list(self.answers), "gold": list(self.gold)}
        row["passages"] = [asdict(passage) for passage in self.passages]
        return json.dumps(row | {"answerable": self.answerable, "kind": self.kind}, ensure_ascii=False)


def read_examples(path: Path, limit: int | None = None) -> list[Example]:
    """Read the first ``limit`` examples of a file of JSON lines, each ``{"question": ..., "answer": ..., "gold": [...]}``.

    ``answer`` is a text or a list of texts any of which is right, ``gold`` a list of titles, files, record keys or ids
    of documents, ``passages`` a list of ``{"document", "start", "end", "quote"}``, ``answerable`` true or false. All but
    the question may be missing; without ``gold`` the documents of the passages are. InputError for a file or a line that
    cannot be read.
    """
    try:
        with path.open(encoding="utf-8-sig") as file:
            lines = ((number, line) for number, line in enumerate(file, 1) if line.strip())
            examples = [_example(path, number, line) for number, line in islice(lines, limit)]
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{path} cannot be read: {getattr(error, 'strerror', None) or error}",
            "it holds the questions, a JSON object a line",
            "name another file",
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
    passages = _passages(row.get("passages") or [])
    answerable = row.get("answerable")
    if passages is None:
        raise _unfit(path, number, '"passages" is not a list of {"document", "start", "end", "quote"}')
    if answerable not in (True, False, None):
        raise _unfit(path, number, '"answerable" is neither true nor false')
    gold = gold or tuple(dict.fromkeys(passage.document for passage in passages))
    return Example(number, question.strip(), answers, gold, passages, answerable, str(row.get("kind") or ""))


def write_examples(path: Path, examples: Iterable[Example]) -> None:
    """Write questions as JSON lines; StoreError where that cannot be done."""
    lines = "".join(f"{example.to_line()}\n" for example in examples)
    with disk_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, lines.encode("utf-8"))


def _passages(listed: Any) -> tuple[ExpectedPassage, ...] | None:
    """Return the passages of a line; None where one of them has not the fields that it needs."""
    kinds = {"document": str, "start": int, "end": int, "quote": str}
    if not isinstance(listed, list) or not all(
        isinstance(one, dict) and all(isinstance(one.get(name), kind) for name, kind in kinds.items()) for one in listed
    ):
        return None
    return tuple(ExpectedPassage(**{name: one[name] for name in kinds}) for one in listed)


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
        "correct the line",
    )
