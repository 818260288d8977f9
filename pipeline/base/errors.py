"""Every error that graphstrata raises on purpose, in one tree; each has three lines: cause, consequence, fix. And what a
mistyped word in them may have meant."""

from collections.abc import Iterable


class GraphstrataError(Exception):
    """The root of the tree. ``found`` is the cause, ``why`` the consequence or what was expected, ``fix`` what to do about it."""

    exit_code = 1
    """What the command exits with when this error ends it."""

    def __init__(self, found: str, why: str = "", fix: str = "") -> None:
        super().__init__(found)
        self.found, self.why, self.fix = found, why, fix

    def __str__(self) -> str:
        return "\n".join(part for part in (self.found, self.why, self.fix) if part)


class SettingsError(GraphstrataError):
    """settings.yaml is missing, unreadable, or holds a key or value that is not known."""

    exit_code = 2


class InputError(GraphstrataError):
    """The input folder or one of its files cannot be read as asked."""

    exit_code = 3


class TableError(GraphstrataError):
    """A table does not fit its declaration; nothing of it was published."""

    exit_code = 4


class StoreError(GraphstrataError):
    """The output folder cannot be read or written, or holds no finished index."""

    exit_code = 5


class LockError(StoreError):
    """Another process is writing this index."""


class ModelError(GraphstrataError):
    """A language or embedding model cannot be used: key, name, address, quota or ability."""

    exit_code = 6


class BudgetError(GraphstrataError):
    """The next call would exceed a cap on cost, calls or minutes; what was done is saved."""

    exit_code = 7


class PartialError(GraphstrataError):
    """The run ended with some items failed; the failures table lists them."""

    exit_code = 8


class QuestionError(GraphstrataError):
    """A question or one of its options cannot be used."""

    exit_code = 9


class VerifyError(GraphstrataError):
    """Verify found faults in an index; it has printed them."""

    exit_code = 10


class EngineError(GraphstrataError):
    """The engine that settings name cannot be used, or lost its workers."""

    exit_code = 11


class PlanError(GraphstrataError):
    """The program contradicts itself: a workflow, task or table is declared wrongly."""


def meant(word: str, known: Iterable[str], least: float = 0.6, before: str = "; ") -> str:
    """Return "did you mean X?" behind ``before``, X being the known word most like ``word`` of those that are so like it as
    ``least``, 0 to 1 (Ratcliff and Obershelp); empty where none is."""
    from difflib import get_close_matches

    near = get_close_matches(word, list(known), 1, least)
    return f"{before}did you mean {near[0]}?" if near else ""
