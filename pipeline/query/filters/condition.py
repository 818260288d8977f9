"""Conditions on the metadata of documents: ``customer = X and date >= 2024``.

A condition compares a column with a value by ``=``, ``!=``, ``<``, ``<=``, ``>``, ``>=``, ``contains`` or ``in (a, b)``;
``and``, ``or``, ``not`` and parentheses join conditions. Values of several words need no quotation marks, unless they hold
one of these words or signs. Two numbers are compared as numbers ("1,500" is a thousand and more, "1.500" is not; "€980" and "5.5%" are numbers), two dates as
days ("2024" is a whole year, "2024-03" a month), all else as text without regard to case. A column with several values meets a condition when one of them does.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from pipeline.base.errors import QuestionError
from pipeline.text.dates import days_in
from pipeline.text.numbers import value_of

EXAMPLE = 'customer = "Acme Corp" and (date >= 2024 or status in (open, waiting))'
Record = Mapping[str, Any]
"""Metadata of one document, by column in lower case."""

_TOKEN = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|`([^`]*)`|(<=|>=|!=|<>|==|[=<>(),])|([^\s"'`=<>!(),]+|!))""")
_AMOUNT = re.compile(
    r"(?P<sign>[+−-]?)(?:[A-Z]{3} |[$€£¥₹₽] ?)?(?P<number>\d[\d.,'’\u00a0\u202f ]*)(?: ?[%‰€£¥₽]| [A-Z]{3}| kr| zł)?"
)
_SIGN = re.compile(r"<=|>=|!=|<>|==|[=<>(),]")
_WORDS = frozenset({"and", "or", "not", "in", "contains"})
_SAME = {"==": "=", "<>": "!="}
_COMPARED = frozenset({"=", "!=", "<", "<=", ">", ">=", "contains", "in"})
_DEEPEST = 50
"""Conditions within each other, by parentheses and ``not``, of which more are an error."""


class _Token(NamedTuple):
    text: str
    quoted: bool
    at: int

    @property
    def word(self) -> str:
        """The keyword or sign that this is; empty for what is quoted or a value."""
        lower = self.text.lower()
        return "" if self.quoted or not (lower in _WORDS or _SIGN.fullmatch(lower)) else _SAME.get(lower, lower)


ANY = object()
"""In a record, a value of which every comparison is true: it shows whether the record is left out for lack of one."""


class Comparison(NamedTuple):
    """A column in lower case, the sign behind it, and the value that is compared; each of a list is one."""

    column: str
    sign: str
    value: str


@dataclass(frozen=True)
class Condition:
    """A condition as it was written, its comparisons, and whether a record meets it."""

    text: str
    comparisons: tuple[Comparison, ...]
    holds: Callable[[Record], bool]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are compared, each once."""
        return tuple(dict.fromkeys(one.column for one in self.comparisons))


def parse_condition(text: str) -> Condition:
    """Return the condition that ``text`` states; QuestionError where it states none."""
    if not isinstance(text, str):
        raise QuestionError(f"the filter is {text!r:.60}", "it must be a text", f"write a filter such as: {EXAMPLE}")
    return _Parser(text).parse()


class _Parser:
    def __init__(self, text: str) -> None:
        self._text, self._place, self._comparisons = text, 0, list[Comparison]()
        self._depth = 0
        self._tokens = list(self._cut())

    def parse(self) -> Condition:
        holds = self._either()
        if self._place < len(self._tokens):
            raise self._error(f"{self._tokens[self._place].text!r} is not expected")
        return Condition(self._text, tuple(self._comparisons), holds)

    def _cut(self) -> list[_Token]:
        found, at = [], 0
        end = len(self._text.rstrip())
        while at < end:
            match = _TOKEN.match(self._text, at)
            if match is None:
                raise self._error(f"{self._text[at:].strip()[:20]!r} opens a quotation that is not closed", at)
            quoted = match.lastindex is not None and match.lastindex <= 3
            found.append(_Token(match[match.lastindex or 0], quoted, match.start(match.lastindex or 0)))
            at = match.end()
        return found

    def _next(self, *words: str) -> str:
        """Take the next token where it is one of these keywords or signs."""
        word = self._tokens[self._place].word if self._place < len(self._tokens) else ""
        if not word or word not in words:
            return ""
        self._place += 1
        return word

    def _either(self) -> Callable[[Record], bool]:
        parts = [self._both()]
        while self._next("or"):
            parts.append(self._both())
        return parts[0] if len(parts) == 1 else lambda record: any(part(record) for part in parts)

    def _both(self) -> Callable[[Record], bool]:
        parts = [self._one()]
        while self._next("and"):
            parts.append(self._one())
        return parts[0] if len(parts) == 1 else lambda record: all(part(record) for part in parts)

    def _one(self) -> Callable[[Record], bool]:
        opened = self._next("not", "(")
        if not opened:
            return self._comparison()
        self._depth += 1
        if self._depth > _DEEPEST:
            raise self._error(f"more than {_DEEPEST} conditions are within each other")
        inner = self._one() if opened == "not" else self._either()
        self._depth -= 1
        if opened == "not":
            return lambda record: not inner(record)
        if not self._next(")"):
            raise self._error("a parenthesis is not closed")
        return inner

    def _comparison(self) -> Callable[[Record], bool]:
        column = self._value("the name of a column").lower()
        sign = self._next(*_COMPARED)
        if not sign:
            raise self._error(f"no comparison follows the column {column!r}")
        if sign == "in":
            values = self._list()
            self._comparisons += [Comparison(column, "=", value) for value in values]
            return lambda record: any(_meets(record.get(column), "=", value) for value in values)
        value = self._value(f"a value behind {column} {sign}")
        self._comparisons.append(Comparison(column, sign, value))
        if sign == "!=":
            return lambda record: not _meets(record.get(column), "=", value)
        return lambda record: _meets(record.get(column), sign, value)

    def _list(self) -> list[str]:
        if not self._next("("):
            raise self._error("a list in parentheses must follow the word in")
        values = [self._value("a value of the list")]
        while self._next(","):
            values.append(self._value("a value of the list"))
        if not self._next(")"):
            raise self._error("the list is not closed by a parenthesis")
        return values

    def _value(self, what: str) -> str:
        """Take a quoted text, or the words up to the next keyword or sign, as they are written."""
        start = self._place
        while self._place < len(self._tokens) and not self._tokens[self._place].word:
            self._place += 1
            if self._tokens[self._place - 1].quoted:
                break
        taken = self._tokens[start : self._place]
        if not taken:
            raise self._error(f"{what} is missing")
        if len(taken) == 1:
            return taken[0].text
        return self._text[taken[0].at : taken[-1].at + len(taken[-1].text)]

    def _error(self, what: str, at: int | None = None) -> QuestionError:
        if at is None:
            at = self._tokens[self._place].at if self._place < len(self._tokens) else len(self._text)
        return QuestionError(
            f"the filter {self._text!r} cannot be read at character {at + 1}: {what}",
            "the question was not asked",
            f"write a filter such as: {EXAMPLE}",
        )


def _meets(found: Any, sign: str, value: str) -> bool:
    """Return whether what a record has in a column, or one of its values, compares so; never where it has none."""
    if found is None or found == "":
        return False
    if found is ANY:
        return True
    if isinstance(found, Sequence) and not isinstance(found, str):
        return any(_meets(one, sign, value) for one in found)
    cell = _written(found)
    if sign == "contains":
        return value.casefold() in cell.casefold()
    numbers = found if isinstance(found, float) else _amount(cell), _amount(value)
    if numbers[0] is not None and numbers[1] is not None:
        return _compare((numbers[0], numbers[0]), sign, (numbers[1], numbers[1]))
    days = days_in(cell, alone=True), days_in(value, alone=True)
    if days[0] and days[1]:
        return _compare(days[0], sign, days[1])
    if sign != "=" and (numbers != (None, None) or days != (None, None)):
        return False  # "unknown" is neither before nor after a number or a day
    folded = cell.casefold(), value.casefold()
    return _compare((folded[0], folded[0]), sign, (folded[1], folded[1]))


def _amount(text: str) -> float | None:
    """Return the number that a text is, perhaps of money or in hundredths: "€1,200.50", "EUR 980", "5.5%"."""
    found = _AMOUNT.fullmatch(text)
    return value_of(found["sign"] + found["number"].rstrip(), ".") if found else None


def _written(found: Any) -> str:
    """Return a value of JSON as people write it."""
    return str(found).lower() if isinstance(found, bool) else " ".join(str(found).split())


def _compare(one: tuple[Any, Any], sign: str, other: tuple[Any, Any]) -> bool:
    """Compare two spans by their first and last; a span is equal to one that it lies in."""
    match sign:
        case "=":
            return bool(other[0] <= one[0] and one[1] <= other[1])
        case "<":
            return bool(one[1] < other[0])
        case "<=":
            return bool(one[1] <= other[1])
        case ">":
            return bool(one[0] > other[1])
        case _:
            return bool(one[0] >= other[0])
